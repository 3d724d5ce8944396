import { describe, expect, test } from "vitest";
import { AudioDevice, type DeviceOptions } from "../../test/shared/audio-device.js";
import { display, Loop, timestampOf, type FrameSource } from "../index.js";
import { inputLatch } from "../input/index.js";
import { random } from "../math/index.js";
import { button, play, simulation } from "../sim/index.js";
import { layout, u32 } from "../state/index.js";
import { manualDisplay, type ManualDisplay } from "../testing/index.js";
import { audioClock, audioTime, type AudioTimeOptions } from "./index.js";

/** A display and a sound card, whose clocks begin at `time` milliseconds. The display follows the sound. */
function newScreen(card: DeviceOptions = { output: "chromium" }, options: AudioTimeOptions = {}, time = 0) {
  const frames: { screen?: ManualDisplay } = {};
  const device = new AudioDevice(() => frames.screen?.time ?? time, card);
  const screen = manualDisplay({ clock: audioTime(device, options) }, time);
  frames.screen = screen;
  return { screen, device };
}

function setUp(card?: DeviceOptions, options?: AudioTimeOptions) {
  const { screen, device } = newScreen(card, options);
  const loop = new Loop({ rate: 120 });
  loop.start(screen);
  return { screen, device, loop };
}

test.each<DeviceOptions>([
  { output: "chromium", drift: 500e-6 },
  { output: "chromium", drift: -500e-6 },
  { output: "none", drift: 500e-6 },
])("steps follow the sound card, not the page's clock: %o", (card) => {
  const { screen, device, loop } = setUp(card);
  screen.display(60, 60);
  const heard = device.heardAt(screen.time);
  // The page's clock is off by 30 ms by now.
  expect(Math.abs(screen.time / 1000 - device.outputLatency - heard)).toBeGreaterThan(0.029);
  expect(Math.abs(loop.frame.timestamp / 1000 - heard)).toBeLessThan(card.output === "none" ? 0.004 : 0.0005);
  expect(loop.lostSeconds).toBe(0);
});

test("frames stay even: corrections take at most one percent", () => {
  const { screen, device, loop } = setUp({ output: "chromium", drift: 100e-6 });
  screen.display(60, 2);
  device.dropOut(12);
  const lengths: number[] = [];
  let last = loop.frame.timestamp;
  loop.on("render", () => {
    lengths.push(loop.frame.timestamp - last);
    last = loop.frame.timestamp;
  });
  screen.display(60, 8);
  for (const length of lengths) expect(Math.abs(length - 1000 / 60)).toBeLessThan(0.18);
  expect(Math.abs(loop.frame.timestamp / 1000 - device.heardAt(screen.time))).toBeLessThan(0.001);
});

test("waits for the context, rests with it, and never goes back", () => {
  const { screen, device, loop } = setUp();
  device.suspend();
  screen.display(60, 1);
  expect(loop.tick).toBe(0);
  device.resume();
  screen.display(60, 1);
  const { tick } = loop;
  expect(tick).toBeGreaterThan(100);
  device.suspend();
  screen.display(60, 5);
  expect(loop.tick).toBe(tick);
  device.resume();
  const stamps: number[] = [];
  loop.on("render", () => stamps.push(loop.frame.timestamp));
  screen.display(60, 2);
  expect(stamps.filter((stamp, i) => i > 0 && stamp < stamps[i - 1]!)).toEqual([]);
  expect(Math.abs(loop.frame.timestamp / 1000 - device.heardAt(screen.time))).toBeLessThan(0.001);
});

test("while the context is suspended, frames go on without time", () => {
  const { screen, device, loop } = setUp();
  screen.display(60, 2);
  device.suspend();
  const now = screen.now();
  const { shownTime, timestamp } = loop.frame;
  let frames = 0;
  loop.on("render", (frame) => {
    frames++;
    expect([frame.steps, frame.delta, frame.realDelta]).toEqual([0, 0, 0]);
    expect([frame.shownTime, frame.timestamp]).toEqual([shownTime, timestamp]);
  });
  screen.display(60, 60);
  expect([frames, screen.now(), screen.pageTimeOf!(now)]).toEqual([3600, now, Infinity]);
  expect(screen.info.locked).toBe(true);
});

test("begins where a context is that was used before", () => {
  for (const isSuspended of [true, false]) {
    const { screen, device, loop } = setUp();
    loop.stop();
    screen.spend(10);
    if (isSuspended) device.suspend();
    loop.start();
    screen.display(60, 1);
    if (isSuspended) device.resume();
    screen.display(60, 1);
    expect(loop.lostSeconds).toBe(0);
    expect(Math.abs(loop.tick - (isSuspended ? 120 : 240))).toBeLessThan(8);
    expect(Math.abs(loop.frame.timestamp / 1000 - device.heardAt(screen.time))).toBeLessThan(0.001);
  }
});

