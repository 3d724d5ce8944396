// Values whose getters and proxies change the table while `add` reads them.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { f64, layout, list, table, u8, vec2, type RowId } from "./index.js";

const CAPACITY = 6;
const World = layout({
  crates: table(CAPACITY, { x: f64.lerp, hp: u8, at: vec2, g: { y: f64, l: list(3, u8) } }),
});
const allocate = () => World.allocate(2);
type State = ReturnType<typeof allocate>;
type Values = NonNullable<Parameters<State["world"]["crates"]["add"]>[0]>;

/** The ways in which user code can run while values are read. */
const HOSTS: Record<string, (during: () => void, x: number) => Values> = {
  "a getter": (during, x) => ({
    get x() {
      during();
      return x;
    },
    hp: 1,
  }),
  "a getter after other fields": (during, x) => ({
    x,
    at: [x, x],
    get hp() {
      during();
      return 1;
    },
  }),
  "a getter in a group": (during, x) => ({
    x,
    hp: 1,
    g: {
      get y() {
        during();
        return 0;
      },
    },
  }),
  "an element of a vector": (during, x) => ({
    x,
    hp: 1,
    at: {
      length: 2,
      0: 0,
      get 1() {
        during();
        return 0;
      },
    },
  }),
  "the length of a list": (during, x) => ({
    x,
    hp: 1,
    g: {
      l: {
        get length() {
          during();
          return 3;
        },
        0: 0,
        1: 0,
        2: 0,
      },
    },
  }),
  "a proxy's keys": (during, x) =>
    new Proxy(
      { x, hp: 1 },
      {
        ownKeys(target) {
          during();
          return Reflect.ownKeys(target);
        },
      },
    ),
  "a proxy's values": (during, x) =>
    new Proxy(
      { x, hp: 1 },
      {
        get(target, name) {
          during();
          return Reflect.get(target, name) as unknown;
        },
      },
    ),
};

/** Returns the live rows by id, in the order of their numbers. */
function rowsOf({ world: { crates } }: State): Map<RowId, number> {
  const rows = new Map<RowId, number>();
  for (let row = 0; row < crates.end; row++)
    if (crates.id[row]! > 0) rows.set(crates.id[row]!, crates.x[row]!);
  return rows;
}

/** `loadBytes` rejects a table with inconsistent rows, ids and free list. */
function expectSound(state: State): void {
  expect(() => state.loadBytes(state.bytes(), 1)).not.toThrow();
  expect(rowsOf(state).size).toBe(state.world.crates.count);
}

describe.each(Object.entries(HOSTS))("%s", (_, valuesWith) => {
  test("may add rows", () => {
    const state = allocate();
    const { crates } = state.world;
    const inner: RowId[] = [];
    const outer = crates.add(
      valuesWith(() => {
        if (inner.length === 0)
          inner.push(crates.add({ x: 7, hp: 3, at: [3, 3], g: { y: 3, l: [3, 3, 3] } }));
      }, 5),
    );
    expectSound(state);
    expect(outer).not.toBe(inner[0]);
    expect([crates.count, rowsOf(state).get(outer), rowsOf(state).get(inner[0]!)]).toEqual([2, 5, 7]);
    const row = crates.row(outer);
    expect([crates.hp[row], crates.g.y[row]]).toEqual([1, 0]);
  });

  test("may add rows that add rows", () => {
    const state = allocate();
    const { crates } = state.world;
    let depth = 0;
    const nested = (): void => {
      if (depth >= 3) return;
      depth += 1;
      crates.add(valuesWith(nested, depth));
    };
    crates.add(valuesWith(nested, 0));
    expectSound(state);
    expect([...rowsOf(state).values()].sort()).toEqual([0, 1, 2, 3]);
  });

  test("may remove rows", () => {
    const state = allocate();
    const { crates } = state.world;
    const ids = [1, 2, 3].map((x) => crates.add({ x }));
    crates.remove(ids[1]!);
    const added = crates.add(valuesWith(() => crates.remove(ids[0]!), 5));
    expectSound(state);
    expect([...rowsOf(state)].sort()).toEqual([
      [ids[2], 3],
      [added, 5],
    ]);
  });

  test("may clear the table", () => {
    const state = allocate();
    const { crates } = state.world;
    for (const x of [1, 2, 3]) crates.add({ x });
    const added = crates.add(valuesWith(() => crates.clear(), 5));
    expectSound(state);
    expect([...rowsOf(state)]).toEqual([[added, 5]]);
  });

  test("may load a snapshot", () => {
    const state = allocate();
    const { crates } = state.world;
    const id = crates.add({ x: 1 });
    state.save(0);
    crates.clear();
    for (const x of [2, 3, 4]) crates.add({ x });
    const added = crates.add(valuesWith(() => state.load(0), 5));
    expectSound(state);
    expect([...rowsOf(state)]).toEqual([
      [id, 1],
      [added, 5],
    ]);
  });

  test("may fill the table, so that the row is rejected", () => {
    const state = allocate();
    const { crates } = state.world;
    const fill = () => {
      while (crates.count < CAPACITY) crates.add({ x: 1 });
    };
    expect(() => crates.add(valuesWith(fill, 5))).toThrow(/crates\.add/);
    expectSound(state);
    expect([...rowsOf(state).values()]).toEqual(Array(CAPACITY).fill(1));
  });

  test("may throw, so that nothing is added", () => {
    const state = allocate();
    const { crates } = state.world;
    crates.add({ x: 1 });
    const before = state.hash();
    const fail = () => {
      throw new Error("no");
    };
    expect(() => crates.add(valuesWith(fail, 5))).toThrow("no");
    expect(state.hash()).toEqual(before);
    expect([...crates.g.l, ...crates.hp].every((value) => value === 0)).toBe(true);
  });
});

