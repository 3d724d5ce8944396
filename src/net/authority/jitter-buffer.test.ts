import { describe, expect, test } from "vitest";
import { random } from "../../math/index.js";
import { JitterBuffer } from "./jitter-buffer.js";

/** What happens to the snapshots of a line. */
interface Line {
  interval: number;
  latency: number;
  jitter: number;
  loss: number;
  /** How much faster the viewer's clock runs. */
  skew: number;
}

const LINE: Line = { interval: 50, latency: 50, jitter: 20, loss: 0.05, skew: 0 };

/** Feeds a buffer on virtual time, in the server's milliseconds. */
class Feed {
  readonly buffer: JitterBuffer;
  readonly line: Line;
  readonly #random = random(new Uint32Array(4)).seed(5);
  #under: { time: number; at: number }[] = [];
  #next = 0;
  now = 0;

  constructor(line: Partial<Line> = {}) {
    this.line = { ...LINE, ...line };
    this.buffer = new JitterBuffer(this.line.interval);
  }

  #draw = (): number => this.#random.u32() / 2 ** 32;

  /** Lets the time pass until the next frame. Returns by how much the shown time and the drawn one advanced. */
  frame(ms = 1000 / 60): { shown: number; drawn: number } {
    const { buffer, line } = this;
    const { interval, latency, jitter, loss, skew } = line;
    const end = this.now + ms;
    for (; this.#next <= end; this.#next += interval)
      if (this.#draw() >= loss)
        this.#under.push({ time: this.#next, at: this.#next + latency + jitter * (2 * this.#draw() - 1) });
    this.#under.sort((a, b) => a.at - b.at);
    for (let first = this.#under[0]; first && first.at <= end; first = this.#under[0]) {
      this.#under.shift();
      buffer.arrive(first.time, 1e6 + first.at * (1 + skew));
    }
    this.now = end;
    const { shown, drawn, hasBegun } = buffer;
    buffer.advance(1e6 + end * (1 + skew));
    return hasBegun ? { shown: buffer.shown - shown, drawn: buffer.drawn - drawn } : { shown: ms, drawn: ms };
  }

  run(seconds: number): void {
    for (const end = this.now + seconds * 1000; this.now < end;) this.frame();
  }

  /** Loses everything for a while. */
  outage(seconds: number): void {
    const { loss } = this.line;
    this.line.loss = 1;
    this.run(seconds);
    this.line.loss = loss;
  }
}

describe("the delay", () => {
  test("is one interval and the whole jitter, if nothing is lost", () => {
    const feed = new Feed({ loss: 0 });
    feed.run(90);
    // Lateness is even from 0 to 40 ms, so the 99.9th percentile is 39.96 ms.
    expect(feed.buffer.wantedDelay).toBeGreaterThan(88.5);
    expect(feed.buffer.wantedDelay).toBeLessThan(90.5);
    expect(feed.buffer.delay).toBeCloseTo(feed.buffer.wantedDelay, 0);
    expect(feed.buffer.restarts).toBe(0);
  });

  test("is one interval on a perfect line", () => {
    const feed = new Feed({ loss: 0, jitter: 0 });
    feed.run(60);
    expect(feed.buffer.delay).toBeCloseTo(50, 1);
    expect(feed.buffer.starvedFrames).toBe(0);
  });

  test("contains as many lost snapshots as the percentile asks for", () => {
    // One in 400 snapshots follows two lost ones, of which 40 % may be late: 150 ms and 24 of the 40 ms of jitter.
    const wanted: number[] = [];
    const feed = new Feed();
    feed.run(60);
    for (let i = 0; i < 30; i++) {
      feed.run(20);
      wanted.push(feed.buffer.wantedDelay);
    }
    const mean = wanted.reduce((sum, one) => sum + one) / wanted.length;
    expect(mean).toBeGreaterThan(150);
    expect(mean).toBeLessThan(195);
  });

  test("shrinks slowly when the line gets better", () => {
    const feed = new Feed({ loss: 0, latency: 150, jitter: 100 });
    feed.run(60);
    expect(feed.buffer.delay).toBeGreaterThan(220);
    Object.assign(feed.line, { latency: 40, jitter: 2 });
    const before = feed.buffer.shown - feed.now;
    feed.run(10);
    // While late ones are remembered, nearly nothing changes.
    expect(Math.abs(feed.buffer.shown - feed.now - before)).toBeLessThan(10);
    feed.run(80);
    expect(feed.buffer.delay).toBeLessThan(56);
  });

  test("follows a line that gets worse", () => {
    const feed = new Feed({ loss: 0, latency: 20, jitter: 1 });
    feed.run(60);
    Object.assign(feed.line, { latency: 100, jitter: 60 });
    feed.run(30);
    const { starvedFrames } = feed.buffer;
    feed.run(30);
    expect(feed.buffer.starvedFrames - starvedFrames).toBeLessThan(4);
    expect(feed.buffer.delay).toBeGreaterThan(150);
    expect(feed.buffer.restarts).toBe(0);
  });
});

describe("the shown time", () => {
  test.each([0, 0.05, 0.2])("runs at 0.99 to 1.01 of the time, with a loss of %d", (loss) => {
    const feed = new Feed({ loss, jitter: 45 });
    feed.run(1);
    for (let i = 0; i < 6000; i++) {
      const ms = 4 + (i % 30);
      const { shown } = feed.frame(ms);
      expect(shown / ms).toBeGreaterThan(0.99 - 1e-4);
      expect(shown / ms).toBeLessThan(1.01 + 1e-4);
    }
    expect(feed.buffer.restarts).toBe(0);
  });

  test.each([10, 20, 30, 60])(
    "is starved in one of 500 frames at most, with %i snapshots per second",
    (rate) => {
      const feed = new Feed({ interval: 1000 / rate });
      feed.run(20);
      const { starvedFrames, frames } = feed.buffer;
      feed.run(600);
      const share = (feed.buffer.starvedFrames - starvedFrames) / (feed.buffer.frames - frames);
      expect(share).toBeLessThanOrEqual(0.002);
      expect(share).toBeGreaterThan(0);
    },
  );

  test.each([-0.01, -0.0001, 0.0001, 0.01])("keeps up with a clock that is off by %d", (skew) => {
    const feed = new Feed({ skew });
    feed.run(120);
    expect(feed.buffer.drift).toBeCloseTo(skew / (1 + skew), 4);
    const { starvedFrames, frames } = feed.buffer;
    const behind = feed.now - feed.buffer.shown;
    feed.run(120);
    expect((feed.buffer.starvedFrames - starvedFrames) / (feed.buffer.frames - frames)).toBeLessThan(0.002);
    expect(Math.abs(feed.now - feed.buffer.shown - behind)).toBeLessThan(60);
    expect(feed.buffer.restarts).toBe(0);
  });

  test("takes no change of the latency for a drift", () => {
    const feed = new Feed({ loss: 0, jitter: 5 });
    feed.run(40);
    feed.line.latency += 80;
    for (let i = 0; i < 60; i++) {
      feed.run(1);
      expect(Math.abs(feed.buffer.drift)).toBeLessThan(2e-4);
    }
  });
});

describe("starvation", () => {
  test("draws up to 250 ms more, holds, and goes on where the shown time is", () => {
    const feed = new Feed({ loss: 0 });
    feed.run(60);
    feed.outage(0.7);
    const { newest, drawn, isStarved, restarts } = feed.buffer;
    expect(isStarved).toBe(true);
    expect(drawn).toBe(newest + 250);
    expect(feed.frame().drawn).toBe(0);
    const behind = feed.now - feed.buffer.shown;
    feed.run(1);
    expect(feed.buffer.isStarved).toBe(false);
    expect(feed.buffer.drawn).toBe(feed.buffer.shown);
    expect(Math.abs(feed.now - feed.buffer.shown - behind)).toBeLessThan(11);
    expect(feed.buffer.restarts).toBe(restarts);
  });

  test("of more than a second starts anew, with the delay as it was", () => {
    const feed = new Feed({ loss: 0 });
    feed.run(60);
    const { delay } = feed.buffer;
    feed.outage(5);
    feed.run(2);
    expect(feed.buffer.restarts).toBe(1);
    expect(Math.abs(feed.buffer.delay - delay)).toBeLessThan(45);
    expect(feed.buffer.isStarved).toBe(false);
  });

  test("by a latency that has grown much starts anew, and never goes back", () => {
    const feed = new Feed({ loss: 0 });
    feed.run(60);
    const { delay } = feed.buffer;
    feed.line.latency += 600;
    for (let i = 0; i < 180; i++) expect(feed.frame().drawn).toBeGreaterThanOrEqual(0);
    expect(feed.buffer.restarts).toBe(1);
    expect(Math.abs(feed.buffer.delay - delay)).toBeLessThan(45);
    const { starvedFrames } = feed.buffer;
    feed.run(30);
    expect(feed.buffer.starvedFrames - starvedFrames).toBeLessThan(30);
    expect(feed.buffer.restarts).toBe(1);
  });

  test("by a pause of the server does not lengthen the delay, and never goes back", () => {
    const buffer = new JitterBuffer(50);
    let server = 0;
    let now = 1000;
    let last = -Infinity;
    const run = (ms: number, isRunning: boolean) => {
      for (const end = now + ms; now < end; now += 10) {
        if (isRunning && (server += 10) % 50 === 0) buffer.arrive(server, now);
        buffer.advance(now);
        expect(buffer.drawn).toBeGreaterThanOrEqual(last);
        last = buffer.drawn;
      }
    };
    run(60_000, true);
    buffer.isPaused = true;
    run(600, false);
    expect(buffer.drawn).toBe(server);
    buffer.isPaused = false;
    buffer.restart();
    run(3000, true);
    expect(buffer.delay).toBeCloseTo(50, 0);
    expect(buffer.drawn).toBe(buffer.shown);
  });

  test("of a program that slept for a minute ends with the newest snapshot, whatever waited", () => {
    const buffer = new JitterBuffer(50);
    let time = 0;
    for (; time < 60_000; time += 50) {
      buffer.arrive(time, time + 30);
      buffer.advance(time + 30);
    }
    for (const woken = 120_000; time <= woken; time += 50) buffer.arrive(time, woken + 30 + time / 1e5);
    for (; time < 125_000; time += 50) {
      buffer.arrive(time, time + 30);
      buffer.advance(time + 30);
    }
    expect(buffer.delay).toBeLessThan(200);
    expect(buffer.isStarved).toBe(false);
    expect(buffer.newest - buffer.drawn).toBeLessThan(200);
  });
});

test("ignores duplicates, overtaken snapshots and time that runs backwards", () => {
  const [plain, messy] = [new JitterBuffer(50), new JitterBuffer(50)];
  for (let time = 0; time < 30_000; time += 50) {
    for (const buffer of [plain, messy]) buffer.arrive(time, time + 40);
    messy.arrive(time, time + 41);
    messy.arrive(time - 200, time + 42);
    for (const buffer of [plain, messy]) buffer.advance(time + 45);
    messy.advance(time + 10);
  }
  expect(messy.shown).toBe(plain.shown);
  expect(messy.delay).toBe(plain.delay);
});

test("begins with the first snapshot, and holds it until the delay has passed", () => {
  const buffer = new JitterBuffer(50);
  expect([buffer.hasBegun, buffer.delay, buffer.isStarved]).toEqual([false, 0, false]);
  buffer.advance(100);
  buffer.arrive(5000, 120);
  expect(buffer.advance(130)).toBe(5000);
  for (let i = 1; i < 4; i++) buffer.arrive(5000 + 50 * i, 120 + 50 * i);
  expect(buffer.advance(269)).toBe(5000);
  expect(buffer.advance(290)).toBeCloseTo(5020, 0);
  expect(buffer.starvedFrames).toBe(0);
  buffer.reset();
  buffer.arrive(50, 400);
  expect(buffer.advance(401)).toBe(50);
});
