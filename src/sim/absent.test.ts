import { describe, expect, test } from "vitest";
import { orders } from "../../test/replay/orders.js";
import { button, guard, int, localSession, simulation, type Inputs } from "./index.js";
import { layout, u32 } from "../state/index.js";
import { Run } from "./run.js";
import { StepLog } from "./step-log.js";

const input = { go: button, gear: int(1, 7) };

type Absent = NonNullable<Parameters<typeof gameWith>[0]>;

const gameWith = (absent?: Parameters<typeof simulation<{ n: typeof u32 }, typeof input>>[0]["absent"]) => {
  const seen: string[] = [];
  const game = simulation({
    name: "seats",
    version: 1,
    rate: 60,
    players: 2,
    state: layout({ n: u32 }),
    input,
    absent,
    step(world, inputs) {
      world.n += 1;
      seen.push(inputs.map(shown).join(" "));
    },
  });
  return { game, seen };
};

const shown = ({ go, gear, held, absent }: Inputs<typeof input>) =>
  `${absent ? "absent" : "present"}:${go ? "go" : "-"},${gear},${held.go}`;

/** Takes a step in which both players go, in gear 7. */
function step(run: Run): void {
  run.words.fill(0b1101);
  run.step();
}

describe("an absent seat", () => {
  test("is at rest by default, whatever the words are", () => {
    const { game, seen } = gameWith();
    const run = new Run(game, 0);
    step(run);
    run.absent[1] = 1;
    step(run);
    step(run);
    run.absent[1] = 0;
    step(run);
    expect(seen).toEqual([
      "present:go,7,1 present:go,7,1",
      "present:go,7,2 absent:-,1,0",
      "present:go,7,3 absent:-,1,0",
      "present:go,7,4 present:go,7,1",
    ]);
  });

  test("has the declared inputs", () => {
    const { game, seen } = gameWith({ gear: 3 });
    const run = new Run(game, 0);
    run.absent[0] = 1;
    step(run);
    expect(seen).toEqual(["absent:-,3,0 present:go,7,1"]);
    // The words that the step has seen, to be recorded.
    expect([...run.words]).toEqual([0b0100, 0b1101]);
  });

  test("is played by a bot, which sees the state before the step", () => {
    const calls: unknown[] = [];
    const { game, seen } = gameWith((player, { seat, tick, world, random }) => {
      calls.push([seat, tick, world.n, player.go, player.gear]);
      player.gear = 2 + seat + random.below(1);
      player.go = tick > 0;
    });
    const run = new Run(game, 0);
    run.absent.fill(1);
    step(run);
    step(run);
    expect(calls).toEqual([
      [0, 0, 0, false, 1],
      [1, 0, 0, false, 1],
      [0, 1, 1, false, 1],
      [1, 1, 1, false, 1],
    ]);
    expect(seen).toEqual(["absent:-,2,0 absent:-,3,0", "absent:go,2,1 absent:go,3,1"]);
  });

  test("a bot is part of the step: of its guard, and of its errors", () => {
    const { game } = gameWith((player) => {
      player.go = Math.random() < 2;
    });
    const run = new Run(game, 0, { guard: guard() });
    step(run);
    run.absent[1] = 1;
    expect(() => step(run)).toThrow("step: Math.random is not deterministic");
    expect(run.tick).toBe(1);
    run.absent[1] = 0;
    step(run);
    expect(run.tick).toBe(2);
  });

  test("a bot must be synchronous", () => {
    const { game } = gameWith((async () => {}) as never);
    const run = new Run(game, 0);
    run.absent[0] = 1;
    expect(() => step(run)).toThrow("Simulation: absent must be synchronous, but it returned a promise.");
  });

  test.each<[unknown, string]>([
    [5, "simulation: absent must be inputs or a function, got 5."],
    [null, "simulation: absent must be inputs or a function, got null."],
    [{ gaer: 1 }, 'simulation: unknown input "gaer". Did you mean "gear"?'],
    [{ gear: 9 }, "simulation: gear must be a whole number from 1 to 7, got 9."],
  ])("cannot be declared as %j", (absent, message) => {
    expect(() => gameWith(absent as Absent)).toThrow(message);
  });

  test("no input can be named like it", () => {
    expect(() =>
      simulation({
        name: "names",
        version: 1,
        rate: 60,
        state: layout({ n: u32 }),
        input: { absent: button },
        step() {},
      }),
    ).toThrow("simulation: an input's name must be letters, digits and _, and not pressed");
  });

  test("never occurs in a local session", () => {
    const { game, seen } = gameWith();
    const session = localSession(game, { history: { seconds: 1 } });
    session.skip(3);
    session.seek(1);
    session.advance();
    expect(seen.every((line) => !line.includes("absent"))).toBe(true);
  });
});

describe("a log of steps", () => {
  test("gives each of the last steps its inputs, commands and absent seats again", () => {
    const capacity = 5;
    const log = new StepLog(orders, capacity);
    const [run, copy] = [new Run(orders, 0), new Run(orders, 0)];
    const halt = orders.commands.encode("halt");
    const given: unknown[] = [];
    const read = ({ words, commands, absent }: Run) => [[...words], [...commands], [...absent]];
    for (let tick = 0; tick < 23; tick++) {
      run.words.fill(tick % 16);
      run.commands = tick % 3 === 0 ? [{ player: tick % 2, bytes: halt }] : [];
      run.absent.fill(tick % 7 > 3 ? 1 : 0);
      run.absent[tick % 3] = 0;
      run.step();
      log.write(tick, run);
      given[tick] = read(run);
      for (let past = Math.max(0, tick - capacity + 1); past <= tick; past++) {
        log.read(past, copy);
        expect(read(copy)).toEqual(given[past]);
      }
    }
  });
});
