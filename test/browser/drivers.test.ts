// The drivers in real browsers. A page records its frames, and the tests check the recording.
import { setTimeout } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { BROWSER_NAMES, findBrowser } from "../../scripts/browsers.mjs";
import { FULL } from "../full.js";
import { launch, openChromium, until, type TestBrowser, type TestPage } from "./launch.js";
import { usePackage } from "./server.js";

const server = usePackage();

/** One frame, as recorded by the page. */
interface Frame {
  stamp: number;
  /** Real seconds since the last frame: 0 if that time is not game time. */
  delta: number;
  hidden: boolean;
  tick: number;
  alpha: number;
  /** Seconds lost so far. */
  lost: number;
}
interface Recording {
  frames: Frame[];
  /** Each with the number of frames before it. */
  notices: { kind: string; reason: string; frame: number }[];
  overloads: number;
  /** Number of workers started. */
  workers: number;
}

/** The difference between the time simulated and lost between two frames and their timestamps, in steps. */
const stepsOff = (from: Frame, to: Frame) =>
  Math.abs(to.tick - from.tick + (to.lost - from.lost) * 60 - ((to.stamp - from.stamp) * 60) / 1000);

/** Starts a loop that records its frames in the page's global `recording`. */
const RECORD = (driver = "tickwise.display()") => `(() => {
  const recording = (window.recording = { frames: [], notices: [], overloads: 0, workers: 0 });
  window.Worker = class extends Worker { constructor(...args) { recording.workers++; super(...args); } };
  const loop = (window.loop = new tickwise.Loop({ rate: 60 }));
  loop.on("frame", ({ timestamp: stamp, realDelta: delta, tick, alpha }) =>
    recording.frames.push({ stamp, delta, hidden: document.hidden, tick, alpha, lost: loop.lostSeconds }));
  loop.on("driver", (notice) => recording.notices.push({ ...notice, frame: recording.frames.length }));
  tickwise.onOverload(loop, () => recording.overloads++);
  loop.start(${driver});
})()`;

/** A display whose frames go on while the page is hidden. */
const RUN_HIDDEN = "tickwise.display({ hidden: tickwise.runHidden() })";

/** A driver of a user's own, which passes on the timestamps of frames as they are. */
const OWN_DRIVER = `(() => {
  let request, last;
  return {
    start(loop) {
      const frame = (stamp) => {
        request = requestAnimationFrame(frame);
        loop.advance((stamp - (last ?? stamp)) / 1000, stamp);
        last = stamp;
      };
      request = requestAnimationFrame(frame);
    },
    stop: () => cancelAnimationFrame(request),
    now: () => performance.now(),
  };
})()`;

/** Milliseconds for which a page is hidden or navigated away. */
const AWAY = 800;

/**
 * Opens a page that is hidden after a while and shown again, or at least hidden at first and then shown. While hidden,
 * it gets few frames or none.
 */
async function hideWhile(browser: TestBrowser, url: string, driver?: string, hiddenFrames = 0) {
  const page = await browser.open(url);
  await page.evaluate(RECORD(driver));
  if (page.hide) {
    await framesOf(page, 10);
    await page.hide();
  }
  await until(page, "document.hidden");
  if (hiddenFrames > 0)
    await until(page, `recording.frames.filter(({ hidden }) => hidden).length >= ${hiddenFrames}`);
  else await setTimeout(AWAY);
  await page.show();
  await until(page, SHOWN);
  const recording = await recordingOf(page);
  await page.close();
  return recording;
}

/** Waits until the page is shown again and has had some frames. */
const SHOWN =
  "recording.notices.some(({ kind, frame }) => kind === 'shown' && recording.frames.length > frame + 10)";

/** Waits for `count` more recorded frames. */
const framesOf = async (page: TestPage, count: number) =>
  until(page, `recording.frames.length >= ${(await recordingOf(page)).frames.length + count}`);
const recordingOf = (page: TestPage) => page.evaluate<Recording>("recording");