const action = fc.oneof(
  fc.record({ kind: fc.constant("add" as const), host: fc.constantFrom(...Object.keys(HOSTS)) }),
  fc.record({ kind: fc.constant("remove" as const), which: fc.nat() }),
  fc.record({ kind: fc.constant("clear" as const) }),
  fc.record({ kind: fc.constant("save" as const) }),
  fc.record({ kind: fc.constant("load" as const) }),
);

type Action = typeof action extends fc.Arbitrary<infer T> ? T : never;

/** A table and a model of it, with the same actions applied to both. Each add runs the next action while its values are read. */
class Both {
  readonly state = allocate();
  model = new Map<RowId, number>();
  #saved = new Map<RowId, number>();
  /** Count of ids that only one of the two removed, and of adds that were rejected although there was room. */
  wrong = 0;

  constructor(readonly queue: Action[]) {
    this.state.save(0);
  }

  next(): void {
    const each = this.queue.shift();
    if (each === undefined) return;
    const { state } = this;
    const { crates } = state.world;
    if (each.kind === "add") this.#add(HOSTS[each.host]!, this.queue.length);
    else if (each.kind === "remove") {
      const id = [...this.model.keys()][each.which % Math.max(1, this.model.size)] ?? (0 as RowId);
      if (crates.remove(id) !== this.model.delete(id)) this.wrong++;
    } else if (each.kind === "clear") {
      crates.clear();
      this.model.clear();
    } else if (each.kind === "save") {
      state.save(0);
      this.#saved = new Map(this.model);
    } else {
      state.load(0);
      this.model = new Map(this.#saved);
    }
    expectSame(this);
  }

  #add(valuesWith: (during: () => void, x: number) => Values, x: number): void {
    let asked = false;
    const during = () => {
      if (!asked) this.next();
      asked = true;
    };
    try {
      const id = this.state.world.crates.add(valuesWith(during, x));
      this.model.set(id, x);
    } catch (error) {
      if (!/crates\.add/.test(String(error)) || this.model.size < CAPACITY) throw error;
    }
  }
}

function expectSame({ state, model, wrong }: Both): void {
  expectSound(state);
  expect([...rowsOf(state)].sort()).toEqual([...model].sort());
  expect(wrong).toBe(0);
}

test("a table behaves like a map of rows, whatever the getters of values do", () => {
  fc.assert(
    fc.property(fc.array(action, { maxLength: 40 }), (actions) => {
      const both = new Both([...actions]);
      while (both.queue.length > 0) both.next();
    }),
    { numRuns: 500 },
  );
});
