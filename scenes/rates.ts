// What a rate means, in virtual time: the same figures in every run. docs/choosing-a-rate.md quotes them.
import { localSession, simulation } from "../src/sim/index.js";
import { balls, ballsScript } from "./balls.js";
import { crowd, type Thinking } from "./crowd.js";
import { CLOCKS, inputToPhoton } from "./score.js";
import { tickwise } from "./pacing.js";

export const STEP_RATES = [10, 20, 30, 60, 120, 240] as const;
const DISPLAYS = [60, 144] as const;
export const THINKINGS: readonly Thinking[] = ["every step", "in a beat", "in turns"];

const round = (value: number, digits: number): number => Number(value.toFixed(digits)) + 0;

/** Mean milliseconds from an input to the picture that shows it, by step rate and display. */
export function latencies(seconds: number) {
  const byDisplay = (rate: number) =>
    Object.fromEntries(
      DISPLAYS.map((refresh) => [
        `on ${refresh}`,
        round(inputToPhoton(tickwise, rate, { ...CLOCKS.chrome, refresh, seconds }), 1),
      ]),
    );
  return Object.fromEntries(STEP_RATES.map((rate) => [rate, byDisplay(rate)]));
}

/** Pairs of the 1,000 balls that overlap, and how deep, in percent of their distance at contact: means of 20 moments. */
export function overlaps() {
  return Object.fromEntries(STEP_RATES.map((rate) => [rate, overlapsAt(rate)]));
}

function overlapsAt(rate: number) {
  const session = localSession(simulation({ ...balls.options, rate }), {
    inputs: (players, { tick }) => ballsScript(players, Math.floor((tick * 60) / rate)),
    present: "none",
  });
  const { x, y, radius } = session.world.balls;
  let [pairs, depth] = [0, 0];
  for (let second = 0; second < 20; second++) {
    for (let i = 0; i < rate; i++) session.advance();
    for (let a = 0; a < x.length; a++)
      for (let b = a + 1; b < x.length; b++) {
        const [dx, dy, reach] = [x[a]! - x[b]!, y[a]! - y[b]!, radius[a]! + radius[b]!];
        const distance = dx * dx + dy * dy;
        if (distance >= reach * reach) continue;
        pairs++;
        depth += 1 - Math.sqrt(distance) / reach;
      }
  }
  return { pairs: round(pairs / 20, 0), depth: round((100 * depth) / pairs, 1) };
}

/** Agents of a crowd of 1,000 that think in a step: on average, and at most. */
export function thoughts() {
  return Object.fromEntries(
    THINKINGS.map((thinking) => {
      const session = localSession(crowd(thinking), { present: "none" });
      let max = 0;
      for (let i = 0; i < 600; i++) {
        session.advance();
        max = Math.max(max, session.world.now);
      }
      return [thinking, { mean: round(session.world.thoughts / 600, 1), max }];
    }),
  );
}
