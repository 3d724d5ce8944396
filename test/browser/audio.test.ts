// Sound in real browsers, read back sample by sample: offline, where frames run at exact times, and live in Chromium.
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { sampleOf } from "../shared/sample.js";
import { BROWSER_NAMES, findBrowser, type BrowserName } from "../../scripts/browsers.mjs";
import { FULL } from "../full.js";
import { launch, until, type TestBrowser, type TestPage } from "./launch.js";
import { usePackage } from "./server.js";

const server = usePackage();
const RATE = 48_000;
/** Seconds from the picture to the sound. */
const DELAY = 0.04;

/**
 * Renders some seconds of sound, with a frame of a manual loop every sixtieth of a second. `setup` gets the context, the loop and
 * a clock, and returns what happens before frame n; false skips the frame. Returns what `report` makes of the samples. The frames
 * run first, as Firefox cannot suspend an offline context: everything is scheduled ahead, so it makes no difference.
 */
const RENDER = `async ({ seconds, setup, report, rate = 60 }) => {
  const offline = new OfflineAudioContext(1, seconds * ${RATE}, ${RATE});
  const loop = tickwise.manualLoop({ rate });
  const context = {
    state: "running",
    sampleRate: ${RATE},
    destination: offline.destination,
    get currentTime() { return loop.driver.time / 1000; },
    createGain: () => offline.createGain(),
    createBufferSource: () => offline.createBufferSource(),
    createBuffer: (...args) => offline.createBuffer(...args),
  };
  const clock = tickwise.audio.audioClock(context, loop, { delay: ${DELAY} });
  const before = setup({ context, loop, clock }) ?? (() => {});
  // Sets the loop's clock.
  loop.driver.wait(0);
  for (let n = 1; ; n++) {
    // Contexts render blocks of 128 samples.
    const at = (Math.ceil((n * ${RATE}) / 60 / 128) * 128) / ${RATE};
    if (at >= seconds) break;
    if (before(n) !== false) loop.driver.wait(at - loop.driver.time / 1000);
  }
  const samples = (await offline.startRendering()).getChannelData(0);
  return report({ samples, loop, clock });
}`;

let browser: TestBrowser;
let page: TestPage;

/** Opens a browser for the tests of a block. */
function useBrowser(name: BrowserName): void {
  beforeAll(async () => void (browser = await launch(name)), 60_000);
  afterAll(() => browser?.close());
  afterEach(() => page?.close());
}

async function render<T>(options: string): Promise<T> {
  page = await browser.open(server.page());
  return page.evaluate<T>(`(${RENDER})(${options})`);
}

