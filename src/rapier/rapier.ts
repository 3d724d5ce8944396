import type { ExternalState } from "../sim/index.js";
import { badValue, misuse, requireFunction, requireOptions, requireType } from "../errors/index.js";
import { BodiesDigest } from "./bodies.js";
import { bytesOf, HEAD, snapshotOf } from "./bytes.js";
import { watchCallbacks } from "./callbacks.js";
import { digest } from "./digest.js";
import { readShapes, restoreParents, roundGravity } from "./restore.js";
import type { Rapier, RapierWorld } from "./types.js";

/** Options of `rapier`. */
export interface RapierOptions {
  /**
   * "snapshot" hashes everything that Rapier saves, so any difference is found at once. "bodies" hashes only the positions,
   * velocities and sleep of bodies, at a fraction of the cost: a difference elsewhere, such as in cached contacts, is found once it
   * moves a body. Default: "snapshot".
   */
  readonly hash?: "snapshot" | "bodies" | undefined;
}

const OPTIONS = Object.keys({ hash: 1 } satisfies Record<keyof RapierOptions, 1>);

/** A Rapier world as external state of a simulation. */
export interface RapierState<W extends RapierWorld> extends ExternalState {
  /** The current world. A load replaces it, so read it here in every step, and look up bodies by their handles. */
  readonly world: W;
  dispose(): void;
}

const WORLD = "() => new RAPIER.World({ x: 0, y: -9.81 })";

/**
 * Makes Rapier a part of a simulation: `const physics = rapier(RAPIER, () => new RAPIER.World({ x: 0, y: -9.81 }))`, then
 * `external: { physics }`. Use a deterministic build, and await its `init()` before you create a session.
 */
export function rapier<W extends RapierWorld>(
  RAPIER: Rapier<W>,
  make: () => W,
  options: RapierOptions = {},
): (() => RapierState<W>) & object {
  requireFunction("rapier: RAPIER.World", RAPIER?.World, "the namespace that the package exports");
  requireFunction("rapier: make", make, WORLD);
  requireOptions("rapier", options, OPTIONS, '{ hash: "bodies" }');
  const { hash = "snapshot" } = options;
  if (hash !== "snapshot" && hash !== "bodies")
    badValue("rapier: hash", '"snapshot" or "bodies"', hash, '"bodies"');
  const made = new WeakSet<W>();
  return () => {
    const version = versionOf(RAPIER);
    const world = make();
    requireType("rapier: make()", world, "object", WORLD);
    requireFunction("rapier: make().takeSnapshot", world.takeSnapshot, WORLD);
    // Several copies of a simulation may run at once, as in a sync test.
    if (made.has(world))
      misuse("in-use", "rapier", "make returned the same world twice", "Create a new world in every call");
    made.add(world);
    return new WorldState(RAPIER, version, world, hash);
  };
}

/** The oldest supported minor version. 0.19.3 diverges after a load, for a reason that we do not know; older ones were not tried. */
const MIN_MINOR = 20;

function versionOf(RAPIER: Rapier<RapierWorld>): string {
  let version: string;
  try {
    version = RAPIER.version();
  } catch {
    // The first call that fails before init().
    return misuse("not-ready", "rapier", "RAPIER is not initialised", "Call await RAPIER.init() first");
  }
  const [major, minor] = version.split(".").map(Number);
  if (major === 0 && minor! < MIN_MINOR)
    misuse("unsupported", "rapier", `Rapier ${version} is not supported`, `Use 0.${MIN_MINOR} or newer`);
  return version;
}

class WorldState<W extends RapierWorld> implements RapierState<W> {
  readonly #rapier: Rapier<W>;
  readonly #version: string;
  readonly #bodies: BodiesDigest | undefined;
  /** The results of `save`, which need no checks when they are loaded. */
  readonly #saved = new WeakSet<Uint8Array>();
  #world: W;
  #isDisposed = false;

  constructor(RAPIER: Rapier<W>, version: string, world: W, hash: "snapshot" | "bodies") {
    this.#rapier = RAPIER;
    this.#version = version;
    this.#bodies = hash === "bodies" ? new BodiesDigest() : undefined;
    this.#world = this.#adopt(world);
  }

  #adopt(world: W): W {
    roundGravity(world);
    readShapes(world);
    watchCallbacks(world);
    return world;
  }

  get world(): W {
    this.#requireAlive();
    return this.#world;
  }

  save(): Uint8Array {
    const { world } = this;
    roundGravity(world);
    const bytes = bytesOf(world.takeSnapshot(), this.#version);
    this.#saved.add(bytes);
    return bytes;
  }

  load(bytes: Uint8Array): void {
    const before = this.world;
    const snapshot = this.#saved.has(bytes) ? bytes.subarray(HEAD) : snapshotOf(bytes, this.#version);
    const raw = before.serializationPipeline.raw.deserializeAll(snapshot);
    if (!raw)
      misuse(
        "corrupt-data",
        "rapier.load",
        "Rapier cannot read the snapshot",
        "Load a snapshot of the same build",
      );
    // Not World.restoreSnapshot, which leaves the raw world, 1.7 kB, to the garbage collector.
    const world = this.#rapier.World.fromRaw(raw as never);
    raw.free();
    restoreParents(world);
    this.#world = this.#adopt(world);
    free(before);
  }

  hash(): [number, number] {
    const { world } = this;
    return this.#bodies ? this.#bodies.of(world) : digest(world.takeSnapshot());
  }

  dispose(): void {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    if (this.#world.bodies) free(this.#world);
  }

  #requireAlive(): void {
    if (this.#isDisposed)
      misuse("disposed", "rapier", "the world is already disposed", "Create a new session");
    if (!this.#world.bodies)
      misuse("disposed", "rapier", "the world was freed", "Let session.dispose() free it");
  }
}

/** Frees a world. Ignores errors: a world that failed inside Rapier cannot be freed, and that failure is the one to report. */
function free(world: RapierWorld): void {
  try {
    world.free();
  } catch {
    // Its memory leaks.
  }
}
