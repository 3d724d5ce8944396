import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { guard, localSession, migrate, simulation, syncTest } from "../sim/index.js";
import { rowsOfLayout, fieldsOfLayout } from "./describe-layout.js";
import {
  bool,
  f32,
  f64,
  id,
  layout,
  list,
  LIVE,
  oneOf,
  quat,
  table,
  trail,
  u8,
  vec2,
  type RowId,
} from "./index.js";
import { fieldsFrom } from "./rebuild-layout.js";

const World = layout({
  players: table(4, { x: f64.lerp, y: f64.lerp, past: trail(3, { x: f64, y: f64 }) }),
  camera: { past: trail(2, { x: f64 }) },
});

describe("the values", () => {
  test("at(0) is the last push; earlier ones follow; before the first there is the oldest", () => {
    const { players } = World.allocate().world;
    const player = players.get(players.add())!;
    expect(player.past.count).toBe(0);
    expect(player.past.capacity).toBe(3);
    expect(player.past.at(0, "x")).toBe(0);
    for (let i = 1; i <= 5; i++) player.past.push({ x: i, y: -i });
    expect(player.past.count).toBe(3);
    expect([0, 1, 2, 3, 100, Infinity].map((ago) => player.past.at(ago, "x"))).toEqual([5, 4, 3, 3, 3, 3]);
    expect(player.past.at(-1, "y")).toBe(-5);
    expect(player.past.at(0.25, "x")).toBe(4.75);
    expect(player.past.at(1.5, "y")).toBe(-3.5);
    expect(player.past.at(2.5, "y")).toBe(-3);
  });

  test("a row can be pushed as it is, and a trail read into an object", () => {
    const { players } = World.allocate().world;
    players.add({ x: 1, y: 2 });
    for (const player of players) {
      player.past.push(player);
      player.x = 3;
      player.past.push(player);
      const out = { x: 0, y: 0 };
      expect(player.past.read(0.5, out)).toBe(out);
      expect(out).toEqual({ x: 2, y: 2 });
    }
    expect(players.past.count(0)).toBe(2);
    expect(players.past.at(0, 1, "x")).toBe(1);
    players.past.push(0, { x: 9, y: 9 });
    expect(players.past.read(0, 0, { x: 0, y: 0 })).toEqual({ x: 9, y: 9 });
    players.past.clear(0);
    expect(players.past.count(0)).toBe(0);
  });

  test("outside tables, and in lists of groups", () => {
    const state = layout({
      past: trail(2, { x: f64 }),
      goals: list(2, { g: { past: trail(2, { x: f64 }) } }),
    }).allocate();
    const { past, goals } = state.world;
    past.push({ x: 1 });
    past.push({ x: 2 });
    past.push({ x: 3 });
    expect([past.at(0, "x"), past.at(1, "x"), past.count]).toEqual([3, 2, 2]);
    goals.g.past.push(1, { x: 7 });
    expect([goals.g.past.at(0, 0, "x"), goals.g.past.at(1, 0, "x")]).toEqual([0, 7]);
    past.clear();
    expect([past.at(0, "x"), past.count]).toEqual([0, 0]);
  });

  test("between two ticks, each kind of field is read as a view shows it", () => {
    const Mode = oneOf("idle", "run");
    const Ship = layout({
      ids: table(2, { x: f64 }),
      past: trail(4, {
        f: f32,
        a: f64.angle,
        n: u8,
        on: bool,
        mode: Mode,
        who: id,
        at: vec2,
        turn: quat.slerp,
      }),
    });
    const { past, ids } = Ship.allocate().world;
    const who = ids.add();
    const half = Math.SQRT1_2;
    past.push({ f: 0.1, a: 3, n: 1, on: true, mode: Mode.run, who, at: [1, 2], turn: [0, 0, 0, 1] });
    past.push({
      f: 0.2,
      a: -3,
      n: 2,
      on: false,
      mode: Mode.idle,
      who: 0,
      at: [3, 6],
      turn: [0, 0, -half, -half],
    });
    const out = {
      f: 0,
      a: 0,
      n: 0,
      on: false,
      mode: Mode.idle,
      who: 0 as RowId | 0,
      at: [0, 0],
      turn: new Float64Array(4),
    };
    past.read(0.5, out);
    expect(out).toMatchObject({ n: 1, on: true, mode: Mode.run, who, at: [2, 4] });
    expect(out.f).toBe(Math.fround(0.15000000223517418));
    expect(Math.cos(out.a)).toBeCloseTo(-1, 12);
    // The short way, and a unit quaternion: 22.5° of half the turn.
    expect(Math.abs(out.turn[2]!)).toBeCloseTo(Math.sin(Math.PI / 8), 12);
    expect(Math.hypot(...out.turn)).toBeCloseTo(1, 15);
    const mode: number = past.at(0.999, "mode");
    expect([past.at(0, "on"), past.at(1, "on"), mode, past.at(1, "who")]).toEqual([
      false,
      true,
      Mode.run,
      who,
    ]);
  });

  test("equals a blend of the states at that time", () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 2, maxLength: 9 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (values, alpha) => {
          const state = layout({ x: f64.lerp, past: trail(4, { x: f64 }) }).allocate(3);
          const { world } = state;
          values.forEach((x, i) => {
            world.x = x;
            world.past.push(world);
            state.save(i % 2);
          });
          const last = (values.length - 1) % 2;
          state.blend(2, 1 - last, last, alpha);
          const ago = 1 - alpha;
          // 1 - (1 - alpha) may round.
          fc.pre(1 - ago === alpha);
          expect(world.past.at(ago, "x")).toBe(state.at(2).x);
        },
      ),
    );
  });
});

