import { TickwiseError } from "../errors/index.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { errorWith } from "../../test/error-with.js";
import {
  bool,
  f32,
  f64,
  hashText,
  i32,
  id,
  layout,
  list,
  oneOf,
  quat,
  skipBlend,
  table,
  u16,
  u32,
  u8,
  vec2,
  type Fields,
  type Layout,
  type RowId,
} from "../state/index.js";
import {
  axis,
  button,
  int,
  localSession,
  migrate,
  simulation,
  type AnySimulation,
  type ExternalState,
} from "./index.js";
import { withoutDescription } from "./bytes.js";

const game = <S extends Fields>(version: number, state: Layout<S>, more: object = {}) =>
  simulation({ name: "game", version, rate: 60, state, step() {}, ...more });

/** Returns the bytes of a session after `init`. */
function saved<S extends Fields>(
  version: number,
  state: Layout<S>,
  init: (world: never) => void,
  more: object = {},
) {
  return localSession(game(version, state, { init, ...more })).bytes();
}

/** Returns a session that has loaded the bytes. */
function loaded<S extends Fields>(now: AnySimulation<S>, bytes: Uint8Array) {
  const session = localSession(now);
  session.load(bytes);
  return session;
}

describe("fields", () => {
  const Old = layout({ score: u32, hero: { hp: f64, x: f64.lerp }, gone: f64, mode: oneOf("idle", "run") });
  type OldWorld = { score: number; hero: { hp: number; x: number }; gone: number; mode: number };
  const bytes = saved(1, Old, (world: OldWorld) => {
    world.score = 7;
    world.hero.hp = 30;
    world.hero.x = -0;
    world.gone = 5;
    world.mode = 1;
  });

  test("of the same name are kept, new ones are 0, and others are dropped", () => {
    const now = game(2, layout({ lives: u8, hero: { x: f64, hp: f64 }, score: u32, spin: quat, on: bool }));
    expect(loaded(now, migrate(now, bytes)).toJSON()).toEqual({
      tick: 0,
      lives: 0,
      hero: { x: "-0", hp: 30 },
      score: 7,
      spin: [0, 0, 0, 0],
      on: false,
    });
  });

  test("are renamed, alone or with the group around them", () => {
    const now = game(2, layout({ points: u32, player: { health: f64, x: f64 } }));
    const fields = { points: "score", player: "hero", "player.health": "hero.hp" } as const;
    expect(loaded(now, migrate(now, bytes, { fields })).toJSON()).toEqual({
      tick: 0,
      points: 7,
      player: { health: 30, x: "-0" },
    });
  });

  test("two fields can swap their names", () => {
    const now = game(2, layout({ hero: { x: f64, hp: f64 } }));
    const swapped = migrate(now, bytes, { fields: { "hero.x": "hero.hp", "hero.hp": "hero.x" } });
    expect(loaded(now, swapped).toJSON().hero).toEqual({ x: 30, hp: "-0" });
  });

  test("are converted by a function, which reads old values by name", () => {
    const now = game(
      2,
      layout({ health: f32, mode: oneOf("walk", "stand"), version: u8, known: list(2, bool) }),
    );
    const migrated = migrate(now, bytes, {
      fields: {
        health: (old) => old.get("hero.hp") / 100 + old.get("score"),
        mode: (old) => (old.get<string>("mode") === "run" ? "walk" : "stand"),
        version: (old) => old.version,
        known: (old) => [old.has("hero.hp"), old.has("hero.mana")],
      },
    });
    expect(loaded(now, migrated).toJSON()).toEqual({
      tick: 0,
      health: Math.fround(7.3),
      mode: "walk",
      version: 1,
      known: [true, false],
    });
  });

  test("a choice is kept by its name, not by its number", () => {
    const now = game(2, layout({ mode: oneOf("fly", "run", "idle") }));
    expect(loaded(now, migrate(now, bytes)).toJSON().mode).toBe("run");
    const without = game(2, layout({ mode: oneOf("fly", "idle") }));
    expect(() => migrate(without, bytes)).toThrow(
      'migrate: mode must be one of fly, idle, got "run". Try a function: { fields: { "mode": (old) => … } }.',
    );
  });

  test("numbers may change their type if the value fits", () => {
    const now = game(2, layout({ hero: { hp: u8 }, score: f64, gone: i32 }));
    expect(loaded(now, migrate(now, bytes)).toJSON()).toMatchObject({ hero: { hp: 30 }, score: 7, gone: 5 });
    const large = saved(1, Old, (world: OldWorld) => (world.hero.hp = 256));
    expect(() => migrate(now, large)).toThrow(
      'migrate: hero.hp must be a value that fits into u8, got 256. Try a function: { fields: { "hero.hp": (old) => … } }.',
    );
    const broken = saved(1, Old, (world: OldWorld) => (world.gone = 0.5));
    expect(() => migrate(now, broken)).toThrow("migrate: gone must be a value that fits into i32, got 0.5");
    const f = game(2, layout({ gone: f32 }));
    const huge = saved(1, Old, (world: OldWorld) => (world.gone = 1e300));
    expect(() => migrate(f, huge)).toThrow("migrate: gone must be a value that fits into f32");
  });

  test("of another kind need a function", () => {
    expect(() => migrate(game(2, layout({ score: bool })), bytes)).toThrow(
      "migrate: score must be true or false, got 7. Try a function",
    );
    expect(() => migrate(game(2, layout({ gone: vec2 })), bytes)).toThrow(
      'migrate: "gone" has another shape than "gone" had. Convert it: { fields: { "gone": (old) => … } }.',
    );
    expect(() => migrate(game(2, layout({ hero: f64 })), bytes)).toThrow(
      '"hero" is a field, but "hero" was a group',
    );
    expect(() => migrate(game(2, layout({ hero: table(2, { hp: f64 }) })), bytes)).toThrow(
      '"hero" is a table, but "hero" was a group. Give the table another name.',
    );
  });

  test("wrong names and results are rejected", () => {
    const now = game(2, layout({ score: u32, hero: { hp: f64 } }));
    const by = (fields: object) => () => migrate(now, bytes, { fields });
    expect(by({ scor: "score" })).toThrow('migrate: unknown field "scor". Did you mean "score"?');
    expect(by({ score: "points2" })).not.toThrow();
    expect(by({ "hero.hp": () => "much" })).toThrow(
      'migrate: fields["hero.hp"] must be a number, got "much"',
    );
    expect(by({ "hero.hp": () => [1] })).toThrow(
      'migrate: fields["hero.hp"] must be a single value, got [1]',
    );
    expect(by({ hero: () => 1 })).toThrow('fields["hero"] must be an old name, as it is not a single field');
    expect(by({ score: 1 })).toThrow('migrate: fields["score"] must be an old name or a function, got 1');
    expect(by({ score: (old: { get(name: string): number }) => old.get("hero.h") })).toThrow(
      'migrate: unknown saved field in fields["score"]: "hero.h". Did you mean "hero.hp"?',
    );
    const other = game(2, layout({ mana: f64 }));
    expect(() => migrate(other, bytes, { fields: { mana: "magic" } })).toThrow(
      'migrate: fields["mana"] is "magic", but version 1 has neither name. It has score, hero.hp',
    );
    expect(() => migrate(now, bytes, { field: {} } as never)).toThrow(
      errorWith("unknown-option", 'migrate: unknown option "field". Did you mean "fields"?'),
    );
    expect(() => migrate(now, bytes, null as never)).toThrow("migrate: options must be an object, got null");
  });

  test("a rename applies only to saves with the old name, so that one list serves all versions", () => {
    const State3 = layout({ health: f64 });
    const now = game(3, State3);
    const fields = { health: "hp" };
    const first = saved(1, layout({ hp: f64 }), (world: { hp: number }) => (world.hp = 1));
    const second = saved(
      2,
      layout({ health: f64, more: u8 }),
      (world: { health: number }) => (world.health = 2),
    );
    expect(loaded(now, migrate(now, first, { fields })).world.health).toBe(1);
    expect(loaded(now, migrate(now, second, { fields })).world.health).toBe(2);
  });
});

