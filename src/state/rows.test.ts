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

test("a row keeps its id and number", () => {
  const { crates } = World.allocate().world;
  const a = crates.add({ x: 1 });
  const b = crates.add({ x: 2, at: [3, 4], on: true, mode: Mode.run, g: { f: 0.5, l: [1, 2, 3] } });
  expect([crates.row(a), crates.row(b), crates.count, crates.end]).toEqual([0, 1, 2, 2]);
  expect(crates.remove(a)).toBe(true);
  expect([crates.row(a), crates.row(b), crates.count, crates.end]).toEqual([-1, 1, 1, 2]);
  expect([crates.x[1], crates.at[2], crates.at[3], crates.on[1], crates.g.f[1]]).toEqual([2, 3, 4, 1, 0.5]);
  expect([...crates.g.l.subarray(3, 6)]).toEqual([1, 2, 3]);
});

test("a removed row becomes zero, and cannot be removed twice", () => {
  const { crates } = World.allocate().world;
  const id = crates.add({ x: 1, hp: 2, at: [3, 4], on: true, mode: Mode.run, g: { f: 5, l: [6, 7, 8] } });
  expect([crates.remove(id), crates.remove(id)]).toEqual([true, false]);
  expect([crates.x[0], crates.hp[0], crates.at[0], crates.at[1], crates.on[0], crates.mode[0]]).toEqual([
    0, 0, 0, 0, 0, 0,
  ]);
  expect([crates.g.f[0], ...crates.g.l.subarray(0, 3)]).toEqual([0, 0, 0, 0]);
});

test("clears only the removed row of narrow columns", () => {
  // After a column of two bytes, rows of four bytes are not aligned to words.
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

test("fills and clears single rows, whatever columns a table has", () => {
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

test("a new row is zero, even if the free row was written to", () => {
  const { crates } = World.allocate().world;
  crates.x[0] = crates.hp[0] = crates.g.l[2] = 9;
  crates.add({ hp: 1 });
  expect([crates.x[0], crates.hp[0], crates.g.l[2]]).toEqual([0, 1, 0]);
});

test("row returns -1 for ids that were never used", () => {
  const { crates } = World.allocate().world;
  crates.add();
  for (const id of [0, -0, -1, 2, 6, 0.5, 1.5, NaN, Infinity, 2 ** 53, 2 ** 31, "1", null, undefined, 1n])
    expect([crates.row(id as RowId), crates.remove(id as RowId)]).toEqual([-1, false]);
  expect(crates.count).toBe(1);
});

test("remove ignores numbers that are not ids of live rows", () => {
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

test("add throws if the table is full, and works again after a removal", () => {
  const { crates } = World.allocate().world;
  const ids = Array.from({ length: 5 }, () => crates.add());
  expect(() => crates.add()).toThrow(
    expect.objectContaining({
      code: "table-full",
      call: "crates.add",
      message:
        "crates.add: the table is full (capacity 5). Check count < capacity first, or declare a larger one.",
    }),
  );
  expect(crates.count).toBe(5);
  crates.remove(ids[3]!);
  expect(crates.row(crates.add())).toBe(3);
});

test("a table of one row never reuses an id", () => {
  const { only } = layout({ only: table(1, { x: f64 }) }).allocate().world;
  const ids = Array.from({ length: 1000 }, () => {
    const id = only.add({ x: 1 });
    expect([only.row(id), only.remove(id)]).toEqual([0, true]);
    return id;
  });
  expect(new Set(ids).size).toBe(1000);
});

test("finds rows by ids above 2^31", () => {
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

test("clear removes all rows, and row 0 is used next", () => {
  const { crates } = World.allocate().world;
  for (const x of [1, 2, 3]) crates.add({ x });
  crates.clear();
  expect([crates.count, ...crates.x]).toEqual([0, 0, 0, 0, 0, 0]);
  expect([0, 1, 2, 3].map(() => crates.row(crates.add()))).toEqual([0, 1, 2, 3]);
});

test("end is 0 after clear, and follows new rows", () => {
  const state = World.allocate(1);
  const { crates } = state.world;
  for (let round = 0; round < 3; round++) {
    for (let x = 0; x < 5; x++) crates.add({ x });
    // Also with a free row in between.
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

test("end is 0 once the last row is removed", () => {
  const { crates } = World.allocate().world;
  const ids = [1, 2, 3].map((x) => crates.add({ x }));
  for (const id of ids) crates.remove(id);
  expect([crates.count, crates.end]).toEqual([0, 0]);
});

describe("add rejects wrong values, and adds no row", () => {
  const bad: [unknown, string][] = [
    [null, "values must be an object, got null"],
    [1, "values must be an object, got 1"],
    [{ y: 1 }, 'unknown field "y". Known: x, hp, at, on, mode, g'],
    [[1], 'unknown field "0". Known: x, hp, at, on, mode, g'],
    [{ x: "1" }, 'x must be a number, got "1"'],
    [{ x: true }, "x must be a number, got true"],
    [{ on: 1 }, "on must be true or false, got 1"],
    [{ mode: 2 }, 'mode must be a value of oneOf("idle", "run"), got 2'],
    [{ mode: "run" }, 'mode must be a value of oneOf("idle", "run"), got "run"'],
    [{ at: [1] }, "at must be an array of 2 values, got [1]"],
    [{ at: 1 }, "at must be an array of 2 values, got 1"],
    [{ at: null }, "at must be an array of 2 values, got null"],
    [{ at: [1, "2"] }, 'at must be a number, got "2"'],
    [{ hp: 5, g: 1 }, "g must be an object, got 1"],
    [{ hp: 5, g: { x: 1 } }, 'unknown field "x". Known: f, l'],
    [{ hp: 5, g: { f: 1, l: [1, 2] } }, "g.l must be an array of 3 values, got [1,2]"],
  ];
  test.each(bad)("%j", (values, message) => {
    const state = World.allocate(1);
    const { crates } = state.world;
    crates.remove(crates.add());
    crates.add();
    state.save(0);
    expect(() => crates.add(values as object)).toThrow(`crates.add: ${message}`);
    expect(state.diff(0, LIVE)).toEqual([]);
  });
});

test("add treats undefined as omitted", () => {
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

/** The model: a map of rows by id. A snapshot is a copy of it. */
interface Model {
  readonly rows: Map<RowId, { row: number; x: number; hp: number; l: number[] }>;
  readonly given: Set<RowId>;
}

/** A table and a model of it, with the same actions applied to both. */
class Both {
  readonly state = Small.allocate(3);
  readonly rows = this.state.world.rows;
  model: Model = { rows: new Map(), given: new Set() };
  readonly saved: Model[] = [0, 1, 2].map((snapshot) => {
    this.state.save(snapshot);
    return structuredClone(this.model);
  });

  /** Returns one of the live rows. */
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
    // `loadBytes` also checks the bookkeeping of the rows.
    else state.loadBytes(state.bytes(), each.snapshot);
    both.saved[each.snapshot] = structuredClone(both.model);
  }
}

function add(both: Both, x: number, hp: number): void {
  const { rows, model } = both;
  // Another test covers full tables.
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

test("a table behaves like a map of rows, whatever is added, removed, saved and loaded", () => {
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
