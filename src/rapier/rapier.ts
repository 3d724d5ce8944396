import type { ExternalState } from "../sim/index.js";
import { badValue, requireFunction, requireType } from "../errors/index.js";
import { BodiesDigest } from "./bodies.js";
import { bytesOf, HEAD, snapshotOf } from "./bytes.js";
import { watchCallbacks } from "./callbacks.js";
import { digest } from "./digest.js";
import { readShapes, restoreParents, roundGravity } from "./restore.js";
import type { Rapier, RapierWorld } from "./types.js";

/** Options of `rapier`. */
export interface RapierOptions {
  /**
   * "snapshot" hashes all that Rapier saves: what differs in any way is told at once. "bodies" hashes where bodies are,
   * how they move and whether they sleep, for a fraction of the cost: what differs elsewhere, as in the memory of contacts,
   * is told once it moves a body. Default "snapshot".
   */
  readonly hash?: "snapshot" | "bodies" | undefined;
}

/** A world of Rapier, as a part of a simulation. */
export interface RapierState<W extends RapierWorld> extends ExternalState {
  /** The world as it is now. A load makes another: take it here in every step, and find bodies again by their handles. */
  readonly world: W;
  dispose(): void;
}

const WORLD = "() => new RAPIER.World({ x: 0, y: -9.81 })";

/**
 * Joins Rapier to a simulation: `const physics = rapier(RAPIER, () => new RAPIER.World({ x: 0, y: -9.81 }))`, then
 * `outside: { physics }`. Take a deterministic build, and wait for its `init()` before a session is made.
 */
export function rapier<W extends RapierWorld>(
  RAPIER: Rapier<W>,
  make: () => W,
  { hash = "snapshot" }: RapierOptions = {},
): (() => RapierState<W>) & object {
  requireFunction("rapier: RAPIER.World", RAPIER?.World, "the namespace that the package exports");
  requireFunction("rapier: make", make, WORLD);
  if (hash !== "snapshot" && hash !== "bodies")
    badValue("rapier: hash", '"snapshot" or "bodies"', hash, '"bodies"');
  const made = new WeakSet<W>();
  return () => {
    const version = versionOf(RAPIER);
    const world = make();
    requireType("rapier: make's world", world, "object", WORLD);
    requireFunction("rapier: make's world.takeSnapshot", world.takeSnapshot, WORLD);
    // Copies of a simulation run beside one another, as in a sync test.
    if (made.has(world)) badValue("rapier: make's world", "a new one for each call", "the same again", WORLD);
    made.add(world);
    return new Joined(RAPIER, version, world, hash);
  };
}

/** 0.19.3 goes on differently after a load, for a reason that we do not know; those before it were not tried. */
const OLDEST = 20;

function versionOf(RAPIER: Rapier<RapierWorld>): string {
  let version: string;
  try {
    version = RAPIER.version();
  } catch {
    // It is the first thing that fails where the build is not ready.
    return badValue("rapier: RAPIER", "initialised", "one that is not", "await RAPIER.init() before");
  }
  const [major, minor] = version.split(".").map(Number);
  if (major === 0 && minor! < OLDEST)
    badValue("rapier: RAPIER", `version 0.${OLDEST} or newer`, version, "a newer one");
  return version;
}

class Joined<W extends RapierWorld> implements RapierState<W> {
  readonly #rapier: Rapier<W>;
  readonly #version: string;
  readonly #bodies: BodiesDigest | undefined;
  /** What it gave itself need not be looked at again. */
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
    if (!raw) badValue("rapier.load: bytes", "a snapshot of this build", "another's", "what save() gave");
    // Not World.restoreSnapshot: it leaves the raw world, of 1.7 KB, to the garbage collector.
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
    if (this.#isDisposed) badValue("rapier: world", "in use", "one that was disposed of", "a new session");
    if (!this.#world.bodies)
      badValue("rapier: world", "in use", "one that was freed", "to leave that to the session's dispose()");
  }
}

/** Frees a world. One that failed inside Rapier cannot be freed; the error to report is that failure, not this one. */
function free(world: RapierWorld): void {
  try {
    world.free();
  } catch {
    // Its memory leaks.
  }
}
