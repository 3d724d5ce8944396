// What users do with the page's loop reaches the worker, on virtual time: pause, time scale, hit-stop, single steps, settings.
import { describe, expect, test } from "vitest";
import { catchUp, ramp, stepBudget, timeScale, type Loop } from "../../src/index.js";
import { drive, localSession } from "../../src/sim/index.js";
import { manualDriver } from "../../src/testing/index.js";
import { PageLoop } from "../../src/worker/page-loop.js";
import type { ToWorker } from "../../src/worker/protocol.js";
import { arcade } from "./arcade.js";
import { startArcade } from "./virtual-arcade.js";

/** How many ticks the picture moved in each frame. */
const speedsOf = (pictures: readonly { readonly tick: number }[]) =>
  pictures.slice(1).map(({ tick }, i) => tick - pictures[i]!.tick);

describe.each(["shared", "transferred"] as const)("%s memory", (memory) => {
  async function running(options: Parameters<typeof startArcade>[0] = {}) {
    const page = await startArcade({ cost: () => 2, ...options, session: { memory, ...options.session } });
    page.begin();
    // Messages of frames arrive between two steps.
    page.time.advance(5);
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
      timeScale(loop).set(scale);
      page.run(4000);
      const speeds = speedsOf(pictures).slice(25);
      const [least, most] = [Math.min(1, scale), Math.max(1, scale)];
      expect(Math.min(...speeds)).toBeGreaterThan(least * 0.989);
      expect(Math.max(...speeds)).toBeLessThan(most * 1.011);
      expect(speeds.slice(10).every((speed) => Math.abs(speed - scale) < 0.011 * scale)).toBe(true);
      // The picture follows a frame later, and by the delay.
      expect(Math.abs(session.shownTick - before - 240 * scale)).toBeLessThan(1.2);
      timeScale(loop).set(1);
      page.run(1000);
      expect(speedsOf(pictures).at(-1)).toBeCloseTo(1, 2);
      expect(session.timing.starvedFrames).toBe(0);
      page.end();
    },
  );

  test("a ramp of the time scale is followed", async () => {
    const page = await running();
    const { pictures, loop } = page;
    timeScale(loop).set(ramp(0.2, 1));
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
    timeScale(loop).hitStop(0.5);
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
    expect(session.tick).toBe(360);
    expect(lost).toEqual([]);
    loop.maxSteps = 2;
    page.run(3000);
    expect(lost.length).toBeGreaterThan(0);
    const seconds = lost.reduce((sum, part) => sum + part);
    expect(session.tick).toBe(540 - Math.round(seconds * 60));
    page.end();
  });
});

