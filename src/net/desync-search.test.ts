import { describe, expect, test } from "vitest";
import { FULL } from "../../test/full.js";
import { random, type Random } from "../math/index.js";
import { simulation, type AnySimulation } from "../sim/index.js";
import { ARRAYS } from "../state/fields.js";
import { pathOf } from "../state/diff.js";
import type { Leaf } from "../state/leaves.js";
import {
  bool,
  f32,
  f64,
  i16,
  i32,
  i8,
  id,
  layout,
  list,
  oneOf,
  quat,
  table,
  u16,
  u32,
  u8,
  vec2,
  vec3,
  type Fields,
  type Hash,
  type Layout,
} from "../state/index.js";
import type { DesyncResult, DesyncSource } from "./desync-result.js";
import { DesyncSearch } from "./desync-search.js";
import { MAX_MESSAGE } from "./link.js";

const TARGET = { exchanges: 6, bytes: 1024 };
const MB = 2 ** 20;

const dice = random(new Uint32Array(4));

const Mode = oneOf("idle", "walk", "run");
const KINDS = { f64, f32, i32, u32, i16, u16, i8, u8, bool, id, vec2, vec3, quat, Mode } as const;
type Kind = keyof typeof KINDS;
const NAMES = Object.keys(KINDS) as Kind[];

function gameOf(state: Fields, players = 2): AnySimulation {
  return simulation({ name: "game", version: 1, rate: 60, players, state: layout(state), step() {} });
}

/** A game with a random layout of about so many bytes: fields, groups, lists and tables. */
function randomGame(bytes: number): AnySimulation {
  const field = () => KINDS[dice.pick(NAMES)];
  const fields: Record<string, unknown> = {};
  const parts = 1 + dice.below(12);
  for (let i = 0; i < parts; i++) {
    const rows = Math.max(1, Math.floor(bytes / parts / 40));
    const name = `part${i}`;
    const kind = dice.below(5);
    if (kind === 0) fields[name] = field();
    else if (kind === 1) fields[name] = { a: field(), b: { c: field() } };
    else if (kind === 2) fields[name] = list(rows * 3, field());
    else if (kind === 3) fields[name] = list(rows, { a: field(), b: field() });
    else fields[name] = table(rows, { a: field(), b: field(), c: field() });
  }
  return gameOf(fields as Fields, 1 + dice.below(8));
}

const sizeOf = (game: AnySimulation) => (game.layout as Layout).size;

/** Holds states from one tick to another. Their hashes are equal for all peers, up to the tick of `differFrom`. */
class Peer implements DesyncSource {
  firstHeld = 0;
  lastHeld = -1;
  readonly states = new Map<number, Uint8Array>();
  readonly hashes = new Map<number, Hash>();
  external: (tick: number) => readonly (readonly [string, Hash])[] = () => [];
  inputs: (tick: number, seat: number) => number | undefined = (tick, seat) => tick * 64 + seat;

  constructor(
    readonly simulation: AnySimulation,
    first = 0,
    last = first - 1,
  ) {
    this.firstHeld = first;
    this.lastHeld = last;
    for (let tick = first; tick <= last; tick++) this.hashes.set(tick, [tick, 7]);
  }

  hashAt(tick: number): Hash | undefined {
    return this.hashes.get(tick);
  }
  stateAt(tick: number) {
    const state = this.states.get(tick);
    return state && { state, external: this.external(tick) };
  }
  inputsHash(tick: number, seat: number): number | undefined {
    return this.inputs(tick, seat);
  }

  /** Makes the states from a tick on differ from those of peers with another `mark`. */
  differFrom(tick: number, state: Uint8Array, mark = 8): this {
    for (let i = tick; i <= this.lastHeld; i++) this.hashes.set(i, [i, mark]);
    this.states.set(tick, state);
    return this;
  }
}

interface Traffic {
  readonly a: DesyncResult | undefined;
  readonly b: DesyncResult | undefined;
  readonly exchanges: number;
  readonly bytes: number;
  readonly messages: readonly Uint8Array[];
}

/** Runs a search, and counts its messages. An exchange is one message each way. */
function searched(one: DesyncSource, other: DesyncSource): Traffic {
  const queue: { to: "a" | "b"; bytes: Uint8Array }[] = [];
  const sent = { a: 0, b: 0 };
  const messages: Uint8Array[] = [];
  const post = (to: "a" | "b") => (bytes: Uint8Array) => {
    expect(bytes.length).toBeLessThanOrEqual(MAX_MESSAGE);
    sent[to]++;
    messages.push(bytes.slice());
    queue.push({ to, bytes: bytes.slice() });
  };
  const a = new DesyncSearch(one, true, post("b"));
  const b = new DesyncSearch(other, false, post("a"));
  a.start();
  for (let next; (next = queue.shift());) (next.to === "a" ? a : b).receive(next.bytes);
  return {
    a: a.result,
    b: b.result,
    exchanges: Math.max(sent.a, sent.b),
    bytes: messages.reduce((sum, { length }) => sum + length, 0),
    messages,
  };
}

