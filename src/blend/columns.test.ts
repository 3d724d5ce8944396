import { describe, expect, test } from "vitest";
import { Loop } from "../index.js";
import {
  angle,
  dispose,
  extrapolate,
  hold,
  rotation,
  scalar,
  shift,
  smoothColumns,
  teleport,
  teleportOnChange,
  vector2,
} from "./index.js";

/** Rows that move ten units per step. Some of them are in use. */
function fleet(capacity: number, alive: number) {
  const ships = {
    x: Float64Array.from({ length: capacity }, (_, i) => 100 * i),
    id: Uint32Array.from({ length: capacity }, (_, i) => i),
  };
  const state = { alive };
  const acts: ((tick: number) => void)[] = [];
  const loop = new Loop({
    rate: 10,
    step({ tick }) {
      for (let i = 0; i < state.alive; i++) ships.x[i]! += 10;
      for (const act of acts) act(tick);
    },
  });
  const shown = smoothColumns(loop, ships, { x: scalar, id: teleportOnChange }, { count: () => state.alive });
  const seen = () => [...shown.x.subarray(0, state.alive)];
  return { ships, state, loop, shown, seen, acts };
}

describe("columns", () => {
  test("are blended row by row, into arrays of the same type", () => {
    const world = {
      place: Float32Array.of(0, 0, 0, 0),
      heading: Float64Array.of(3, 0),
      turn: Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1),
      frame: Uint8Array.of(1, 2),
    };
    const loop = new Loop({
      rate: 10,
      step() {
        world.place.set([2, 4, 6, 8]);
        world.heading[0] = -3;
        world.turn.set([0, 0, 1, 0], 4);
        world.frame[1] = 7;
      },
    });
    const shown = smoothColumns(loop, world, { place: vector2, heading: angle, turn: rotation, frame: hold });
    loop.advance(0.15);
    expect(shown.place).toEqual(Float32Array.of(1, 2, 3, 4));
    expect(shown.heading[0]).toBeCloseTo(-Math.PI, 14);
    expect(shown.heading[1]).toBe(0);
    expect([...shown.turn.subarray(0, 4)]).toEqual([0, 0, 0, 1]);
    expect(shown.turn[6]).toBeCloseTo(Math.SQRT1_2, 15);
    expect(shown.frame).toEqual(Uint8Array.of(1, 2));
    loop.runSteps();
    expect(shown.frame).toEqual(Uint8Array.of(1, 7));
  });

  test("do not blend new rows, and leave unused rows alone", () => {
    const { ships, state, loop, shown, seen, acts } = fleet(4, 2);
    acts.push((tick) => {
      if (tick === 1) ships.x[state.alive++] = 777;
    });
    loop.advance(0.15);
    expect(seen()).toEqual([5, 105]);
    loop.advance(0.1);
    expect(seen()).toEqual([15, 115, 777]);
    loop.advance(0.1);
    expect(seen()).toEqual([25, 125, 782]);
    expect(shown.x[3]).toBe(0);
    ships.x[state.alive++] = 888;
    loop.advance(0);
    expect(seen()).toEqual([25, 125, 782, 888]);
    state.alive = 1;
    loop.advance(0.1);
    expect(seen()).toEqual([35]);
  });

  test("do not blend a row that gets another id", () => {
    const { ships, state, loop, seen, acts } = fleet(3, 3);
    acts.push((tick) => {
      if (tick !== 1) return;
      // Remove the first row, and move the last one there.
      const last = --state.alive;
      ships.x[0] = ships.x[last]!;
      ships.id[0] = ships.id[last]!;
    });
    loop.advance(0.25);
    expect(seen()).toEqual([220, 115]);
    loop.advance(0.1);
    expect(seen()).toEqual([225, 125]);
    ships.id[1] = 9;
    loop.advance(0);
    expect(seen()).toEqual([225, 130]);
  });

  test("show changes outside a step at once", () => {
    const { ships, loop, seen } = fleet(2, 2);
    loop.advance(0.15);
    ships.x[0] = 500;
    loop.advance(0);
    expect(seen()).toEqual([500, 105]);
    loop.advance(0.1);
    expect(seen()).toEqual([505, 115]);
  });

  test("teleport one row or all, in a step or outside", () => {
    const { ships, loop, seen, acts } = fleet(2, 2);
    acts.push((tick) => {
      if (tick === 1) teleport(ships, 1);
      if (tick === 3) teleport(ships);
    });
    loop.advance(0.25);
    expect(seen()).toEqual([15, 120]);
    loop.advance(0.1);
    expect(seen()).toEqual([25, 125]);
    teleport(ships, 0);
    loop.advance(0);
    expect(seen()).toEqual([30, 125]);
    loop.advance(0.1);
    expect(seen()).toEqual([40, 140]);
    loop.advance(0.1);
    expect(seen()).toEqual([45, 145]);
  });

  test("blend a row again in the step after its teleport", () => {
    const { ships, loop, seen } = fleet(1, 1);
    loop.advance(0.15);
    teleport(ships, 0);
    loop.advance(0);
    expect(seen()).toEqual([10]);
    loop.advance(0.1);
    expect(seen()).toEqual([15]);
  });

  test("shift one row or all, in a step or outside, without interrupting the motion", () => {
    const { ships, loop, seen, acts } = fleet(2, 2);
    acts.push((tick) => {
      if (tick === 1) shift(ships, { x: 1000 }, 1);
    });
    loop.advance(0.25);
    expect(seen()).toEqual([15, 1115]);
    ships.x[0] = 0;
    shift(ships, { x: -5 });
    loop.advance(0);
    expect(seen()).toEqual([-5, 1110]);
    expect([...ships.x]).toEqual([-5, 1115]);
  });

  test("show the current state after a failed step, and after reset", () => {
    const { ships, loop, seen, acts } = fleet(1, 1);
    acts.push((tick) => {
      if (tick === 1) throw new Error("broken");
    });
    loop.advance(0.15);
    expect(() => loop.advance(0.1)).toThrow("broken");
    loop.pause();
    loop.advance(0.01);
    expect(seen()).toEqual([ships.x[0]]);
    acts.length = 0;
    loop.resume();
    loop.advance(0);
    expect(seen()[0]).toBeLessThan(ships.x[0]!);
    loop.reset();
    loop.advance(0.05);
    expect(seen()).toEqual([ships.x[0]]);
  });

  test("can be replaced by longer ones", () => {
    const { ships, state, loop, shown, seen } = fleet(1, 1);
    loop.advance(0.15);
    for (const name of ["x", "id"] as const) {
      const longer = new (ships[name].constructor as Float64ArrayConstructor)(8);
      longer.set(ships[name]);
      Object.assign(ships, { [name]: longer });
    }
    loop.advance(0);
    expect([shown.x.length, ...seen()]).toEqual([8, 5]);
    state.alive = 3;
    loop.advance(0.1);
    expect(seen()).toEqual([15, 5, 5]);
  });

  test("can be extrapolated and disposed", () => {
    const columns = { x: Float64Array.of(0), frame: Uint8Array.of(0) };
    const loop = new Loop({ rate: 10, step: () => void (columns.frame[0] = columns.x[0]! += 10) });
    const shown = smoothColumns(loop, columns, { x: scalar, frame: hold }, { ahead: extrapolate(1) });
    loop.advance(0.25);
    expect([shown.x[0], shown.frame[0]]).toEqual([25, 20]);
    dispose(shown);
    loop.advance(0.1);
    expect(shown.x[0]).toBe(25);
  });

  test("reject a count above the number of rows", () => {
    const { state, loop } = fleet(2, 2);
    state.alive = 3;
    expect(() => loop.advance(0)).toThrow(
      "smoothColumns: count must be a whole number of rows, at most 2, got 3. Try () => alive.",
    );
  });

  test("reject unknown options", () => {
    const { ships, loop } = fleet(2, 2);
    expect(() => smoothColumns(loop, ships, { x: scalar }, { counts: () => 1 } as never)).toThrow(
      'smoothColumns: unknown option "counts". Did you mean "count"?',
    );
  });

  test("shift rejects a column that is not smoothed", () => {
    const { ships } = fleet(2, 2);
    expect(() => shift(ships, { y: 1 } as never)).toThrow('shift: unknown column "y". Known: x, id.');
  });
});
