import { expect, test } from "vitest";
import { Loop, type FrameInfo, type StepInfo } from "./index.js";

/** Returns a seeded source of numbers from 0 to 1. */
function random(seed: number): () => number {
  return () => (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) / 2 ** 32;
}

/** Runs random frames, with random calls between and inside them, and logs all that a game can see. */
function trace(seed: number, prepare: (loop: Loop) => void): unknown[] {
  const next = random(seed);
  const log: unknown[] = [];
  const actions = [
    () => loop.hitStop(next() * 0.05),
    () => loop.pause(),
    () => loop.resume(),
    () => loop.stop(),
    () => loop.reset(),
    () => (loop.timeScale = next() < 0.7 ? 1 : 0.5),
    () => (loop.pace = next() < 0.7 ? 1 : 1.25),
    () => loop.configure({ maxSteps: next() < 0.7 ? Infinity : 2 }),
    () => loop.configure({ overload: next() < 0.7 ? "drop" : { catchUp: 0.1 } }),
    () => next() < 0.1 && loop.on("step", ({ tick }) => log.push(["heard", tick])),
    () => {
      throw new Error("thrown by a callback");
    },
    () => loop.advance(0.01),
  ];
  const act = () => {
    if (next() < 0.02) actions[Math.floor(next() * actions.length)]!();
  };
  const attempt = (run: () => void) => {
    try {
      run();
    } catch (error) {
      log.push(String(error));
    }
  };
  const loop = new Loop({
    rate: 60,
    step: (info: StepInfo) => {
      log.push([{ ...info }, loop.due, loop.frameStart, loop.frameEnd]);
      act();
    },
    render: (info: FrameInfo) => {
      log.push({ ...info });
      act();
    },
  });
  prepare(loop);
  for (let i = 0; i < 400; i++) {
    // Acting between frames starts none.
    if (next() < 0.02) attempt(actions[Math.floor(next() * 10)]!);
    if (next() < 0.05) loop.resume();
    attempt(() => loop.advance(next() < 0.05 ? next() - 0.2 : next() * 0.04));
    log.push([
      loop.overstep,
      loop.debt,
      loop.stats.frames,
      loop.stats.lostSeconds,
      loop.stats.effectiveSpeed,
    ]);
  }
  return log;
}

test("plain frames do exactly what other frames do, whatever happens in them", () => {
  for (let seed = 1; seed <= 50; seed++) {
    // A listener that is never called: frames are not plain.
    const special = trace(seed, (loop) => loop.on("driver", () => {}));
    expect(
      trace(seed, () => {}),
      `seed ${seed}`,
    ).toEqual(special);
  }
});

test("all steps of a frame are due after a reset between frames", () => {
  const due: number[] = [];
  const loop = new Loop({ rate: 60, step: () => void due.push(loop.due) });
  loop.reset();
  loop.advance(2.5 / 60);
  expect(due).toEqual([2, 1]);
});
