// A latch as the input source of sessions and loops.
import { describe, expect, test } from "vitest";
import { errorWith } from "../../test/error-with.js";
import { button, fraction, axis, inputLatch } from "../input/index.js";
import { timeScale } from "../loop/index.js";
import { f64, layout, u32 } from "../state/index.js";
import { manualDriver } from "../testing/index.js";
import { localSession, play, simulation } from "./index.js";

const game = simulation({
  name: "latched",
  version: 1,
  rate: 50,
  players: 2,
  state: layout({ presses: u32, releases: u32, longest: u32, x: f64.lerp, firedAt: f64 }),
  input: { fire: button, walk: axis(8), fireAt: fraction(8) },
  step(world, [player, other], { tick, dt }) {
    if (player.pressed.fire) {
      world.presses += 1;
      world.firedAt = (tick + player.fireAt) * dt;
    }
    if (player.released.fire) world.releases += 1;
    if (player.held.fire > world.longest) world.longest = player.held.fire;
    world.x += (player.walk + other.walk) * dt;
  },
});
const newLatch = () => inputLatch(game.packing, { fractions: { fireAt: { of: "fire" } } });

/** Plays the game with a latch, and lists the ticks in which `fire` was down. */
function playWithLatch(options: Parameters<typeof play>[1] = {}) {
  const latch = newLatch();
  const driver = manualDriver(1000);
  const { session, loop } = play(game, { ...(options as object), inputs: [latch, undefined], driver });
  const down: number[] = [];
  session.on("confirmed", ({ tick, words }) => {
    if (game.packing.unpack(words).fire) down.push(tick);
  });
  driver.play([1000]);
  return { latch, driver, session, loop, down };
}

test("rejects a latch of a simulation with other inputs, and accepts one with the same inputs", () => {
  const other = simulation({ ...game.options, input: { walk: axis(8), fire: button, fireAt: fraction(8) } });
  const same = simulation({ ...game.options, version: 2 });
  expect(() => localSession(other, { inputs: newLatch() as never })).toThrow(
    errorWith(
      "in-use",
      "localSession: this latch belongs to another simulation. Try inputLatch(game.packing).",
    ),
  );
  expect(localSession(same, { inputs: [undefined, newLatch()] }).tick).toBe(0);
});

describe("a latch in a loop", () => {
  test("a tap in a frame of five steps is one press, in the step of its time, with its fraction", () => {
    const { latch, driver, session, down } = playWithLatch();
    latch.press("fire", 1055);
    latch.release("fire", 1056);
    driver.play([1100]);
    const { presses, releases, longest, firedAt } = session.world;
    expect([presses, releases, longest, down]).toEqual([1, 1, 1, [2]]);
    // 15 of the step's 20 ms.
    expect(firedAt).toBeCloseTo(0.055, 9);
  });

  test("a tap shorter than a step is down for one step, even if the steps of a frame share less time than a step lasts", () => {
    const { latch, driver, session, down } = playWithLatch();
    latch.press("fire", 1029);
    driver.play([1030]);
    // 17 ms later, in the second of two steps that share 30 ms.
    latch.release("fire", 1046);
    driver.play([1060]);
    expect([session.world.presses, session.world.releases, down]).toEqual([1, 1, [0]]);
  });

  test("a press of a step or longer is not shortened to one step", () => {
    const { latch, driver, down } = playWithLatch();
    latch.press("fire", 1029);
    driver.play([1030]);
    latch.release("fire", 1049.5);
    driver.play([1060]);
    expect(down).toEqual([0, 1]);
  });

  test("the duration of a step follows the time scale, and is 0 while the loop is paused", () => {
    const requests: unknown[] = [];
    const driver = manualDriver(1000);
    const inputs = { sample: (_: Uint32Array, __: number, request: object) => requests.push({ ...request }) };
    const { loop } = play(game, { inputs: [inputs as never, undefined], driver });
    driver.play([1000, 1021]);
    timeScale(loop).set(0.5);
    driver.play([1061]);
    loop.pause();
    loop.runSteps(2);
    expect(requests.map((request) => (request as { duration: number }).duration)).toEqual([0.02, 0.04, 0, 0]);
  });

  test("a tap in a frame without a step is kept for the next step", () => {
    const { latch, driver, session } = playWithLatch();
    latch.press("fire", 1002);
    latch.release("fire", 1003);
    driver.play([1005, 1010]);
    expect(session.world.presses).toBe(0);
    driver.play([1021, 1041, 1061]);
    expect([session.world.presses, session.world.releases, session.world.longest]).toEqual([1, 1, 1]);
  });

  test("a tap is kept when maxSteps ends a frame early", () => {
    const { latch, driver, session } = playWithLatch({ maxSteps: 2 });
    latch.press("fire", 1090);
    latch.release("fire", 1095);
    driver.play([1100, 1200]);
    expect([session.world.presses, session.world.releases, session.world.longest]).toEqual([1, 1, 1]);
  });

  test("a speculated step shows a press without consuming it", () => {
    const latch = newLatch();
    const driver = manualDriver(1000);
    const views: number[] = [];
    const { session } = play(game, {
      inputs: [latch, undefined],
      driver,
      present: "speculate",
      render: (view) => void views.push(view.x),
    });
    driver.play([1000]);
    latch.press("fire", 1001);
    latch.set("walk", 1, 1001);
    driver.play([1010]);
    expect(views.at(-1)).toBeCloseTo(0.01, 9);
    expect(session.world.presses).toBe(0);
    driver.play([1020]);
    expect(session.world.presses).toBe(1);
  });

  test("taps during a pause can be discarded with forget()", () => {
    const { latch, driver, session, loop } = playWithLatch();
    loop.on("resume", () => latch.forget());
    loop.pause();
    for (let at = 1000; at < 1100; at += 10) {
      latch.press("fire", at);
      latch.release("fire", at + 1);
    }
    driver.play([1100]);
    loop.resume();
    driver.play([1200]);
    expect(session.world.presses).toBe(0);
  });
});

describe("a latch in a session", () => {
  test("the session samples the source of each player", () => {
    const [first, second] = [newLatch(), newLatch()];
    const session = localSession(game, { inputs: [first, second] });
    first.set("walk", 1);
    second.set("walk", 1);
    session.advance();
    expect(session.world.x).toBe(2 / 50);
  });

  test("held buttons are part of the state, so that they are right after a seek", () => {
    const latch = newLatch();
    const session = localSession(game, { inputs: [latch, undefined], history: { seconds: 5 } });
    latch.press("fire");
    for (let i = 0; i < 10; i++) session.advance();
    expect([session.world.presses, session.world.longest]).toEqual([1, 10]);
    session.seek(4);
    session.advance();
    // Still held: no second press, and the fifth tick.
    expect([session.world.presses, session.world.longest]).toEqual([1, 5]);
    latch.release("fire");
    session.advance();
    expect(session.world.releases).toBe(1);
  });

  test("taps during a rewind can be discarded with forget()", () => {
    const latch = newLatch();
    const session = localSession(game, { inputs: [latch, undefined], history: { seconds: 5 } });
    for (let i = 0; i < 50; i++) session.advance();
    session.rewind(2);
    for (let i = 0; i < 10; i++) {
      latch.press("fire");
      latch.release("fire");
      session.advance();
    }
    latch.forget();
    session.endRewind();
    for (let i = 0; i < 10; i++) session.advance();
    expect([session.world.presses, latch.waiting]).toEqual([0, 0]);
  });
});