describe("any two versions", () => {
  const TYPES = { f64, f32, i32, u32 };
  const name = fc.constantFrom("a", "b", "c", "d");
  const fieldsIn = fc.dictionary(name, fc.constantFrom("f64", "f32", "i32", "u32" as const), {
    minKeys: 1,
    noNullPrototype: true,
  }) as fc.Arbitrary<Record<string, keyof typeof TYPES>>;
  const shape = fc.record({ top: fieldsIn, group: fieldsIn, lamps: fieldsIn, crates: fieldsIn });
  type Shape = typeof shape extends fc.Arbitrary<infer T> ? T : never;
  const declare = ({ top, group, lamps, crates }: Shape) => {
    const part = (types: Shape["top"]) =>
      Object.fromEntries(Object.entries(types).map(([key, type]) => [key, TYPES[type]]));
    return layout({
      ...part(top),
      group: part(group),
      lamps: list(2, part(lamps)),
      crates: table(3, part(crates)),
    });
  };

  test("a field gets the value of its old name, or of the same name, or 0", () => {
    const renames = fc.dictionary(name, name, { noNullPrototype: true });
    fc.assert(
      fc.property(shape, shape, renames, fc.nat(99), (before, after, renamed, seed) => {
        let next = seed;
        const bytes = saved(1, declare(before), (world: Record<string, unknown>) => {
          const { group, lamps, crates } = world as Record<string, Record<string, Float64Array>>;
          for (const key of Object.keys(before.top)) world[key] = next++;
          for (const key of Object.keys(before.group)) (group as Record<string, unknown>)[key] = next++;
          for (const key of Object.keys(before.lamps)) lamps![key]!.set([next++, next++]);
          const rows = crates as unknown as { add(values: object): RowId; remove(id: RowId): void };
          const add = () =>
            rows.add(Object.fromEntries(Object.keys(before.crates).map((key) => [key, next++])));
          rows.remove([add(), add(), add()][seed % 3]!);
        });
        const old = loaded(game(1, declare(before)), bytes).toJSON() as Record<string, unknown>;
        const now = game(2, declare(after));
        const fields: Record<string, string> = {};
        /** Returns the expected part under its new names, and collects the renames that apply. */
        const expected = (key: "top" | "group" | "lamps" | "crates", values: Record<string, unknown>) => {
          const prefix = key === "top" ? "" : `${key}.`;
          return Object.fromEntries(
            Object.keys(after[key]).map((own) => {
              const source = renamed[own];
              if (source !== undefined && source in before[key]) fields[prefix + own] = prefix + source;
              return [own, values[fields[prefix + own] === undefined ? own : source!] ?? 0];
            }),
          );
        };
        const rowsOf = (key: "lamps" | "crates") =>
          (old[key] as Record<string, unknown>[]).map((row) => ({
            ...("id" in row && { id: row["id"] }),
            ...expected(key, row),
          }));
        const wanted = {
          tick: 0,
          ...expected("top", Object.fromEntries(Object.keys(before.top).map((key) => [key, old[key]]))),
          group: expected("group", old["group"] as Record<string, unknown>),
          lamps: rowsOf("lamps"),
          crates: rowsOf("crates"),
        };
        expect(loaded(now, migrate(now, bytes, { fields })).toJSON()).toEqual(wanted);
      }),
    );
  });
});

