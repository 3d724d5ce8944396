import { random, type Random } from "../math/index.js";
import { badValue, requireNumber, requireType, requireWhole } from "../errors/index.js";
import { arraysOf, stateMemoryOf, type Arrays, type StateMemory } from "./arrays.js";
import { blendStates } from "./blend.js";
import { bytesOf, readBytes } from "./bytes.js";
import { checkedColumn } from "./checked.js";
import { fieldsOfLayout, layoutChanges } from "./describe-layout.js";
import { differencesOf, type Difference } from "./diff.js";
import { FiniteCheck, type NonFinite } from "./finite.js";
import type { Hash } from "./hash.js";
import { jsonOf } from "./json.js";
import type { Kernels } from "./kernels.js";
import type { Layout } from "./layout.js";
import { Timelines } from "./timelines.js";
import { allocate, type StateOptions } from "./memory.js";
import type { Fields } from "./parts.js";
import type { World } from "./world.js";
import type { WorldJson } from "./world-json.js";

/** The world itself, where a snapshot's number is asked for. */
export const LIVE = -1;

/** A world and snapshots of it, in one memory. Snapshots have numbers from 0 on; the world itself is `LIVE`. */
export class State<S extends Fields = Fields> {
  readonly layout: Layout<S>;
  readonly world: World<S>;
  /** @internal What lies beside the world. */
  readonly beside: object | undefined;
  /** The generator of the world: its state is a part of the state. */
  readonly random: Random;
  readonly snapshots: number;
  readonly #buffer: ArrayBuffer;
  readonly #arrays: Arrays;
  readonly #kernels: Kernels;
  readonly #timelines: Timelines;
  readonly #worlds: (World<S> | undefined)[] = [];
  #finite: FiniteCheck | undefined;