describe.each(sampleOf(BROWSER_NAMES, 2, "chromium"))("%s", (name) => {
  const isThere = findBrowser(name) !== undefined;
  // Tests of a missing browser are skipped, except in CI.
  test.runIf(process.env.CI)("is there", () => expect(isThere).toBe(true));
  /** All cases are tested in one browser, and in all in the full run. */
  const isFirst = FULL || name === "chromium";

  describe.runIf(isThere)("effects", () => {
    useBrowser(name);
    test.each(isFirst ? [60, 50, 144, 1000] : [144])(
      "of a loop with %i steps per second begin at the exact sample",
      async (rate) => {
        // A single sample per effect, every tenth tick.
        const { starts, heard, late } = await render<
          Record<"starts" | "heard", number[]> & { late: number }
        >(`(() => {
      const starts = [];
      return {
        seconds: 2,
        rate: ${rate},
        setup({ context, loop, clock }) {
          const click = context.createBuffer(1, 1, ${RATE});
          click.getChannelData(0)[0] = 1;
          loop.on("step", ({ tick }) => {
            if (tick % 10 !== 0) return;
            const source = context.createBufferSource();
            source.buffer = click;
            source.connect(context.destination);
            const time = clock.timeOfEffect({ tick });
            starts.push(time);
            source.start(time);
          });
        },
        report: ({ samples, clock }) => ({
          starts,
          // Everything that is not silence.
          heard: [...samples.keys()].filter((i) => samples[i] !== 0),
          late: clock.late,
        }),
      };
    })()`);
        const wanted = starts.map((time) => Math.round(time * RATE));
        expect(heard).toEqual(wanted.filter((sample) => sample < 2 * RATE));
        expect(heard.length).toBeGreaterThan(8);
        expect(late).toBe(0);
        // State 1 is shown after two steps, as the picture lags by one. Then ten ticks lie between effects, whatever frame ran them.
        heard.forEach((sample, i) => {
          expect(Math.abs(sample - (DELAY + (10 * i + 2) / rate) * RATE)).toBeLessThanOrEqual(0.51);
        });
      },
    );
  });

  describe.runIf(isThere)("music", () => {
    useBrowser(name);
    const HERTZ = 110.3;
    /** The largest difference between two samples of the music, and what a crossfade of 30 ms between two of them adds. */
    const STEEPEST = (2 * Math.PI * HERTZ) / RATE;
    const CROSSFADE = 2 / (0.03 * RATE);

    interface Sound {
      jumps: number;
      /** Seconds by which the music lags behind the loop at the end. */
      error: number;
      first: number;
      /** The largest difference between two samples; the same with a hundred samples cut out of the middle. */
      steepest: number;
      steepestCut: number;
      /** The shown time of the last sample, and its value. */
      shown: number;
      last: number;
      silent: number;
    }
    const play = (events = "() => () => {}", options = "{ at: 0.5 }") =>
      render<Sound>(`(() => {
      const seconds = 8;
      let music;
      return {
        seconds,
        setup({ context, loop, clock }) {
          const buffer = context.createBuffer(1, 10 * ${RATE}, ${RATE});
          buffer.getChannelData(0).forEach((_, i, data) => {
            data[i] = Math.sin((2 * Math.PI * ${HERTZ} * i) / ${RATE});
          });
          music = tickwise.audio.playMusic(clock, buffer, ${options});
          return (${events})(loop);
        },
        report({ samples, clock }) {
          const steepest = (samples) =>
            samples.reduce((most, sample, i) => (i ? Math.max(most, Math.abs(sample - samples[i - 1])) : 0), 0);
          const last = samples.length - 1;
          let silent = 0;
          for (let i = ${RATE}; i <= last; i++) if (samples[i] === 0) silent++;
          const middle = samples.length / 2;
          return {
            jumps: music.jumps,
            error: music.error,
            first: samples.findIndex((sample) => sample !== 0),
            steepest: steepest(samples),
            steepestCut: steepest(samples.slice().copyWithin(middle, middle + 100)),
            shown: clock.shownAt(last / ${RATE}),
            last: samples[last],
            silent,
          };
        },
      };
    })()`);
    const sineAt = (seconds: number) => Math.sin(2 * Math.PI * HERTZ * seconds);

    test.runIf(isFirst)("begins at the exact sample, and needs no correction", async () => {
      const { first, jumps, error, shown, last, steepest } = await play();
      // The first sample is 0. The picture lags by a step.
      expect(first - 1).toBe(Math.round((0.5 + 1 / 60 + DELAY) * RATE));
      expect(jumps).toBe(0);
      expect(Math.abs(error)).toBeLessThan(1e-6);
      expect(last).toBeCloseTo(sineAt(shown - 0.5), 3);
      expect(steepest).toBeLessThan(1.0001 * STEEPEST);
    });

    const SLOW =
      "(loop) => (n) => { if (n === 60) tickwise.timeScale(loop).set(0.5); if (n === 150) tickwise.timeScale(loop).set(1); }";
    const CASES: [name: string, events: string, jumps: number, options?: string][] = [
      ["10 ms of lost time", "(loop) => (n) => void (loop.maxFrameTime = n === 90 ? 0.006 : 0.25)", 0],
      ["a second without frames", "() => (n) => n < 90 || n >= 150", 1],
      ["slow motion", SLOW, 0],
      ["a change to half speed", "(loop) => (n) => { if (n === 60) tickwise.timeScale(loop).set(0.5); }", 0],
      ["slow motion that it ignores", SLOW, 1, '{ at: 0.5, slowMotion: "keep" }'],
      ["a hit-stop", "(loop) => (n) => { if (n === 60) tickwise.timeScale(loop).hitStop(0.1); }", 0],
      [
        "ramps to slow motion and back",
        `(loop) => (n) => {
        if (n === 60) tickwise.timeScale(loop).set(tickwise.ramp(0.2, 0.5));
        if (n === 150) tickwise.timeScale(loop).set(tickwise.ramp(1, 0.5));
      }`,
        0,
      ],
      ["a pause", "(loop) => (n) => { if (n === 60) loop.pause(); if (n === 90) loop.resume(); }", 0],
      ["a new start", "(loop) => (n) => { if (n === 120) loop.reset(); }", 0],
      [
        "lost time in every other frame",
        "(loop) => (n) => void (loop.maxFrameTime = n < 240 && n % 2 ? 0.005 : 0.25)",
        4,
      ],
    ];
    // Engines differ in how they resample and fade.
    const cases = isFirst ? CASES : CASES.filter(([name]) => /half speed|every other|ignores/.test(name));
    test.each(cases)("is in time again after %s, without a click", async (_, events, jumps, options) => {
      const sound = await play(events, options);
      expect(sound.jumps).toBeGreaterThanOrEqual(jumps);
      // It lags by what it says, which is little.
      expect(Math.abs(sound.error)).toBeLessThan(0.0041);
      expect(Math.abs(sound.last - sineAt(sound.shown - 0.5 - sound.error))).toBeLessThan(0.06);
      // The rate is bent by 0.5 % at most.
      const max = 1.0051 * STEEPEST + CROSSFADE;
      expect(sound.steepest).toBeLessThan(max);
      // A cut would be noticed.
      expect(sound.steepestCut).toBeGreaterThan(2 * max);
    });

    test.runIf(isFirst)("is silent during a pause", async () => {
      const { silent } = await play(
        "(loop) => (n) => { if (n === 120) loop.pause(); if (n === 240) loop.resume(); }",
      );
      // Two seconds, less two fades and what was scheduled ahead.
      expect(silent / RATE).toBeGreaterThan(1.8);
      expect(silent / RATE).toBeLessThan(2.1);
    });
  });
});

