import fc from "fast-check";
import { expect, test } from "vitest";
import { localSession, simulation } from "../sim/index.js";
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
  LIVE,
  oneOf,
  quat,
  skipBlend,
  table,
  u16,
  u32,
  u8,
  vec2,
  type RowId,
} from "./index.js";

const Mode = oneOf("idle", "run");
const World = layout({
  before: f64,
  crates: table(6, {
    x: f64.lerp,
    f: f32,
    a: i32,
    b: u32,
    c: i16,
    d: u16,
    e: i8,
    g: u8,
    on: bool,
    mode: Mode,
    holder: id,
    at: vec2.lerp,
    turn: quat,
    slots: list(3, i16),
    body: { mass: f64, inner: { on: bool, at: vec2 } },
  }),
  others: table(4, { x: f64 }),
});
const newWorld = () => World.allocate().world;

/** Adds a row for each x. */
function fill<T extends { add(values: { x: number }): RowId }>(rows: T, ...xs: number[]): RowId[] {
  return xs.map((x) => rows.add({ x }));
}
const xsOf = (rows: Iterable<{ readonly x: number }>) => Array.from(rows, ({ x }) => x);

test("a loop visits live rows in the order of their numbers", () => {
  const { crates } = newWorld();
  const [, second] = fill(crates, 1, 2, 3);
  crates.remove(second!);
  const seen = [];
  for (const crate of crates) seen.push([crate.x, crate.row, crate.id]);
  expect(seen).toEqual([
    [1, 0, crates.id[0]],
    [3, 2, crates.id[2]],
  ]);
  crates.clear();
  expect(xsOf(crates)).toEqual([]);
});

test("reads and writes every kind of field in the columns", () => {
  const { crates } = newWorld();
  const [first, second] = fill(crates, 1, 2) as [RowId, RowId];
  const crate = crates.get(second)!;
  const numbers = { x: 0.1, f: 0.5, a: -70000, b: 4e9, c: -300, d: 60000, e: -3, g: 200 };
  Object.assign(crate, numbers, { on: true, mode: Mode.run, holder: first });
  crate.at.set([1, 2]);
  crate.at[0]! += 10;
  crate.turn[3] = 1;
  crate.slots.fill(7, 1);
  crate.body.mass = 2.5;
  crate.body.inner.on = true;
  crate.body.inner.at[1] = 9;

  expect(crate).toMatchObject({ ...numbers, on: true, mode: Mode.run, holder: first });
  expect([crate.body.mass, crate.body.inner.on, crate.body.inner.at[1]]).toEqual([2.5, true, 9]);
  for (const [name, value] of Object.entries(numbers))
    expect(crates[name as keyof typeof numbers].slice(0, 2)).toEqual(
      crates[name as keyof typeof numbers].constructor.prototype.constructor.of(name === "x" ? 1 : 0, value),
    );
  expect([crates.on[1], crates.mode[1], crates.holder[1], crates.body.mass[1]]).toEqual([1, 1, first, 2.5]);
  expect([...crates.at.subarray(0, 4)]).toEqual([0, 0, 11, 2]);
  expect([...crates.turn.subarray(0, 8)]).toEqual([0, 0, 0, 0, 0, 0, 0, 1]);
  expect([...crates.slots.subarray(0, 6)]).toEqual([0, 0, 0, 0, 7, 7]);
  expect([...crates.body.inner.at.subarray(0, 4)]).toEqual([0, 0, 0, 9]);
  expect([...crates.body.inner.on.subarray(0, 2)]).toEqual([0, 1]);
});

test("a field rejects wrong values, even without a guard, and names the row", () => {
  const { crates } = newWorld();
  fill(crates, 1, 2);
  const crate = crates.get(crates.id[1]!)! as unknown as Record<string, unknown>;
  expect(() => (crate["x"] = "3")).toThrow('world.crates[1].x must be a number, got "3"');
  expect(() => (crate["on"] = 1)).toThrow("world.crates[1].on must be true or false, got 1");
  expect(() => (crate["mode"] = 2)).toThrow(
    'world.crates[1].mode must be a value of oneOf("idle", "run"), got 2',
  );
  expect(() => (crate["at"] = [1, 2])).toThrow(TypeError);
  expect(() => (crate["id"] = 3)).toThrow(TypeError);
  expect(() => (crate["row"] = 0)).toThrow(TypeError);
  expect(() => (crate["body"] = {})).toThrow(TypeError);
  expect(() => (crate["misspelt"] = 3)).toThrow(TypeError);
  expect(crates.x[1]).toBe(2);
});

