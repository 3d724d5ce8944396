import { describe, expect, test } from "vitest";
import { conditioned, type ConditionedOptions } from "./conditioned.js";
import { loopbackPair } from "./loopback.js";
import { NETWORK_PROFILES, type NetworkProfile } from "./network-profiles.js";
import { virtualScheduler } from "./virtual-time.js";

/** A conditioned link in virtual time, and what arrives at its other end. Messages hold their number and when they were sent. */
function setUp(options: ConditionedOptions) {
  const time = virtualScheduler();
  const [near, far] = loopbackPair();
  const link = conditioned(near, { scheduler: time, ...options });
  const arrivals: { n: number; sent: number; at: number; delay: number }[] = [];
  far.on("message", (bytes) => {
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    const sent = view.getFloat64(8);
    arrivals.push({ n: view.getFloat64(0), sent, at: time.now(), delay: time.now() - sent });
  });
  const bytes = new Uint8Array(100);
  const view = new DataView(bytes.buffer);
  let n = 0;
  return {
    time,
    link,
    far,
    arrivals,
    send(reliable = false) {
      view.setFloat64(0, n++);
      view.setFloat64(8, time.now());
      link.send(bytes, reliable);
    },
    /** Sends messages at an interval, and waits for the last ones. */
    run(count: number, interval = 1000 / 60, reliable = false) {
      for (let i = 0; i < count; i++) {
        this.send(reliable);
        time.advance(interval);
      }
      time.advance(10_000);
    },
  };
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** The lengths of the gaps in the numbers that arrived. */
function gaps(arrivals: readonly { n: number }[]): number[] {
  const lengths: number[] = [];
  for (let i = 1; i < arrivals.length; i++) {
    const missing = arrivals[i]!.n - arrivals[i - 1]!.n - 1;
    if (missing > 0) lengths.push(missing);
  }
  return lengths;
}

describe("conditioned", () => {
  test("a perfect network delivers everything without delay, in order", () => {
    const s = setUp({});
    s.run(100);
    expect(s.arrivals.map(({ n }) => n)).toEqual(Array.from({ length: 100 }, (_, n) => n));
    expect(s.arrivals.every(({ delay }) => delay === 0)).toBe(true);
  });

  test("latency and jitter: evenly around the mean, always in order", () => {
    const s = setUp({ latency: 50, jitter: 5 });
    s.run(20_000);
    const delays = s.arrivals.map(({ delay }) => delay);
    expect(delays.length).toBe(20_000);
    expect(Math.abs(mean(delays) - 50)).toBeLessThan(0.1);
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(45 - 1e-6);
    expect(Math.min(...delays)).toBeLessThan(45.1);
    expect(Math.max(...delays)).toBeGreaterThan(54.9);
    expect(Math.max(...delays)).toBeLessThanOrEqual(55 + 1e-6);
  });

  test("jitter longer than the interval does not reorder", () => {
    const s = setUp({ latency: 100, jitter: 100 });
    s.run(5000);
    expect(s.arrivals.map(({ n }) => n)).toEqual(Array.from({ length: 5000 }, (_, n) => n));
    expect(Math.max(...s.arrivals.map(({ delay }) => delay))).toBeLessThanOrEqual(200 + 1e-6);
  });

  test.each([0.01, 0.1, 0.3, 0.6])("independent loss of %d", (loss) => {
    const s = setUp({ loss });
    s.run(50_000);
    expect(Math.abs(1 - s.arrivals.length / 50_000 - loss)).toBeLessThan(0.008);
    expect(Math.abs(mean(gaps(s.arrivals)) * (1 - loss) - 1)).toBeLessThan(0.03);
    expect(s.link.fates).toMatchObject({ sent: 50_000, lost: 50_000 - s.arrivals.length, dropped: 0 });
  });

  test.each([
    [0.1, 8],
    [0.2, 8],
    [0.05, 3],
    [0.5, 30],
  ])("loss of %d in bursts of %d: as many are lost, in longer rows", (loss, burst) => {
    const s = setUp({ loss, burst });
    s.run(200_000);
    expect(Math.abs((1 - s.arrivals.length / 200_000) / loss - 1)).toBeLessThan(0.06);
    expect(Math.abs(mean(gaps(s.arrivals)) / burst - 1)).toBeLessThan(0.06);
  });

  test("reordering lets later messages pass, and nothing else changes", () => {
    const s = setUp({ latency: 50, reorder: 0.05 });
    s.run(20_000);
    let late = 0;
    let newest = -1;
    for (const { n } of s.arrivals) {
      if (n < newest) late++;
      newest = Math.max(newest, n);
    }
    expect(s.arrivals.length).toBe(20_000);
    expect(Math.abs(s.link.fates.reordered / 20_000 - 0.05)).toBeLessThan(0.005);
    // Two of them in a row may stay in order.
    expect(late / s.link.fates.reordered).toBeGreaterThan(0.95);
    expect(
      new Set(s.arrivals.filter(({ delay }) => delay < 60).map(({ delay }) => Math.round(delay))),
    ).toEqual(new Set([50]));
  });

  test("duplicates arrive twice", () => {
    const s = setUp({ latency: 20, duplicate: 0.02 });
    s.run(20_000);
    expect(s.arrivals.length).toBe(20_000 + s.link.fates.duplicated);
    expect(Math.abs(s.link.fates.duplicated / 20_000 - 0.02)).toBeLessThan(0.004);
    expect(new Set(s.arrivals.map(({ n }) => n)).size).toBe(20_000);
  });

  test("a capped line delays, then drops, and carries as much as it can", () => {
    // 100 bytes 60 times per second are 6,000 bytes per second.
    const s = setUp({ bytesPerSecond: 3000 });
    s.run(6000);
    expect(s.link.fates.dropped + s.arrivals.length).toBe(6000);
    expect(Math.abs(s.arrivals.length / 3000 - 1)).toBeLessThan(0.02);
    expect(Math.max(...s.arrivals.map(({ delay }) => delay))).toBeLessThanOrEqual(250 + 100 / 3 + 1e-6);
    const wide = setUp({ bytesPerSecond: 7000 });
    wide.run(6000);
    expect(wide.arrivals.length).toBe(6000);
  });

  test("reliable messages pass a capped line in order, and leave room for others", () => {
    const s = setUp({ latency: 50, bytesPerSecond: 10_000 });
    for (let i = 0; i < 300; i++) s.send(true);
    const bulk = () => s.arrivals.filter(({ n }) => n < 300);
    s.run(100, 20);
    expect(bulk().map(({ n }) => n)).toEqual(Array.from({ length: 300 }, (_, n) => n));
    expect(s.arrivals.length - bulk().length).toBeGreaterThan(50);
  });

  test("reliable messages survive 30 % loss and jitter, in order, later by round trips", () => {
    const s = setUp({ latency: 50, jitter: 5, loss: 0.3, burst: 4, duplicate: 0.1, reorder: 0.1 });
    s.run(5000, 1000 / 60, true);
    expect(s.arrivals.map(({ n }) => n)).toEqual(Array.from({ length: 5000 }, (_, n) => n));
    expect(s.link.fates.resent).toBeGreaterThan(1000);
    const single = setUp({ latency: 50, loss: 0.3 });
    single.run(3000, 2000, true);
    const delays = new Set(single.arrivals.map(({ delay }) => Math.round(delay)));
    for (const delay of delays) expect((delay - 50) % 120).toBe(0);
    expect(delays.size).toBeGreaterThan(4);
    expect(Math.abs(single.link.fates.resent / 3000 - 0.3 / 0.7)).toBeLessThan(0.05);
  });

  test("a cut link holds reliable messages until it is restored", () => {
    const s = setUp({ latency: 10 });
    s.link.configure({ loss: 1 });
    for (let i = 0; i < 100; i++) {
      s.send(i % 2 === 0);
      s.time.advance(1000);
    }
    expect(s.arrivals).toEqual([]);
    expect(s.link.fates.lost).toBe(50);
    s.link.configure({ loss: 0 });
    s.time.advance(100);
    expect(s.arrivals.map(({ n }) => n)).toEqual(Array.from({ length: 50 }, (_, n) => 2 * n));
  });

  test("conditions can change while messages are under way, which keep their order", () => {
    const s = setUp({ latency: 500 });
    s.send();
    s.time.advance(100);
    s.link.configure({ latency: 10 });
    expect(s.link.conditions).toMatchObject({ latency: 10, jitter: 0, burst: 1, bytesPerSecond: Infinity });
    s.send();
    s.time.advance(450);
    s.send();
    s.time.advance(100);
    expect(s.arrivals.map(({ n, at }) => [n, at])).toEqual([
      [0, 500],
      [1, 500],
      [2, 560],
    ]);
  });

  test("the same seed gives the same fates, another seed others", () => {
    const times = (seed: number | string) => {
      const s = setUp({ ...NETWORK_PROFILES.hell, seed });
      s.run(2000);
      return s.arrivals.map(({ n, at }) => `${n} ${at}`).join();
    };
    expect(times(7)).toBe(times(7));
    expect(times("7")).not.toBe(times(7));
    expect(times(8)).not.toBe(times(7));
  });

  test("a close follows the reliable messages before it, and then nothing arrives", () => {
    const s = setUp({ latency: 50, loss: 0.2, seed: 3 });
    const log: string[] = [];
    s.link.on("close", (reason) => log.push(`near ${reason} ${s.arrivals.length}`));
    s.far.on("close", (reason) => log.push(`far ${reason} ${s.arrivals.length}`));
    for (let i = 0; i < 20; i++) s.send(true);
    s.link.close("bye");
    s.send(true);
    expect(s.link.state).toBe("closed");
    s.far.send(new Uint8Array(1));
    s.time.advance(10_000);
    expect(log).toEqual(["near bye 0", "far bye 20"]);
    expect(s.time.nextDue).toBe(Infinity);
  });

  test("messages, and a close of the other side, pass at once", () => {
    const s = setUp({ latency: 1000 });
    const log: unknown[] = [];
    s.link.on("message", (bytes) => log.push([...bytes]));
    s.link.on("close", (reason) => log.push(reason));
    s.send();
    s.far.send(Uint8Array.of(5));
    s.far.close("gone");
    s.time.advance(5000);
    expect(log).toEqual([[5], "gone"]);
    expect(s.arrivals).toEqual([]);
  });

  test("gives up when too many reliable messages wait", () => {
    const s = setUp({ loss: 1 });
    const bytes = new Uint8Array(1200);
    let count = 0;
    while (s.link.state === "open" && count < 1e5) {
      s.link.send(bytes, true);
      count++;
    }
    expect([s.link.state, s.far.state]).toEqual(["closed", "closed"]);
    expect(count).toBe(Math.floor((64 * 1024 * 1024) / 1200) + 1);
  });

  test("uses the same memory again", () => {
    const time = virtualScheduler();
    const seen = new Set<Uint8Array>();
    const [near] = loopbackPair();
    const spy = {
      ...near,
      state: "open" as const,
      on: near.on.bind(near),
      close() {},
      send: (bytes: Uint8Array) => void seen.add(bytes),
    };
    const link = conditioned(spy, { latency: 100, jitter: 10, loss: 0.1, scheduler: time });
    const bytes = new Uint8Array(12);
    for (let i = 0; i < 5000; i++) {
      link.send(bytes, i % 10 === 0);
      time.advance(10);
    }
    expect(seen.size).toBeLessThan(40);
  });

  test("rejects bad conditions", () => {
    const [link] = loopbackPair();
    expect(() => conditioned(link, { loss: 2 })).toThrow(
      "conditioned: loss must be a number from 0 to 1, got 2. Try 0.",
    );
    expect(() => conditioned(link, { lag: 2 } as never)).toThrow('conditioned: unknown option "lag"');
    expect(() => conditioned(link, { seed: 0.5 })).toThrow("conditioned: seed must be a whole number");
    expect(() => conditioned(link).configure({ seed: 1 } as never)).toThrow('unknown option "seed"');
    expect(() => conditioned(undefined as never)).toThrow("conditioned: link must be an object");
  });
});

describe("network profiles", () => {
  const names: NetworkProfile[] = ["LAN", "good wifi", "bad wifi", "4G", "satellite", "hell"];
  test.each(names)("%s is valid and does what it says", (name) => {
    const profile = NETWORK_PROFILES[name];
    const s = setUp({ ...profile, scheduler: virtualScheduler() });
    expect(s.link.conditions).toMatchObject(profile);
    const run = setUp(profile);
    run.run(20_000);
    const lost = 1 - new Set(run.arrivals.map(({ n }) => n)).size / 20_000;
    expect(Math.abs(lost - (profile.loss ?? 0))).toBeLessThan(0.015);
    expect(Math.abs(mean(run.arrivals.map(({ delay }) => delay)) - profile.latency!)).toBeLessThan(
      1 + profile.jitter!,
    );
  });
});