describe("rows", () => {
  test("a new row starts with an empty trail, also in a reused row; a removed row is zero", () => {
    const state = World.allocate(1);
    const { players } = state.world;
    const first = players.add();
    state.save(0);
    players.remove(first);
    const zero = state.hash();
    state.load(0);
    players.get(first)!.past.push({ x: 5, y: 6 });
    players.remove(first);
    expect(state.hash()).toEqual(zero);
    expect(players.get(players.add())!.past.count).toBe(0);
  });

  test("a copied row has a copy of the trail", () => {
    const { players } = World.allocate().world;
    const first = players.get(players.add())!;
    for (let i = 0; i < 4; i++) first.past.push({ x: i, y: 0 });
    const copy = players.get(players.add({ ...first }))!;
    first.past.push({ x: 99, y: 0 });
    expect([0, 1, 2].map((ago) => copy.past.at(ago, "x"))).toEqual([3, 2, 1]);
    expect(copy.past.count).toBe(3);
    for (const row of players) if (row.id === copy.id) players.add({ past: row.past });
    expect(players.past.at(2, 0, "x")).toBe(3);
    expect(() => players.add({ past: [] as never })).toThrow(
      "players.add: past must be omitted, or the trail of a row of this table, got []. Try row.past.",
    );
  });
});

describe("misuse", () => {
  test("throws and changes nothing", () => {
    const state = World.allocate();
    const { players } = state.world;
    const player = players.get(players.add())!;
    for (let i = 0; i < 4; i++) player.past.push({ x: i, y: i });
    const hash = state.hash();
    expect(() => player.past.push({ x: 1, y: "2" as never })).toThrow(
      'world.players.past.push: y must be a number, got "2".',
    );
    expect(() => player.past.push(undefined as never)).toThrow(
      "world.players.past.push must be called with an object",
    );
    expect(() => player.past.at(0, "z" as never)).toThrow('world.players.past.at: unknown field "z"');
    expect(() => player.past.at(NaN, "x")).toThrow(
      "world.players.past: ago must be a number of ticks, got NaN",
    );
    expect(() => players.past.at(-1, 0, "x")).toThrow(
      "world.players.past: row must be a row number below 4, got -1",
    );
    expect(() => players.past.push(4, { x: 1, y: 1 })).toThrow("row must be a row number below 4");
    expect(state.hash()).toEqual(hash);
    expect(() => layout({ past: trail(0, { x: f64 }) })).toThrow("trail: ticks must be");
    expect(() => layout({ past: trail(40000, { x: f64 }) })).toThrow("trail: ticks must be at most 32767");
    expect(() => layout({ past: trail(2, {}) })).toThrow(
      "layout: past must be a group with at least one field",
    );
    expect(() => layout({ past: trail(2, { x: f64.hermite("v"), v: f64 }) })).toThrow(
      "layout: past.x must be a field",
    );
    expect(() => layout({ past: trail(2, { x: { y: f64 } as never }) })).toThrow(
      "layout: past.x must be a field",
    );
  });

  test("a guarded step rejects the trail of a removed row", () => {
    const game = simulation({
      name: "g",
      version: 1,
      rate: 60,
      state: World,
      step({ players }) {
        const player = players.get(players.add())!;
        players.remove(player);
        player.past.push({ x: 1, y: 1 });
      },
    });
    expect(() => localSession(game, { guard: guard() }).advance()).toThrow("was used after it was removed");
  });
});