test("a loop may remove the current row and others", () => {
  const { crates } = newWorld();
  const ids = fill(crates, 1, 2, 3, 4);
  const seen = [];
  const removed = [];
  for (const crate of crates) {
    seen.push(crate.x);
    if (crate.x === 2)
      removed.push(
        crates.remove(crate),
        crates.remove(crate),
        crates.remove(ids[0]!),
        crates.remove(ids[2]!),
      );
  }
  expect(removed).toEqual([true, false, true, true]);
  expect(seen).toEqual([1, 2, 4]);
  expect(xsOf(crates)).toEqual([4]);
});

test("a loop does not visit rows that are added meanwhile", () => {
  const { crates } = newWorld();
  const ids = fill(crates, 1, 2, 3, 4);
  // Row 2 is free and still ahead of the loop. Rows 4 and 5 are at the end.
  crates.remove(ids[2]!);
  const seen = [];
  for (const crate of crates) {
    seen.push(crate.x);
    if (crates.count < crates.capacity) crates.add({ x: crate.x + 10 });
  }
  expect(seen).toEqual([1, 2, 4]);
  expect(xsOf(crates)).toEqual([1, 2, 11, 4, 12, 14]);
  // Nor a row that reuses the number of a row ahead of the loop.
  const again = [];
  for (const crate of crates) {
    again.push(crate.x);
    if (crate.row > 0) continue;
    crates.remove(crates.id[5]!);
    crates.add({ x: 99 });
  }
  expect(again).toEqual([1, 2, 11, 4, 12]);
});

test("an inner loop visits rows that the outer loop added before", () => {
  const { crates } = newWorld();
  fill(crates, 1, 2);
  const seen: number[][] = [];
  for (const crate of crates) {
    if (crate.row === 0) crates.add({ x: 3 });
    seen.push([crate.x, ...xsOf(crates)]);
  }
  expect(seen).toEqual([
    [1, 1, 2, 3],
    [2, 1, 2, 3],
  ]);
});

test("nested loops over one table use different cursors", () => {
  const { crates } = newWorld();
  fill(crates, 1, 2, 3);
  const triples = [];
  for (const a of crates)
    for (const b of crates) {
      if (b.row <= a.row) continue;
      for (const c of crates) if (c.row > b.row) triples.push([a.x, b.x, c.x]);
      a.body.mass += 1;
      b.body.mass += 10;
    }
  expect(triples).toEqual([[1, 2, 3]]);
  expect([...crates.body.mass.subarray(0, 3)]).toEqual([2, 11, 20]);
});

test("reuses cursors, even after break, an error or destructuring", () => {
  const { crates } = newWorld();
  fill(crates, 1, 2, 3);
  const cursors = new Set<object>();
  for (const crate of crates) cursors.add(crate);
  for (const crate of crates) {
    cursors.add(crate);
    break;
  }
  expect(() => {
    for (const crate of crates) {
      cursors.add(crate);
      throw new Error("in the loop");
    }
  }).toThrow("in the loop");
  const [first] = crates;
  cursors.add(first!);
  expect(cursors.size).toBe(1);
});

test("an iterator stays finished", () => {
  const { crates } = newWorld();
  fill(crates, 1, 2);
  const iterator = crates[Symbol.iterator]();
  iterator.next();
  iterator.return!();
  expect(iterator.next().done).toBe(true);
  iterator.return!();
  // If it had been returned to the pool twice, both of these would be the same.
  const [a, b] = [crates[Symbol.iterator](), crates[Symbol.iterator]()];
  expect(a).not.toBe(b);
});

test("get returns a row by its id, and undefined after it was removed", () => {
  const { crates } = newWorld();
  const [a, b] = fill(crates, 1, 2) as [RowId, RowId];
  const [one, two] = [crates.get(a)!, crates.get(b)!];
  for (let i = 0; i < 100; i++) crates.get(b);
  one.x += 10;
  two.x += 20;
  expect([crates.x[0], crates.x[1], one.id, two.id]).toEqual([11, 22, a, b]);
  expect(crates.get(a)).toBe(one);
  expect(crates.remove(one)).toBe(true);
  const wrong = [a, 0, -1, NaN, 1e20, "1", null, undefined, {}] as RowId[];
  expect(wrong.map((each) => crates.get(each))).toEqual(wrong.map(() => undefined));
  expect(crates.remove(undefined as never)).toBe(false);
  expect(crates.remove(null as never)).toBe(false);
  expect(crates.remove({} as never)).toBe(false);
  expect(crates.count).toBe(1);
});