/** The result with own and peer's values swapped. */
const swapped = (result: DesyncResult | undefined) =>
  result?.outcome === "found"
    ? { ...result, fields: result.fields.map(({ path, a, b }) => ({ path, a: b, b: a })) }
    : result;

/** Checks that both peers found the same, each with its own values first. */
function expectMirrored({ a, b }: Traffic): void {
  expect(b).toEqual(swapped(a));
}

/** Writes random bytes to the declared numbers of a state. */
function randomState(game: AnySimulation): Uint8Array {
  const bytes = new Uint8Array(sizeOf(game));
  for (const leaf of (game.layout as Layout).leaves) {
    const count = Math.min(leaf.rows * leaf.stride, 50);
    for (let k = 0; k < count; k++)
      setNumber(bytes, leaf, dice.below(leaf.rows * leaf.stride), smallNumber(leaf));
  }
  return bytes;
}

const smallNumber = (leaf: Leaf) =>
  leaf.form === "boolean" ? dice.below(2) : dice.below(leaf.names?.length ?? 100);

const arrayOf = (bytes: Uint8Array, { type, offset, rows, stride }: Leaf) =>
  new ARRAYS[type](bytes.buffer as ArrayBuffer, bytes.byteOffset + offset, rows * stride);

function setNumber(bytes: Uint8Array, leaf: Leaf, index: number, value: number): void {
  arrayOf(bytes, leaf)[index] = value;
}

/** Changes a number of a leaf; returns its path. */
function plant(bytes: Uint8Array, leaf: Leaf, index: number): string {
  const before = arrayOf(bytes, leaf)[index]!;
  const limit = leaf.form === "boolean" ? 2 : (leaf.names?.length ?? 101);
  setNumber(bytes, leaf, index, (before + 1 + dice.below(limit - 1)) % limit);
  return pathOf(leaf, index);
}

const pathsOf = (result: DesyncResult | undefined) =>
  result?.outcome === "found" ? result.fields.map(({ path }) => path) : undefined;

describe("one field of a state of up to 1 MB", () => {
  const CASES = FULL ? 1000 : 100;

  test("is found in at most 6 exchanges and 1 KB, whatever the layout", () => {
    dice.seed("one field");
    let most = { exchanges: 0, bytes: 0, size: 0 };
    for (let i = 0; i < CASES; i++) {
      const game = randomGame(dice.pick([100, 5_000, 100_000, 900_000]));
      if (sizeOf(game) > MB) continue;
      const leaf = dice.pick((game.layout as Layout).leaves);
      const [own, theirs] = [randomState(game), new Uint8Array(sizeOf(game))];
      theirs.set(own);
      const path = plant(theirs, leaf, dice.below(leaf.rows * leaf.stride));
      const held = 1 + dice.below(40);
      const tick = 1000 + dice.below(held);
      const ends = 999 + held;
      const one = new Peer(game, 1000, ends).differFrom(tick, own, 9);
      const traffic = searched(one, new Peer(game, 990, ends + 5).differFrom(tick, theirs));
      expect(pathsOf(traffic.a), `case ${i}`).toEqual([path]);
      expect(traffic.a).toMatchObject({
        tick,
        after: tick > 1000 ? tick - 1 : undefined,
        more: false,
        seats: [],
      });
      expectMirrored(traffic);
      const { exchanges, bytes } = traffic;
      most = {
        exchanges: Math.max(most.exchanges, exchanges),
        bytes: Math.max(most.bytes, bytes),
        size: Math.max(most.size, sizeOf(game)),
      };
    }
    expect(most.size).toBeGreaterThan(0.8 * MB);
    expect(most.exchanges).toBeLessThanOrEqual(TARGET.exchanges);
    expect(most.bytes).toBeLessThanOrEqual(TARGET.bytes);
  });

  test("takes 4 exchanges and 513 bytes in 1 MB, with 40 ticks held and 8 seats", () => {
    const game = gameOf({ x: list(2 ** 17 - 64, f64) }, 8);
    expect(sizeOf(game)).toBeGreaterThan(MB - 4096);
    expect(sizeOf(game)).toBeLessThanOrEqual(MB);
    const [own, theirs] = [new Uint8Array(sizeOf(game)), new Uint8Array(sizeOf(game))];
    theirs[700_000] = 1;
    const one = new Peer(game, 100, 139).differFrom(125, own, 9);
    const { a, exchanges, bytes } = searched(one, new Peer(game, 100, 139).differFrom(125, theirs));
    expect(pathsOf(a)).toHaveLength(1);
    expect({ exchanges, bytes }).toEqual({ exchanges: 4, bytes: 513 });
  });

  test.each(NAMES)("of every kind is named with both values: %s", (kind) => {
    dice.seed(kind);
    const game = gameOf({ one: KINDS[kind], rows: table(20, { a: u8, it: KINDS[kind] }) } as Fields);
    for (const leaf of (game.layout as Layout).leaves) {
      const [own, theirs] = [new Uint8Array(sizeOf(game)), new Uint8Array(sizeOf(game))];
      const index = leaf.rows * leaf.stride - 1;
      setNumber(theirs, leaf, index, 1);
      const one = new Peer(game, 5, 5).differFrom(5, own, 9);
      const { a } = searched(one, new Peer(game, 5, 5).differFrom(5, theirs));
      const [zero, first] = leaf.form === "boolean" ? [false, true] : leaf.names ? ["idle", "walk"] : [0, 1];
      expect(a).toMatchObject({ fields: [{ path: pathOf(leaf, index), a: zero, b: first }], tick: 5 });
    }
  });
});