describe("a trail is state", () => {
  const Kinds = layout({
    rows: table(3, { past: trail(3, { x: f64, at: vec2, n: u8 }) }),
    past: trail(300, { x: f32 }),
  });
  type Command = { kind: "push" | "add" | "remove" | "save" | "load" | "clear"; row: number; x: number };
  const command: fc.Arbitrary<Command> = fc.record({
    kind: fc.constantFrom("push", "push", "push", "push", "add", "remove", "save", "load", "clear"),
    row: fc.nat(2),
    x: fc.integer({ min: 0, max: 255 }),
  });

  test("equals an array per row, through saves, loads and bytes", () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 80 }), (commands) => {
        const state = Kinds.allocate(1);
        const { world } = state;
        type Model = { rows: Map<number, number[]>; past: number[] };
        let model: Model = { rows: new Map(), past: [] };
        const copy = ({ rows, past }: Model): Model => ({
          rows: new Map([...rows].map(([key, values]) => [key, [...values]])),
          past: [...past],
        });
        let saved = copy(model);
        state.save(0);
        const idAt = (row: number) => [...model.rows.keys()][row] as RowId | undefined;
        for (const { kind, row, x } of commands) {
          const own = idAt(row);
          if (kind === "save") {
            state.save(0);
            saved = copy(model);
          } else if (kind === "load") {
            state.load(0);
            model = copy(saved);
          } else if (kind === "add") {
            if (world.rows.count < 3) model.rows.set(world.rows.add(), []);
          } else if (own === undefined) {
            world.past.push({ x });
            model.past.unshift(x);
          } else if (kind === "remove") {
            world.rows.remove(own);
            model.rows.delete(own);
          } else if (kind === "clear") {
            world.rows.get(own)!.past.clear();
            model.rows.set(own, []);
          } else {
            world.rows.get(own)!.past.push({ x, at: [x, -x], n: x });
            model.rows.get(own)!.unshift(x);
            model.rows.get(own)!.splice(3);
          }
        }
        const other = Kinds.allocate();
        other.loadBytes(state.bytes());
        for (const { rows, past } of [world, other.world]) {
          expect(past.count).toBe(model.past.length);
          model.past.forEach((x, ago) => expect(past.at(ago, "x")).toBe(x));
          for (const [key, values] of model.rows) {
            const { past: own } = rows.get(key as RowId)!;
            expect(own.count).toBe(values.length);
            values.forEach((x, ago) =>
              expect(own.read(ago, { x: 0, at: [0, 0], n: 0 })).toEqual({ x, at: [x, -x], n: x }),
            );
          }
        }
        expect(other.hash()).toEqual(state.hash());
      }),
      { numRuns: 300 },
    );
  });

  test("how full it is, is hashed, and differences name the field", () => {
    const state = World.allocate(1);
    const { players } = state.world;
    const player = players.get(players.add())!;
    state.save(0);
    player.past.push({ x: 0, y: 0 });
    expect(state.hash()).not.toEqual(state.hash(0));
    player.past.push({ x: 4, y: 0 });
    expect(state.diff(0, LIVE)).toEqual([
      { path: "players[0].past.x[1]", a: 0, b: 4 },
      { path: "players[0].past.next slot", a: 0, b: 2 },
    ]);
  });

  test("JSON lists the values, the newest first", () => {
    const state = World.allocate();
    const { players, camera } = state.world;
    const player = players.get(players.add({ x: 1 }))!;
    for (let i = 0; i < 5; i++) player.past.push({ x: i, y: -i });
    camera.past.push({ x: NaN });
    expect(JSON.parse(JSON.stringify(state))).toEqual({
      tick: 0,
      players: [
        {
          id: 1,
          x: 1,
          y: 0,
          past: [
            { x: 4, y: -4 },
            { x: 3, y: -3 },
            { x: 2, y: -2 },
          ],
        },
      ],
      camera: { past: [{ x: "NaN" }] },
    });
  });

  test("a view never blends it", () => {
    const state = layout({ x: f64.lerp, past: trail(2, { a: f64.angle, x: f64.lerp }) }).allocate(2);
    const { world } = state;
    world.past.push({ a: 1, x: 1 });
    state.save(0);
    world.past.push({ a: 2, x: 2 });
    world.past.push({ a: 3, x: 3 });
    world.x = 1;
    state.blend(1, 0, LIVE, 0.5);
    const { x, past } = state.at(1);
    expect([x, past.count, past.at(0, "a"), past.at(0, "x")]).toEqual([0.5, 1, 1, 1]);
  });

  test("the fingerprint covers size and fields, and a description rebuilds the layout", () => {
    const prints = [
      trail(3, { x: f64 }),
      trail(4, { x: f64 }),
      trail(3, { x: f32 }),
      trail(3, { y: f64 }),
      trail(3, { x: f64, y: f64 }),
      { x: list(3, f64) },
    ].map((past) => layout({ past }).fingerprint);
    expect(new Set(prints).size).toBe(prints.length);
    expect(layout({ past: trail(3, { x: f64.angle }) }).fingerprint).toBe(prints[0]);
    for (const each of [World, Kinds]) {
      const rebuilt = layout(fieldsFrom(fieldsOfLayout(each as never), rowsOfLayout(each as never))!);
      expect(rebuilt.fingerprint).toBe(each.fingerprint);
    }
    expect(fieldsOfLayout(World as never)).toContainEqual(["players.past.x", "trail(3, f64) × 4"]);
  });

  test("a secret trail is secret as a whole, and has the same layout", () => {
    const past = trail(3, { x: f64, y: f64 });
    const marksOf = (part: typeof past) =>
      layout({ past: part }).leaves.flatMap((leaf) => (leaf.trail ? [leaf.isSecret ?? false] : []));
    expect(marksOf(past)).toEqual([false, false, false]);
    expect(marksOf(past.secret)).toEqual([true, true, true]);
    expect(marksOf(trail(3, { x: f64.secret, y: f64 }))).toEqual([true, false, false]);
    expect(layout({ past: past.secret }).fingerprint).toBe(layout({ past }).fingerprint);
  });

  test("bytes with a position that no step can produce are rejected", () => {
    const state = layout({ past: trail(3, { x: f64 }) }).allocate();
    const { position } = state.layout.leaves.find((leaf) => leaf.trail)!.trail!;
    // `$memory` is internal.
    const { $memory } = state.world as unknown as { $memory: { u16: Uint16Array } };
    $memory.u16[position.offset / 2] = 5;
    state.loadBytes(state.bytes());
    $memory.u16[position.offset / 2] = 6;
    expect(() => state.loadBytes(state.bytes())).toThrow("the number past.next slot is out of range");
    // Even so, reads stay within the row.
    $memory.u16[position.offset / 2] = 65535;
    state.world.past.push({ x: 7 });
    expect(state.world.past.at(0, "x")).toBe(7);
  });

  const walk = simulation({
    name: "walk",
    version: 1,
    rate: 60,
    state: World,
    init: ({ players }) => void players.add(),
    step({ players }, _, { tick, random }) {
      if (tick % 7 === 3 && players.count < 4) players.add();
      for (const player of players) {
        player.x += random.float() - 0.5;
        player.y = player.past.at(4 * random.float(), "x");
        player.past.push(player);
        if (tick % 11 === 10 && player.row === 1) players.remove(player);
      }
    },
  });

  test("rewinds and resimulates to the same hash", () => {
    expect(syncTest(walk, { ticks: 200 })).toMatchObject({ ok: true });
    const session = localSession(walk, { history: { seconds: 5 }, guard: guard() });
    for (let i = 0; i < 100; i++) session.advance();
    const hash = session.hash();
    session.seek(60);
    session.endRewind();
    for (let i = 60; i < 100; i++) session.advance();
    expect(session.hash()).toEqual(hash);
  });

  test.each([2, 3, 5])("a migration to %i ticks keeps the newest values", (ticks) => {
    const game = (version: number, size: number) =>
      simulation({
        name: "m",
        version,
        rate: 60,
        state: layout({ rows: table(2, { past: trail(size, { x: f64, at: vec2 }) }) }),
        init({ rows }) {
          rows.add();
          const { past } = rows.get(rows.add())!;
          for (let i = 0; i < 7; i++) past.push({ x: i, at: [i, i] });
          rows.get(1 as RowId)!.past.push({ x: 1, at: [1, 1] });
        },
        step() {},
      });
    const now = game(2, ticks);
    const session = localSession(now);
    session.load(migrate(now, localSession(game(1, 3)).bytes()));
    const [one, many] = [1, 2].map((key) => session.world.rows.get(key as RowId)!.past);
    expect([one!.count, one!.at(0, "x")]).toEqual([1, 1]);
    const kept = Math.min(3, ticks);
    expect(many!.count).toBe(kept);
    expect(Array.from({ length: kept }, (_, ago) => many!.at(ago, "x"))).toEqual([6, 5, 4].slice(0, kept));
    expect(many!.read(kept, { x: 0, at: [0, 0] }).at).toEqual([7 - kept, 7 - kept]);
  });
});
