import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { random } from "../../math/index.js";
import {
  bool,
  f64,
  layout,
  LIVE,
  oneOf,
  quat,
  skipBlend,
  table,
  trail,
  u16,
  u32,
  u8,
  type RowId,
  type State,
} from "../../state/index.js";
import { errorSmoothing } from "../error-smoothing.js";
import { RowIdentity } from "./row-identity.js";

const [CERTAIN, BEFORE, AFTER, VIEW] = [0, 1, 2, 3] as const;
const TELEPORT = 100;

const World = layout({
  round: u32,
  stones: table(8, { by: u8, x: f64.lerp, age: u16 }),
  others: table(4, { x: f64.lerp }),
});
type Stone = { by?: number; x?: number; age?: number };
type Stones = State<(typeof World)["fields"]>["world"]["stones"];

/** Rows, as text: row, id, who threw it, place. */
const shownIn = (stones: Stones) => Array.from(stones, ({ row, id, by, x }) => `${row} #${id}: ${by} ${x}`);

/** A state, and the pictures of it. */
function scene(teleport = TELEPORT) {
  const state = World.allocate(4);
  const identity = new RowIdentity(World, teleport);
  const { stones } = state.world;
  const picture = (snapshot: number) => {
    state.blend(snapshot, LIVE, LIVE, 1);
    return state.at(snapshot);
  };
  const view = () => {
    const hash = state.hash().join();
    const drawn = picture(VIEW);
    identity.arrange(drawn);
    expect(state.hash().join()).toBe(hash);
    return drawn.stones;
  };
  return {
    state,
    stones,
    identity,
    /** What was done until now is certain. */
    confirm: () => state.save(CERTAIN),
    view,
    drawn: () => shownIn(view()),
    /** What was done since the last certain state is wrong: `redo` does it right. */
    correct(redo: () => void) {
      identity.begin(picture(BEFORE), state, CERTAIN);
      state.load(CERTAIN);
      redo();
      identity.end(state.at(BEFORE), picture(AFTER), state, CERTAIN);
      return shownIn(state.at(AFTER).stones);
    },
    add: (stone: Stone) => stones.add(stone),
  };
}