describe("lists", () => {
  const Old = layout({ slots: list(3, u16), lamps: list(2, { x: f64, at: vec2 }), paths: list(2, vec2) });
  type OldWorld = { slots: Uint16Array; lamps: { x: Float64Array; at: Float64Array }; paths: Float64Array };
  const bytes = saved(1, Old, (world: OldWorld) => {
    world.slots.set([1, 2, 0]);
    world.lamps.x.set([3, 4]);
    world.lamps.at.set([5, 6, 7, 8]);
    world.paths.set([1, 2, 3, 4]);
  });

  test("may grow, and may shrink if the dropped elements are 0", () => {
    const now = game(
      2,
      layout({ slots: list(2, u8), lamps: list(3, { x: f64, at: vec2 }), paths: list(3, vec2) }),
    );
    const migrated = migrate(now, bytes, { fields: { "lamps.x": (old) => old.get("lamps.x") * 2 } });
    expect(loaded(now, migrated).toJSON()).toEqual({
      tick: 0,
      slots: [1, 2],
      lamps: [
        { x: 6, at: [5, 6] },
        { x: 8, at: [7, 8] },
        { x: 0, at: [0, 0] },
      ],
      paths: [
        [1, 2],
        [3, 4],
        [0, 0],
      ],
    });
  });

  test("do not lose values silently", () => {
    expect(() => migrate(game(2, layout({ slots: list(1, u16) })), bytes)).toThrow(
      'migrate: list "slots" has 1 elements, but more were saved that are not 0',
    );
    expect(() => migrate(game(2, layout({ lamps: list(1, { x: f64 }) })), bytes)).toThrow(
      'migrate: list "lamps.x" has 1 rows, but row 1 was saved and is not 0',
    );
  });
});