describe.each(BROWSER_NAMES)("%s", (name) => {
  const isThere = findBrowser(name) !== undefined;
  // Tests of a missing browser are skipped, except in CI.
  test.runIf(process.env.CI)("is there", () => expect(isThere).toBe(true));

  describe.runIf(isThere)("drives a loop", () => {
    let browser: TestBrowser;
    beforeAll(async () => void (browser = await launch(name)), 60_000);
    afterAll(() => browser?.close());
    let page: TestPage | undefined;
    const open = async () => {
      page = await browser.open(server.page());
      await page.show();
      return page;
    };
    afterEach(async () => {
      await page?.close();
      page = undefined;
    });

    /** What does not depend on the engine is tested in one, and in all in the full run. */
    const isFirst = FULL || name === "chromium";
    test.each<[string, string, string]>([
      ["a display", "tickwise.display()", "tickwise.manualDisplay()"],
      ...(isFirst
        ? [["a driver of one's own", OWN_DRIVER, "tickwise.manualDriver()"] as [string, string, string]]
        : []),
    ])("with %s: the timestamps of its frames give the same steps in a test", async (_, driver, manual) => {
      const page = await open();
      await page.evaluate(RECORD(driver));
      await framesOf(page, 40);
      const { frames } = await recordingOf(page);
      const [first, last] = [frames[0]!, frames.at(-1)!];
      expect(first.tick).toBe(0);
      // Exactly the steps of the time that passed by the timestamps.
      expect(stepsOff(first, last)).toBeLessThanOrEqual(1);
      const replayed = await page.evaluate<{ tick: number; alpha: number }[]>(`(() => {
        const driver = ${manual};
        const [first, second] = recording.frames;
        // What the first frame takes to draw is not game time.
        const cost = Math.max(0, (second.stamp - first.stamp) / 1000 - second.delta);
        const loop = new tickwise.Loop({ rate: 60, render: () => driver.time === first.stamp && driver.spend(cost) });
        loop.start(driver);
        return recording.frames.map(({ stamp }) => {
          driver.play([stamp]);
          return { tick: loop.tick, alpha: loop.alpha };
        });
      })()`);
      expect(replayed.slice(0, frames.length)).toEqual(
        frames.map(({ tick, alpha }) => ({ tick, alpha: expect.closeTo(alpha, 6) })),
      );
    });

    test.runIf(isFirst)("through a main thread blocked for a second: clamps and reports it", async () => {
      const page = await open();
      await page.evaluate(RECORD());
      await framesOf(page, 10);
      await page.evaluate(
        "(() => { const end = performance.now() + 1000; while (performance.now() < end); })()",
      );
      await framesOf(page, 10);
      const { frames, overloads } = await recordingOf(page);
      const steps = frames.slice(1).map(({ tick }, i) => tick - frames[i]!.tick);
      const gap = Math.max(...frames.slice(1).map(({ stamp }, i) => stamp - frames[i]!.stamp));
      expect(gap).toBeGreaterThan(900);
      expect(Math.max(...steps)).toBeLessThanOrEqual(16);
      expect(overloads).toBeGreaterThanOrEqual(1);
      expect(frames.at(-1)!.lost).toBeGreaterThan(0.6);
      expect(frames.every(({ alpha }) => alpha >= 0 && alpha <= 1)).toBe(true);
    });

    test("a hidden page runs nothing by default, and owes no time on return", async () => {
      const { frames, notices, workers } = await hideWhile(browser, server.page());
      expect(workers).toBe(0);
      expect(notices.map(({ kind }) => kind)).toEqual(["hidden", "shown"]);
      expect(frames.some(({ hidden }) => hidden)).toBe(false);
      const back = notices[1]!.frame;
      const before = frames[back - 1];
      expect(frames[back]!.delta).toBe(0);
      expect(frames[back]!.stamp - (before?.stamp ?? -Infinity)).toBeGreaterThan(AWAY - 100);
      expect([frames[back]!.tick, frames[back]!.lost]).toEqual([before?.tick ?? 0, before?.lost ?? 0]);
      expect(frames.at(-1)!.tick).toBeGreaterThan(frames[back]!.tick);
    });

    test("a hidden page runs on if asked to, woken by a worker", async () => {
      const { frames, notices, workers } = await hideWhile(browser, server.page(), RUN_HIDDEN, 20);
      expect(workers).toBe(1);
      expect(notices.map(({ kind }) => kind)).toEqual(["hidden", "shown"]);
      const hidden = frames.filter((frame) => frame.hidden);
      expect(stepsOff(hidden[0]!, hidden.at(-1)!)).toBeLessThanOrEqual(2);
      expect(frames.slice(1).every(({ tick }, i) => tick >= frames[i]!.tick)).toBe(true);
      expect(frames.at(-1)!.hidden).toBe(false);
    });

    test.runIf(isFirst)("falls back to timers if a policy blocks the worker, and reports it", async () => {
      const { frames, notices } = await hideWhile(
        browser,
        server.page("worker-src 'none'; child-src 'none'"),
        RUN_HIDDEN,
        2,
      );
      expect(notices.map(({ kind }) => kind)).toContain("throttled");
      expect(notices.find(({ kind }) => kind === "throttled")!.reason).not.toBe("");
      expect(frames.filter(({ hidden }) => hidden).length).toBeGreaterThanOrEqual(2);
      expect(frames.at(-1)!.hidden).toBe(false);
    });

    test.each(FULL ? ["pause", "run"] : [name === "firefox" ? "pause" : "run"])(
      "through the back/forward cache, with hidden: %s",
      async (hidden) => {
        const page = await open();
        await page.evaluate(RECORD(hidden === "run" ? RUN_HIDDEN : undefined));
        await framesOf(page, 10);
        await page.leaveAndReturn(server.page("default-src 'self'"), AWAY);
        await until(page, SHOWN);
        const { frames, notices } = await recordingOf(page);
        expect(notices.map(({ kind }) => kind)).toEqual(["hidden", "shown"]);
        const back = notices[1]!.frame;
        const [before, after] = [frames[back - 1]!, frames[back]!];
        // Either no time is owed, or all but a quarter of a second is lost.
        const passed = (after.stamp - before.stamp) / 1000;
        expect(passed).toBeGreaterThan((AWAY - 100) / 1000);
        const wanted = hidden === "pause" ? [0, 0] : [15, passed - 0.25];
        // Plus or minus one: the lead over the strict clock may have changed, by less than a step.
        expect(Math.abs(after.tick - before.tick - wanted[0]!)).toBeLessThanOrEqual(1);
        expect(after.lost - before.lost).toBeCloseTo(wanted[1]!, 6);
        expect(frames.at(-1)!.tick).toBeGreaterThan(after.tick);
      },
    );

    test.runIf(isFirst)("stop leaves no listener, frame request or worker behind", async () => {
      const page = await open();
      const left = await page.evaluate<Record<string, number>>(`(async () => {
        const left = { listeners: 0, workers: 0, urls: 0, frames: 0 };
        const count = (owner, name, of, by) => {
          const own = owner[name];
          owner[name] = function (...args) { left[of] += by; return own.apply(this, args); };
        };
        count(window, "addEventListener", "listeners", 1);
        count(window, "removeEventListener", "listeners", -1);
        count(document, "addEventListener", "listeners", 1);
        count(document, "removeEventListener", "listeners", -1);
        count(URL, "createObjectURL", "urls", 1);
        count(URL, "revokeObjectURL", "urls", -1);
        count(Worker.prototype, "terminate", "workers", -1);
        const OwnWorker = Worker;
        window.Worker = class extends OwnWorker { constructor(...args) { super(...args); left.workers++; } };
        // Pretends to be hidden, which starts a worker.
        const hide = (hidden) => {
          Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
          document.dispatchEvent(new Event("visibilitychange"));
        };
        let frames = 0;
        const driver = ${RUN_HIDDEN};
        const loop = new tickwise.Loop({ rate: 60, render: () => frames++ });
        for (let i = 0; i < 3; i++) {
          const before = frames;
          loop.start(driver);
          hide(i % 2 === 0);
          while (frames < before + 3) await new Promise((done) => setTimeout(done, 10));
          loop.stop();
        }
        const before = frames;
        await new Promise((done) => setTimeout(done, 200));
        left.frames = frames - before;
        return left;
      })()`);
      expect(left).toEqual({ listeners: 0, workers: 0, urls: 0, frames: 0 });
    });

    test.runIf(isFirst)("until a test takes over: no time is lost or gained", async () => {
      const page = await open();
      await page.evaluate(RECORD());
      await framesOf(page, 10);
      const [ticks, before, after] = await page.evaluate<[number, number, number]>(`(() => {
        const { tick } = loop;
        const owed = () => (loop.kernel.owed - loop.kernel.lead) / loop.kernel.second;
        const before = owed();
        const manual = tickwise.manualDriver();
        loop.start(manual);
        manual.wait(1);
        return [loop.tick - tick, before, owed()];
      })()`);
      // A second is clamped to a quarter, which is 15 steps, plus or minus one, as some time was owed.
      expect(Math.abs(ticks - 15)).toBeLessThanOrEqual(1);
      expect(ticks / 60 + after - before).toBeCloseTo(0.25, 12);
    });
  });
});

