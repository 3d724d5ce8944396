import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  bool,
  f32,
  f64,
  layout,
  list,
  LIVE,
  oneOf,
  table,
  skipBlend,
  u16,
  u32,
  u8,
  vec2,
  type RowId,
} from "./index.js";

const Mode = oneOf("idle", "run");
const World = layout({
  crates: table(5, { x: f64.lerp, hp: u8, at: vec2, on: bool, mode: Mode, g: { f: f32, l: list(3, u8) } }),
});

test("a row has an id, and a place that it keeps", () => {
  const { crates } = World.allocate().world;
  const a = crates.add({ x: 1 });
  const b = crates.add({ x: 2, at: [3, 4], on: true, mode: Mode.run, g: { f: 0.5, l: [1, 2, 3] } });
  expect([crates.row(a), crates.row(b), crates.count, crates.end]).toEqual([0, 1, 2, 2]);
  expect(crates.remove(a)).toBe(true);
  expect([crates.row(a), crates.row(b), crates.count, crates.end]).toEqual([-1, 1, 1, 2]);
  expect([crates.x[1], crates.at[2], crates.at[3], crates.on[1], crates.g.f[1]]).toEqual([2, 3, 4, 1, 0.5]);
  expect([...crates.g.l.subarray(3, 6)]).toEqual([1, 2, 3]);
});

test("a removed row is zero, and removed once", () => {
  const { crates } = World.allocate().world;
  const id = crates.add({ x: 1, hp: 2, at: [3, 4], on: true, mode: Mode.run, g: { f: 5, l: [6, 7, 8] } });
  expect([crates.remove(id), crates.remove(id)]).toEqual([true, false]);
  expect([crates.x[0], crates.hp[0], crates.at[0], crates.at[1], crates.on[0], crates.mode[0]]).toEqual([
    0, 0, 0, 0, 0, 0,
  ]);
  expect([crates.g.f[0], ...crates.g.l.subarray(0, 3)]).toEqual([0, 0, 0, 0]);
});