describe("tables", () => {
  const rowFields = { x: f64.lerp, body: { mass: f64 } };
  const Old = layout({ ship: id, crates: table(3, rowFields), empty: table(1, { n: u8 }) });
  const bytes = saved(1, Old, (world: ReturnType<typeof Old.allocate>["world"]) => {
    const { crates } = world;
    const [a, , c] = [1, 2, 3].map((x) => crates.add({ x, body: { mass: 10 * x } }));
    crates.remove(a!);
    world.ship = crates.add({ x: 4, body: { mass: 40 } }); // id 4, in row 0
    crates.remove(c!);
  });

  test("keep their rows, ids and free rows", () => {
    const now = game(2, layout({ crates: table(3, { ...rowFields, hp: u8 }), ship: id }));
    const session = loaded(
      now,
      migrate(now, bytes, { fields: { "crates.hp": (old) => old.get("crates.x") } }),
    );
    expect(session.toJSON()).toEqual({
      tick: 0,
      ship: 4,
      crates: [
        { id: 4, x: 4, body: { mass: 40 }, hp: 4 },
        { id: 2, x: 2, body: { mass: 20 }, hp: 2 },
      ],
    });
  });

  test("are renamed with their columns, and the columns too", () => {
    const now = game(2, layout({ boxes: table(3, { x: f64, weight: f64 }) }));
    const fields = { boxes: "crates", "boxes.weight": "crates.body.mass" } as const;
    expect(loaded(now, migrate(now, bytes, { fields })).toJSON().boxes).toEqual([
      { id: 4, x: 4, weight: 40 },
      { id: 2, x: 2, weight: 20 },
    ]);
  });

  test("a column can only be copied from the same table", () => {
    const now = game(2, layout({ total: f64, crates: table(3, { x: f64 }) }));
    expect(() => migrate(now, bytes, { fields: { total: (old) => old.get("crates.x") } })).toThrow(
      'fields["total"] cannot read "crates.x", a column of "crates"',
    );
    expect(() => migrate(now, bytes, { fields: { "crates.x": "empty.n" } })).toThrow(
      'migrate: "crates.x" is a column of the table "crates", but "empty.n" was a column of the table "empty". If "crates" was called "empty", rename it as well: { fields: { "crates": "empty" } }.',
    );
    expect(() => migrate(game(2, layout({ crates: list(3, { x: f64 }) })), bytes)).toThrow(
      'migrate: "crates.x" is a column of the list "crates", but "crates.x" was a column of the table "crates". Convert it',
    );
    expect(() => migrate(now, bytes, { fields: { total: "crates.x" } })).toThrow(
      'migrate: "total" is outside tables and lists, but "crates.x" was a column of the table "crates". Convert it',
    );
  });

  test("may grow, and shrink as long as the live rows fit", () => {
    const two = game(2, layout({ crates: table(2, { x: f64 }) }));
    // Ids 4 and 2 fall on the same row of two: one of them gets a new id.
    expect(loaded(two, migrate(two, bytes)).toJSON().crates).toEqual([
      { id: 5, x: 2 },
      { id: 4, x: 4 },
    ]);
    const one = game(2, layout({ crates: table(1, { x: f64 }) }));
    expect(() => migrate(one, bytes)).toThrow(
      'migrate: table "crates" has a capacity of 1, but 2 rows were saved. Declare at least 2.',
    );
  });

  test("id fields follow rows that get new ids, if their table is known", () => {
    const rows = { x: f64 };
    const before = layout({
      first: id,
      second: id,
      lost: id,
      crates: table(3, rows),
      others: table(2, rows),
    });
    const old = saved(1, before, (world: ReturnType<typeof before.allocate>["world"]) => {
      const made = [1, 2, 3].map((x) => world.crates.add({ x }));
      world.crates.remove(made[0]!);
      world.first = world.crates.add({ x: 4 });
      world.second = made[1]!;
      world.lost = made[2]!;
      world.crates.remove(made[2]!);
    });
    const now = game(
      2,
      layout({ first: id, second: id, lost: id, crates: table(2, rows), others: table(2, rows) }),
    );
    expect(() => migrate(now, old)).toThrow(
      'migrate: rows of "crates" get new ids, as its capacity changed. Tell which table\'s ids "first" holds: { ids: { "first": "crates" } }.',
    );
    const ids = { first: "crates", second: "crates", lost: "crates" } as const;
    const { world } = loaded(now, migrate(now, old, { ids }));
    const at = (row: RowId | 0) => world.crates.x[world.crates.row(row)];
    expect([at(world.first), at(world.second), world.lost]).toEqual([4, 2, 0]);
    expect(() => migrate(now, old, { ids: { first: "crate" } as never })).toThrow('migrate: ids["first"]');
    expect(() => migrate(now, old, { ids: { crates: "crates" } as never })).toThrow(
      'migrate: unknown id field "crates"',
    );
  });

  test("with several tables, ids of live rows stay, and ids that may be reused become 0", () => {
    const declare = (capacity: number) =>
      layout({ alive: id, gone: id, crates: table(capacity, { n: u8 }), others: table(2, { n: u8 }) });
    const old = saved(1, declare(2), (world: ReturnType<ReturnType<typeof declare>["allocate"]>["world"]) => {
      world.gone = world.crates.add();
      world.crates.remove(world.gone);
      world.alive = world.crates.add();
    });
    const ids = (capacity: number) => {
      const now = game(2, declare(capacity));
      const { alive, gone } = loaded(now, migrate(now, old)).world;
      return [alive, gone];
    };
    expect([ids(2), ids(4), ids(5)]).toEqual([
      [3, 1],
      [3, 1],
      [3, 0],
    ]);
  });

  const action = fc.oneof(fc.constant("add" as const), fc.nat(7));
  const actions = fc.array(action, { maxLength: 60, size: "max" });
  type Actions = readonly ("add" | number)[];

  const declare = (capacity: number) => layout({ target: id, crates: table(capacity, { n: u32 }) });
  type Crates = ReturnType<ReturnType<typeof declare>["allocate"]>["world"]["crates"];

  /** Adds rows, numbered from `first` on, and removes some. Returns the ids of the added rows. */
  function live(crates: Crates, todo: Actions, first = 1): RowId[] {
    const given: RowId[] = [];
    for (const one of todo)
      if (one !== "add") crates.remove(crates.id[one % crates.capacity]!);
      else if (crates.count < crates.capacity) given.push(crates.add({ n: first + given.length }));
    return given;
  }

  /** Returns a session after these actions on its table, and the ids of all rows that were added. */
  function afterActions(capacity: number, todo: Actions, target: number) {
    let given: RowId[] = [];
    const init = (world: { target: RowId | 0; crates: Crates }) => {
      given = live(world.crates, todo);
      const aim = world.crates.id[target % capacity]!;
      world.target = aim > 0 ? aim : 0;
    };
    const session = localSession(
      simulation({ name: "game", version: 1, rate: 60, state: declare(capacity), init, step() {} }),
    );
    return { session, given };
  }

  /** Loads the state of a session into memory that can be written. */
  function writableState(now: { layout: Layout<ReturnType<typeof declare>["fields"]> }, bytes: Uint8Array) {
    const state = now.layout.allocate();
    state.loadBytes(stateOf(bytes));
    return state;
  }
  const sorted = (numbers: readonly number[]) => [...numbers].sort((a, b) => a - b);
  const size = (max: number) => fc.integer({ min: 1, max });

  test("after any actions and with any new capacity, rows and references survive, and the table works", () => {
    fc.assert(
      fc.property(size(8), size(20), actions, fc.nat(7), actions, (capacity, next, before, target, later) => {
        const { session } = afterActions(capacity, before, target);
        const { crates } = session.toJSON();
        fc.pre(crates.length <= next);
        const now = game(2, declare(next));
        const bytes = migrate(now, session.bytes());
        const after = loaded(now, bytes);
        const numbers = (rows: typeof crates) => sorted(rows.map(({ n }) => n as number));
        expect(numbers(after.toJSON().crates)).toEqual(numbers(crates));
        const aim = ({ target: at, crates: { row, n } }: typeof after.world) =>
          n[row.call(after.world.crates, at)];
        const old = session.world;
        expect(aim(after.world)).toBe(old.crates.n[old.crates.row(old.target)]);
        const state = writableState(now, bytes);
        const more = live(state.world.crates, later);
        // Loading checks the bookkeeping.
        state.loadBytes(state.bytes());
        expect(new Set(more).size).toBe(more.length);
      }),
    );
  });

  test("with too small a capacity, the error says how many rows were saved", () => {
    fc.assert(
      fc.property(size(8), size(7), actions, (capacity, next, before) => {
        const { session } = afterActions(capacity, before, 0);
        fc.pre(session.world.crates.count > next);
        expect(() => migrate(game(2, declare(next)), session.bytes())).toThrow(
          `${session.world.crates.count} rows were saved`,
        );
      }),
    );
  });

  test("with a multiple of the capacity, all ids stay, and none is reused", () => {
    fc.assert(
      fc.property(size(8), size(4), actions, fc.nat(7), actions, (capacity, times, before, target, later) => {
        const { session, given } = afterActions(capacity, before, target);
        const now = game(2, declare(capacity * times));
        const bytes = migrate(now, session.bytes());
        const after = loaded(now, bytes);
        const ids = (rows: readonly { id: number }[]) => sorted(rows.map((row) => row.id));
        expect(ids(after.toJSON().crates)).toEqual(ids(session.toJSON().crates));
        expect(after.world.target).toBe(session.world.target);
        const more = live(writableState(now, bytes).world.crates, later);
        expect(more.filter((one) => given.includes(one))).toEqual([]);
      }),
    );
  });

  test("with the same capacity, the next ids are the same", () => {
    fc.assert(
      fc.property(size(8), actions, actions, (capacity, before, later) => {
        const { session } = afterActions(capacity, before, 0);
        const now = game(2, declare(capacity));
        const migrated = live(writableState(now, migrate(now, session.bytes())).world.crates, later);
        expect(migrated).toEqual(
          live(writableState(session.simulation, session.bytes()).world.crates, later),
        );
      }),
    );
  });
});