test("waits for the sound after a long gap in it", () => {
  const { screen, device, loop } = setUp();
  screen.display(60, 3);
  device.dropOut(200);
  screen.display(60, 2);
  expect(loop.lostSeconds).toBe(0);
  expect(Math.abs(loop.tick - 120 * 4.8)).toBeLessThan(8);
  expect(Math.abs(loop.frame.timestamp / 1000 - device.heardAt(screen.time))).toBeLessThan(0.001);
});

test("its clock maps ticks directly: no delay, and the sound is heard when the tick is shown", () => {
  const { screen, device, loop } = setUp();
  const clock = audioClock(device, loop);
  screen.display(60, 4);
  expect(clock.delay).toBe(0);
  const tick = loop.tick + 120;
  const time = clock.timeOf(tick);
  expect(time).toBeCloseTo(timestampOf(loop, tick) / 1000, 4);
  expect(clock.shownAt(time)).toBeCloseTo(tick / 120, 4);
  // Events have timestamps of the page, not of the sound card.
  expect(Math.abs(clock.timeAt(screen.time) - device.heardAt(screen.time))).toBeLessThan(0.0005);
  // A second later, it is heard, and shown.
  screen.display(60, 1 + 1 / 120);
  expect(loop.frame.shownTime).toBeGreaterThanOrEqual(tick / 120 - 1 / 60);
});

test("now follows the heard time between frames, for step budgets", () => {
  const { screen, loop } = setUp();
  screen.display(60, 3);
  const before = loop.driver!.now();
  screen.spend(0.005);
  expect(loop.driver!.now() - before).toBeCloseTo(5, 6);
});

test("a calibrated latency delays the picture, so that both are in time", () => {
  const { screen, device, loop } = setUp({ output: "chromium" }, { extraLatency: 0.1 });
  const clock = audioClock(device, loop);
  screen.display(60, 4);
  const heard = device.heardAt(screen.time) - 0.1;
  expect(Math.abs(loop.frame.timestamp / 1000 - heard)).toBeLessThan(0.0005);
  expect(Math.abs(clock.timeAt(screen.time) - heard)).toBeLessThan(0.0005);
  expect(clock.timestampAt(clock.timeAt(screen.time))).toBeCloseTo(screen.time, 6);
  expect(Math.abs(clock.latency - 0.13)).toBeLessThan(0.001);
});

test("a session finds the step of a press, whose timestamp is the page's", () => {
  const presses: number[] = [];
  const pressing = simulation({
    name: "pressing",
    version: 1,
    rate: 100,
    state: layout({ count: u32 }),
    input: { hit: button },
    step(_, [player], { tick }) {
      if (player.pressed.hit) presses.push(tick);
    },
  });
  const { screen } = newScreen({ output: "chromium" }, {}, 1e6);
  const latch = inputLatch(pressing.packing);
  const game = play(pressing, { inputs: latch, driver: screen });
  screen.display(60, 4);
  // Frames of five steps each.
  for (let frame = 0; frame < 10; frame++) {
    const { tick } = game.loop;
    const at = screen.time + 50 * 0.5;
    latch.press("hit", at);
    latch.release("hit", at + 2);
    screen.wait(0.05);
    const steps = game.loop.tick - tick;
    // The step in the middle: the third of five.
    expect(Math.abs(presses.at(-1)! - tick - (steps - 1) / 2)).toBeLessThanOrEqual(0.6);
  }
  expect(presses).toHaveLength(10);
  game.dispose();
});

test("finds the display's rate while the context is suspended, and follows the sound at that rate", async () => {
  const { screen, device } = newScreen({ output: "chromium", drift: 500e-6 });
  device.suspend();
  const rate = screen.rate();
  screen.display(144, 2);
  expect(await rate).toBe(144);
  const loop = new Loop({ rate: 144 });
  loop.start(screen);
  screen.display(144, 1);
  device.resume();
  screen.display(144, 1);
  const begin = loop.frame.timestamp / 1000 - loop.frame.shownTime;
  screen.display(144, 60);
  // Refreshes alone would be off by 30 ms, which is more than four steps.
  expect(Math.abs(loop.frame.timestamp / 1000 - loop.frame.shownTime - begin)).toBeLessThan(1.1 / 144);
  expect(Math.abs(loop.frame.timestamp / 1000 - device.heardAt(screen.time))).toBeLessThan(0.001);
});

test("a clock of another context is not that of the display", () => {
  const { screen, device, loop } = setUp();
  const other = new AudioDevice(() => screen.time, { output: "chromium" });
  const clocks = [audioClock(device, loop), audioClock(other, loop)] as const;
  screen.display(60, 3);
  expect(clocks[0].delay).toBe(0);
  expect(clocks[1].delay).toBeCloseTo(0.055, 2);
  loop.start(manualDisplay());
  expect(clocks[0].delay).toBeGreaterThan(0);
});