test("rows of few bytes are zeroed alone, wherever they lie", () => {
  // After a column of two bytes, those of four begin at no multiple of four.
  const { rows } = layout({
    rows: table(2, { a: u8, four: list(4, u8), two: list(2, u16), b: u8 }),
  }).allocate().world;
  const values = (row: number) => [
    rows.a[row],
    ...rows.four.subarray(4 * row, 4 * row + 4),
    ...rows.two.subarray(2 * row, 2 * row + 2),
    rows.b[row],
  ];
  const first = rows.add({ a: 1, four: [2, 3, 4, 5], two: [6, 7], b: 8 });
  rows.add({ a: 11, four: [12, 13, 14, 15], two: [16, 17], b: 18 });
  expect(values(0)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  rows.remove(first);
  expect(values(0)).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
  expect(values(1)).toEqual([11, 12, 13, 14, 15, 16, 17, 18]);
});

test("whatever columns a table has, a row is filled and zeroed alone", () => {
  const field = fc.constantFrom(u8, u16, u32, f32, f64, bool);
  const column = fc.tuple(field, fc.integer({ min: 1, max: 9 }));
  const tables = fc.array(column, { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(tables, fc.integer({ min: 2, max: 9 }), fc.nat(), (columns, capacity, some) => {
      const fields = columns.map(([of, length], i) => [`c${i}`, list(length, of)] as const);
      const { rows } = layout({ rows: table(capacity, Object.fromEntries(fields)) }).allocate().world;
      const column = (i: number) => [...(rows as unknown as Record<string, Uint8Array>)[`c${i}`]!];
      const ones = columns.map(([of, length], i) => [`c${i}`, Array(length).fill(of === bool || 1)]);
      for (let row = 0; row < capacity; row++) rows.add(Object.fromEntries(ones) as never);
      const gone = some % capacity;
      rows.remove(rows.id[gone]!);
      for (const [i, [, length]] of columns.entries())
        expect(column(i)).toEqual(
          Array.from({ length: capacity * length }, (_, at) => (Math.floor(at / length) === gone ? 0 : 1)),
        );
    }),
  );
});

test("a new row is zero, whatever was written where there was none", () => {
  const { crates } = World.allocate().world;
  crates.x[0] = crates.hp[0] = crates.g.l[2] = 9;
  crates.add({ hp: 1 });
  expect([crates.x[0], crates.hp[0], crates.g.l[2]]).toEqual([0, 1, 0]);
});

test("what was never given out leads nowhere", () => {
  const { crates } = World.allocate().world;
  crates.add();
  for (const id of [0, -0, -1, 2, 6, 0.5, 1.5, NaN, Infinity, 2 ** 53, 2 ** 31, "1", null, undefined, 1n])
    expect([crates.row(id as RowId), crates.remove(id as RowId)]).toEqual([-1, false]);
  expect(crates.count).toBe(1);
});

test("a number that is not the id of a live row removes nothing", () => {
  const number = fc.oneof(fc.integer({ min: -20, max: 40 }), fc.double(), fc.maxSafeInteger());
  const changes = fc.array(fc.integer({ min: -1, max: 4 }), { maxLength: 20 });
  fc.assert(
    fc.property(changes, number, (rows, some) => {
      const state = World.allocate();
      const { crates } = state.world;
      for (const row of rows)
        if (row >= 0) crates.remove(crates.id[row]!);
        else if (crates.count < 5) crates.add();
      const live = [...crates.id].findIndex((id) => id > 0 && Object.is(id, some));
      const before = state.hash();
      const count = crates.count;
      expect([crates.row(some as RowId), crates.remove(some as RowId)]).toEqual([live, live >= 0]);
      expect(crates.count).toBe(live >= 0 ? count - 1 : count);
      expect(live >= 0 || String(state.hash()) === String(before)).toBe(true);
    }),
    { numRuns: 1000 },
  );
});

test("a full table refuses, and goes on once there is room", () => {
  const { crates } = World.allocate().world;
  const ids = Array.from({ length: 5 }, () => crates.add());
  expect(() => crates.add()).toThrow(
    'world.crates.add: rows must be at most 5, got "one more". Try it if world.crates.count < 5, or a table of more rows.',
  );
  expect(crates.count).toBe(5);
  crates.remove(ids[3]!);
  expect(crates.row(crates.add())).toBe(3);
});

test("a table of one row gives out new ids for ever", () => {
  const { only } = layout({ only: table(1, { x: f64 }) }).allocate().world;
  const ids = Array.from({ length: 1000 }, () => {
    const id = only.add({ x: 1 });
    expect([only.row(id), only.remove(id)]).toEqual([0, true]);
    return id;
  });
  expect(new Set(ids).size).toBe(1000);
});

test("ids past 2^31 lead to their rows", () => {
  const { many } = layout({ many: table(2 ** 20, { on: bool }) }).allocate().world;
  const ids = Array.from({ length: 5000 }, () => {
    const id = many.add();
    many.remove(id);
    return id;
  });
  const last = many.add({ on: true });
  expect(last).toBe(5000 * 2 ** 20 + 1);
  expect([many.row(last), ids.some((id) => many.row(id) >= 0)]).toEqual([0, false]);
});

test("clear removes all, and the first row is the next", () => {
  const { crates } = World.allocate().world;
  for (const x of [1, 2, 3]) crates.add({ x });
  crates.clear();
  expect([crates.count, ...crates.x]).toEqual([0, 0, 0, 0, 0, 0]);
  expect([0, 1, 2, 3].map(() => crates.row(crates.add()))).toEqual([0, 1, 2, 3]);
});

test("a cleared table ends at 0, and ends where its new rows do", () => {
  const state = World.allocate(1);
  const { crates } = state.world;
  for (let round = 0; round < 3; round++) {
    for (let x = 0; x < 5; x++) crates.add({ x });
    // With a hole, too.
    if (round === 1) crates.remove(crates.id[3]!);
    crates.clear();
    expect([crates.count, crates.end]).toEqual([0, 0]);
    crates.add();
    crates.add();
    expect([crates.count, crates.end]).toEqual([2, 2]);
    state.loadBytes(state.bytes(), 0);
    expect([state.at(0).crates.count, state.at(0).crates.end]).toEqual([2, 2]);
    crates.clear();
    state.loadBytes(state.bytes(), 0);
    expect(state.at(0).crates.end).toBe(0);
  }
});

test("a table ends at 0 once its last row is removed", () => {
  const { crates } = World.allocate().world;
  const ids = [1, 2, 3].map((x) => crates.add({ x }));
  for (const id of ids) crates.remove(id);
  expect([crates.count, crates.end]).toEqual([0, 0]);
});

describe("values that a row cannot have are refused, and no row is added", () => {
  const bad: [unknown, string][] = [
    [null, "values must be an object, got null"],
    [1, "values must be an object, got 1"],
    [{ y: 1 }, 'name in values must be one of x, hp, at, on, mode, g, got "y"'],
    [[1], 'name in values must be one of x, hp, at, on, mode, g, got "0"'],
    [{ x: "1" }, 'x must be a number, got "1"'],
    [{ x: true }, "x must be a number, got true"],
    [{ on: 1 }, "on must be true or false, got 1"],
    [{ mode: 2 }, "mode must be the number of one of idle, run, got 2"],
    [{ mode: "run" }, 'mode must be the number of one of idle, run, got "run"'],
    [{ at: [1] }, "at must be 2 values in a row, got [1]"],
    [{ at: 1 }, "at must be 2 values in a row, got 1"],
    [{ at: null }, "at must be 2 values in a row, got null"],
    [{ at: [1, "2"] }, 'at must be a number, got "2"'],
    [{ hp: 5, g: 1 }, "g must be an object, got 1"],
    [{ hp: 5, g: { x: 1 } }, 'name in g must be one of f, l, got "x"'],
    [{ hp: 5, g: { f: 1, l: [1, 2] } }, "g.l must be 3 values in a row, got [1,2]"],
  ];
  test.each(bad)("%j", (values, message) => {
    const state = World.allocate(1);
    const { crates } = state.world;
    crates.remove(crates.add());
    crates.add();
    state.save(0);
    expect(() => crates.add(values as object)).toThrow(`world.crates.add: ${message}`);
    expect(state.diff(0, LIVE)).toEqual([]);
  });
});

test("what is undefined is left out", () => {
  const { crates } = World.allocate().world;
  crates.add({ x: undefined, hp: 3 } as object);
  expect([crates.x[0], crates.hp[0]]).toEqual([0, 3]);
});

const CAPACITY = 6;
const Small = layout({ rows: table(CAPACITY, { x: f64.lerp, hp: u8, g: { l: list(2, u8) } }) });

const command = fc.oneof(
  fc.record({ kind: fc.constant("add" as const), x: fc.double(), hp: fc.nat(255) }),
  fc.record({ kind: fc.constant("remove" as const), which: fc.nat() }),
  fc.record({ kind: fc.constant("write" as const), which: fc.nat(), x: fc.double(), hp: fc.nat(255) }),
  fc.record({ kind: fc.constant("skipBlend" as const), which: fc.nat(CAPACITY - 1) }),
  fc.record({ kind: fc.constant("save" as const), snapshot: fc.nat(2) }),
  fc.record({ kind: fc.constant("load" as const), snapshot: fc.nat(2) }),
  fc.record({ kind: fc.constant("bytes" as const), snapshot: fc.nat(2) }),
  fc.record({ kind: fc.constant("clear" as const) }),
);

type Command = typeof command extends fc.Arbitrary<infer T> ? T : never;

/** Rows by id, as a plain map has them; a snapshot is a copy of it. */
interface Model {
  readonly rows: Map<RowId, { row: number; x: number; hp: number; l: number[] }>;
  readonly given: Set<RowId>;
}

/** A table and a model of it, to which the same happens. */
class Both {
  readonly state = Small.allocate(3);
  readonly rows = this.state.world.rows;
  model: Model = { rows: new Map(), given: new Set() };
  readonly saved: Model[] = [0, 1, 2].map((snapshot) => {
    this.state.save(snapshot);
    return structuredClone(this.model);
  });

  /** One of the rows that are there. */
  id(which: number): RowId {
    return [...this.model.rows.keys()][which % Math.max(1, this.model.rows.size)] ?? (0 as RowId);
  }
}

function run(both: Both, each: Command): void {
  const { rows, state } = both;
  if (each.kind === "add") add(both, each.x, each.hp);
  else if (each.kind === "remove") remove(both, both.id(each.which));
  else if (each.kind === "write") write(both, both.id(each.which), each.x, each.hp);
  else if (each.kind === "skipBlend") skipBlend(rows, each.which);
  else if (each.kind === "clear") {
    rows.clear();
    both.model.rows.clear();
  } else if (each.kind === "load") {
    state.load(each.snapshot);
    both.model = structuredClone(both.saved[each.snapshot]!);
  } else {
    if (each.kind === "save") state.save(each.snapshot);
    // Whatever add and remove leave is sound.
    else state.loadBytes(state.bytes(), each.snapshot);
    both.saved[each.snapshot] = structuredClone(both.model);
  }
}

function add(both: Both, x: number, hp: number): void {
  const { rows, model } = both;
  // A full table is another test's.
  if (model.rows.size === CAPACITY) return;
  const id = rows.add({ x, hp, g: { l: [hp, 1] } });
  expect(model.given.has(id)).toBe(false);
  model.given.add(id);
  const row = rows.row(id);
  expect([...model.rows.values()].some((other) => other.row === row)).toBe(false);
  model.rows.set(id, { row, x, hp, l: [hp, 1] });
}

function remove({ rows, model }: Both, id: RowId): void {
  expect(rows.remove(id)).toBe(model.rows.delete(id));
}

function write(both: Both, id: RowId, x: number, hp: number): void {
  const held = both.model.rows.get(id);
  if (!held) return;
  both.rows.x[held.row] = held.x = x;
  both.rows.hp[held.row] = held.hp = hp;
}

function expectSame(both: Both): void {
  const { rows, model } = both;
  expect(rows.count).toBe(model.rows.size);
  // `end` is an upper bound; it is 0 for an empty table.
  expect(rows.end).toBeLessThanOrEqual(CAPACITY * Math.sign(rows.count));
  for (const id of model.given) expect(rows.row(id)).toBe(model.rows.get(id)?.row ?? -1);
  const numbers = (row: number) => [rows.x[row], rows.hp[row], ...rows.g.l.subarray(2 * row, 2 * row + 2)];
  const free = new Set(Array.from({ length: CAPACITY }, (_, row) => row));
  for (const [id, { row, x, hp, l }] of model.rows) {
    expect(row).toBeLessThan(rows.end);
    expect([rows.id[row], ...numbers(row)]).toEqual([id, x, hp, ...l]);
    free.delete(row);
  }
  for (const row of free) {
    expect(rows.id[row]).toBeLessThanOrEqual(0);
    expect(numbers(row)).toEqual([0, 0, 0, 0]);
  }
}

test("whatever is added, removed, saved and loaded, a table is a map of rows", () => {
  fc.assert(
    fc.property(fc.array(command, { maxLength: 60 }), (commands) => {
      const both = new Both();
      for (const each of commands) {
        run(both, each);
        expectSame(both);
      }
    }),
    { numRuns: 300 },
  );
});