  /** @internal Use `layout.allocate`. */
  constructor(layout: Layout<S>, snapshots: number, options: StateOptions) {
    requireWhole("Layout.allocate: snapshots", snapshots, 0, 16);
    requireType("Layout.allocate: options", options, "object", '{ kernels: "js" }');
    const { buffer, kernels } = allocate(layout.size, snapshots + 1, options);
    // `tickwise/blend` recognises columns and vectors by this.
    Object.defineProperty(buffer, "$state", { value: true });
    this.layout = layout;
    this.snapshots = snapshots;
    this.#buffer = buffer;
    this.#kernels = kernels;
    this.#arrays = arraysOf(buffer);
    this.#timelines = new Timelines(snapshots + 1);
    const memory = this.#memory(LIVE);
    this.world = layout.worldIn(memory) as World<S>;
    this.beside = layout.besideIn(memory);
    this.random = random(this.#arrays.u32, layout.own.random.offset / 4).seed(0);
  }

  /** How it copies, blends and hashes. */
  get kernels(): "wasm" | "js" {
    return this.#kernels.name;
  }

  /** The number of the state that the world holds: the next step's. */
  get tick(): number {
    return this.tickOf(LIVE);
  }
  set tick(tick: number) {
    requireWhole("State.tick", tick, 0, 0);
    this.#arrays.f64[this.layout.own.tick.offset / 8] = tick;
  }
  /** The same of a snapshot. */
  tickOf(snapshot: number): number {
    return this.#arrays.f64[(this.#baseOf("State.tickOf", snapshot) + this.layout.own.tick.offset) / 8]!;
  }

  /** A snapshot, to read: what is written there is not the world. */
  at(snapshot: number): World<S> {
    if (snapshot === LIVE) return this.world;
    this.#baseOf("State.at", snapshot);
    return (this.#worlds[snapshot] ??= this.layout.worldIn(this.#memory(snapshot)) as World<S>);
  }

  /**
   * @internal The world for guarded steps. The rows of its tables refuse to be used after their turn. If asked to, its
   * columns refuse what is no number: that is far slower.
   */
  guardedWorld(checksColumns: boolean): World<S> {
    const checks = { column: checksColumns ? checkedColumn : undefined };
    return this.layout.worldIn(this.#memory(LIVE), checks) as World<S>;
  }

  /** @internal The first `most` NaN and infinities in the world, except in fields that allow them. */
  nonFinite(most: number): readonly NonFinite[] {
    return (this.#finite ??= new FiniteCheck(this.layout)).find(this.#arrays, 0, most);
  }

  /** Copies the world into a snapshot. */
  save(snapshot: number): void {
    this.#kernels.copy(this.#baseOf("State.save", snapshot), 0, this.layout.size);
    this.#timelines.save(snapshot + 1);
  }

  /** Copies a snapshot into the world. */
  load(snapshot: number): void {
    this.#kernels.copy(0, this.#baseOf("State.load", snapshot), this.layout.size);
    this.#timelines.branch();
  }

  /** Of the whole state, tick and generator included. All NaN count as one; 0 and -0 do not. */
  hash(snapshot = LIVE, out: [number, number] = [0, 0]): Hash {
    requireType("State.hash: out", out, "object", "[0, 0]");
    const { f64, f32, int } = this.layout.areas;
    this.#kernels.hash(this.#baseOf("State.hash", snapshot), f64, f32, int, out);
    return out;
  }

  /**
   * Writes into `out` what lies between two states: the previous one with what is marked moved towards the current one;
   * at alpha 1, the current one. Rows that were added, removed or passed to `skipBlend` in between stay as they were
   * until then. A row is only blended with the row that has its id, also between two futures of one state.
   * `dt`, the seconds between the two, is wanted where something is blended by its velocity.
   */
  blend(out: number, previous: number, current: number, alpha: number, dt?: number): void {
    requireNumber("State.blend: alpha", alpha, 0, 1, "loop.alpha");
    if (dt !== undefined || this.layout.isCurved) requireNumber("State.blend: dt", dt, 0, 1e9, "loop.dt");
    const to = this.#baseOf("State.blend: out", out);
    const from = this.#baseOf("State.blend: previous", previous);
    const next = this.#baseOf("State.blend: current", current);
    if (to === from || to === next) badValue("State.blend: out", "another state than the two", out, 2);
    const isOneTimeline = this.#timelines.areSame(previous + 1, current + 1);
    this.#timelines.detach(out + 1);
    blendStates(this.layout, this.#kernels, this.#arrays, to, from, next, alpha, dt ?? 0, isOneTimeline);
  }

  /** What differs between two states, field by field; the first `most` of them. */
  diff(a: number, b: number, most = 20): Difference[] {
    requireNumber("State.diff: most", most, 0, Infinity, 20);
    const left = this.#baseOf("State.diff: a", a);
    const right = this.#baseOf("State.diff: b", b);
    return differencesOf(this.layout.leaves, this.#arrays, left, this.#arrays, right, most);
  }

  /** What differs between a state of another memory, of the same layout, and this world. */
  diffFrom(other: State<S>, snapshot: number, most = 20): Difference[] {
    if (!(other instanceof State)) badValue("State.diffFrom: other", "a state", other, "layout.allocate()");
    requireNumber("State.diffFrom: most", most, 0, Infinity, 20);
    this.#requireSame("State.diffFrom", other.layout);
    const from = other.#baseOf("State.diffFrom", snapshot);
    return differencesOf(this.layout.leaves, other.#arrays, from, this.#arrays, 0, most);
  }

  /**
   * Returns the tick and the world as plain objects, for people to read: live rows as objects, choices by name. Numbers
   * that JSON lacks are text: "NaN", "Infinity", "-Infinity", "-0". If the world has a field named `tick`, the state's own
   * tick is `$tick`. To save and load, use `bytes`.
   */
  toJSON(snapshot: number | string = LIVE): WorldJson<S> {
    // JSON.stringify hands over the name under which it found the state.
    const from = typeof snapshot === "string" ? LIVE : snapshot;
    return jsonOf(this.layout, this.#memory(from, "State.toJSON")) as WorldJson<S>;
  }

  /** A copy of a state with what is needed to know it again, to be sent or kept. */
  bytes(snapshot = LIVE): Uint8Array<ArrayBuffer> {
    const from = this.#baseOf("State.bytes", snapshot);
    return bytesOf(this.layout, new Uint8Array(this.#buffer, from, this.layout.size), this.hash(snapshot));
  }

  /** Loads what `bytes` made. What is of another layout, cut short or changed is refused, and nothing is loaded. */
  loadBytes(bytes: Uint8Array, snapshot = LIVE): void {
    const to = this.#baseOf("State.loadBytes", snapshot);
    const body = readBytes(this.layout, bytes);
    new Uint8Array(this.#buffer, to, this.layout.size).set(body);
    this.#timelines.detach(snapshot + 1);
  }

  #memory(snapshot: number, call = "State.at"): StateMemory {
    this.#baseOf(call, snapshot);
    return stateMemoryOf(this.#buffer, snapshot + 1, this.layout.size, this.#timelines);
  }

  #requireSame(call: string, layout: Layout): void {
    const { fingerprint } = this.layout;
    if (layout.fingerprint === fingerprint) return;
    const changes = layoutChanges(fieldsOfLayout(layout), fieldsOfLayout(this.layout));
    badValue(
      `${call}: layout`,
      `that of this state, ${fingerprint}${changes && ` (from the other to this one, ${changes})`}`,
      layout.fingerprint,
      "the same layout",
    );
  }

  /** Where a state begins. */
  #baseOf(call: string, snapshot: number): number {
    if (!(Number.isInteger(snapshot) && snapshot >= LIVE && snapshot < this.snapshots))
      this.#badValue(call, snapshot);
    return (snapshot + 1) * this.layout.size;
  }

  #badValue(call: string, snapshot: number): never {
    const { snapshots } = this;
    const isFew = Number.isInteger(snapshot) && snapshot >= snapshots && snapshot < 1e6;
    return badValue(
      // Where a call has several, it says which.
      call.includes(":") ? call : `${call}: snapshot`,
      snapshots > 0 ? `a whole number from 0 to ${snapshots - 1}, or LIVE` : "LIVE, as it has no snapshots",
      snapshot,
      isFew ? `layout.allocate(${snapshot + 1})` : "LIVE",
    );
  }
}