/** Two peers of a game that hold states 10 to 29. They differ from 20 on. */
function twoPeers(game: AnySimulation, own: Uint8Array, theirs: Uint8Array, tick = 20) {
  const one = new Peer(game, 10, 29).differFrom(tick, own, 9);
  return [one, new Peer(game, 10, 29).differFrom(tick, theirs)] as const;
}

describe("what differs", () => {
  const game = gameOf({ heat: f64, crates: table(1000, { x: f64, hp: u8 }) });
  const { leaves } = game.layout as Layout;
  const leafOf = (name: string) => leaves.find(({ head, tail }) => head + tail === name)!;
  const both = () => [new Uint8Array(sizeOf(game)), new Uint8Array(sizeOf(game))] as const;

  test("several fields and rows of a table are listed in order of declaration", () => {
    const [own, theirs] = both();
    setNumber(theirs, leafOf("crates.hp"), 999, 1);
    setNumber(theirs, leafOf("crates.x"), 17, 2);
    setNumber(theirs, leafOf("heat"), 0, -0);
    setNumber(own, leafOf("heat"), 0, NaN);
    const traffic = searched(...twoPeers(game, own, theirs));
    expect(traffic.a).toEqual({
      outcome: "found",
      tick: 20,
      after: 19,
      exact: true,
      fields: [
        { path: "heat", a: NaN, b: -0 },
        { path: "crates[17].x", a: 0, b: 2 },
        { path: "crates[999].hp", a: 0, b: 1 },
      ],
      more: false,
      external: [],
      seats: [],
    });
    expectMirrored(traffic);
  });

  test("of many fields, some are listed, of several columns", () => {
    const [own, theirs] = both();
    for (let row = 0; row < 1000; row++) {
      setNumber(theirs, leafOf("crates.x"), row, 1);
      setNumber(theirs, leafOf("crates.hp"), row, 1);
    }
    const traffic = searched(...twoPeers(game, own, theirs));
    expect(traffic.a).toMatchObject({ more: true });
    const paths = pathsOf(traffic.a)!;
    expect(paths).toHaveLength(64);
    for (const column of [".x", ".hp"]) expect(paths.some((path) => path.endsWith(column))).toBe(true);
    expectMirrored(traffic);
  });

  test("NaN of other bits is no difference", () => {
    const [own, theirs] = both();
    setNumber(own, leafOf("heat"), 0, NaN);
    setNumber(theirs, leafOf("heat"), 0, NaN);
    theirs[leafOf("heat").offset] = 1;
    setNumber(theirs, leafOf("crates.hp"), 0, 1);
    expect(pathsOf(searched(...twoPeers(game, own, theirs)).a)).toEqual(["crates[0].hp"]);
  });

  test("external states are named", () => {
    const [one, other] = twoPeers(game, ...both());
    one.external = () => [
      ["physics", [1, 2]],
      ["cloth", [3, 4]],
    ];
    other.external = () => [
      ["physics", [1, 2]],
      ["cloth", [3, 5]],
    ];
    const traffic = searched(one, other);
    expect(traffic.a).toMatchObject({ tick: 20, fields: [], external: ["cloth"], more: false });
    expectMirrored(traffic);
    other.external = () => [["physics", [1, 2]]];
    expect(searched(one, other)).toMatchObject({
      a: { outcome: "failed", reason: "the peers have different external states", tick: 20 },
      b: { outcome: "failed", reason: "the peers have different external states", tick: 20 },
    });
  });

  test("seats whose inputs differ are named, unless a peer no longer knows them", () => {
    const [own, theirs] = both();
    theirs[leafOf("heat").offset] = 1;
    const [one, other] = twoPeers(game, own, theirs);
    other.inputs = (tick, seat) => (tick === 19 && seat === 1 ? 5 : one.inputs(tick, seat));
    const traffic = searched(one, other);
    expect(traffic.a).toMatchObject({ tick: 20, seats: [1] });
    expectMirrored(traffic);
    // The inputs of step 20 lead to state 21.
    other.inputs = (tick, seat) => (tick === 20 && seat === 1 ? 5 : one.inputs(tick, seat));
    expect(searched(one, other).a).toMatchObject({ seats: [] });
    other.inputs = () => undefined;
    expect(searched(one, other).a).toMatchObject({ seats: [] });
  });

  test("if all held states are equal, nothing is found but the seats", () => {
    const [one, other] = [new Peer(game, 10, 29), new Peer(game, 15, 40)];
    expect(searched(one, other)).toMatchObject({
      a: { outcome: "none", held: [15, 29], seats: [] },
      b: { outcome: "none", held: [15, 29], seats: [] },
      exchanges: 2,
    });
    other.inputs = (tick, seat) => (tick === 28 && seat === 0 ? 5 : one.inputs(tick, seat));
    expect(searched(one, other)).toMatchObject({ a: { seats: [0] }, b: { seats: [0] } });
  });

  test.each([
    ["apart", 30, 40],
    ["empty", 0, -1],
  ])("without a common tick, nothing is found: %s", (_, first, last) => {
    const [one, other] = [new Peer(game, 10, 29), new Peer(game, first, last)];
    const none = { outcome: "none", held: undefined, seats: [] };
    expect(searched(one, other)).toMatchObject({ a: none, b: none });
    expect(searched(other, one)).toMatchObject({ a: none, b: none });
  });

  test("states that a peer does not hold are skipped", () => {
    const [own, theirs] = both();
    theirs[leafOf("heat").offset] = 1;
    const [one, other] = twoPeers(game, own, theirs, 18);
    for (const tick of [16, 17]) one.hashes.delete(tick);
    for (const tick of [17, 18, 19]) other.hashes.delete(tick);
    one.states.set(20, own);
    other.states.set(20, theirs);
    expect(searched(one, other).a).toMatchObject({ tick: 20, after: 15, exact: false });
  });

  test("a state that was dropped meanwhile ends the search at both peers, with its tick", () => {
    const [one, other] = twoPeers(game, ...both());
    one.states.clear();
    expect(searched(one, other)).toMatchObject({
      a: { outcome: "failed", reason: "this peer no longer holds the state", tick: 20 },
      b: { outcome: "failed", reason: "the peer no longer holds the state", tick: 20 },
    });
    expect(searched(other, one)).toMatchObject({
      a: { outcome: "failed", reason: "the peer no longer holds the state", tick: 20 },
      b: { outcome: "failed", reason: "this peer no longer holds the state", tick: 20 },
    });
  });
});

