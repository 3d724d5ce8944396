// What users do with the page's loop reaches the worker, on virtual time: pause, time scale, hit-stop, single steps, settings.
import { describe, expect, test } from "vitest";
import { ramp } from "../../src/index.js";
import { drive, localSession } from "../../src/sim/index.js";
import { manualDriver } from "../../src/testing/index.js";
import { arcade } from "./arcade.js";
import { startArcade } from "./virtual-arcade.js";

/** How many ticks the picture moved in each frame. */
const speedsOf = (pictures: readonly { readonly tick: number }[]) =>
  pictures.slice(1).map(({ tick }, i) => tick - pictures[i]!.tick);

describe.each(["shared", "transferred"] as const)("%s memory", (memory) => {
  async function running(options: Parameters<typeof startArcade>[0] = {}) {
    const page = await startArcade({ cost: () => 2, ...options, session: { memory, ...options.session } });
    page.begin();
    page.run(3000);
    page.pictures.length = 0;
    return page;
  }

  test("a pause holds the picture where it is, takes no game time, and goes on without a jump", async () => {
    const page = await running();
    const { session, pictures, loop } = page;
    page.run(50);
    loop.pause();
    page.run(100);
    const { tick } = session;
    const shown = session.shownTick;
    page.run(5000);
    expect([session.tick, session.shownTick]).toEqual([tick, shown]);
    loop.resume();
    page.run(1000);
    expect(session.tick - tick).toBeGreaterThan(58);
    expect(session.tick - tick).toBeLessThan(61);
    const speeds = speedsOf(pictures);
    expect(Math.max(...speeds)).toBeLessThan(1.02);
    expect(Math.min(...speeds)).toBeGreaterThanOrEqual(0);
    expect(speeds.filter((speed) => speed === 0).length).toBeGreaterThan(300);
    expect(session.timing.starvedFrames).toBe(0);
    page.end();
  });

  test("stopping the loop stops the worker, and starting it goes on", async () => {
    const page = await running();
    const { session, loop } = page;
    loop.stop();
    page.time.advance(5);
    session.advance();
    const { tick } = session;
    page.time.advance(2000);
    session.advance();
    expect(session.tick).toBe(tick);
    loop.start();
    page.driver.wait(0);
    page.run(1000);
    expect(session.tick - tick).toBeGreaterThan(58);
    expect(session.tick - tick).toBeLessThan(61);
    page.end();
  });

  test.each([0.25, 2, 0.7])(
    "a time scale of %f changes the speed of the picture at once, without a stop or a jump",
    async (scale) => {
      const page = await running();
      const { session, pictures, loop } = page;
      page.run(500);
      const before = session.shownTick;
      loop.timeScale = scale;
      page.run(4000);
      const speeds = speedsOf(pictures).slice(25);
      const [least, most] = [Math.min(1, scale), Math.max(1, scale)];
      expect(Math.min(...speeds)).toBeGreaterThan(least * 0.989);
      expect(Math.max(...speeds)).toBeLessThan(most * 1.011);
      expect(speeds.slice(10).every((speed) => Math.abs(speed - scale) < 0.011 * scale)).toBe(true);
      // The picture follows a frame later, and by the delay.
      expect(Math.abs(session.shownTick - before - 240 * scale)).toBeLessThan(1.2);
      loop.timeScale = 1;
      page.run(1000);
      expect(speedsOf(pictures).at(-1)).toBeCloseTo(1, 2);
      expect(session.timing.starvedFrames).toBe(0);
      page.end();
    },
  );

  test("a ramp of the time scale is followed", async () => {
    const page = await running();
    const { pictures, loop } = page;
    loop.timeScale = ramp(0.2, 1);
    page.run(1500);
    const speeds = speedsOf(pictures);
    for (let i = 1; i < speeds.length; i++) expect(speeds[i]! - speeds[i - 1]!).toBeLessThan(0.03);
    expect(speeds.at(-1)).toBeCloseTo(0.2, 2);
    page.end();
  });

  test("a hit-stop freezes the game for its time", async () => {
    const page = await running();
    const { session, pictures, loop } = page;
    const { tick } = session;
    loop.hitStop(0.5);
    page.run(2000);
    expect(session.tick).toBe(tick + 90);
    const speeds = speedsOf(pictures);
    // Two frames are partly in it.
    const still = speeds.filter((speed) => speed === 0).length;
    expect([28, 29]).toContain(still);
    expect(Math.max(...speeds)).toBeLessThan(1.02);
    page.end();
  });

  test("single steps of a paused loop are shown one by one", async () => {
    const page = await running();
    const { session, loop } = page;
    loop.pause();
    page.run(100);
    const { tick, shownTick } = session;
    for (let i = 1; i <= 5; i++) {
      loop.runSteps(1);
      page.run(50);
      expect(session.tick).toBe(tick + i);
      expect(session.shownTick).toBeCloseTo(shownTick + i, 6);
    }
    loop.runSteps(10);
    page.run(50);
    expect(session.tick).toBe(tick + 15);
    expect(session.shownTick).toBeCloseTo(shownTick + 15, 6);
    page.end();
  });

  test("settings of the loop are those of the worker, and lost time is told", async () => {
    const cost = (tick: number) => (tick === 300 || tick === 400 ? 180 : 2);
    const page = await running({ cost });
    const { session, loop } = page;
    const lost: number[] = [];
    session.on("overload", (info) => lost.push(info.lost));
    // The default makes up for 180 ms.
    page.run(3000);
    expect(session.tick).toBe(359);
    expect(lost).toEqual([]);
    loop.configure({ maxSteps: 2 });
    page.run(3000);
    expect(lost.length).toBeGreaterThan(0);
    const seconds = lost.reduce((sum, part) => sum + part);
    expect(session.tick).toBe(539 - Math.round(seconds * 60));
    page.end();
  });
});

