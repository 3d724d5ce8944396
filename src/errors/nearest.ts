/** Returns the name that was probably meant: the same one, or one that differs in up to two neighbouring letters, ignoring case. */
export function nearest(word: string, names: readonly string[]): string | undefined {
  const find = (max: number) =>
    names.find((name) => differing(word.toLowerCase(), name.toLowerCase()) <= Math.min(max, name.length / 2));
  return find(0) ?? find(1) ?? find(2);
}

/** Counts the letters between the common start and the common end of two texts. */
function differing(a: string, b: string): number {
  if (a && a[0] === b[0]) return differing(a.slice(1), b.slice(1));
  if (a && a.at(-1) === b.at(-1)) return differing(a.slice(0, -1), b.slice(0, -1));
  return Math.max(a.length, b.length);
}
