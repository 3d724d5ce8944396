import { random, type Random } from "../math/index.js";
import { badValue, misuse, requireNumber, requireType, requireWhole } from "../errors/index.js";
import { arraysOf, stateMemoryOf, type Arrays, type StateMemory } from "./arrays.js";
import { blendStates } from "./blend.js";
import { bytesOf, readBytes } from "./bytes.js";
import { checkedColumn } from "./checked.js";
import { fieldsOfLayout, layoutChanges } from "./describe-layout.js";
import { differencesOf, type Difference } from "./diff.js";
import { FiniteCheck, type NonFinite } from "./finite.js";
import type { Hash } from "./hash.js";
import { jsonOf } from "./json.js";
import { BLEND_DT, BLEND_T, type Kernels } from "./kernels.js";
import type { Layout } from "./layout.js";
import { Timelines } from "./timelines.js";
import { allocate, attachShared, type Attachment, type StateOptions } from "./memory.js";
import type { Fields } from "./parts.js";
import type { World } from "./world.js";
import type { WorldJson } from "./world-json.js";

/** Stands for the world itself in calls that take the number of a snapshot. */
export const LIVE = -1;

/** A world and its snapshots, in one buffer. Snapshots are numbered from 0; the world itself is `LIVE`. */
export class State<S extends Fields = Fields> {
  readonly layout: Layout<S>;
  /** The world, to read and write. */
  readonly world: World<S>;
  /** @internal Saved and hashed with the world, but not part of it. */
  readonly beside: object | undefined;
  /** The random generator of the world. It is saved, loaded and hashed with the world. */
  readonly random: Random;
  /** Number of snapshots. */
  readonly snapshots: number;
  readonly #buffer: ArrayBuffer;
  readonly #arrays: Arrays;
  /** Where the tick of the world lies among the doubles. */
  readonly #tickIndex: number;
  readonly #kernels: Kernels;
  readonly #timelines: Timelines;
  readonly #worlds: (World<S> | undefined)[] = [];
  #finite: FiniteCheck | undefined;

