// Blends of two futures of one state, as after a rollback.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { lerp } from "../blend/index.js";
import { f64, layout, list, LIVE, table, skipBlend, u8, vec2 } from "./index.js";

const KERNELS = ["js", "wasm"] as const;
const OUT = 3;

describe.each(KERNELS)("with the %s kernels", (kernels) => {
  test("does not mix rows that two futures replaced", () => {
    const state = layout({ crates: table(2, { x: f64.lerp }) }).allocate(4, { kernels });
    const { crates } = state.world;
    const first = crates.add({ x: 100 });
    const second = crates.add({ x: 300 });
    state.save(0);
    crates.remove(first);
    crates.add({ x: 400 });
    state.save(1);
    state.load(0);
    crates.remove(second);
    crates.add({ x: 600 });
    state.save(2);
    expect([[...state.at(1).crates.id], [...state.at(2).crates.id]]).toEqual([
      [3, 2],
      [1, 4],
    ]);
    state.blend(OUT, 1, 2, 0.5);
    expect([...state.at(OUT).crates.x]).toEqual([400, 300]);
    state.blend(OUT, 2, LIVE, 0.5);
    expect([...state.at(OUT).crates.x]).toEqual([100, 600]);
  });

  test("does not blend a replaced row with another row that was skipped as often", () => {
    const state = layout({ crates: table(2, { x: f64.lerp }) }).allocate(4, { kernels });
    const { crates } = state.world;
    const id = crates.add({ x: 0 });
    state.save(0);
    skipBlend(crates, 0);
    skipBlend(crates, 0);
    state.save(1);
    state.load(0);
    crates.remove(id);
    crates.add({ x: 10 });
    state.blend(OUT, 1, LIVE, 0.5);
    expect(state.at(OUT).crates.x[0]).toBe(0);
  });

  test("blends none of the rows that one of two futures skipped", () => {
    const state = layout({ crates: table(2, { x: f64.lerp }), lamps: list(2, { x: f64.lerp }) }).allocate(4, {
      kernels,
    });
    const { crates, lamps } = state.world;
    for (let i = 0; i < 2; i++) crates.add();
    state.save(0);
    const move = (row: number, x: number) => {
      crates.x.fill(x);
      lamps.x.fill(x);
      skipBlend(crates, row);
      skipBlend(lamps, row);
    };
    move(0, 10);
    state.save(1);
    state.load(0);
    move(1, 20);
    state.save(2);
    state.blend(OUT, 1, 2, 0.5);
    expect([...state.at(OUT).crates.x, ...state.at(OUT).lamps.x]).toEqual([10, 10, 10, 10]);
  });

  test("compares rows one by one if a snapshot was loaded from bytes or written to", () => {
    const state = layout({ crates: table(2, { x: f64.lerp }) }).allocate(4, { kernels });
    const other = layout({ crates: table(2, { x: f64.lerp }) }).allocate();
    const { crates } = state.world;
    crates.remove(crates.add());
    crates.add({ x: 1 });
    state.save(0);
    // The same total of skips, but in another row.
    for (const x of [5, 6]) other.world.crates.add({ x });
    skipBlend(other.world.crates, 1);
    state.loadBytes(other.bytes(), 1);
    state.blend(OUT, 0, 1, 0.5);
    expect([...state.at(OUT).crates.x]).toEqual([1, 0]);
    state.loadBytes(other.bytes());
    state.blend(OUT, 0, LIVE, 0.5);
    expect([...state.at(OUT).crates.x]).toEqual([1, 0]);

    state.load(0);
    state.save(2);
    state.at(2).crates.remove(crates.id[0]!);
    state.at(2).crates.add({ x: 7 });
    skipBlend(crates, 1);
    skipBlend(crates, 1);
    state.blend(OUT, 2, LIVE, 0.5);
    expect(state.at(OUT).crates.x[0]).toBe(7);
  });

  test("compares rows one by one if a state is itself a blend", () => {
    const state = layout({ crates: table(2, { x: f64.lerp }) }).allocate(4, { kernels });
    const { crates } = state.world;
    const first = crates.add({ x: 100 });
    const second = crates.add({ x: 300 });
    state.save(0);
    crates.remove(first);
    crates.add({ x: 400 });
    state.blend(1, LIVE, 0, 0.5);
    state.load(0);
    crates.remove(second);
    crates.add({ x: 600 });
    state.blend(OUT, 1, LIVE, 0.5);
    expect([...state.at(OUT).crates.x]).toEqual([400, 300]);
  });
});

const CAPACITY = 5;
const Small = layout({
  crates: table(CAPACITY, { x: f64.lerp, hp: u8, g: { at: vec2.lerp } }),
  lamps: list(3, { x: f64.lerp }),
  hero: { x: f64.lerp },
});
type World = ReturnType<typeof Small.allocate>["world"];

const slot = fc.integer({ min: LIVE, max: OUT - 1 });
const row = fc.nat(CAPACITY - 1);
const command = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("add" as const), on: slot, x: fc.nat(1000) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("remove" as const), on: slot, row }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("move" as const), on: slot, row, x: fc.nat(1000) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("skipBlend" as const), on: slot, row }) },
  fc.record({ kind: fc.constant("skipBlend all" as const), on: slot }),
  fc.record({ kind: fc.constant("clear" as const), on: slot }),
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("save" as const), to: fc.nat(OUT - 1) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("load" as const), from: fc.nat(OUT - 1) }) },
  fc.record({ kind: fc.constant("bytes" as const), from: slot, to: slot }),
  fc.record({ kind: fc.constant("blend" as const), from: slot, current: slot, to: slot }),
);
type Command = typeof command extends fc.Arbitrary<infer T> ? T : never;

