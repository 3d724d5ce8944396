// The model of the game, without a page.
import { expect, test } from "vitest";
import { Game } from "../../lab/src/game/game.js";
import { newLatch } from "../../lab/src/game/inputs.js";
import { ThreeRates } from "../../lab/src/game/rates.js";
import type { GameEffect } from "../../lab/src/game/playthrough.js";
import { inputsOf, SCENES } from "../../scenes/index.js";
import { hashText } from "../../src/state/index.js";
import { inputRuns, readReplay, record } from "../../src/replay/index.js";
import { localSession, simulation as declare } from "../../src/sim/index.js";
import { manualDriver } from "../../src/testing/index.js";

const { simulation } = SCENES.platformer;

/** Creates a game on a manual display. `run` gives it frames. */
function newGame() {
  const latch = newLatch();
  const driver = manualDriver(1000);
  const effects: GameEffect[] = [];
  const settings = { speed: "1", rewind: "2" } as const;
  const events = { frame() {}, effect: (effect: GameEffect) => void effects.push(effect) };
  const game = new Game(latch, settings, events, driver);
  driver.play([1000]);
  let now = 1000;
  const run = (seconds: number, fps = 60) => {
    for (let i = 1; i <= seconds * fps; i++) driver.play([now + (i * 1000) / fps]);
    now += seconds * 1000;
  };
  return { game, latch, effects, run, now: () => now };
}

/** Records the script for some ticks. */
function recording(ticks: number, start = 0): Uint8Array {
  const session = localSession(simulation, { inputs: inputsOf(SCENES.platformer) });
  session.skip(start);
  const recorder = record(session);
  session.skip(ticks - start);
  return recorder.bytes();
}

test("a tap between two frames is one jump of one tick, at any frame rate", () => {
  for (const fps of [240, 60, 15]) {
    const { game, latch, effects, run, now } = newGame();
    run(1, fps);
    latch.press("jump", now() + 1);
    latch.release("jump", now() + 2);
    run(1, fps);
    expect(effects.filter(({ name }) => name === "jump").length).toBe(1);
    const runs = [...inputRuns(readReplay(game.live.bytes()))].filter(({ values }) => values["jump"]);
    expect(runs.map(({ from, to }) => to - from)).toEqual([1]);
    game.dispose();
  }
});

test("emits each effect once, not again during a rewind or seek", () => {
  const { game, latch, effects, run } = newGame();
  run(0.5);
  latch.press("jump");
  run(0.1);
  latch.release("jump");
  run(1);
  const emitted = effects.map(({ name }) => name);
  expect(emitted).toContain("jump");
  game.rewind(true);
  run(0.5);
  game.current.seek(5);
  expect(effects.map(({ name }) => name)).toEqual(emitted);
  game.dispose();
});

test("discards taps made while paused or rewinding, but keeps held keys", () => {
  const { game, latch, run } = newGame();
  run(1);
  game.run(false);
  latch.press("jump");
  latch.release("jump");
  latch.press("right");
  game.run(true);
  run(0.2);
  game.rewind(true);
  latch.press("jump");
  latch.release("jump");
  run(0.05);
  game.rewind(false);
  run(0.2);
  const runs = [...inputRuns(readReplay(game.live.bytes()))];
  expect(runs.some(({ values }) => values["jump"])).toBe(false);
  expect(runs.at(-1)!.values["right"]).toBe(true);
  game.dispose();
});

test.each([0, 100])("taking over a recording that starts at tick %i keeps all of it", (start) => {
  const bytes = recording(400, start);
  const { game, latch, run } = newGame();
  game.watch(bytes, "script");
  game.current.seek(250);
  const hash = hashText(game.current.hash());
  game.takeOver();
  expect(game.watched).toBeUndefined();
  expect([game.current.tick, hashText(game.current.hash())]).toEqual([250, hash]);
  expect(game.current.first).toBe(start);
  latch.press("left");
  run(0.5);
  const mine = readReplay(game.live.bytes());
  expect([mine.first, mine.last]).toEqual([start, 280]);
  game.watch(game.live.bytes(), "mine");
  game.current.seek(250);
  expect(hashText(game.current.hash())).toBe(hash);
  game.dispose();
});

test("an invalid file changes nothing, and closing a replay returns to the game as it was", () => {
  const { game, run } = newGame();
  run(1);
  expect(() => game.watch(recording(60).subarray(1), "bad")).toThrow("readReplay");
  const other = declare({ ...simulation.options, version: 2 });
  const foreign = record(localSession(other)).bytes();
  expect(() => game.watch(foreign, "foreign")).toThrow(
    "the recording and the simulation differ in version: 2 ≠ 1",
  );
  const before = [game.current.tick, hashText(game.current.hash())];
  game.rewind(true);
  game.watch(recording(60), "script");
  run(3);
  expect([game.watched!.ended, game.current.tick]).toEqual([true, 60]);
  game.close();
  expect([game.current.tick, hashText(game.current.hash()), game.current.rewinding]).toEqual([
    ...before,
    false,
  ]);
  game.dispose();
});

test("three rates agree in all states, and detect a recording by another build", () => {
  const replay = readReplay(recording(300));
  const rates = new ThreeRates(replay);
  rates.work(() => false);
  expect([rates.done, rates.compared, rates.differing, rates.divergedAt]).toEqual([true, 301, 0, -1]);
  expect(rates.runs.map(({ frames }) => Math.round(frames / 5))).toEqual([15, 60, 240]);
  expect(rates.rows.map(({ tick }) => tick)).toEqual([0, 60, 120, 180, 240, 300]);
  for (const { hashes } of rates.rows) expect(new Set(hashes).size).toBe(1);
  rates.dispose();

  // Recorded by a build that jumps higher, under the same version.
  const higher = declare({
    ...simulation.options,
    step(world, inputs, context) {
      const { vy } = world.player;
      simulation.options.step(world, inputs, context);
      if (world.player.vy < vy - 100) world.player.vy -= 1;
    },
  });
  const session = localSession(higher, { inputs: inputsOf(SCENES.platformer) });
  const recorder = record(session);
  session.skip(300);
  const other = new ThreeRates(readReplay(recorder.bytes()));
  other.work(() => false);
  expect(other.differing).toBe(0);
  expect(other.divergedAt).toBeGreaterThan(0);
  other.dispose();
});

test("three rates give the same result in slices, and handle an empty recording", () => {
  const rates = new ThreeRates(readReplay(recording(120)));
  let slices = 0;
  for (; !rates.done; slices++) {
    let looks = 0;
    rates.work(() => ++looks > 10);
  }
  expect(slices).toBeGreaterThan(10);
  expect([rates.compared, rates.differing]).toEqual([121, 0]);
  const empty = new ThreeRates(readReplay(record(localSession(simulation)).bytes()));
  empty.work(() => false);
  expect([empty.done, empty.states]).toEqual([true, 1]);
});
