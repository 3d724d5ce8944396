// How the time that a page needs to draw adds to the delay, on virtual time: docs/threads.md derives it.
import { expect, test } from "vitest";
import { startArcade } from "./virtual-arcade.js";

const COST = 4;
const LATENCY = 0.2;

/** Draws 59 frames per second, so that frames begin at all times between two steps, and each takes `drawing` milliseconds. */
async function delayOf(memory: "shared" | "transferred", drawing: number) {
  const page = await startArcade({
    session: { memory, inTime: 1 },
    cost: () => COST,
    latency: LATENCY,
    frameRate: 59,
    draw: drawing,
  });
  page.begin();
  page.run(10_000);
  const { wantedDelay, starvedFrames } = page.session.timing;
  page.run(20_000);
  const laterStarved = page.session.timing.starvedFrames - starvedFrames;
  page.end();
  return { wantedDelay, laterStarved };
}

test.each([0, 8, 13])("with shared memory, %i ms of drawing do not change the delay", async (drawing) => {
  const { wantedDelay, laterStarved } = await delayOf("shared", drawing);
  expect(wantedDelay).toBeCloseTo(COST, 3);
  expect(laterStarved).toBe(0);
});

test.each([0, 8, 13])("with transferred states, %i ms of drawing add as much at most", async (drawing) => {
  const { wantedDelay, laterStarved } = await delayOf("transferred", drawing);
  // A state that arrives just after a frame has begun waits for all of it. Frames begin at most 0.3 ms later in relation to each step.
  expect(wantedDelay).toBeLessThanOrEqual(COST + LATENCY + drawing + 1e-3);
  expect(wantedDelay).toBeGreaterThan(COST + LATENCY + drawing - 0.3);
  expect(laterStarved).toBe(0);
});