  /**
   * @internal Use `layout.allocate`. With an attachment, the states are those in shared memory, and nothing is written to them: the
   * thread that allocated them has done that.
   */
  constructor(layout: Layout<S>, snapshots: number, options: StateOptions, attachment?: Attachment);
  /** Not for users: call `layout.allocate`. */
  constructor(never: never);
  /** @internal */
  constructor(layout: Layout<S>, snapshots = 0, options: StateOptions = {}, attachment?: Attachment) {
    const { buffer, kernels } = attachment
      ? attachShared(attachment)
      : allocate(layout.size, snapshots + 1, options);
    // `tickwise/blend` recognizes columns and vectors by this. Shared memory cannot have properties.
    if (!attachment) Object.defineProperty(buffer, "$state", { value: true });
    this.layout = layout;
    this.snapshots = snapshots;
    this.#buffer = buffer;
    this.#kernels = kernels;
    this.#arrays = arraysOf(buffer);
    this.#tickIndex = layout.own.tick.offset / 8;
    this.#timelines = new Timelines(snapshots + 1);
    const memory = this.#memory(LIVE);
    this.world = layout.worldIn(memory) as World<S>;
    this.beside = layout.besideIn(memory);
    this.random = random(this.#arrays.u32, layout.own.random.offset / 4);
    if (!attachment) this.random.seed(0);
  }

  /** The kernels in use: WebAssembly or JavaScript. */
  get kernels(): "wasm" | "js" {
    return this.#kernels.name;
  }

  /** The tick of the world: the number of the next step. */
  get tick(): number {
    return this.#arrays.f64[this.#tickIndex]!;
  }
  set tick(tick: number) {
    requireWhole("State.tick", tick, 0, 0);
    this.#arrays.f64[this.#tickIndex] = tick;
  }
  /** Returns the tick of a snapshot. */
  tickOf(snapshot: number): number {
    return this.#arrays.f64[this.#baseOf("State.tickOf", snapshot) / 8 + this.#tickIndex]!;
  }

  /** Returns a snapshot to read. Writing to it does not change the world. */
  at(snapshot: number): World<S> {
    if (snapshot === LIVE) return this.world;
    this.#baseOf("State.at", snapshot);
    return (this.#worlds[snapshot] ??= this.layout.worldIn(this.#memory(snapshot)) as World<S>);
  }

  /**
   * @internal Returns the world for guarded steps. Its row objects throw if they are used too late. With `checksColumns`, its
   * columns throw on values that are not numbers, which is much slower.
   */
  guardedWorld(checksColumns: boolean): World<S> {
    const checks = { column: checksColumns ? checkedColumn : undefined };
    return this.layout.worldIn(this.#memory(LIVE), checks) as World<S>;
  }

  /** @internal Returns the first `max` NaN and infinities in the world, except in fields that allow them. */
  nonFinite(max: number): readonly NonFinite[] {
    return (this.#finite ??= new FiniteCheck(this.layout)).find(this.#arrays, 0, max);
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

  /** Hashes the whole state, with its tick and random generator. All NaN values are equal; 0 and -0 differ. Writes to `out`, if given. */
  hash(snapshot = LIVE, out: [number, number] = [0, 0]): Hash {
    requireType("State.hash: out", out, "object", "[0, 0]");
    const { f64, f32, int } = this.layout.areas;
    this.#kernels.hash(this.#baseOf("State.hash", snapshot), f64, f32, int, out);
    return out;
  }

  /**
   * Blends two states into `out`: the fields with a blend mode move from the previous state to the current one, and all others
   * stay as in the previous one until alpha is 1. Rows that were added, removed or passed to `skipBlend` in between are not
   * blended. A row is only blended with the row that has the same id, even between two futures of one state. `dt`, the
   * seconds between the two states, is required if a field is blended by its velocity.
   */
  blend(out: number, previous: number, current: number, alpha: number, dt?: number): void {
    requireNumber("State.blend: alpha", alpha, 0, 1, "loop.alpha");
    if (dt !== undefined || this.layout.isCurved) requireNumber("State.blend: dt", dt, 0, 1e9, "loop.dt");
    const { factors } = this.#kernels;
    factors[BLEND_T] = alpha;
    factors[BLEND_DT] = dt ?? 0;
    this.blendByFactors(out, previous, current);
  }

  /** @internal What `blendByFactors` blends by: alpha and dt. */
  get factors(): Float64Array {
    return this.#kernels.factors;
  }

  /** @internal The same as `blend`, with alpha and dt in `factors`: as arguments, the engine would allocate them. */
  blendByFactors(out: number, previous: number, current: number): void {
    const to = this.#baseOf("State.blend: out", out);
    const from = this.#baseOf("State.blend: previous", previous);
    const next = this.#baseOf("State.blend: current", current);
    if (to === from || to === next) badValue("State.blend: out", "a third state", out, 2);
    const isOneTimeline = this.#timelines.areSame(previous + 1, current + 1);
    this.#timelines.detach(out + 1);
    blendStates(this.layout, this.#kernels, this.#arrays, to, from, next, isOneTimeline);
  }

  /** Lists the first `max` numbers that differ between two states. */
  diff(a: number, b: number, max = 20): Difference[] {
    requireNumber("State.diff: max", max, 0, Infinity, 20);
    const left = this.#baseOf("State.diff: a", a);
    const right = this.#baseOf("State.diff: b", b);
    return differencesOf(this.layout.leaves, this.#arrays, left, this.#arrays, right, max);
  }

  /** Lists the first `max` numbers that differ between a snapshot of another `State` of the same layout and this world. */
  diffFrom(other: State<S>, snapshot: number, max = 20): Difference[] {
    if (!(other instanceof State)) badValue("State.diffFrom: other", "a state", other, "layout.allocate()");
    requireNumber("State.diffFrom: max", max, 0, Infinity, 20);
    this.#requireSame("State.diffFrom", other.layout);
    const from = other.#baseOf("State.diffFrom", snapshot);
    return differencesOf(this.layout.leaves, other.#arrays, from, this.#arrays, 0, max);
  }

  /**
   * Returns the tick and the world as readable plain objects: live rows as objects, choices by name. Numbers that JSON lacks
   * are strings: "NaN", "Infinity", "-Infinity", "-0". If the world has a field named `tick`, the state's own tick is `$tick`.
   * To save and load, use `bytes`.
   */
  toJSON(snapshot: number | string = LIVE): WorldJson<S> {
    // JSON.stringify passes the key of the property that holds the state.
    const from = typeof snapshot === "string" ? LIVE : snapshot;
    return jsonOf(this.layout, this.#memory(from, "State.toJSON")) as WorldJson<S>;
  }

  /** Returns a copy of a state as bytes, with a header to verify it, to store or send. */
  bytes(snapshot = LIVE): Uint8Array<ArrayBuffer> {
    const from = this.#baseOf("State.bytes", snapshot);
    return bytesOf(this.layout, new Uint8Array(this.#buffer, from, this.layout.size), this.hash(snapshot));
  }

  /** Loads the result of `bytes`. Throws, without changing anything, if the bytes are damaged or belong to another layout. */
  loadBytes(bytes: Uint8Array, snapshot = LIVE): void {
    const to = this.#baseOf("State.loadBytes", snapshot);
    const body = readBytes(this.layout, bytes);
    new Uint8Array(this.#buffer, to, this.layout.size).set(body);
    this.#timelines.detach(snapshot + 1);
  }

  /** @internal Returns the arrays of the buffer that holds all states. See `baseOf`. */
  get arrays(): Arrays {
    return this.#arrays;
  }

  /** @internal Returns the byte offset of a state in `arrays`. */
  baseOf(call: string, snapshot: number): number {
    return this.#baseOf(call, snapshot);
  }

  /** @internal Call this after writing to `arrays`: blends compare the rows of that state from now on. */
  detach(snapshot: number): void {
    this.#timelines.detach(snapshot + 1);
  }

  /** @internal The timeline of the world, which another thread needs to blend its snapshots. */
  get timeline(): number {
    return this.#timelines.current;
  }

  /** @internal The timeline of a snapshot. */
  timelineOf(snapshot: number): number {
    return this.#timelines.of(snapshot + 1);
  }

  /** @internal Says on which timeline a snapshot is that another thread has saved. */
  setTimeline(snapshot: number, timeline: number): void {
    this.#timelines.put(snapshot + 1, timeline);
  }

  #memory(snapshot: number, call = "State.at"): StateMemory {
    this.#baseOf(call, snapshot);
    return stateMemoryOf(this.#buffer, snapshot + 1, this.layout.size, this.#timelines);
  }

  #requireSame(call: string, layout: Layout): void {
    const { fingerprint } = this.layout;
    if (layout.fingerprint === fingerprint) return;
    const changes = layoutChanges(fieldsOfLayout(layout), fieldsOfLayout(this.layout));
    misuse(
      "wrong-simulation",
      call,
      `the other state has layout ${layout.fingerprint}, this one ${fingerprint}${changes && ` (from the other to this one, ${changes})`}`,
      "Compare states of the same layout",
    );
  }

  /** Returns the byte offset of a state. */
  #baseOf(call: string, snapshot: number): number {
    if (!(Number.isInteger(snapshot) && snapshot >= LIVE && snapshot < this.snapshots))
      this.#badSnapshot(call, snapshot);
    return (snapshot + 1) * this.layout.size;
  }

  #badSnapshot(call: string, snapshot: number): never {
    const { snapshots } = this;
    const isFew = Number.isInteger(snapshot) && snapshot >= snapshots && snapshot < 1e6;
    return badValue(
      // Calls with several snapshots name the argument.
      call.includes(":") ? call : `${call}: snapshot`,
      snapshots > 0
        ? `a whole number from 0 to ${snapshots - 1}, or LIVE`
        : "LIVE, as there are no snapshots",
      snapshot,
      isFew ? `layout.allocate(${snapshot + 1})` : "LIVE",
    );
  }
}