/** A game in which two stones are certain, and the third one turns out to be the fourth. */
function swapped() {
  const game = scene();
  game.add({ by: 7, x: 1 });
  game.add({ by: 7, x: 2 });
  game.confirm();
  game.add({ by: 1, x: 10 });
  expect(game.drawn()).toEqual(["0 #1: 7 1", "1 #2: 7 2", "2 #3: 1 10"]);
  const after = game.correct(() => {
    game.add({ by: 2, x: 20 });
    game.add({ by: 1, x: 11 });
  });
  return { ...game, after, theirs: Number(after[3]!.split(/[#:]/)[1]) as RowId };
}

describe("a row that was predicted in another one's place", () => {
  test("stays where it is, and the other one gets a free row and an id that nobody had", () => {
    const { after, drawn, view, theirs, stones } = swapped();
    expect(after).toEqual(["0 #1: 7 1", "1 #2: 7 2", "2 #3: 1 11", `3 #${theirs}: 2 20`]);
    expect(theirs).toBeGreaterThan(2 ** 51);
    expect(drawn()).toEqual(after);
    expect(view().row(theirs)).toBe(3);
    expect(view().row(3 as RowId)).toBe(2);
    expect([view().count, view().end]).toEqual([4, 4]);
    // The state has them as the server does.
    expect(shownIn(stones)).toEqual(["0 #1: 7 1", "1 #2: 7 2", "2 #3: 2 20", "3 #4: 1 11"]);
  });

  test("stays there when it is confirmed, and when others come and go", () => {
    const { after, add, stones, confirm, correct, drawn } = swapped();
    confirm();
    add({ by: 1, x: 30 });
    expect(drawn()).toEqual([...after, "4 #5: 1 30"]);
    expect(correct(() => add({ by: 1, x: 31 }))).toEqual([...after, "4 #5: 1 31"]);
    confirm();
    stones.remove(1 as RowId);
    expect(drawn()).toEqual([...after.slice(1), "4 #5: 1 31"]);
  });

  test("leaves the other one where it is when it is removed", () => {
    const { after, add, stones, confirm, drawn, view, theirs } = swapped();
    confirm();
    stones.remove(4 as RowId);
    expect(drawn()).toEqual([after[0], after[1], after[3]]);
    expect(view().row(3 as RowId)).toBe(-1);
    // Its row is used again, by somebody new.
    add({ by: 5, x: 50 });
    const [, , third, fourth] = drawn();
    expect(third).toMatch(/^2 #\d+: 5 50$/);
    expect(third).not.toContain("#3:");
    expect(fourth).toBe(after[3]);
    stones.remove(3 as RowId);
    expect(drawn()).toEqual([after[0], after[1], third]);
    expect(view().row(theirs)).toBe(-1);
  });

  test("keeps its place if the other one is removed", () => {
    const { after, add, stones, confirm, drawn } = swapped();
    confirm();
    stones.remove(3 as RowId);
    expect(drawn()).toEqual(after.slice(0, 3));
    add({ by: 5, x: 50 });
    expect(drawn().slice(0, 3)).toEqual(after.slice(0, 3));
    expect(drawn()[3]).toMatch(/^3 #\d+: 5 50$/);
    expect(drawn()[3]).not.toBe(after[3]);
  });

  test("comes back by the same id if its removal was wrong", () => {
    const { after, stones, confirm, correct, drawn } = swapped();
    confirm();
    stones.remove(4 as RowId);
    expect(drawn()).toHaveLength(3);
    expect(correct(() => {})).toEqual(after);
  });

  test("goes home without a change of its id if the server thinks again", () => {
    const { correct, add, drawn } = swapped();
    const after = correct(() => void add({ by: 1, x: 12 }));
    expect(after).toEqual(["0 #1: 7 1", "1 #2: 7 2", "2 #3: 1 12"]);
    expect(drawn()).toEqual(after);
  });

  test("is shown as in the state after `clear`", () => {
    const { identity, drawn, stones } = swapped();
    identity.clear();
    expect(drawn()).toEqual(shownIn(stones));
  });
});

test("a row that the server put in another free row stays where it is", () => {
  const { add, confirm, correct, drawn, view, state } = scene();
  confirm();
  add({ by: 1, x: 10, age: 3 });
  const after = correct(() => {
    const gone = add({});
    add({ by: 1, x: 11, age: 3 });
    state.world.stones.remove(gone);
  });
  expect(after).toEqual(["0 #1: 1 11"]);
  expect(drawn()).toEqual(after);
  expect([view().count, view().row(2 as RowId), view().x[1]]).toEqual([1, -1, 0]);
  // The row in which it is shown is used by another one.
  add({ by: 2, x: 5 });
  expect(drawn()[0]).toBe(after[0]);
  expect(drawn()[1]).toMatch(/^1 #\d{9,}: 2 5$/);
});

test("a row beyond the last one of the state is shown", () => {
  const { stones, add, confirm, correct, view, drawn } = scene();
  for (let i = 0; i < 3; i++) add({ x: i });
  confirm();
  add({ by: 1, x: 10 });
  const after = correct(() => {
    stones.clear();
    add({ by: 1, x: 10 });
  });
  expect(after).toEqual(["3 #4: 1 10"]);
  expect(drawn()).toEqual(after);
  expect(view().end).toBe(4);
});

test("rows that are displaced in a circle keep their places", () => {
  const { add, confirm, correct, drawn } = scene();
  confirm();
  add({ by: 1, x: 10 });
  add({ by: 1, x: 20 });
  add({ by: 1, x: 30 });
  const after = correct(() => {
    add({ by: 2, x: 5 });
    for (const x of [30, 10, 20]) add({ by: 1, x });
  });
  expect(after.slice(0, 3)).toEqual(["0 #1: 1 10", "1 #2: 1 20", "2 #3: 1 30"]);
  expect(after[3]).toMatch(/^3 #\d{9,}: 2 5$/);
  expect(drawn()).toEqual(after);
});

describe("which row it is", () => {
  /** Predicts a stone, and returns who has its id after the correction. */
  const heir = (predicted: Stone, right: readonly Stone[], teleport?: number) => {
    const { add, confirm, correct, view } = scene(teleport);
    confirm();
    add(predicted);
    correct(() => right.forEach(add));
    const row = view().row(1 as RowId);
    return row < 0 ? undefined : view().x[row];
  };

  test("what it is must be equal", () => {
    expect(heir({ by: 1, x: 10 }, [{ by: 2, x: 10 }])).toBeUndefined();
    expect(
      heir({ by: 1, x: 10 }, [
        { by: 2, x: 10 },
        { by: 1, x: 14 },
      ]),
    ).toBe(14);
  });

  test("counters come before distances, and distances before rows", () => {
    const near = { by: 1, x: 11, age: 4 };
    expect(heir({ by: 1, x: 10, age: 3 }, [near, { by: 1, x: 14, age: 3 }])).toBe(14);
    expect(heir({ by: 1, x: 10, age: 3 }, [{ by: 1, x: 14, age: 5 }, near])).toBe(11);
    expect(
      heir({ by: 1, x: 10 }, [
        { by: 1, x: 12 },
        { by: 1, x: 9 },
      ]),
    ).toBe(9);
  });

  test("rows further apart than a teleport are others", () => {
    expect(heir({ by: 1, x: 10 }, [{ by: 1, x: 111 }])).toBeUndefined();
    expect(heir({ by: 1, x: 10 }, [{ by: 1, x: 109 }])).toBe(109);
    expect(heir({ by: 1, x: 10 }, [{ by: 1, x: 16 }], 5)).toBeUndefined();
    expect(heir({ by: 1, x: 10 }, [{ by: 1, x: NaN }], Infinity)).toBeUndefined();
  });

  test("rows that were certain before are no candidates", () => {
    const { add, confirm, correct, drawn } = scene();
    add({ by: 1, x: 10 });
    confirm();
    add({ by: 1, x: 12 });
    expect(correct(() => {})).toEqual(["0 #1: 1 10"]);
    expect(drawn()).toEqual(["0 #1: 1 10"]);
  });

  test("with very many rows, those with the same id", () => {
    const Many = layout({ rows: table(200, { x: f64.lerp }) });
    const state = Many.allocate(4);
    const identity = new RowIdentity(Many, TELEPORT);
    state.save(CERTAIN);
    const fill = (by: number) => {
      for (let i = 0; i < 150; i++) state.world.rows.add({ x: i + by });
    };
    fill(0);
    state.save(BEFORE);
    identity.begin(state.at(BEFORE), state, CERTAIN);
    state.load(CERTAIN);
    fill(0.75);
    state.save(AFTER);
    const hash = state.hash(AFTER).join();
    identity.end(state.at(BEFORE), state.at(AFTER), state, CERTAIN);
    expect(state.hash(AFTER).join()).toBe(hash);
  });
});

test("a wrong guess does not hand its id to what is there instead, not even later", () => {
  const { add, confirm, correct, drawn } = scene();
  confirm();
  add({ by: 1, x: 10 });
  expect(correct(() => {})).toEqual([]);
  add({ by: 2, x: 10 });
  expect(drawn()).toHaveLength(1);
  expect(drawn()[0]).not.toContain("#1:");
});

test("all columns move, also trails, and other tables stay", () => {
  const Kind = oneOf("coin", "lamp");
  const Rich = layout({
    things: table(5, {
      kind: Kind,
      on: bool,
      at: { x: f64.lerp, spin: quat.slerp },
      past: trail(3, { x: f64 }),
      bits: u16,
    }),
    others: table(3, { x: f64.lerp }),
  });
  const state = Rich.allocate(4);
  const identity = new RowIdentity(Rich, TELEPORT);
  const { things, others } = state.world;
  others.add({ x: 3 });
  state.save(CERTAIN);
  const add = (kind: 0 | 1, x: number, bits: number) => {
    const row = things.get(
      things.add({
        kind: kind === 0 ? Kind.coin : Kind.lamp,
        on: kind === 1,
        bits,
        at: { x, spin: [0, 0, 0, 1] },
      }),
    )!;
    for (let i = 0; i <= kind; i++) row.past.push({ x: x + i });
  };
  add(1, 10, 77);
  state.save(BEFORE);
  identity.begin(state.at(BEFORE), state, CERTAIN);
  state.load(CERTAIN);
  add(0, 20, 99);
  add(1, 10, 77);
  state.save(AFTER);
  identity.end(state.at(BEFORE), state.at(AFTER), state, CERTAIN);
  const shown = Array.from(state.at(AFTER).things, ({ row, kind, on, at, past, bits }) => [
    [row, kind, on, bits],
    [at.x, at.spin[3], past.count, past.at(0, "x")],
  ]);
  expect(shown.flat()).toEqual([
    [0, 1, true, 77],
    [10, 1, 2, 11],
    [1, 0, false, 99],
    [20, 1, 1, 20],
  ]);
  expect(Array.from(state.at(AFTER).others, ({ id, x }) => [id, x])).toEqual([[1, 3]]);
});

test("smoothing follows the row: its own correction fades, and nothing slides to another row's place", () => {
  const { state, add, confirm, correct, view, stones } = scene();
  const smoother = errorSmoothing(World);
  const draw = (ticks: number) => {
    smoother.advance(ticks);
    view();
    smoother.apply(state.at(VIEW));
    return Array.from(state.at(VIEW).stones, ({ x }) => x);
  };
  confirm();
  add({ by: 1, x: 10 });
  const redo = () => {
    add({ by: 2, x: 20 });
    add({ by: 1, x: 10.2 });
  };
  correct(redo);
  expect(smoother.corrected(state.at(BEFORE), state.at(AFTER))).toBe(Infinity);
  expect(draw(0)).toEqual([10, 20]);
  expect(draw(1)[0]).toBeCloseTo(10.2 - 0.2 * 0.95, 12);
  // A row that the step moves on purpose jumps, in its displaced row too.
  correct(() => {
    redo();
    stones.x[1] = 50;
    skipBlend(stones, 1);
  });
  smoother.corrected(state.at(BEFORE), state.at(AFTER));
  expect(draw(0)).toEqual([50, 20]);
});

test("while every prediction is right, pictures are not touched", () => {
  const { state, add, confirm, correct, view } = scene();
  confirm();
  const redo = () => {
    add({ by: 1, x: 10 });
    add({ by: 1, x: 20 });
  };
  redo();
  correct(redo);
  view();
  expect(state.hash(VIEW).join()).toBe(state.hash().join());
  expect(state.hash(AFTER).join()).toBe(state.hash().join());
});

test("in random games, a row that two pictures have is the same in both, whatever was corrected", () => {
  type Op = { readonly kind: "add" | "remove"; readonly name: number };
  const Game = layout({ rows: table(12, { name: u8, x: f64.lerp }) });
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      const dice = random(new Uint32Array(4)).seed(seed);
      const state = Game.allocate(4);
      const { rows } = state.world;
      const identity = new RowIdentity(Game, TELEPORT);
      let names = 0;
      const ops: Op[] = [];
      const run = ({ kind, name }: Op) => {
        const row = Array.from({ length: rows.end }, (_, i) => i).find(
          (i) => rows.id[i]! > 0 && rows.name[i] === name,
        );
        if (kind === "remove" && row !== undefined) rows.remove(rows.id[row] as RowId);
        if (kind === "add" && rows.count < 12) rows.add({ name, x: 0 });
      };
      const newOp = (): Op =>
        dice.chance(0.6) ? { kind: "add", name: ++names } : { kind: "remove", name: dice.int(1, names + 1) };
      let last = new Map<number, number>();
      const faults: string[] = [];
      /** Compares a picture with the last one and with the state. */
      const check = (snapshot: number) => {
        const { rows: shown } = state.at(snapshot);
        const now = new Map<number, number>();
        for (const { row, id, name } of shown) {
          now.set(id, name);
          if (shown.row(id) !== row) faults.push(`id ${id} is not in row ${row}`);
        }
        const sorted = (numbers: Iterable<number>) => [...numbers].sort((a, b) => a - b).join();
        if (sorted(now.values()) !== sorted(Array.from(rows, ({ name }) => name)))
          faults.push("not the rows of the state");
        if (now.size !== shown.count) faults.push("a wrong count");
        const ids = new Map(Array.from(now, ([id, name]) => [name, id]));
        for (const [id, name] of last)
          if ((now.get(id) ?? name) !== name || (ids.get(name) ?? id) !== id)
            faults.push(`${name} was ${id}, is ${ids.get(name)}`);
        last = now;
      };
      state.save(CERTAIN);
      for (let round = 0; round < 60; round++) {
        const op = newOp();
        ops.push(op);
        run(op);
        state.save(VIEW);
        identity.arrange(state.at(VIEW));
        check(VIEW);
        if (dice.chance(0.5)) {
          state.save(BEFORE);
          identity.begin(state.at(BEFORE), state, CERTAIN);
          check(BEFORE);
          // Others did something that was not known, or something did not happen.
          const at = dice.int(0, ops.length);
          if (dice.chance(0.7)) ops.splice(at, 0, newOp());
          else ops.splice(at, 1);
          state.load(CERTAIN);
          ops.forEach(run);
          state.save(AFTER);
          identity.end(state.at(BEFORE), state.at(AFTER), state, CERTAIN);
          check(AFTER);
        }
        if (ops.length > 5) {
          state.load(CERTAIN);
          ops.splice(0, dice.int(1, 4)).forEach(run);
          state.save(CERTAIN);
          ops.forEach(run);
        }
      }
      expect(faults).toEqual([]);
    }),
    { numRuns: 100 },
  );
});