/** Frames of a display at even times. `stamp` makes timestamps of them. */
class Frames implements FrameSource {
  time = 0;
  readonly #noise = random(new Uint32Array(4)).seed(3);
  #frame: ((timestamp: number, discardElapsed?: boolean) => void) | undefined;
  #count = 0;

  constructor(
    readonly hertz: number,
    readonly stamp: (time: number, noise: () => number) => number = (time) => time,
  ) {}

  begin(frame: (timestamp: number, discardElapsed?: boolean) => void): () => void {
    this.#frame = frame;
    return () => (this.#frame = undefined);
  }

  now = () => this.time;

  run(seconds: number): void {
    for (const last = this.#count + Math.round(seconds * this.hertz); this.#count < last;) this.#next();
  }

  /** The page is hidden. */
  hide(seconds: number): void {
    this.#count += Math.round(seconds * this.hertz);
    this.time = (this.#count * 1000) / this.hertz;
  }

  show(): void {
    this.#next(true);
  }

  #next(discardElapsed?: boolean): void {
    const time = (++this.#count * 1000) / this.hertz;
    const stamp = this.stamp(time, () => this.#noise.float());
    // Callbacks run a little later.
    this.time = Math.max(time, stamp) + 0.3 + this.#noise.float();
    this.#frame?.(stamp, discardElapsed);
  }
}

/** A loop on such frames, which follows a sound card. */
function onFrames(frames: Frames, rate: number) {
  const device = new AudioDevice(() => frames.time, { output: "chromium", drift: 100e-6 });
  const loop = new Loop({ rate });
  loop.start(display({ frames, clock: audioTime(device) }));
  return { device, loop };
}

describe("in a page that was hidden for a minute", () => {
  test.each([false, true])("the game goes on at once; the context was suspended: %s", (isSuspended) => {
    const frames = new Frames(60);
    const { device, loop } = onFrames(frames, 120);
    frames.run(5);
    const { tick } = loop;
    if (isSuspended) device.suspend();
    frames.hide(60);
    if (isSuspended) device.resume();
    frames.show();
    expect(loop.tick).toBe(tick);
    frames.run(1);
    expect(Math.abs(loop.tick - tick - 120)).toBeLessThan(8);
    expect(loop.lostSeconds).toBe(0);
  });
});

describe.each<[name: string, stamp: (time: number, noise: () => number) => number, sync: number]>([
  ["exact", (time) => time, 0.1],
  ["rounded to 0.1 ms", (time) => Math.floor(10 * time) / 10, 0.2],
  ["rounded to 1 ms", Math.floor, 1.1],
  ["up to 2 ms late", (time, noise) => time + 2 * noise(), 2.1],
  ["rounded to 16.67 ms", (time) => Math.floor((time * 60.006) / 1000) * (1000 / 60), 17],
  ["rounded to 100 ms", (time) => 100 * Math.floor(time / 100), 120],
])("with timestamps that are %s", (_, stamp, sync) => {
  test.each([
    [60, 60],
    [60, 120],
    [60, 50],
    [144, 60],
  ])("at %d Hz, %d steps per second move evenly, in time with the sound", (hertz, rate) => {
    for (const event of ["none", "gap", "suspension"]) {
      const frames = new Frames(hertz, stamp);
      const { device, loop } = onFrames(frames, rate);
      if (event === "suspension") device.suspend();
      frames.run(3);
      expect(loop.tick === 0).toBe(event === "suspension");
      if (event === "suspension") device.resume();
      frames.run(1);
      if (event === "gap") device.dropOut(12);
      let shown = loop.frame.shownTime;
      let worst = 0;
      const offs: number[] = [];
      loop.on("render", ({ shownTime, timestamp }) => {
        worst = Math.max(worst, Math.abs((shownTime - shown) * hertz - 1));
        shown = shownTime;
        offs.push(shownTime * 1000 - timestamp);
      });
      frames.run(10);
      // By how much a frame moves the picture, compared with the others.
      expect(worst).toBeLessThan(0.016);
      // Where steps follow refreshes, the picture is up to a step off.
      const spread = Math.max(...offs) - Math.min(...offs);
      expect(spread).toBeLessThan(hertz % rate && rate % hertz ? 0.001 : 1000 / rate + 0.1);
      const heard = device.heardAt((Math.round(frames.time * hertz * 1e-3 - 0.5) * 1000) / hertz);
      expect(Math.abs(loop.frame.timestamp - heard * 1000)).toBeLessThan(sync);
      expect(loop.lostSeconds).toBe(0);
    }
  });
});
