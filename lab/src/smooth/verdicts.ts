/** RMS judder from which a moving edge looks blurred or doubled. */
export const VISIBLE = 0.05;
/** Avoidable RMS judder up to which a pacing is as good as possible. */
export const AVOIDABLE = 0.01;

/** Returns what a better clock could remove of an RMS judder. The best possible one has only the rest. */
export const avoidableOf = (rms: number, bestRms: number): number =>
  Math.sqrt(Math.max(0, rms ** 2 - bestRms ** 2));