test("of up to 4,096 held ticks, the first that differs is found, within the same limits", () => {
  dice.seed("many ticks");
  const game = gameOf({ x: list(2 ** 17 - 64, f64) }, 8);
  const [own, theirs] = [new Uint8Array(sizeOf(game)), new Uint8Array(sizeOf(game))];
  theirs[500_000] = 1;
  for (let i = 0; i < 200; i++) {
    const [first, last] = [dice.below(3000), 3000 + dice.below(3000)];
    const [start, end] = [dice.below(3000), 3000 + dice.below(3000)];
    const [one, other] = [new Peer(game, first, last), new Peer(game, start, end)];
    const tick = dice.below(6000);
    one.differFrom(tick, own, 9);
    other.differFrom(tick, theirs);
    const least = Math.max(first, start, last - 4095, end - 4095);
    const most = Math.min(last, end);
    one.states.set(Math.max(tick, least), own);
    other.states.set(Math.max(tick, least), theirs);
    const traffic = searched(one, other);
    expect(traffic.a, `case ${i}`).toMatchObject(
      tick > most
        ? { outcome: "none", held: [least, most] }
        : { outcome: "found", tick: Math.max(tick, least), after: tick > least ? tick - 1 : undefined },
    );
    expectMirrored(traffic);
    expect(traffic.exchanges).toBeLessThanOrEqual(TARGET.exchanges);
    expect(traffic.bytes).toBeLessThanOrEqual(TARGET.bytes);
  }
});

