/** A hash as two words of eight digits. */
export const hashText = (hash: readonly [number, number]): string =>
  hash.map((word) => word.toString(16).padStart(8, "0")).join(" ");
