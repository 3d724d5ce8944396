import { describe, expect, test } from "vitest";
import { errorWith } from "../../test/error-with.js";
import { inputLatch } from "../input/index.js";
import { changeRate, every, Loop, timeScale } from "../loop/index.js";
import { readReplay, record, replayPlayer } from "../replay/index.js";
import { f64, layout } from "../state/index.js";
import { onePerFrame } from "../loop/stepping.js";
import { manualDriver, manualLoop } from "../testing/index.js";
import { button, localSession, play, simulation } from "./index.js";

const gameOf = (rate: number | [number, number]) =>
  simulation({
    name: "drift",
    version: 1,
    rate,
    players: 2,
    state: layout({ x: f64.lerp }),
    input: { jump: button },
    step(world, players, { dt }) {
      world.x += players.some((player) => player.pressed.jump) ? 1 : dt;
    },
  });

const MISMATCH = errorWith("rate-mismatch", "Session.advance: a loop of");

describe("a loop cannot step a simulation with another rate", () => {
  test.each([
    [60, 30],
    [60, 120],
    [60, 59.94],
    [60000, 60],
  ])("a simulation of %d Hz in a loop of %d Hz", (rate, other) => {
    const session = localSession(gameOf(rate));
    const loop = new Loop({ rate: other, step: () => session.advance() });
    expect(() => loop.advance(1.5 / other)).toThrow(MISMATCH);
    expect([session.tick, loop.tick]).toEqual([0, 0]);
    expect(() => loop.runSteps(1)).toThrow(MISMATCH);
  });

  test("the error names both rates and the fix", () => {
    const session = localSession(gameOf([60000, 1001]));
    const loop = new Loop({ rate: 60, step: () => session.advance() });
    expect(() => loop.runSteps(1)).toThrow(
      'Session.advance: a loop of 60 Hz cannot step the simulation "drift" of 60000/1001 Hz. Use { rate: game.rate }, or every(loop, game.rate, () => session.advance()).',
    );
  });

  test("in a part, a listener or a slowed loop", () => {
    const session = localSession(gameOf(60));
    const advance = () => session.advance();
    const added = manualLoop({ rate: 30 });
    added.use({ step: advance });
    const heard = manualLoop({ rate: 30 });
    heard.on("step", advance);
    const slow = manualLoop({ rate: 30, step: advance });
    timeScale(slow).set(0.5);
    for (const loop of [added, heard, slow]) expect(() => loop.advance(1)).toThrow(MISMATCH);
  });

  test("but a loop of the right rate can, inside a step or a beat of another loop", () => {
    const session = localSession(gameOf(20));
    const inner = manualLoop({ rate: 20, step: () => session.advance() });
    const outer = manualLoop({ rate: 60, step: () => inner.advance(1 / 60) });
    for (let i = 0; i < 10; i++) outer.advance(1 / 60);
    outer.pause();
    outer.advance(1 / 60);
    outer.resume();
    for (let i = 0; i < 10; i++) outer.advance(1 / 60);
    const beating = manualLoop({ rate: 60 });
    every(beating, 30, () => inner.advance(1 / 30));
    for (let i = 0; i < 20; i++) beating.advance(1 / 60);
    expect(session.tick).toBe(13);
  });

  test("after another loop ran, or a step of it threw", () => {
    const session = localSession(gameOf(20));
    let isOn = false;
    const wrong = manualLoop({ rate: 60, step: () => isOn && void session.advance() });
    const other = manualLoop({ rate: 20 });
    wrong.advance(1);
    other.advance(1);
    isOn = true;
    expect(() => wrong.advance(1)).toThrow(MISMATCH);
    const failing = manualLoop({
      rate: 20,
      step() {
        throw new Error("mine");
      },
    });
    expect(() => failing.advance(1)).toThrow("mine");
    // Outside the steps of loops, any session can advance.
    expect(session.advance()).toBe("stepped");
  });

  test("after the rate of the loop was changed, and for a replay player", () => {
    const session = localSession(gameOf(60));
    const loop = manualLoop({ rate: 60, step: () => session.advance() });
    loop.advance(0.1);
    changeRate(loop, 30);
    expect(() => loop.advance(1)).toThrow(MISMATCH);
    const live = localSession(gameOf(60));
    const recorder = record(live);
    live.skip(100);
    const player = replayPlayer(gameOf(60), readReplay(recorder.bytes()));
    expect(() => manualLoop({ rate: 120, step: () => player.advance() }).advance(1)).toThrow(MISMATCH);
  });
});

test("a loop of the same rate, a beat of that rate and code outside loops can step a session", () => {
  for (const rate of [60, [60000, 1001] as [number, number]]) {
    const session = localSession(gameOf(rate));
    const hertz = Array.isArray(rate) ? rate[0] / rate[1] : rate;
    manualLoop({
      rate: typeof rate === "number" ? [rate * 2, 2] : rate,
      step: () => session.advance(),
    }).runSteps(3);
    manualLoop({ rate, stepping: onePerFrame(), step: () => session.advance() }).advance(1 / hertz);
    // A beat of the session's rate, in a slower and in a faster loop.
    for (const other of [20, 240]) {
      const loop = manualLoop({ rate: other });
      every(loop, rate, () => session.advance());
      loop.runSteps(other);
    }
    const before = session.tick;
    session.advance();
    expect(session.tick).toBe(before + 1);
    expect(before).toBeGreaterThan(100);
  }
});

test("a session can step after a loop failed, and while a loop renders", () => {
  const session = localSession(gameOf(60));
  const loop = manualLoop({
    rate: 30,
    step({ tick }) {
      if (tick === 1) throw new Error("broken");
    },
    render: () => session.advance(),
  });
  loop.runSteps(1);
  expect(() => loop.runSteps(1)).toThrow("broken");
  session.advance();
  expect(() => manualLoop({ rate: 10, step: () => every(loop, 60, fail) }).runSteps(1)).not.toThrow();
  expect(() => loop.runSteps(1)).toThrow("in a beat");
  session.advance();
  manualLoop({ rate: 60, step: () => session.advance() }).runSteps(1);
  function fail(): void {
    throw new Error("in a beat");
  }
});

test("two players can share a bot, but not a latch", () => {
  const game = gameOf(60);
  const latch = inputLatch(game.packing);
  expect(() => localSession(game, { inputs: [latch, latch] })).toThrow(
    errorWith(
      "in-use",
      "localSession: players 0 and 1 share one latch. Create one inputLatch(game.packing) per player.",
    ),
  );
  const session = localSession(game, { inputs: [latch, inputLatch(game.packing)] });
  expect(() => session.setInputs([latch, latch])).toThrow(
    errorWith("in-use", "Session.setInputs: players 0 and 1 share one latch"),
  );
  latch.press("jump");
  session.advance();
  expect(session.world.x).toBe(1);
  const bot = { sample: (words: Uint32Array, at: number) => void (words[at] = 1) };
  localSession(game, { inputs: [bot, bot] }).advance();
  localSession(game, { inputs: [undefined, undefined] }).advance();
  expect(() => play(game, { inputs: [latch, latch], driver: manualDriver() })).toThrow(
    errorWith("in-use", "play: players 0 and 1 share one latch"),
  );
});
