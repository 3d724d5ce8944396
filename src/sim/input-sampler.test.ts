// What sessions accept as a source of inputs.
import { describe, expect, test } from "vitest";
import { errorWith } from "../../test/error-with.js";
import { axis, button, inputLatch } from "../input/index.js";
import { layout, u32 } from "../state/index.js";
import { localSession, play, simulation, syncTest } from "./index.js";

const game = simulation({
  name: "sampled",
  version: 1,
  rate: 60,
  state: layout({ goes: u32 }),
  input: { go: button, aim: axis(8) },
  step(world, [player]) {
    if (player.go) world.goes += 1;
  },
});
const duel = simulation({ ...game.options, players: 2, step() {} });
const trio = simulation({ ...game.options, players: 3, step() {} });

describe("a function that writes inputs", () => {
  test("must be synchronous", async () => {
    const inputs = async () => {
      throw new Error("never unhandled");
    };
    const message = "inputs must be synchronous, but it returned a promise. Remove async";
    const session = localSession(game, { inputs: inputs as never });
    expect(() => session.advance()).toThrow(errorWith("async-callback", `localSession: ${message}`));
    expect(session.tick).toBe(0);
    expect(() => syncTest(game, { inputs: inputs as never })).toThrow(
      errorWith("async-callback", `syncTest: ${message}`),
    );
    session.setInputs(inputs as never);
    expect(() => session.advance()).toThrow(errorWith("async-callback", `Session.setInputs: ${message}`));
    await Promise.resolve();
  });

  test.each([[() => [{ go: true }]], [() => ({ go: true })]])("must not return inputs: %s", (inputs) => {
    const session = localSession(game, { inputs: inputs as never });
    const message = "the result of inputs must be undefined, as inputs are written, not returned, got";
    expect(() => session.advance()).toThrow(errorWith("bad-value", `localSession: ${message}`));
    expect(() => syncTest(game, { inputs: inputs as never })).toThrow(
      errorWith("bad-value", `syncTest: ${message}`),
    );
  });

  test("may be a single expression", () => {
    const session = localSession(game, { inputs: ([player]) => (player.go = true) });
    session.advance();
    session.setInputs(([player]) => Object.assign(player, { go: true }));
    session.advance();
    session.setInputs((players) => players as never);
    session.advance();
    expect(session.world.goes).toBe(3);
  });

  test("cannot write inputs that are not declared", () => {
    const session = localSession(game, {
      inputs: ([player]) => void ((player as unknown as { fire: boolean }).fire = true),
    });
    expect(() => session.advance()).toThrow(
      errorWith("unknown-name", 'inputs: unknown input "fire". Known: go, aim.'),
    );
    session.setInputs(([player]) => void Object.assign(player, { aimm: 1 }));
    expect(() => session.advance()).toThrow(
      errorWith("unknown-name", 'inputs: unknown input "aimm". Did you mean "aim"?'),
    );
    expect(session.tick).toBe(0);
  });
});

describe("sources of several players", () => {
  const latch = () => inputLatch(game.packing);

  test("must be a list with one entry per player", () => {
    expect(() => localSession(duel, { inputs: latch() })).toThrow(
      errorWith(
        "bad-value",
        "localSession: inputs must be a list with a source for each of the 2 players, got an InputLatch. Try [latch, bot].",
      ),
    );
    expect(() => play(trio, { inputs: [latch(), undefined] })).toThrow(
      errorWith(
        "bad-value",
        "play: inputs.length must be 3, one source per player, got 2. Try [latch, bot, undefined], with undefined for a player who does nothing.",
      ),
    );
    expect(() => localSession(game, { inputs: [latch(), latch()] })).toThrow(
      "must be 1, one source per player",
    );
    expect(() => localSession(game, { inputs: [] })).toThrow("must be 1, one source per player, got 0");
    const session = localSession(duel, { inputs: [latch(), undefined] });
    expect(() => session.setInputs([latch()])).toThrow("Session.setInputs: inputs.length must be 2");
  });

  test("may be one source that writes the inputs of all players", () => {
    const words: number[] = [];
    const session = localSession(duel, {
      inputs: { allPlayers: true, sample: (all, offset) => all.fill(1, offset) },
    });
    session.on("confirmed", (confirmed) => words.push(...confirmed.words));
    session.advance();
    expect(words).toEqual([1, 1]);
  });
});
