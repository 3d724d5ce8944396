/** Fits a line to points: `base + slope * x`, with the least squares. One point gives a line through 0. */
export function fitLine(points) {
  const n = points.length;
  const mean = (value) => points.reduce((sum, point) => sum + value(point), 0) / n;
  const x = mean(([at]) => at);
  const y = mean(([, value]) => value);
  if (n < 2) return { base: 0, slope: n === 0 ? 0 : y / x };
  const slope =
    points.reduce((sum, [at, value]) => sum + (at - x) * (value - y), 0) /
    points.reduce((sum, [at]) => sum + (at - x) ** 2, 0);
  return { base: y - slope * x, slope };
}

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
