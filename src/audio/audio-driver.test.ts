import { expect, test } from "vitest";
import { AudioDevice, type DeviceOptions } from "../../test/shared/audio-device.js";
import { Loop } from "../index.js";
import { inputLatch } from "../input/index.js";
import { button, play, simulation } from "../sim/index.js";
import { layout, u32 } from "../state/index.js";
import { manualDriver } from "../testing/index.js";
import { audioClock, audioDriver } from "./index.js";

function setUp(card: DeviceOptions = { output: "chromium" }, pacing: "raw" | "display" = "raw") {
  const frames = manualDriver();
  const device = new AudioDevice(() => frames.time, card);
  const loop = new Loop({ rate: 120, driver: audioDriver(device, { frames }), pacing });
  loop.start();
  return { frames, device, loop };
}

test.each<DeviceOptions>([
  { output: "chromium", drift: 500e-6 },
  { output: "chromium", drift: -500e-6 },
  { output: "none", drift: 500e-6 },
])("steps follow the sound card, not the page's clock: %o", (card) => {
  const { frames, device, loop } = setUp(card);
  frames.display(60, 60);
  const heard = device.heardAt(frames.time);
  // The page's clock is off by 30 ms by now.
  expect(Math.abs(frames.time / 1000 - device.outputLatency - heard)).toBeGreaterThan(0.029);
  expect(Math.abs(loop.frameEnd / 1000 - heard)).toBeLessThan(card.output === "none" ? 0.004 : 0.0005);
  expect(loop.stats.lostSeconds).toBe(0);
});

test("frames stay even: corrections take at most one percent", () => {
  const { frames, device, loop } = setUp({ output: "chromium", drift: 100e-6 });
  frames.display(60, 2);
  device.dropOut(12);
  const lengths: number[] = [];
  let last = loop.frameEnd;
  loop.on("render", () => {
    lengths.push(loop.frameEnd - last);
    last = loop.frameEnd;
  });
  frames.display(60, 8);
  for (const length of lengths) expect(Math.abs(length - 1000 / 60)).toBeLessThan(0.18);
  expect(Math.abs(loop.frameEnd / 1000 - device.heardAt(frames.time))).toBeLessThan(0.001);
});

test("waits for the context, rests with it, and never goes back", () => {
  const { frames, device, loop } = setUp();
  device.suspend();
  frames.display(60, 1);
  expect(loop.tick).toBe(0);
  device.resume();
  frames.display(60, 1);
  const { tick } = loop;
  expect(tick).toBeGreaterThan(100);
  device.suspend();
  frames.display(60, 5);
  expect(loop.tick).toBe(tick);
  device.resume();
  const stamps: number[] = [];
  loop.on("render", () => stamps.push(loop.frameEnd));
  frames.display(60, 2);
  expect(stamps.filter((stamp, i) => i > 0 && stamp < stamps[i - 1]!)).toEqual([]);
  expect(Math.abs(loop.frameEnd / 1000 - device.heardAt(frames.time))).toBeLessThan(0.001);
});

test("its clock maps ticks directly: no delay, and the sound is heard when the tick is shown", () => {
  const { frames, device, loop } = setUp();
  const clock = audioClock(device, loop);
  frames.display(60, 4);
  expect(clock.delay).toBe(0);
  const tick = loop.tick + 120;
  const time = clock.timeOf(tick);
  expect(time).toBeCloseTo(loop.timestampOf(tick) / 1000, 4);
  expect(clock.shownAt(time)).toBeCloseTo(tick / 120, 4);
  // Events have timestamps of the page, not of the sound card.
  expect(Math.abs(clock.timeAt(frames.time) - device.heardAt(frames.time))).toBeLessThan(0.0005);
  // A second later, it is heard, and shown.
  frames.display(60, 1 + 1 / 120);
  expect(loop.shownTime).toBeGreaterThanOrEqual(tick / 120 - 1 / 60);
});

test("paces the picture like the frames that it takes", () => {
  const frames = { ...manualDriver(), pacing: "display" as const };
  const device = new AudioDevice(() => 0);
  expect(audioDriver(device, { frames }).pacing).toBe("display");
  expect(audioDriver(device, { frames: manualDriver() }).pacing).toBe("raw");
  expect(audioDriver(device).pacing).toBe("display");
});

test("now follows the heard time between frames, for step budgets", () => {
  const { frames, loop } = setUp();
  frames.display(60, 3);
  const before = loop.driver!.now();
  frames.spend(0.005);
  expect(loop.driver!.now() - before).toBeCloseTo(5, 6);
});

test("a calibrated latency delays the picture, so that both are in time", () => {
  const frames = manualDriver();
  const device = new AudioDevice(() => frames.time, { output: "chromium" });
  const loop = new Loop({
    rate: 120,
    driver: audioDriver(device, { frames, extraLatency: 0.1 }),
    pacing: "raw",
  });
  const clock = audioClock(device, loop);
  loop.start();
  frames.display(60, 4);
  const heard = device.heardAt(frames.time) - 0.1;
  expect(Math.abs(loop.frameEnd / 1000 - heard)).toBeLessThan(0.0005);
  expect(Math.abs(clock.timeAt(frames.time) - heard)).toBeLessThan(0.0005);
  expect(clock.timestampAt(clock.timeAt(frames.time))).toBeCloseTo(frames.time, 6);
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
  const frames = manualDriver(1e6);
  const device = new AudioDevice(() => frames.time, { output: "chromium" });
  const latch = inputLatch(pressing.packing);
  const driver = audioDriver(device, { frames });
  const game = play(pressing, { inputs: latch, driver, pacing: "raw" });
  frames.display(60, 4);
  // Frames of five steps each.
  for (let frame = 0; frame < 10; frame++) {
    const { tick } = game.loop;
    const at = frames.time + 50 * 0.5;
    latch.press("hit", at);
    latch.release("hit", at + 2);
    frames.wait(0.05);
    const steps = game.loop.tick - tick;
    // The step in the middle: the third of five.
    expect(Math.abs(presses.at(-1)! - tick - (steps - 1) / 2)).toBeLessThanOrEqual(0.6);
  }
  expect(presses).toHaveLength(10);
  game.dispose();
});