/** The properties of a row that a blend depends on. */
interface Row {
  id: number;
  skips: number;
  x: number;
}
interface Model {
  crates: Row[];
  lamps: Row[];
  hero: Row;
}

const zero = (): Row => ({ id: 0, skips: 0, x: 0 });
const emptyModel = (): Model => ({
  crates: Array.from({ length: CAPACITY }, zero),
  lamps: Array.from({ length: 3 }, zero),
  hero: zero(),
});

const between = (a: Row, b: Row, t: number): Row => ({
  ...a,
  x: a.id === b.id && a.skips === b.skips ? lerp(a.x, b.x, t) : a.x,
});
const blended = (a: Model, b: Model, t: number): Model => ({
  crates: a.crates.map((each, i) => between(each, b.crates[i]!, t)),
  lamps: a.lamps.map((each, i) => between(each, b.lamps[i]!, t)),
  hero: between(a.hero, b.hero, t),
});

class Both {
  readonly state;
  readonly models = new Map([LIVE, 0, 1, 2].map((at) => [at, emptyModel()] as const));

  constructor(kernels: "js" | "wasm") {
    this.state = Small.allocate(OUT + 1, { kernels });
    for (let at = 0; at < OUT; at++) this.state.save(at);
  }
}

function run({ state, models }: Both, each: Command): void {
  const copy = (to: number, from: number) => models.set(to, structuredClone(models.get(from)!));
  if (each.kind === "save") {
    state.save(each.to);
    copy(each.to, LIVE);
  } else if (each.kind === "load") {
    state.load(each.from);
    copy(LIVE, each.from);
  } else if (each.kind === "bytes") {
    state.loadBytes(state.bytes(each.from), each.to);
    copy(each.to, each.from);
  } else if (each.kind === "blend") {
    if (each.to === each.from || each.to === each.current) return;
    state.blend(each.to, each.from, each.current, 0.25);
    models.set(each.to, blended(models.get(each.from)!, models.get(each.current)!, 0.25));
  } else write(each, state.at(each.on), models.get(each.on)!);
}

function write(each: Command & { on: number }, world: World, model: Model): void {
  const { crates, lamps, hero } = world;
  const skip = (held: Row) => void held.skips++;
  const remove = (held: Row) => Object.assign(held, { id: -held.id, skips: held.skips + 1, x: 0 });
  if (each.kind === "add") {
    if (crates.count === CAPACITY) return;
    const { x } = each;
    const id = crates.add({ x, g: { at: [x, 2 * x] } });
    const held = model.crates[crates.row(id)]!;
    Object.assign(held, { id, skips: held.skips + 1, x });
  } else if (each.kind === "remove") {
    const held = model.crates[each.row]!;
    expect(crates.remove(crates.id[each.row]!)).toBe(held.id > 0);
    if (held.id > 0) remove(held);
  } else if (each.kind === "move") {
    const lamp = each.row % 3;
    lamps.x[lamp] = model.lamps[lamp]!.x = hero.x = model.hero.x = each.x;
    if (!(model.crates[each.row]!.id > 0)) return;
    crates.x[each.row] = model.crates[each.row]!.x = each.x;
    crates.g.at.set([each.x, 2 * each.x], 2 * each.row);
  } else if (each.kind === "skipBlend") {
    skipBlend(crates, each.row);
    skipBlend(lamps, each.row % 3);
    skipBlend(hero);
    [model.crates[each.row]!, model.lamps[each.row % 3]!, model.hero].forEach(skip);
  } else if (each.kind === "skipBlend all") {
    skipBlend(world);
    [...model.crates, ...model.lamps, model.hero].forEach(skip);
  } else {
    crates.clear();
    for (const held of model.crates) if (held.id > 0) remove(held);
  }
}

/** Blends every pair of states, and compares the results with the model. */
function expectSame({ state, models }: Both): void {
  for (const [a, from] of models)
    for (const [b, to] of models)
      for (const t of [0.25, 0.75]) {
        state.blend(OUT, a, b, t);
        const { crates, lamps, hero } = state.at(OUT);
        const wanted = blended(from, to, t);
        const xs = wanted.crates.map(({ x }) => x);
        expect([...crates.id]).toEqual(wanted.crates.map(({ id }) => id));
        expect([...crates.x]).toEqual(xs);
        expect([...crates.g.at]).toEqual(xs.flatMap((x) => [x, 2 * x]));
        expect([...lamps.x, hero.x]).toEqual([...wanted.lamps.map(({ x }) => x), wanted.hero.x]);
      }
}

test.each(KERNELS)("blends rows only with the same id, whatever led to the two states (%s)", (kernels) => {
  fc.assert(
    fc.property(fc.array(command, { maxLength: 40 }), (commands) => {
      const both = new Both(kernels);
      for (const each of commands) run(both, each);
      expectSame(both);
    }),
    { numRuns: 300 },
  );
});