test("a loop tells the session that it drives, and only that, how it is set", () => {
  const calls: unknown[][] = [];
  const session = (name: string) => {
    const tell =
      (method: string) =>
      (...args: unknown[]) =>
        void calls.push([name, method, ...args]);
    const follower = Object.fromEntries(
      ["setPaused", "setTimeScale", "hitStop", "runSteps", "configure", "frame"].map((each) => [
        each,
        tell(each),
      ]),
    );
    return Object.assign(localSession(arcade), { follower: follower as never });
  };
  const take = () => calls.splice(0).filter(([, method]) => method !== "frame");
  const driver = manualDriver();
  const driven = drive(session("first"), { driver, maxSteps: 3 });
  const policy = { maxSteps: 3 };
  expect(take()).toEqual([
    ["first", "setPaused", false],
    ["first", "configure", expect.objectContaining(policy)],
    ["first", "setTimeScale", 1],
    ["first", "setPaused", false],
  ]);
  const { loop } = driven;
  loop.pause();
  loop.timeScale = 0.5;
  driver.wait(0.1);
  loop.hitStop(0.2);
  loop.runSteps(2);
  expect(take()).toEqual([
    ["first", "setPaused", true],
    ["first", "setTimeScale", 0.5],
    ["first", "hitStop", 0.2],
    ["first", "runSteps", 2],
  ]);
  driven.use(session("second"));
  expect(take()).toEqual([
    ["first", "setPaused", true],
    ["second", "configure", expect.objectContaining(policy)],
    ["second", "setTimeScale", 0.5],
    ["second", "setPaused", true],
  ]);
  loop.resume();
  loop.configure({ overload: { catchUp: 1 } });
  loop.stop();
  expect(take()).toEqual([
    ["second", "setPaused", false],
    ["second", "configure", expect.objectContaining({ overload: { catchUp: 1 } })],
    ["second", "setPaused", true],
  ]);
  driven.dispose();
});
