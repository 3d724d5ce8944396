// The picture never runs backwards, whatever threads, messages, clocks and players do: on virtual time, from many seeds.
import { describe, expect, test } from "vitest";
import { catchUp, timeScale } from "../../src/index.js";
import { random } from "../../src/math/index.js";
import { drive, type Present } from "../../src/sim/index.js";
import { manualDriver } from "../../src/testing/index.js";
import { workerSession, type MemoryMode } from "../../src/worker/index.js";
import { virtualWorker } from "../../scenes/virtual-worker.js";
import { FULL } from "../full.js";
import { arcade } from "./arcade.js";
import { withStep } from "./virtual-arcade.js";

const SEEDS = FULL ? 1000 : 25;
const FRAMES = 300;

interface Trouble {
  readonly memory: MemoryMode;
  readonly present: Present;
  /** The page's loop is paused, scaled and stopped at random. */
  readonly isControlled: boolean;
  /** The worker makes up for lost time. */
  readonly isRepaid: boolean;
  /** The resolution of the page's clock, in milliseconds. */
  readonly coarse: number;
}

/** Plays for a while. Returns the pictures, and how far the last one is from the newest state, in ticks. */
async function play(seed: number, { memory, present, isControlled, isRepaid, coarse }: Trouble) {
  const numbers = random(new Uint32Array(4)).seed(seed);
  const isLucky = (share: number) => numbers.float() < share;
  const upTo = (most: number) => most * numbers.float();
  let isCalm = false;
  const game = withStep(() => time.spend(!isCalm && isLucky(0.02) ? upTo(40) : upTo(2)));
  const worker = virtualWorker(game, {
    latency: () => (!isCalm && isLucky(0.05) ? upTo(30) : upTo(0.3)),
    onLoop: (loop) => void (isRepaid && catchUp(loop, 1)),
  });
  worker.lateness = () => (!isCalm && isLucky(0.02) ? upTo(30) : upTo(0.3));
  const { time } = worker;
  const now = () => (coarse > 0 ? Math.floor(time.now() / coarse) * coarse : time.now());
  const session = workerSession(game, worker.port, { memory, present, now });
  time.advance(100);
  await session.ready;
  const pictures: { readonly at: number; readonly tick: number; readonly x: number }[] = [];
  const driver = manualDriver();
  const { loop } = drive(session, {
    driver,
    render: ({ x }) => void pictures.push({ at: time.now(), tick: session.shownTick, x }),
  });
  const scale = timeScale(loop);
  driver.wait(0);

  /** When the last frame began, by the display: its callback may come later. */
  let begun = time.now();
  const frame = (period: number) => {
    begun += period;
    time.advance(Math.max(0, begun + (isLucky(0.3) ? upTo(isCalm ? 1 : 30) : 0) - time.now()));
    driver.wait(period / 1000);
  };
  for (let i = 0; i < FRAMES; i++) {
    if (isLucky(0.01)) time.after(0, true, () => time.spend(upTo(1200)));
    if (isControlled && isLucky(0.06)) {
      const changes = [
        () => loop.pause(),
        () => loop.resume(),
        () => scale.set(upTo(2)),
        () => scale.hitStop(upTo(0.1)),
        () => loop.runSteps(1 + Math.floor(upTo(3))),
      ];
      changes[Math.floor(upTo(changes.length))]!();
    }
    frame(isLucky(0.03) ? upTo(300) : 1000 / 60);
  }
  isCalm = true;
  loop.resume();
  scale.set(1);
  for (let i = 0; i < 200; i++) frame(1000 / 60);
  const behind = session.tick - session.shownTick;
  loop.stop();
  session.dispose();
  return { pictures, behind };
}

const TROUBLES = (["shared", "transferred"] as const).flatMap((memory) =>
  (["interpolate", "speculate"] as const).flatMap((present) =>
    [
      { isControlled: false, isRepaid: false, coarse: 0 },
      { isControlled: false, isRepaid: true, coarse: 0.1 },
      { isControlled: true, isRepaid: false, coarse: 1 },
      { isControlled: true, isRepaid: true, coarse: 0 },
    ].map((trouble) => ({ memory, present, ...trouble })),
  ),
);

describe("a worker that is suspended, late callbacks, late messages", () => {
  test.each(TROUBLES)(
    "$memory memory, $present, controlled: $isControlled, repaid: $isRepaid, a clock of $coarse ms",
    async (trouble) => {
      for (let seed = 1; seed <= SEEDS; seed++) {
        const { pictures, behind } = await play(seed, trouble);
        const hint = `seed ${seed}`;
        expect(pictures.length, hint).toBeGreaterThan(FRAMES);
        for (let i = 1; i < pictures.length; i++) {
          const [before, after] = [pictures[i - 1]!, pictures[i]!];
          if (after.x < before.x || after.tick < before.tick)
            throw new Error(`${hint}: ${JSON.stringify([before, after])}`);
          if (Math.abs(after.x - after.tick / 60) > 1e-9)
            throw new Error(`${hint}: the picture at ${after.at} shows ${after.x * 60}, not ${after.tick}`);
        }
        // It does not stand still for long either: the delay grows with what happened.
        expect(behind, hint).toBeLessThan(20);
      }
    },
  );
});

test.each(["shared", "transferred"] as const)(
  "%s memory: a page whose first frames are late shows the first state until the game begins",
  async (memory) => {
    for (const late of [5, 15, 30, 45]) {
      const worker = virtualWorker(arcade);
      const { time } = worker;
      const session = workerSession(arcade, worker.port, { memory, now: () => time.now() });
      time.advance(2);
      await session.ready;
      const driver = manualDriver();
      const ticks: number[] = [];
      const { loop } = drive(session, { driver, render: () => void ticks.push(session.shownTick) });
      driver.wait(0);
      time.advance(late);
      for (let i = 0; i < 60; i++) {
        time.advance(1000 / 60);
        driver.wait(1 / 60);
      }
      const moving = ticks.slice(ticks.findIndex((tick) => tick > 0) - 1);
      expect(moving.length, `${late} ms`).toBeGreaterThan(50);
      expect(moving[0]).toBe(0);
      // The time of frames follows the clock, at up to 2 % more.
      expect(moving[1]).toBeLessThan(1.05);
      for (let i = 2; i < moving.length; i++) expect(moving[i]! - moving[i - 1]!).toBeGreaterThan(0.9);
      loop.stop();
      session.dispose();
    }
  },
);