/** Returns the state section of a session's bytes. */
function stateOf(bytes: Uint8Array): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const from = 12 + view.getUint32(8, true);
  return bytes.subarray(from + 4, from + 4 + view.getUint32(from, true));
}

describe("the rest of a save", () => {
  const state = layout({ sum: f64, presses: u32, dot: { x: f64.lerp }, rows: table(4, { n: u8 }) });
  const input = { fire: button, walk: axis(8), weapon: int(1, 4) };
  type Player = { fire: boolean; pressed: { fire: boolean }; held: { fire: number } };
  const step = (
    world: ReturnType<typeof state.allocate>["world"],
    [player]: readonly Player[],
    { random }: { random: { float(): number } },
  ) => {
    const { fire, pressed, held } = player!;
    world.sum += random.float() + held.fire;
    if (pressed.fire) world.presses++;
    if (fire) skipBlend(world.dot);
    if (world.rows.count < 4) world.rows.add({ n: held.fire });
    else world.rows.clear();
  };
  const inputs = (
    players: readonly { fire: boolean; walk: number; weapon: number }[],
    { tick }: { tick: number },
  ) => {
    players[0]!.fire = tick % 5 > 1;
    players[0]!.walk = 0.5;
    players[0]!.weapon = 3;
  };
  const old = simulation({ name: "game", version: 1, rate: 60, state, input, step: step as never });
  const play = (ticks: number) => {
    const session = localSession(old, { seed: "here", inputs: inputs as never });
    for (let i = 0; i < ticks; i++) session.advance();
    return session;
  };

  test.each([0, 1, 9, 33])(
    "a version with the same state continues from tick %i like the old one",
    (ticks) => {
      const now = simulation({ name: "game", version: 2, rate: 60, state, input, step: step as never });
      const here = play(ticks);
      const there = localSession(now, { inputs: inputs as never });
      expect(() => there.load(here.bytes())).toThrow("version");
      there.load(migrate(now, here.bytes()));
      expect(there.tick).toBe(ticks);
      for (let i = 0; i < 30; i++) {
        expect(hashText(there.hash()), `tick ${there.tick}`).toBe(hashText(here.hash()));
        here.advance();
        there.advance();
      }
    },
  );

  test("inputs are kept by name: a held button does not count as pressed again", () => {
    const now = simulation({
      name: "game",
      version: 2,
      rate: 60,
      players: 2,
      step: step as never,
      state: layout({ ...state.fields, more: u8 }),
      input: { duck: button, weapon: int(0, 9), mode: axis(4), fire: button },
    });
    const here = play(4); // fire has been held since tick 2
    const there = localSession(now, { inputs: ([player]) => void (player.fire = true) });
    there.load(migrate(now, here.bytes()));
    const { presses } = there.world;
    here.advance();
    there.advance();
    expect(there.world.presses).toBe(presses);
    expect(there.world.sum).toBe(here.world.sum);
  });

  test("returns current bytes as they are, and rejects those of a newer version or another game", () => {
    const bytes = play(3).bytes();
    expect(migrate(old, bytes)).toBe(bytes);
    const older = simulation({ name: "game", version: 0, rate: 60, state, input, step: step as never });
    expect(() => migrate(older, bytes)).toThrow(
      errorWith(
        "wrong-simulation",
        'migrate: the bytes are from version 1 of "game", but this is version 0. Use a newer build of the game.',
      ),
    );
    const other = simulation({ name: "chess", version: 1, rate: 60, state, step() {} });
    expect(() => migrate(other, bytes)).toThrow(
      errorWith("wrong-simulation", 'migrate: the bytes belong to simulation "game", not "chess".'),
    );
    expect(() => migrate(other, new Uint8Array(3))).toThrow(
      errorWith("corrupt-data", "migrate: the bytes are damaged: the header needs 8 bytes, but there are 3."),
    );
    expect(() => migrate(other, new ArrayBuffer(3) as never)).toThrow(
      errorWith("bad-value", "migrate: bytes must be a Uint8Array"),
    );
  });

  test("bytes without a description need the simulation or layout that saved them", () => {
    const now = simulation({
      name: "game",
      version: 2,
      rate: 60,
      state: layout({ sum: f64 }),
      input,
      step() {},
    });
    const here = play(5);
    const bytes = withoutDescription(here.bytes());
    expect(bytes.length).toBeLessThan(here.bytes().length);
    expect(() => migrate(now, bytes)).toThrow(
      errorWith(
        "not-ready",
        "migrate: the bytes do not describe their fields (version 1). Pass the simulation that saved them: { from: oldGame }",
      ),
    );
    for (const from of [old, state]) {
      const there = localSession(now);
      there.load(migrate(now, bytes, { from }));
      expect(there.world.sum).toBe(here.world.sum);
    }
    for (const from of [null, {}, 3])
      expect(() => migrate(now, bytes, { from: from as never })).toThrow(
        errorWith("bad-value", "migrate: from must be a simulation or a layout, got"),
      );
    expect(() => migrate(now, bytes, { from: layout({ sum: f64 }) })).toThrow(
      errorWith(
        "wrong-simulation",
        "migrate: `from` is not the layout that the bytes were saved with (version 1).",
      ),
    );
    expect(() => migrate(now, bytes, { from: now })).toThrow(
      errorWith("wrong-simulation", "migrate: `from` is not the simulation that saved the bytes (version 1)"),
    );
  });

  test("an altered byte is rejected, or makes no difference", () => {
    const now = simulation({
      name: "game",
      version: 2,
      rate: 60,
      state: layout({ sum: f64 }),
      input,
      step() {},
    });
    const bytes = play(5).bytes();
    const right = migrate(now, bytes).join();
    const wrong: number[] = [];
    let rejected = 0;
    for (let at = 0; at < bytes.length; at += 3) {
      const broken = bytes.slice();
      broken[at]! ^= 0x15;
      try {
        if (migrate(now, broken).join() !== right) wrong.push(at);
      } catch (error) {
        if (!(error instanceof TickwiseError && error.call === "migrate")) throw error;
        rejected++;
      }
    }
    expect(wrong).toEqual([]);
    expect(rejected).toBeGreaterThan(bytes.length / 6);
  });
});

