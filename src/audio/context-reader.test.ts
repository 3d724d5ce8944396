import { describe, expect, test } from "vitest";
import { AudioDevice, type DeviceOptions } from "../../test/shared/audio-device.js";
import { random } from "../math/index.js";
import { ContextReader } from "./context-reader.js";

/** Reads a device in frames of 60 Hz, which begin at uneven times. */
function reading(options: DeviceOptions) {
  const page = { now: 5000 };
  const device = new AudioDevice(() => page.now, options);
  const reader = new ContextReader(device);
  const noise = random(new Uint32Array(4)).seed(2);
  const run = (seconds: number) => {
    const start = page.now;
    for (let frame = 1; frame <= seconds * 60; frame++) {
      page.now = start + (frame * 1000) / 60 + noise.float() * 4;
      reader.read(page.now);
    }
  };
  /** Milliseconds by which the line is off the sound that is heard now. */
  const error = () => (reader.line.timeAt(page.now) - device.heardAt(page.now)) * 1000;
  return { page, device, reader, run, error };
}

/** The largest error in milliseconds, after some seconds, and what is accepted. */
const CLOCKS: [name: string, options: DeviceOptions, max: number][] = [
  ["steady output timestamps", { output: "chromium" }, 0.1],
  ["steady output timestamps, bursts of 20 ms", { output: "chromium", burst: 20 }, 0.1],
  ["output timestamps in bursts", { output: "firefox" }, 0.5],
  ["output timestamps that are wrong", { output: "old-safari" }, 0.5],
  ["only current times", { output: "none" }, 0.5],
  ["only current times, blocks of 128 samples", { output: "none", burst: 128 / 48 }, 0.2],
];

describe.each(CLOCKS)("%s", (_, options, max) => {
  test.each([0, 100e-6, -100e-6])("follow a sound card that drifts by %f", (drift) => {
    const { run, error, reader } = reading({ ...options, drift });
    run(0.2);
    expect(reader.isRunning).toBe(true);
    expect(Math.abs(error())).toBeLessThan(10);
    run(4);
    for (let i = 0; i < 100; i++) {
      run(0.17);
      expect(Math.abs(error())).toBeLessThan(max);
    }
    expect(Math.abs(reader.line.drift - drift)).toBeLessThan(60e-6);
  });

  test("timestampAt is the inverse of timeAt", () => {
    const { run, reader, page } = reading({ ...options, drift: 200e-6 });
    run(8);
    expect(reader.line.timestampAt(reader.line.timeAt(page.now + 300))).toBeCloseTo(page.now + 300, 6);
  });

  test("after a suspension, the line starts again at once", () => {
    const { run, error, device, reader, page } = reading(options);
    run(5);
    device.suspend();
    run(0.1);
    expect(reader.isRunning).toBe(false);
    page.now += 60_000;
    device.resume();
    run(0.3);
    expect(reader.isRunning).toBe(true);
    expect(Math.abs(error())).toBeLessThan(3);
    run(3);
    expect(Math.abs(error())).toBeLessThan(max);
  });

  test("a suspension that nobody reported is noticed within 0.2 s", () => {
    const { run, error, device, page } = reading(options);
    run(5);
    device.suspend();
    page.now += 400;
    device.resume();
    run(0.2);
    expect(Math.abs(error())).toBeLessThan(10);
  });

  test("a suspension in a hidden page, without frames, is noticed in the first frame", () => {
    const { run, error, device, page } = reading(options);
    run(5);
    device.suspend();
    page.now += 60_000;
    device.resume();
    run(1 / 60);
    expect(Math.abs(error())).toBeLessThan(40);
    run(0.3);
    expect(Math.abs(error())).toBeLessThan(3);
  });

  test("the line goes on after a minute in a hidden page", () => {
    const { run, error, page } = reading(options);
    run(12);
    page.now += 60_000;
    run(1 / 60);
    expect(Math.abs(error())).toBeLessThan(4);
  });

  test("a gap in the sound is followed within a second", () => {
    const { run, error, device } = reading(options);
    run(10);
    device.dropOut(15);
    run(1.1);
    expect(Math.abs(error())).toBeLessThan(1.5);
  });
});

test("a context that claims to run while its time stands still does not run", () => {
  const { run, device, reader } = reading({});
  run(1);
  const { currentTime } = device;
  Object.defineProperty(device, "currentTime", { configurable: true, value: currentTime });
  run(1.2);
  expect(reader.isRunning).toBe(false);
  delete (device as { currentTime?: number }).currentTime;
  run(0.1);
  expect(reader.isRunning).toBe(true);
});

test("a context before its first block does not run", () => {
  const { run, device, reader } = reading({});
  device.suspend();
  run(0.1);
  expect(reader.isRunning).toBe(false);
});

test("one wrong reading does not move the line", () => {
  const { run, error, device, reader, page } = reading({ output: "chromium" });
  run(5);
  const good = device.getOutputTimestamp!;
  device.getOutputTimestamp = () => ({ ...good(), contextTime: device.currentTime - 0.5 });
  page.now += 1000 / 60;
  reader.read(page.now);
  device.getOutputTimestamp = good;
  run(1);
  expect(Math.abs(error())).toBeLessThan(0.1);
});

test("latencies that cannot be true are ignored", () => {
  const { device, run, reader } = reading({});
  device.outputLatency = NaN;
  run(1);
  expect(reader.line.latency).toBe(0);
});
