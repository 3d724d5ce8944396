// Finds what differs between the states of two peers. Each message goes one level deeper into a tree of hashes:
//
//   the peer that leads               the other
//   OPEN: short hashes of its ticks →
//                                   ← TOP: the first tick that differs; hashes of its inputs, external states and top nodes
//   NODES: hashes one level below   →
//                                   ← NODES …
//   NODES: hashes of leaves         →
//                                   ← LEAVES: the bytes of the leaves that differ
//   LEAVES: the same leaves         →
//
// If more ticks are held than fit into a message, OPEN samples them. The other then answers with REFINE: the hashes of all ticks
// between two samples; and the roles are swapped from there on.
import { arraysOf } from "../state/arrays.js";
import { differencesOf } from "../state/diff.js";
import type { Difference, Layout } from "../state/index.js";
import {
  DONE,
  FAIL,
  LEAVES,
  Malformed,
  malformed,
  MessageReader,
  MessageWriter,
  NODES,
  OPEN,
  REFINE,
  TOP,
} from "./desync-message.js";
import type { DesyncResult, DesyncSource, HeldState } from "./desync-result.js";
import { HeldTicks, MAX_HASHES, MAX_HELD, SHORT, strideOf, type FoundTick } from "./held-ticks.js";
import { absorb, bodyOf, FAN_OUT, HashTree, LEAF_BYTES, levelSizes } from "./hash-tree.js";

/** Bytes of a node's hash. */
const LONG = 4;
/** Most nodes of a level that are followed. */
const MAX_NODES = 8;
/** Most external states that are compared. */
const MAX_EXTERNAL = 64;
/** Most fields in a result. */
const MAX_FIELDS = 64;

/** Flags of TOP. */
const HAS_TICK = 1;
const HAS_AFTER = 2;
/** The flag of REFINE: the state before the first one is equal. */
const IS_EQUAL_BEFORE = 1;
/** The flag of NODES, LEAVES and DONE: more differs than is followed. */
const MORE = 1;

/** Why a search failed, as sent in FAIL: for the peer, and for oneself. */
const REASONS: readonly (readonly [theirs: string, own: string])[] = [
  ["the peer rejected a message of this peer as malformed", "the peer sent a malformed message"],
  ["the peer no longer holds the state", "this peer no longer holds the state"],
  ["the peers have different external states", "the peers have different external states"],
];
const MALFORMED = 0;
const NO_STATE = 1;
const OTHER_EXTERNAL = 2;

/**
 * One peer's part in a search. Create it when hashes of a confirmed tick differ, or when the peer's first message arrives. Pass all
 * messages of the peer's search to `receive` until there is a `result`. Messages must arrive once and in order; `send` must copy
 * the bytes. Nothing that a peer sends throws, and each reply has at most `MAX_MESSAGE` bytes.
 */
export class DesyncSearch {
  readonly #source: DesyncSource;
  readonly #send: (bytes: Uint8Array) => void;
  readonly #layout: Layout;
  readonly #sizes: readonly number[];
  readonly #ticks: HeldTicks;
  /** The kinds of messages that may come next. */
  #expected: readonly number[];
  #result: DesyncResult | undefined;
  #found: FoundTick | undefined;
  #seats: readonly number[] = [];
  #external: readonly string[] = [];
  #held: HeldState | undefined;
  #body: Uint8Array = new Uint8Array();
  #tree: HashTree | undefined;
  /** Whether the next message begins with the seats and external states that differ. */
  #awaitsMasks = false;
  /** The level of the hashes that were sent last, and their parents; undefined for all nodes. */
  #level = 0;
  #parents: readonly number[] | undefined;
  /** The leaves whose bytes were sent. */
  #sentLeaves: readonly number[] | undefined;
  /** The peer's bytes of leaves. */
  readonly #theirLeaves = new Map<number, Uint8Array>();
  #more = false;

  /** One of both peers leads: it must call `start`. */
  constructor(source: DesyncSource, leads: boolean, send: (bytes: Uint8Array) => void) {
    this.#source = source;
    this.#send = send;
    this.#layout = source.simulation.layout as Layout;
    this.#sizes = levelSizes(this.#layout.size);
    this.#ticks = new HeldTicks(source);
    this.#expected = leads ? [] : [OPEN];
  }

  /** What was found; undefined while the search runs. */
  get result(): DesyncResult | undefined {
    return this.#result;
  }