test("creates the typed array of a row once", () => {
  const { crates } = newWorld();
  const [first, second] = fill(crates, 1, 2) as [RowId, RowId];
  const made = crates.get(second)!.body.inner.at;
  const seen = Array.from(crates, (crate) => crate.body.inner.at);
  expect(seen[1]).toBe(made);
  expect(seen[0]).not.toBe(made);
  expect(crates.get(first)!.body.inner.at).toBe(seen[0]);
  expect([made.length, made.byteOffset - seen[0]!.byteOffset]).toEqual([2, 16]);
});

test("remove rejects a row of another table", () => {
  const { crates, others } = newWorld();
  fill(crates, 1);
  fill(others, 1);
  expect(() => others.remove(crates.get(crates.id[0]!)! as never)).toThrow(
    'others.remove: this row belongs to table "crates". Call crates.remove(row).',
  );
  expect([crates.count, others.count]).toEqual([1, 1]);
});

test("a row can be copied to an object and to a new row", () => {
  const { crates } = newWorld();
  crates.add({ x: 1, at: [2, 3], mode: Mode.run, body: { mass: 4, inner: { on: true } } });
  const crate = crates.get(crates.id[0]!)!;
  crates.add(crate);
  crates.add({ ...crate, x: 5 });
  const copies = Array.from(crates, (each) => [each.x, each.at[1], each.mode, each.body.inner.on]);
  expect(copies).toEqual([
    [1, 3, Mode.run, true],
    [1, 3, Mode.run, true],
    [5, 3, Mode.run, true],
  ]);
});

test("a kept cursor shows another row, but never writes outside its table", () => {
  const state = World.allocate(1);
  const { crates } = state.world;
  fill(crates, 1, 2);
  let kept;
  for (const crate of crates) kept = crate;
  crates.clear();
  // A loop that visits no row.
  for (const crate of crates) kept = crate;
  state.save(0);
  kept!.x = 7;
  expect(state.diff(0, LIVE)).toEqual([{ path: "crates[0].x", a: 0, b: 7 }]);
});

test("snapshots and blends can be looped over", () => {
  const state = World.allocate(3);
  const { crates } = state.world;
  const [, second] = fill(crates, 0, 100);
  state.save(0);
  for (const crate of crates) crate.x += 10;
  crates.remove(second!);
  crates.add({ x: 500 });
  state.save(1);
  const view = state.at(2).crates;
  const shown = [0.5, 1].map((alpha) => {
    state.blend(2, 0, 1, alpha);
    return [xsOf(view), view.get(second!)?.x];
  });
  expect(shown).toEqual([
    [[5, 100], 100],
    [[10, 500], undefined],
  ]);
});

test("skipBlend accepts a row object", () => {
  const state = World.allocate(3);
  const { crates } = state.world;
  fill(crates, 0, 0);
  state.save(0);
  for (const crate of crates) {
    crate.x = 10;
    if (crate.row === 1) skipBlend(crate);
  }
  state.save(1);
  state.blend(2, 0, 1, 0.5);
  expect(xsOf(state.at(2).crates)).toEqual([5, 0]);
});

test("loops do not change the state", () => {
  const [a, b] = [World.allocate(), World.allocate()];
  for (const { world } of [a, b]) fill(world.crates, 1, 2, 3);
  for (const crate of a.world.crates) if (crate.x === 2) for (const inner of a.world.crates) void inner.at;
  a.world.crates.get(a.world.crates.id[1]!);
  const [id] = fill(a.world.crates, 4);
  expect(fill(b.world.crates, 4)).toEqual([id]);
  expect(a.hash()).toEqual(b.hash());
});

test("a column cannot be named get", () => {
  expect(() => layout({ crates: table(1, { get: f64 }) })).toThrow("layout: crates.get");
});

test("a session's world and view can be looped over", () => {
  const game = simulation({
    name: "seen",
    version: 1,
    rate: 60,
    state: World,
    init: ({ crates }) => void fill(crates, 1, 2),
    step({ crates }) {
      for (const crate of crates) crate.x += 10;
    },
  });
  const session = localSession(game);
  session.advance();
  session.advance();
  expect(xsOf(session.world.crates)).toEqual([21, 22]);
  expect(xsOf(session.view(0.5).crates)).toEqual([16, 17]);
});