describe.runIf(findBrowser("chromium"))("live", () => {
  useBrowser("chromium");
  /** Opens a page and a context, which runs after a click. */
  async function live(setup: string): Promise<void> {
    page = await browser.open(server.page());
    await page.evaluate(`(async () => {
      window.context = new AudioContext();
      // Chromium lets pages of automated tests start without a click.
      await context.suspend();
      addEventListener("mousedown", () => context.resume());
      ${setup}
    })()`);
  }
  const click = async () => {
    await page.mouse(20, 20, true);
    await page.mouse(20, 20, false);
    await until(page, "context.state === 'running'");
  };

  test("effects of a page begin at the exact sample", async () => {
    await live(`
      const recorder = \`registerProcessor("recorder", class extends AudioWorkletProcessor {
        process([[samples]]) {
          if (samples) samples.forEach((sample, i) => { if (sample !== 0) this.port.postMessage(currentFrame + i); });
          return true;
        }
      });\`;
      const url = URL.createObjectURL(new Blob([recorder], { type: "text/javascript" }));
      await context.audioWorklet.addModule(url);
      const node = new AudioWorkletNode(context, "recorder");
      node.connect(context.destination);
      window.heard = [];
      window.wanted = [];
      node.port.onmessage = ({ data }) => heard.push(data);
      const click = context.createBuffer(1, 1, context.sampleRate);
      click.getChannelData(0)[0] = 0.01;
      const loop = new tickwise.Loop({ rate: 60 });
      // Long enough for a busy machine.
      window.clock = tickwise.audio.audioClock(context, loop, { delay: 1 });
      loop.on("step", ({ tick }) => {
        if (tick % 7 !== 0 || !clock.isRunning || wanted.length === 20) return;
        const source = context.createBufferSource();
        source.buffer = click;
        source.connect(node);
        const time = clock.timeOfEffect({ tick });
        wanted.push(Math.round(time * context.sampleRate));
        source.start(time);
      });
      loop.start(tickwise.display());`);
    expect(await page.evaluate("clock.isRunning")).toBe(false);
    expect(await page.evaluate("clock.timeOf(0)")).toBe(Infinity);
    await click();
    await until(page, "wanted.length === 20 && heard.length >= 20");
    const [heard, wanted, late] = await page.evaluate<[number[], number[], number]>(
      "[heard, wanted, clock.late]",
    );
    expect(late).toBe(0);
    expect(heard).toEqual(wanted);
  });

  // Changes are made 30 ms ahead. If the machine takes a thread away for longer at the wrong moment, they come too late.
  test("music never clicks", { retry: 2 }, async () => {
    await live(`
      const recorder = \`registerProcessor("recorder", class extends AudioWorkletProcessor {
        last = 0;
        steepest = 0;
        constructor() {
          super();
          this.port.onmessage = () => this.port.postMessage(this.steepest);
        }
        process([[samples]]) {
          for (const sample of samples ?? []) {
            this.steepest = Math.max(this.steepest, Math.abs(sample - this.last));
            this.last = sample;
          }
          return true;
        }
      });\`;
      const url = URL.createObjectURL(new Blob([recorder], { type: "text/javascript" }));
      await context.audioWorklet.addModule(url);
      window.node = new AudioWorkletNode(context, "recorder");
      node.connect(new GainNode(context, { gain: 0 })).connect(context.destination);
      const { sampleRate } = context;
      const buffer = context.createBuffer(1, 30 * sampleRate, sampleRate);
      buffer.getChannelData(0).forEach((_, i, data) => {
        data[i] = Math.sin((2 * Math.PI * 110.3 * i) / sampleRate);
      });
      window.max = (1.0051 * 2 * Math.PI * 110.3 + 2 / 0.03) / sampleRate;
      window.loop = new tickwise.Loop({ rate: 60 });
      const clock = tickwise.audio.audioClock(context, loop);
      window.music = tickwise.audio.playMusic(clock, buffer, { destination: node });
      loop.start(tickwise.display());`);
    await click();
    /** Waits for the game to run some ticks, with the music. */
    const pass = async (ticks: number) => {
      await page.evaluate("window.from = loop.tick");
      await until(page, `music.isPlaying && loop.tick >= from + ${ticks}`);
    };
    await pass(30);
    await page.evaluate("loop.pause()");
    expect(await page.evaluate("music.isPlaying")).toBe(false);
    await page.evaluate("loop.resume()");
    await pass(30);
    await page.evaluate("tickwise.timeScale(loop).set(0.5)");
    await pass(15);
    await page.evaluate("tickwise.timeScale(loop).set(tickwise.ramp(1, 0.2))");
    await pass(30);
    await page.evaluate("tickwise.timeScale(loop).set(0)");
    await until(page, "!music.isPlaying");
    await page.evaluate("tickwise.timeScale(loop).set(1)");
    await pass(30);
    // All but a quarter of this second is lost.
    await page.evaluate(
      "(() => { const end = performance.now() + 1000; while (performance.now() < end); })()",
    );
    await until(page, "music.jumps >= 1");
    await pass(30);
    const [steepest, max] = await page.evaluate<[number, number]>(`new Promise((done) => {
      node.port.onmessage = ({ data }) => done([data, max]);
      node.port.postMessage(0);
    })`);
    expect(steepest).toBeGreaterThan(max / 2);
    expect(steepest).toBeLessThan(max);
  });

  test("a loop on the audio clock waits for the context, follows it and rests with it", async () => {
    await live(`
      window.stamps = [];
      window.frames = 0;
      window.loop = new tickwise.Loop({ rate: 120, render: () => frames++ });
      loop.on("render", ({ timestamp }) => stamps.push([timestamp / 1000, context.currentTime]));
      window.clock = tickwise.audio.audioClock(context, loop);
      loop.start(tickwise.display({ clock: tickwise.audio.audioTime(context) }));`);
    await until(page, "frames > 5");
    expect(await page.evaluate("[loop.tick, clock.delay]")).toEqual([0, 0]);
    await click();
    await until(page, "loop.tick > 120");
    // Context times of ticks lie on the same scale as the loop's own timestamps.
    const [time, timestamp] = await page.evaluate<[number, number]>(
      "(() => { const tick = loop.tick + 120; return [clock.timeOf(tick), tickwise.timestampOf(loop, tick)]; })()",
    );
    expect(time).toBeCloseTo(timestamp / 1000, 3);
    await page.evaluate("context.suspend()");
    await until(page, "context.state === 'suspended'");
    const [tick] = await page.evaluate<[number]>("(window.before = frames, [loop.tick])");
    await until(page, "frames > before + 10");
    // One frame may still have been under way.
    const rested = await page.evaluate<number>("loop.tick");
    expect(rested - tick).toBeLessThanOrEqual(30);
    await page.evaluate("window.before = frames");
    await until(page, "frames > before + 10");
    expect(await page.evaluate("loop.tick")).toBe(rested);
    await click();
    await until(page, `loop.tick > ${rested + 60}`);
    const stamps = await page.evaluate<[number, number][]>("stamps");
    // What is heard was rendered, and time never goes back.
    expect(stamps.filter(([heard, current]) => heard > current + 0.05)).toEqual([]);
    expect(stamps.filter(([heard], i) => i > 0 && heard < stamps[i - 1]![0])).toEqual([]);
  });
});