  /** Sends the first message. Only the peer that leads calls it, once. */
  start(): void {
    const writer = new MessageWriter(OPEN);
    const { first, total } = this.#ticks;
    writer.varint(first);
    writer.varint(total);
    for (let i = 0; i < total; i += strideOf(total)) writer.word(this.#ticks.hashOf(first + i), SHORT);
    this.#expected = [REFINE, TOP, DONE, FAIL];
    this.#send(writer.bytes);
  }

  /** Reads a message of the peer, and answers it. */
  receive(message: Uint8Array): void {
    if (this.#result) return;
    try {
      const reader = new MessageReader(message);
      if (!this.#expected.includes(reader.kind)) malformed("unexpected");
      this.#read(reader);
    } catch (error) {
      if (!(error instanceof Malformed)) throw error;
      this.#fail(MALFORMED, error.message);
    }
  }

  #read(reader: MessageReader): void {
    switch (reader.kind) {
      case OPEN:
        return this.#onOpen(reader);
      case REFINE:
        return this.#onRefine(reader);
      case TOP:
        return this.#onTop(reader);
      case NODES:
        return this.#onNodes(reader);
      case LEAVES:
        return this.#onLeaves(reader);
      case DONE:
        return this.#onDone(reader);
      default:
        return this.#onFail(reader);
    }
  }

  #onOpen(reader: MessageReader): void {
    const first = reader.varint(Number.MAX_SAFE_INTEGER - MAX_HELD);
    const total = reader.varint(MAX_HELD);
    const stride = strideOf(total);
    const hashes = reader.words(Math.ceil(total / stride), SHORT);
    reader.end();
    const from = Math.max(first, this.#ticks.first);
    const to = Math.min(first + total - 1, this.#ticks.last);
    const found = this.#ticks.firstDifference(first, stride, hashes, from, to);
    const { tick = to, after = from - 1 } = found;
    const next = Math.max(after + 1, tick - MAX_HASHES + 1);
    if (stride === 1 || next > tick || (next === tick && found.tick !== undefined)) this.#begin(found);
    else {
      const writer = new MessageWriter(REFINE);
      writer.byte(next - 1 === found.after ? IS_EQUAL_BEFORE : 0);
      writer.varint(from);
      writer.varint(next - from);
      writer.byte(tick - next + 1);
      for (let i = next; i <= tick; i++) writer.word(this.#ticks.hashOf(i), SHORT);
      this.#expected = [TOP, DONE, FAIL];
      this.#send(writer.bytes);
    }
  }

  #onRefine(reader: MessageReader): void {
    const flags = reader.byte();
    const from = reader.varint(this.#ticks.last);
    const next = from + reader.varint(this.#ticks.last);
    const hashes = reader.words(reader.byte(), SHORT);
    reader.end();
    const to = next + hashes.length - 1;
    const isEqualBefore = (flags & IS_EQUAL_BEFORE) !== 0;
    if (flags > IS_EQUAL_BEFORE || from < this.#ticks.first || to > this.#ticks.last || hashes.length === 0)
      malformed("ticks that were not offered");
    if (hashes.length > MAX_HASHES || (isEqualBefore && next === from)) malformed("a range of ticks");
    const { tick, after } = this.#ticks.firstDifference(next, 1, hashes, next, to);
    this.#begin({ from, to, tick, after: after ?? (isEqualBefore ? next - 1 : undefined) });
  }

  /** Goes on as the peer that knows which tick differs: sends the hashes of its state. */
  #begin(found: FoundTick): void {
    const { from, to, tick, after } = found;
    this.#found = found;
    if (from > to) return this.#finish(DONE);
    if (tick !== undefined && !this.#hold(tick)) return;
    const end = tick ?? to;
    const writer = new MessageWriter(TOP);
    writer.byte((tick === undefined ? 0 : HAS_TICK) | (after === undefined ? 0 : HAS_AFTER));
    writer.varint(from);
    writer.varint(end - from);
    if (after !== undefined) writer.varint(end - after);
    for (const hash of this.#ticks.seatHashes(from, end)) writer.word(hash, SHORT);
    if (tick !== undefined) {
      const hashes = this.#externalHashes();
      writer.byte(hashes.length);
      for (const hash of hashes) writer.word(hash, LONG);
      this.#level = this.#sizes.length - 1;
      for (const hash of this.#tree!.levels[this.#level]!) writer.word(hash, LONG);
    }
    this.#awaitsMasks = true;
    this.#expectNext(tick === undefined ? [] : [this.#level > 0 ? NODES : LEAVES]);
    this.#send(writer.bytes);
  }

  #onTop(reader: MessageReader): void {
    const flags = reader.byte();
    if (flags > (HAS_TICK | HAS_AFTER)) malformed("unknown flags");
    const from = reader.varint(this.#ticks.last);
    const to = from + reader.varint(this.#ticks.last);
    if (from < this.#ticks.first || to > this.#ticks.last) malformed("ticks that were not offered");
    const tick = flags & HAS_TICK ? to : undefined;
    const after = flags & HAS_AFTER ? to - reader.varint(to - from) : undefined;
    if (tick !== undefined && after === tick) malformed("a state that is both equal and different");
    const theirSeats = reader.words(this.#source.simulation.players, SHORT);
    this.#found = { from, to, tick, after };
    this.#seats = differing(
      this.#ticks.seatHashes(from, to),
      theirSeats,
      (own, theirs) => own > 0 && theirs > 0,
    );
    if (tick === undefined) {
      reader.end();
      return this.#finish(DONE, true);
    }
    const theirExternal = reader.words(reader.varint(MAX_EXTERNAL), LONG);
    const theirTop = reader.words(this.#sizes.at(-1)!, LONG);
    reader.end();
    if (!this.#hold(tick)) return;
    const external = this.#externalHashes();
    if (external.length !== theirExternal.length) return this.#fail(OTHER_EXTERNAL);
    this.#setExternal(differing(external, theirExternal));
    const level = this.#sizes.length - 1;
    this.#descend(level, differing(this.#tree!.levels[level]!, theirTop), true);
  }

  #onNodes(reader: MessageReader): void {
    this.#readFlags(reader);
    const nodes = this.#readNodes(reader);
    const level = this.#level - 1;
    const children = nodes.flatMap((node) => this.#childrenOf(node, level));
    const theirs = reader.words(children.length, LONG);
    reader.end();
    const own = children.map((child) => this.#tree!.levels[level]![child]!);
    this.#descend(
      level,
      differing(own, theirs).map((i) => children[i]!),
    );
  }

  /** Answers with what lies below nodes that differ. */
  #descend(level: number, nodes: readonly number[], isFirst = false): void {
    // Two hashes of different bytes may be equal, once in four billion, or the peer lies.
    if (nodes.length === 0 && !isFirst) this.#more = true;
    const followed = spread(nodes, MAX_NODES);
    if (followed.length < nodes.length) this.#more = true;
    if (followed.length === 0) return this.#finish(DONE, isFirst);
    const writer = this.#answer(level > 0 ? NODES : LEAVES, isFirst);
    writer.increasing(followed);
    if (level > 0) {
      for (const node of followed)
        for (const child of this.#childrenOf(node, level - 1))
          writer.word(this.#tree!.levels[level - 1]![child]!, LONG);
      this.#level = level - 1;
      this.#parents = followed;
      this.#expectNext([level > 1 ? NODES : LEAVES]);
    } else {
      for (const leaf of followed) writer.raw(this.#leafAt(leaf));
      this.#sentLeaves = followed;
      this.#expectNext([LEAVES]);
    }
    this.#send(writer.bytes);
  }

  #onLeaves(reader: MessageReader): void {
    this.#readFlags(reader);
    const sent = this.#sentLeaves;
    const leaves = sent ? reader.increasing(MAX_NODES, this.#sizes[0]!) : this.#readNodes(reader);
    if (sent && leaves.join() !== sent.join()) malformed("other leaves");
    const theirs = leaves.map((leaf) => reader.raw(this.#leafAt(leaf).length));
    reader.end();
    leaves.forEach((leaf, i) => this.#theirLeaves.set(leaf, theirs[i]!));
    if (!sent) {
      const writer = this.#answer(LEAVES, false);
      writer.increasing(leaves);
      for (const leaf of leaves) writer.raw(this.#leafAt(leaf));
      this.#send(writer.bytes);
    }
    this.#finish();
  }

  #onDone(reader: MessageReader): void {
    // Both peers have no tick in common.
    if (!this.#found) this.#found = { from: 0, to: -1, tick: undefined, after: undefined };
    this.#readFlags(reader);
    reader.end();
    this.#finish();
  }

  #onFail(reader: MessageReader): void {
    const code = reader.varint(REASONS.length - 1);
    const tick = reader.varint(Number.MAX_SAFE_INTEGER) - 1;
    reader.end();
    const isOffered = tick >= this.#ticks.first && tick <= this.#ticks.last;
    const [reason] = REASONS[code]!;
    this.#result = { outcome: "failed", reason, tick: this.#found?.tick ?? (isOffered ? tick : undefined) };
  }

  /** Begins a message that both peers may send. The first answer to TOP tells which seats and external states differ. */
  #answer(kind: number, isFirst: boolean): MessageWriter {
    const writer = new MessageWriter(kind);
    writer.byte(this.#more ? MORE : 0);
    if (isFirst) {
      writer.mask(this.#seats, this.#source.simulation.players);
      const names = this.#externalNames();
      writer.mask(
        this.#external.map((name) => names.indexOf(name)),
        names.length,
      );
    }
    return writer;
  }

  #readFlags(reader: MessageReader): void {
    const flags = reader.byte();
    if (flags > MORE) malformed("unknown flags");
    if (this.#awaitsMasks) {
      this.#awaitsMasks = false;
      this.#seats = reader.mask(this.#source.simulation.players);
      this.#setExternal(reader.mask(this.#externalNames().length));
    }
    if (flags & MORE) this.#more = true;
  }

  /** Reads nodes of the level whose hashes were sent last. */
  #readNodes(reader: MessageReader): number[] {
    const nodes = reader.increasing(MAX_NODES, this.#sizes[this.#level]!);
    const parents = this.#parents;
    if (parents && !nodes.every((node) => parents.includes(Math.floor(node / FAN_OUT))))
      malformed("nodes that were not offered");
    return nodes;
  }

  #childrenOf(node: number, level: number): number[] {
    const first = node * FAN_OUT;
    const count = Math.min(FAN_OUT, this.#sizes[level]! - first);
    return Array.from({ length: count }, (_, i) => first + i);
  }

  #leafAt(leaf: number): Uint8Array {
    return this.#body.subarray(leaf * LEAF_BYTES, (leaf + 1) * LEAF_BYTES);
  }

  #expectNext(kinds: readonly number[]): void {
    this.#expected = [...kinds, DONE, FAIL];
  }

  /** Fetches the state that differs, and builds its tree. Ends the search if it is not held. */
  #hold(tick: number): boolean {
    const held = this.#source.stateAt(tick);
    if (!held || held.state.length < this.#layout.size) {
      this.#found = { from: tick, to: tick, tick, after: undefined };
      this.#fail(NO_STATE);
      return false;
    }
    this.#held = held;
    this.#body = bodyOf(this.#layout, held.state);
    this.#tree = new HashTree(this.#layout, this.#body);
    return true;
  }

  #externalNames(): string[] {
    return (this.#held?.external ?? []).slice(0, MAX_EXTERNAL).map(([name]) => name);
  }

  #externalHashes(): number[] {
    return this.#held!.external.slice(0, MAX_EXTERNAL).map(([, [a, b]]) => absorb(a, b) >>> 0);
  }

  #setExternal(indices: readonly number[]): void {
    const names = this.#externalNames();
    this.#external = indices.map((i) => names[i]!);
  }

  #fail(code: number, problem = ""): void {
    const tick = this.#found?.tick;
    const writer = new MessageWriter(FAIL);
    writer.varint(code);
    writer.varint(tick === undefined ? 0 : tick + 1);
    const [, reason] = REASONS[code]!;
    this.#result = { outcome: "failed", reason: problem ? `${reason}: ${problem}` : reason, tick };
    this.#release();
    this.#send(writer.bytes);
  }

  /** Ends the search, with a last message if the peer waits for one. */
  #finish(kind?: number, isFirst = false): void {
    if (kind !== undefined) this.#send(this.#answer(kind, isFirst).bytes);
    this.#result = this.#outcome(this.#found!);
    this.#release();
  }

  #outcome({ from, to, tick, after }: FoundTick): DesyncResult {
    const seats = this.#seats;
    if (tick === undefined) return { outcome: "none", held: from > to ? undefined : [from, to], seats };
    const fields = this.#fields();
    return {
      outcome: "found",
      tick,
      after,
      exact: after === tick - 1,
      fields: fields.slice(0, MAX_FIELDS),
      more: this.#more || fields.length > MAX_FIELDS,
      external: this.#external,
      seats,
    };
  }

  /** Compares the own state with the same state in which the peer's leaves replace the own ones. */
  #fields(): Difference[] {
    const { leaves, size } = this.#layout;
    if (this.#theirLeaves.size === 0) return [];
    const [own, theirs] = [new Uint8Array(size), new Uint8Array(size)];
    own.set(this.#body);
    theirs.set(this.#body);
    for (const [leaf, bytes] of this.#theirLeaves) theirs.set(bytes, leaf * LEAF_BYTES);
    return differencesOf(leaves, arraysOf(own.buffer), 0, arraysOf(theirs.buffer), 0, MAX_FIELDS + 1);
  }

  /** Frees the state. */
  #release(): void {
    this.#held = undefined;
    this.#tree = undefined;
    this.#body = new Uint8Array();
    this.#theirLeaves.clear();
  }
}

/** Lists the indices at which two lists differ. */
function differing(
  own: ArrayLike<number>,
  theirs: ArrayLike<number>,
  isComparable: (own: number, theirs: number) => boolean = () => true,
): number[] {
  const found: number[] = [];
  for (let i = 0; i < own.length; i++)
    if (own[i] !== theirs[i] && isComparable(own[i]!, theirs[i]!)) found.push(i);
  return found;
}

/** Picks at most `max` items, evenly spread from the first to the last, so that several columns of a table are among them. */
const spread = (items: readonly number[], max: number): readonly number[] =>
  items.length <= max
    ? items
    : Array.from({ length: max }, (_, i) => items[Math.floor((i * (items.length - 1)) / (max - 1))]!);
