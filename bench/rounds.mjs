/**
 * Times contenders in interleaved rounds: each runs once per round, and the order rotates, so that other load affects all of
 * them. Returns each one's milliseconds, round by round.
 */
export function interleave(contenders, { warmUp, rounds, now = () => performance.now() }) {
  const times = contenders.map(() => new Float64Array(rounds));
  for (let round = -warmUp; round < rounds; round++) {
    for (let turn = 0; turn < contenders.length; turn++) {
      const index = (turn + round + warmUp) % contenders.length;
      const start = now();
      contenders[index].run();
      const elapsed = now() - start;
      if (round >= 0) times[index][round] = elapsed;
    }
  }
  return times;
}

/** Returns the quartiles of one cost over another, compared round by round. */
export function compare(ours, theirs) {
  return spread(ours.map((time, round) => time / theirs[round]));
}

export function spread(values) {
  const at = (part) => quantile(values, part);
  return { p25: at(0.25), median: at(0.5), p75: at(0.75) };
}

/** Returns the value that a part of all values, 0 to 1, does not exceed. */
export function quantile(values, part) {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.round(part * (sorted.length - 1))];
}

export function rounded(value, digits = 2) {
  // Plus zero, as tiny negative numbers round to -0.
  return Number(value.toFixed(digits)) + 0;
}