describe.runIf(findBrowser("chromium"))("chromium", () => {
  test("a worker that is blocked at once leaves no timer behind, and the game can still have its own events", async () => {
    const browser = await openChromium();
    try {
      const page = await browser.newPage();
      // Scripts from strings are blocked, including those of workers.
      await page.goto(server.page("require-trusted-types-for 'script'"));
      const [notices, shown, left] = (await page.evaluate(`(async () => {
        const wait = (ms) => new Promise((done) => setTimeout(done, ms));
        const hide = (hidden) => {
          Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
          document.dispatchEvent(new Event("visibilitychange"));
        };
        const notices = [];
        let frames = 0;
        let rafs = 0;
        const count = () => requestAnimationFrame(() => { rafs++; count(); });
        const loop = new tickwise.Loop({ rate: 20, render: () => frames++ });
        loop.on("driver", ({ kind }) => notices.push(kind));
        loop.start(${RUN_HIDDEN});
        for (let i = 0; i < 3; i++) {
          const before = frames;
          hide(true);
          while (frames < before + 2) await wait(10);
          hide(false);
        }
        document.body.dispatchEvent(new CustomEvent("freeze", { bubbles: true }));
        frames = 0;
        count();
        while (rafs < 20) await wait(10);
        const shown = Math.abs(frames - rafs);
        loop.stop();
        frames = 0;
        await wait(300);
        return [notices, shown, frames];
      })()`)) as [string[], number, number];
      expect(notices.slice(0, 3)).toEqual(["hidden", "throttled", "shown"]);
      expect(shown).toBeLessThanOrEqual(1);
      expect(left).toBe(0);
    } finally {
      await browser.close();
    }
  });

  test("runs without the focus, and in a worker, which has frames but no page", async () => {
    const browser = await openChromium();
    try {
      const page = await browser.newPage();
      await page.goto(server.page());
      // Each stops after its ticks.
      const [blurred, inWorker] = (await page.evaluate(`(async () => {
        const loop = new tickwise.Loop({ rate: 60 });
        loop.start(tickwise.display());
        window.dispatchEvent(new Event("blur"));
        const from = loop.tick;
        while (loop.tick < from + 6) await new Promise((done) => setTimeout(done, 10));
        loop.stop();
        const code = \`importScripts("\${location.origin}/tickwise.js");
          const end = () => { if (loop.tick > 5) { loop.stop(); postMessage(loop.tick); } };
          const loop = new tickwise.Loop({ rate: 60, render: end });
          loop.start(tickwise.display());\`;
        const worker = new Worker(URL.createObjectURL(new Blob([code])));
        const { data } = await new Promise((done) => { worker.onmessage = done; });
        return [loop.tick, data];
      })()`)) as [number, number];
      expect(blurred).toBeGreaterThan(5);
      expect(inWorker).toBeGreaterThan(5);
    } finally {
      await browser.close();
    }
  });

  test("periods at half rate neither freeze the picture nor drift from the timestamps", async () => {
    const browser = await openChromium();
    try {
      const page = await browser.newPage();
      await page.goto(server.page());
      // Skips every second callback for 0.5 s of every 2 s.
      await page.evaluate(`(() => {
        const frames = (window.frames_ = []);
        let count = 0;
        const source = {
          now: () => performance.now(),
          begin(frame) {
            let request;
            const onFrame = (stamp) => {
              request = requestAnimationFrame(onFrame);
              if (stamp % 2000 < 500 && ++count % 2) return;
              frame(stamp);
              const { lead, step, second } = loop.kernel;
              frames.push([stamp, loop.frame.shownTime * 1000, ((lead - step) / second) * 1000]);
            };
            request = requestAnimationFrame(onFrame);
            return () => cancelAnimationFrame(request);
          },
        };
        const loop = new tickwise.Loop({ rate: 60, maxFrameTime: 10 });
        loop.start(tickwise.display({ frames: source }));
      })()`);
      await page.waitForFunction(`frames_.length > ${FULL ? 600 : 280}`, { polling: 100, timeout: 0 });
      const frames = (await page.evaluate("frames_")) as [stamp: number, shown: number, lead: number][];
      const longest = Math.max(...frames.slice(1).map(([stamp], i) => stamp - frames[i]![0]));
      const [first] = frames[0]!;
      for (const [i, [stamp, shown, lead]] of frames.entries()) {
        if (i < 10) continue;
        const elapsed = stamp - frames[i - 1]![0];
        const moved = shown - frames[i - 1]![1];
        expect(moved, `frame ${i}, after ${elapsed} ms`).toBeGreaterThan(0.25 * elapsed);
        expect(moved, `frame ${i}, after ${elapsed} ms`).toBeLessThan(1.75 * elapsed + 1);
        expect(Math.abs(shown - lead - (stamp - first)), `frame ${i}`).toBeLessThan(longest);
      }
    } finally {
      await browser.close();
    }
  });

  test("a page that was frozen and resumed owes no time", async () => {
    const browser = await openChromium();
    try {
      const page = await browser.newPage();
      await page.goto(server.page());
      await page.evaluate(RECORD());
      const polling = 20;
      await page.waitForFunction("recording.frames.length > 10", { polling });
      // As a browser does with a page that was hidden for long.
      await (await browser.newPage()).bringToFront();
      await page.waitForFunction("document.hidden", { polling });
      const devtools = await page.createCDPSession();
      await devtools.send("Page.setWebLifecycleState", { state: "frozen" });
      await setTimeout(AWAY);
      await devtools.send("Page.setWebLifecycleState", { state: "active" });
      await page.bringToFront();
      await page.waitForFunction(SHOWN, { polling });
      const { frames, notices } = (await page.evaluate("recording")) as Recording;
      expect(notices.map(({ kind }) => kind)).toEqual(["hidden", "shown"]);
      const back = notices[1]!.frame;
      expect(frames[back]!.stamp - frames[back - 1]!.stamp).toBeGreaterThan(AWAY - 100);
      expect(frames[back]!.delta).toBe(0);
      expect(frames[back]!.tick).toBe(frames[back - 1]!.tick);
      expect(frames[back]!.lost).toBe(frames[back - 1]!.lost);
      expect(frames.at(-1)!.tick).toBeGreaterThan(frames[back]!.tick);
    } finally {
      await browser.close();
    }
  });
});