describe("external state", () => {
  class Counter implements ExternalState {
    constructor(public count = 0) {}
    save = () => Uint8Array.of(this.count);
    load = ([count]: Uint8Array) => void (this.count = count!);
    hash = () => [this.count, 0] as const;
  }
  const state = layout({ n: u8 });
  const withExternal = (version: number, external: Record<string, () => Counter>) =>
    simulation({ name: "game", version, rate: 60, state, external, step() {} });
  const old = withExternal(1, { a: () => new Counter(1), b: () => new Counter(2) });
  const bytes = localSession(old).bytes();

  test("is converted by a function for its name", () => {
    const now = withExternal(2, { c: () => new Counter(), b: () => new Counter() });
    const session = localSession(now);
    const given: unknown[] = [];
    session.load(
      migrate(now, bytes, {
        external: {
          b: (saved) => (given.push(saved), Uint8Array.of(saved![0]! + 5)),
          c: (saved) => (given.push(saved), Uint8Array.of(9)),
        },
      }),
    );
    expect(given).toEqual([undefined, Uint8Array.of(2)]);
    expect(session.bytes().slice(-6)).toEqual(Uint8Array.of(9, 1, 0, 0, 0, 7));
  });

  test("needs a function for each name", () => {
    const now = withExternal(2, { a: () => new Counter() });
    expect(() => migrate(now, bytes)).toThrow(
      errorWith("not-ready", 'migrate: the external state "a" cannot be migrated by field. Pass a function'),
    );
    expect(() => migrate(now, bytes, { external: { a: () => 3 as never } })).toThrow(
      errorWith("bad-value", "migrate: the result of external.a must be a Uint8Array, got 3"),
    );
    expect(() => migrate(now, bytes, { external: { b: (saved) => saved! } })).toThrow(
      errorWith("unknown-name", 'migrate: unknown external state "b". Known: a.'),
    );
    const without = withExternal(2, {});
    expect(() => migrate(without, bytes)).not.toThrow();
  });
});