// Random programs of nested loops, compared with an array of plain objects.
const CAPACITY = 5;
const Rows = layout({ rows: table(CAPACITY, { x: f64, hp: u8, g: { l: list(2, u8) } }) });
interface Plain {
  readonly id: RowId;
  x: number;
  hp: number;
  l: number[];
}
const doing = <const D extends string>(what: D) => fc.constant(what);
const action = fc.oneof(
  fc.record({ do: doing("write"), x: fc.double(), hp: fc.nat(255) }),
  fc.record({ do: doing("add"), x: fc.double(), hp: fc.nat(255) }),
  fc.record({ do: fc.constantFrom("remove", "loop", "break", "clear") }),
  fc.record({ do: doing("remove other"), which: fc.nat(20) }),
  fc.record({ do: doing("write other"), which: fc.nat(20), x: fc.double() }),
);
type Action = typeof action extends fc.Arbitrary<infer A> ? A : never;

/** A table and its model. Both log what they visit. */
class Both {
  readonly told: unknown[] = [];
  readonly wanted: unknown[] = [];
  private readonly rows;
  private model: Plain[] = [];
  private readonly given: RowId[] = [0 as RowId];

  constructor(isGuarded: boolean) {
    const state = Rows.allocate();
    this.rows = (isGuarded ? state.guardedWorld(false) : state.world).rows;
    for (let i = 0; i < 3; i++) this.add(i, i);
  }

  loop(actions: readonly Action[]): void {
    const { rows } = this;
    const inOrder = this.inOrder();
    let visits = 0;
    for (const row of rows) {
      // Rows that were removed meanwhile are skipped.
      while (visits < inOrder.length && !this.model.includes(inOrder[visits]!)) visits++;
      const plain = inOrder[visits];
      this.note(plainOf(row), plain && { ...plain, l: [...plain.l] });
      const each = actions[visits++];
      if (each?.do === "break" || !plain) return;
      if (each) this.act(each, row, plain);
    }
    const missed = inOrder.slice(visits).filter((plain) => this.model.includes(plain));
    this.note([], missed);
  }

  private act(each: Action, row: typeof this.rows extends Iterable<infer R> ? R : never, plain: Plain): void {
    const { rows, given } = this;
    const other = "which" in each ? given[each.which % given.length]! : plain.id;
    if (each.do === "write" && "hp" in each) {
      row.x = plain.x = each.x;
      row.hp = plain.hp = each.hp;
      row.g.l[1] = plain.l[1] = each.hp;
    } else if (each.do === "add" && "hp" in each) this.add(each.x, each.hp);
    else if (each.do === "remove") this.note(rows.remove(row), this.remove(other));
    else if (each.do === "remove other") this.note(rows.remove(other), this.remove(other));
    else if (each.do === "write other" && "x" in each) {
      const [cursor, found] = [rows.get(other), this.model.find(({ id }) => id === other)];
      this.note(cursor?.id, found?.id);
      if (cursor && found) cursor.x = found.x = each.x;
    } else if (each.do === "loop") this.look();
    else if (each.do === "clear") {
      rows.clear();
      this.model = [];
    }
  }

  private note(told: unknown, wanted: unknown): void {
    this.told.push(told);
    this.wanted.push(wanted);
  }

  look(): void {
    this.note(
      Array.from(this.rows, plainOf),
      this.inOrder().map((plain) => ({ ...plain, l: [...plain.l] })),
    );
  }

  private add(x: number, hp: number): void {
    if (this.model.length === CAPACITY) return;
    const id = this.rows.add({ x, hp, g: { l: [hp, 1] } });
    this.given.push(id);
    this.model.push({ id, x, hp, l: [hp, 1] });
  }

  private remove(id: RowId): boolean {
    const { length } = this.model;
    this.model = this.model.filter((each) => each.id !== id);
    return this.model.length < length;
  }

  /** Live rows, in the order of their numbers. */
  private inOrder(): Plain[] {
    return [...this.model].sort((a, b) => this.rows.row(a.id) - this.rows.row(b.id));
  }
}

const plainOf = ({ id, x, hp, g }: Omit<Plain, "l"> & { readonly g: { readonly l: Uint8Array } }): Plain => ({
  id,
  x,
  hp,
  l: [...g.l],
});

test("a table behaves like an array of objects, whatever its loops do", () => {
  const loops = fc.array(fc.array(action, { maxLength: 12 }), { maxLength: 12 });
  fc.assert(
    fc.property(fc.boolean(), loops, (isGuarded, all) => {
      const both = new Both(isGuarded);
      for (const actions of all) {
        both.loop(actions);
        both.look();
      }
      expect(both.told).toEqual(both.wanted);
    }),
    { numRuns: 500 },
  );
});
