import { misuse } from "../errors/index.js";
import { rateInStep } from "../loop/index.js";
import type { ExactRate } from "../loop/index.js";
import type { AnySimulation } from "./simulation.js";

/** Throws if a loop of another rate steps a session: time would run too fast or too slow, and blends would be wrong. */
export function requireRate({ rate, name }: AnySimulation): void {
  const loopRate = rateInStep();
  if (loopRate === undefined || (loopRate[0] === rate[0] && loopRate[1] === rate[1])) return;
  misuse(
    "rate-mismatch",
    "Session.advance",
    `a loop of ${hertz(loopRate)} cannot step the simulation ${JSON.stringify(name)} of ${hertz(rate)}`,
    "Use { rate: game.rate }, or every(loop, game.rate, () => session.advance())",
  );
}

const hertz = ([numerator, denominator]: ExactRate): string =>
  denominator === 1 ? `${numerator} Hz` : `${numerator}/${denominator} Hz`;