describe("a session in a worker follows the loop that drives it, and only that one", () => {
  /** Drives sessions that only record what their worker would be told. */
  function followed(options = {}) {
    const told: (readonly [string, ToWorker])[] = [];
    const session = (name: string) => {
      const pageLoop = new PageLoop((message) => told.push([name, message]));
      return Object.assign(localSession(arcade), { attach: (loop: Loop) => pageLoop.attach(loop) });
    };
    const driver = manualDriver();
    const driven = drive(session("first"), { driver, ...options });
    return { driver, driven, loop: driven.loop, session, take: () => told.splice(0) };
  }
  const usual = { isPaused: false, timeScale: 1, maxFrameTime: 0.25, maxSteps: Infinity };
  const settings = (name: string, changed: object) =>
    [name, { kind: "settings", settings: { ...usual, ...changed } }] as const;

  test("pauses, settings and forced steps reach the worker at once, a time scale with the next frame", () => {
    const { driver, driven, loop, session, take } = followed({ maxSteps: 3 });
    expect(take().at(-1)).toEqual(settings("first", { maxSteps: 3 }));
    driver.wait(0);
    driver.wait(0.1);
    loop.resume();
    expect(take()).toEqual([]);
    loop.pause();
    timeScale(loop).set(0.5);
    loop.maxFrameTime = 0.1;
    loop.maxSteps = 3;
    driver.wait(0.1);
    loop.runSteps(2);
    expect(take()).toEqual([
      settings("first", { isPaused: true, maxSteps: 3 }),
      settings("first", { isPaused: true, timeScale: 0.5, maxFrameTime: 0.1, maxSteps: 3 }),
      ["first", { kind: "runSteps", count: 2 }],
    ]);
    loop.resume();
    take();
    driven.use(session("second"));
    const now = { timeScale: 0.5, maxFrameTime: 0.1, maxSteps: 3 };
    expect(take()).toEqual([settings("first", { ...now, isPaused: true }), settings("second", now)]);
    loop.stop();
    loop.start();
    loop.resume();
    expect(take()).toEqual([settings("second", { ...now, isPaused: true }), settings("second", now)]);
    driven.dispose();
    expect(take()).toEqual([settings("second", { ...now, isPaused: true })]);
  });

  test("a ramp reaches the worker frame by frame", () => {
    const { driver, loop, take } = followed();
    driver.wait(0);
    take();
    timeScale(loop).set(ramp(0.5, 0.4));
    for (let i = 0; i < 6; i++) driver.wait(0.1);
    const scales = take().map(([, message]) => message.kind === "settings" && message.settings.timeScale);
    expect(scales).toEqual([0.875, 0.75, 0.625, 0.5]);
  });

  test("a hit-stop reaches the worker once, in full length, wherever it began", () => {
    const { driver, loop, session, driven, take } = followed();
    const stop = (seconds: number) => ["first", { kind: "hitStop", seconds: expect.closeTo(seconds, 9) }];
    driver.wait(0);
    take();
    // Between two frames: the next one takes a part of it already.
    timeScale(loop).hitStop(0.5);
    for (let i = 0; i < 4; i++) driver.wait(0.1);
    expect(take()).toEqual([stop(0.5)]);
    // A shorter one changes nothing, a longer one does.
    timeScale(loop).hitStop(0.05);
    driver.wait(0.05);
    expect(take()).toEqual([]);
    timeScale(loop).hitStop(0.3);
    for (let i = 0; i < 10; i++) driver.wait(0.1);
    expect(take()).toEqual([stop(0.3)]);
    // In a step.
    const off = loop.on("step", () => {
      off();
      timeScale(loop).hitStop(0.2);
    });
    driver.wait(0.1);
    driver.wait(0.1);
    expect(take()).toEqual([stop(0.2)]);
    // Another session gets what is left.
    driven.use(session("first"));
    expect(take().at(-1)).toEqual(stop(0.1));
  });
});

describe("the worker's program attaches what its loop needs", () => {
  test("once per session, before its first step", async () => {
    const loops: { readonly loop: Loop; readonly tick: number }[] = [];
    const page = await startArcade({ onLoop: (loop) => void loops.push({ loop, tick: loop.tick }) });
    page.begin();
    page.run(1000);
    expect(loops).toHaveLength(1);
    expect(loops[0]!.tick).toBe(0);
    expect(loops[0]!.loop.tick).toBe(page.session.tick);
    page.end();
  });

  test("what it sets stays, until the page changes it", async () => {
    let inWorker!: Loop;
    const page = await startArcade({
      onLoop(loop) {
        inWorker = loop;
        loop.maxSteps = 2;
      },
    });
    page.begin();
    page.run(100);
    timeScale(page.loop).set(0.5);
    page.run(100);
    expect([inWorker.maxSteps, timeScale(inWorker).value]).toEqual([2, 0.5]);
    page.loop.maxSteps = 5;
    page.run(100);
    expect(inWorker.maxSteps).toBe(5);
    page.end();
  });

  test("a step budget drops steps, and the page hears what is lost", async () => {
    const page = await startArcade({ cost: () => 20, onLoop: (loop) => void stepBudget(loop, 0.03) });
    let lost = 0;
    page.session.on("overload", (info) => (lost += info.lost));
    page.begin();
    page.run(5000);
    expect(lost).toBeGreaterThan(0.5);
    expect(page.session.tick).toBeCloseTo(60 * (5 - lost), -1);
    page.end();
  });

  test("a loop that makes up for lost time: no step is missing, and the picture leaps ahead, never back", async () => {
    const cost = (tick: number) => (tick === 120 ? 900 : 1);
    const page = await startArcade({ cost, onLoop: (loop) => void catchUp(loop, 1) });
    const lost: number[] = [];
    page.session.on("overload", (info) => void lost.push(info.lost));
    page.begin();
    page.run(5000);
    expect(page.session.tick).toBe(299);
    expect(lost.length).toBeGreaterThan(0);
    expect(Math.max(...lost)).toBe(0);
    expect(Math.min(...speedsOf(page.pictures))).toBeGreaterThanOrEqual(0);
    page.end();
  });

  test("one that throws fails the session", async () => {
    const page = startArcade({
      onLoop() {
        throw new Error("no such part");
      },
    });
    await expect(page).rejects.toThrow("no such part");
  });
});