describe("hostile peers", () => {
  /** Changes some bytes. */
  function mutated(bytes: Uint8Array, by: Random): Uint8Array {
    const changed = by.chance(0.1) ? bytes.slice(0, by.below(bytes.length + 1)) : bytes.slice();
    for (let times = by.below(4); times > 0 && changed.length > 0; times--)
      changed[by.below(changed.length)] = by.pick([0, 1, 2, 3, 4, 5, 6, 7, 8, 127, 128, 255, by.below(256)]);
    return by.chance(0.05) ? Uint8Array.of(...changed, ...changed.subarray(0, 60)) : changed;
  }

  /** Whether a result names only ticks that are held, and seats that exist. */
  const isPlausible = (result: DesyncResult, { players }: AnySimulation) =>
    result.outcome !== "found" ||
    (result.tick >= 10 &&
      result.tick <= 4000 &&
      result.fields.length <= 64 &&
      result.seats.every((seat) => seat < players));

  test("mutated, repeated and random messages never throw, and always get a bounded number of replies", () => {
    dice.seed("hostile");
    const games = [gameOf({ x: f64 }), gameOf({ x: list(500, f64), y: list(20_000, u8) }, 3)];
    const outcomes = new Map<string, number>();
    for (let i = 0; i < (FULL ? 200_000 : 5_000); i++) {
      const game = dice.pick(games);
      const [own, theirs] = [new Uint8Array(sizeOf(game)), new Uint8Array(sizeOf(game))];
      for (let times = 1 + dice.below(20); times > 0; times--) theirs[dice.below(theirs.length)]! ^= 1;
      const [one, other] = twoPeers(game, own, theirs);
      if (dice.chance(0.2)) other.lastHeld = one.lastHeld = 4000;
      const peers: DesyncSearch[] = [];
      const queue: { to: number; bytes: Uint8Array }[] = [];
      let messages = 0;
      for (const [side, source] of [one, other].entries())
        peers.push(
          new DesyncSearch(source, side === 0, (bytes) => {
            messages++;
            expect(bytes.length).toBeLessThanOrEqual(MAX_MESSAGE);
            const isHonest = dice.chance(0.7);
            const sent = isHonest ? bytes.slice() : mutated(bytes, dice);
            queue.push({ to: 1 - side, bytes: sent });
            if (dice.chance(0.02)) queue.push({ to: 1 - side, bytes: mutated(sent, dice) });
          }),
        );
      peers[0]!.start();
      for (let next; (next = queue.shift());) peers[next.to]!.receive(next.bytes);
      expect(messages).toBeLessThan(16);
      for (const { result } of peers) {
        const outcome = result?.outcome ?? "waiting";
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
        expect(result === undefined || isPlausible(result, game)).toBe(true);
      }
    }
    for (const outcome of ["found", "none", "failed"]) expect(outcomes.get(outcome)).toBeGreaterThan(50);
  });

  test("a malformed message ends the search with a reason, for both", () => {
    const game = gameOf({ x: f64 });
    const sent: Uint8Array[] = [];
    const search = new DesyncSearch(new Peer(game, 0, 9), false, (bytes) => sent.push(bytes.slice()));
    search.receive(Uint8Array.of(1, 0, 200, 1));
    expect(search.result).toEqual({
      outcome: "failed",
      reason: "the peer sent a malformed message: truncated",
      tick: undefined,
    });
    const leader = new DesyncSearch(new Peer(game, 0, 9), true, () => {});
    leader.start();
    leader.receive(sent[0]!);
    expect(leader.result).toEqual({
      outcome: "failed",
      reason: "the peer rejected a message of this peer as malformed",
      tick: undefined,
    });
    // Later messages are ignored.
    search.receive(Uint8Array.of(1, 0, 0));
    expect(sent).toHaveLength(1);
  });

  test.each([
    ["two leaders", [1, 0, 0]],
    ["an unknown kind", [99]],
    ["an empty message", []],
    ["leaves before nodes", [5, 0, 1, 0]],
    ["a message that is too long", Array.from({ length: MAX_MESSAGE + 1 }, () => 1)],
  ])("%s", (_, bytes) => {
    const search = new DesyncSearch(new Peer(gameOf({ x: f64 }), 0, 9), true, () => {});
    search.start();
    search.receive(Uint8Array.from(bytes));
    expect(search.result?.outcome).toBe("failed");
  });
});
