import { describe, expect, test } from "vitest";
import { layout, u32 } from "../state/index.js";
import { axis, button, simulation } from "./index.js";
import type { Inputs } from "./inputs.js";
import { Run } from "./run.js";

const input = { x: axis(8), go: button };
const seen: Inputs<typeof input>[] = [];
/** Of each player: whether the button was pressed or released in the step, how long it is held, and whether the seat is absent. */
let facts: unknown[] = [];
const game = simulation({
  name: "inputs",
  version: 1,
  rate: 60,
  players: 2,
  state: layout({ n: u32 }),
  input,
  step(_, inputs) {
    seen.push(...inputs);
    facts = inputs.map(({ pressed, released, held, absent }) => [pressed.go, released.go, held.go, absent]);
  },
});

/** Returns the inputs of both players in the next step of a run. */
function step(run: Run, ...players: { x?: number; go?: boolean }[]) {
  players.forEach((values, player) => game.packing.pack(values, run.words, player * game.packing.words));
  seen.length = 0;
  run.step();
  return seen;
}

describe("the inputs of a step", () => {
  test("are properties of their own, which cannot be written", () => {
    const [first] = step(new Run(game as never, 0), { x: 1, go: true });
    expect({ ...first }).toEqual({ x: 1, go: true });
    expect(Object.keys(first!.pressed)).toEqual(["go"]);
    expect(() => Object.assign(first!, { x: 0 })).toThrow(TypeError);
  });

  test("can be changed by an object that inherits from them", () => {
    const [first] = step(new Run(game as never, 0), { x: 1, go: true });
    const other = Object.create(first!, { go: { value: false } }) as typeof first;
    expect([other!.x, other!.go, other!.absent]).toEqual([1, false, false]);
  });

  test("know what was pressed, released and held, by player", () => {
    const run = new Run(game as never, 0);
    step(run, { go: true }, {});
    expect(facts).toEqual([
      [true, false, 1, false],
      [false, false, 0, false],
    ]);
    run.absent[1] = 1;
    step(run, { go: true }, {});
    expect(facts).toEqual([
      [false, false, 2, false],
      [false, false, 0, true],
    ]);
    step(run, {}, {});
    expect(facts[0]).toEqual([false, true, 0, false]);
  });

  // Otherwise V8 cannot optimize the step of a process with many rooms.
  test("have the same getters in all runs, and for all players", () => {
    const getter = (of: object, name: string) => Object.getOwnPropertyDescriptor(of, name)!.get;
    const [first, second] = step(new Run(game as never, 0), {}, {});
    const [other] = step(new Run(game as never, 0), {}, {});
    for (const name of ["x", "go", "absent"]) {
      expect(getter(first!, name)).toBe(getter(second!, name));
      expect(getter(first!, name)).toBe(getter(other!, name));
    }
    for (const part of ["pressed", "released", "held"] as const)
      expect(getter(first![part], "go")).toBe(getter(other![part], "go"));
  });
});
