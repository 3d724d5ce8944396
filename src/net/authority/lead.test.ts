import { describe, expect, test } from "vitest";
import { random } from "../../math/index.js";
import { Lead, LeadPace } from "./lead.js";

const TICK = 1000 / 60;

/** A line on which the input of each tick takes some milliseconds to a server whose tick 0 was at time 0. */
function play(
  lead: Lead,
  first: number,
  ticks: number,
  ahead: number,
  delay: (tick: number) => number,
): void {
  for (let tick = first; tick < first + ticks; tick++) {
    const sentAt = (tick - ahead) * TICK;
    lead.onSent(tick, sentAt);
    // The step of tick t is at t ticks.
    lead.onReport(tick, tick + 1, tick - (sentAt + delay(tick)) / TICK);
  }
}

const dice = () => random(new Uint32Array(4)).seed("lead");

describe("Lead", () => {
  test("finds how far ahead inputs must be sent, whatever the client does now", () => {
    for (const ahead of [0, 3, 20]) {
      const lead = new Lead(TICK);
      expect([lead.isKnown, lead.isSure]).toEqual([false, false]);
      play(lead, 0, 200, ahead, () => 50);
      expect([lead.isKnown, lead.isSure]).toEqual([true, true]);
      // Three ticks for the line, and half a tick to be safe.
      expect(lead.excess(200, (200 - 3.5) * TICK)).toBeCloseTo(0);
      expect(lead.excess(200, (200 - 10) * TICK)).toBeCloseTo(6.5);
      expect(lead.margin).toBeCloseTo(ahead - 3);
      expect(lead.marginSpread).toBeCloseTo(0);
    }
  });

  test("covers jitter, but not the very worst", () => {
    const [lead, die] = [new Lead(TICK), dice()];
    play(lead, 0, 600, 10, (tick) => (tick === 400 ? 400 : 50 + 50 * die.float()));
    // Sent 100 ms before its step, an input comes in time.
    const due = 600 - 100 / TICK;
    expect(Math.abs(lead.excess(600, due * TICK) + 0.5)).toBeLessThan(0.5);
  });

  test("a line that gets worse counts at once; one that gets better, after some seconds", () => {
    const lead = new Lead(TICK);
    play(lead, 0, 300, 10, () => 30);
    const now = 300 * TICK;
    const before = lead.excess(310, now);
    play(lead, 300, 5, 10, () => 130);
    expect(before - lead.excess(310, now)).toBeGreaterThan(5);
    play(lead, 305, 100, 10, () => 30);
    expect(before - lead.excess(310, now)).toBeGreaterThan(5);
    play(lead, 405, 600, 10, () => 30);
    expect(lead.excess(310, now)).toBeCloseTo(before);
  });

  test("an outage is not hedged against", () => {
    const lead = new Lead(TICK);
    play(lead, 0, 300, 10, () => 30);
    const before = lead.excess(310, 0);
    // The inputs of a second arrive together, when the line is back.
    for (let tick = 300; tick < 360; tick++) lead.onSent(tick, (tick - 10) * TICK);
    lead.onReport(300, 360, 359 - (349 * TICK + 30) / TICK);
    expect(lead.excess(310, 0)).toBeCloseTo(before);
    // One input was lost, and sent again only a second later, as this machine stood still.
    for (let tick = 360; tick < 363; tick++) lead.onSent(tick, (tick - 10) * TICK);
    lead.onSent(363, (363 + 50) * TICK);
    lead.onReport(360, 364, 363 - (413 * TICK + 30) / TICK);
    expect(lead.excess(310, 0)).toBeCloseTo(before);
  });

  test("a server that stood still is followed within about a second", () => {
    const lead = new Lead(TICK);
    play(lead, 0, 500, 10, () => 30);
    const before = lead.excess(600, 0);
    // All of its ticks are two seconds later than planned.
    for (let tick = 500; tick < 600; tick++) {
      const sentAt = (tick - 10) * TICK;
      lead.onSent(tick, sentAt);
      lead.onReport(tick, tick + 1, tick + 120 - (sentAt + 30) / TICK);
    }
    expect(lead.excess(600, 0) - before).toBeCloseTo(120);
  });

  test("each tick counts once, and only if it is known when it was sent", () => {
    const lead = new Lead(TICK);
    lead.onReport(5, 8, 2);
    expect(lead.isKnown).toBe(false);
    lead.onSent(8, 100);
    lead.onSent(8, 999);
    expect([lead.sentAt(8), lead.sentAt(9)]).toEqual([100, -1]);
    lead.onReport(8, 9, 2);
    lead.onReport(8, 9, -50);
    expect(lead.margin).toBeCloseTo(2);
    lead.reset();
    expect([lead.isKnown, lead.sentAt(8)]).toEqual([false, -1]);
  });
});

describe("LeadPace", () => {
  test("speeds up at once, slows down only when sure and clearly too early, and stops in between", () => {
    const pace = new LeadPace();
    const steps: [excess: number, maySlowDown: boolean, expected: number][] = [
      [0.5, true, 1],
      [-0.1, true, 1.05],
      [0.1, true, 1.05],
      [0.3, true, 1],
      [0.8, true, 1],
      [1.2, false, 1],
      [1.2, true, 0.95],
      [0.5, true, 0.95],
      [0.2, true, 1],
      [-3, false, 1.05],
    ];
    for (const [excess, maySlowDown, expected] of steps) {
      pace.update(excess, maySlowDown);
      expect([excess, pace.value]).toEqual([excess, expected]);
    }
  });
});
