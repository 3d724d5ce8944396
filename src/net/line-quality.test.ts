import { describe, expect, test } from "vitest";
import { random } from "../math/index.js";
import { LineQuality } from "./line-quality.js";

const TICK = 1000 / 60;

/** Sends a packet per tick over a line for some ticks; the peer acknowledges each at once. */
function measured(
  ticks: number,
  line: { readonly oneWay: (tick: number) => number; readonly loss?: number },
): LineQuality {
  const quality = new LineQuality(TICK);
  const dice = random(new Uint32Array(4)).seed("line");
  const events: { at: number; act: () => void }[] = [];
  for (let tick = 1; tick <= ticks; tick++) {
    const now = tick * TICK;
    events.push({ at: now, act: () => quality.onSent(tick, now) });
    const arrival = now + line.oneWay(tick);
    if (!dice.chance(line.loss ?? 0))
      events.push({ at: arrival, act: () => quality.onPacket(tick, arrival) });
    const back = arrival + line.oneWay(tick);
    events.push({ at: back, act: () => quality.onAck(tick, back) });
  }
  events.sort((a, b) => a.at - b.at).forEach(({ act }) => act());
  return quality;
}

describe("a line", () => {
  test("without jitter and loss", () => {
    const { roundTrip, jitter, loss, roundTripSpread } = measured(300, { oneWay: () => 40 });
    expect(roundTrip).toBeCloseTo(80, 6);
    expect(jitter).toBeCloseTo(0, 6);
    expect([loss, roundTripSpread < 1e-6]).toEqual([0, true]);
  });

  test("that becomes slow: the round trip follows within a second", () => {
    const { roundTrip } = measured(300, { oneWay: (tick) => (tick < 200 ? 20 : 60) });
    expect(roundTrip).toBeGreaterThan(118);
    expect(roundTrip).toBeLessThan(120);
  });

  test("whose packets take turns between 37 and 43 ms", () => {
    const { jitter, roundTrip, roundTripSpread } = measured(600, {
      oneWay: (tick) => (tick % 2 === 0 ? 37 : 43),
    });
    expect(jitter).toBeCloseTo(6, 1);
    expect(roundTrip).toBeCloseTo(80, -0.5);
    expect(roundTripSpread).toBeCloseTo(6, 0);
  });

  test("that loses every fifth packet on average", () => {
    const { loss } = measured(3000, { oneWay: () => 40, loss: 0.2 });
    expect(loss).toBeGreaterThan(0.15);
    expect(loss).toBeLessThan(0.25);
  });
});

test("old, unknown and repeated acknowledgements change nothing", () => {
  const quality = measured(100, { oneWay: () => 40 });
  const before = quality.roundTrip;
  quality.onAck(50, 10_000);
  quality.onAck(100, 10_000);
  quality.onAck(400, 10_000);
  expect(quality.roundTrip).toBe(before);
});

test("a stalled tick is measured from its first packet", () => {
  const quality = new LineQuality(TICK);
  quality.onSent(5, 100);
  quality.onSent(5, 116);
  quality.onAck(5, 180);
  expect(quality.roundTrip).toBe(80);
});

test("late packets are no negative loss, and a long gap counts as one of 64", () => {
  const quality = new LineQuality(TICK);
  quality.onPacket(10, 0);
  quality.onPacket(9, 1);
  expect(quality.loss).toBe(0);
  quality.onPacket(1e9, 1e6);
  expect(quality.loss).toBeGreaterThan(0.2);
  expect(quality.loss).toBeLessThan(0.25);
});
