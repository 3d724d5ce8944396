/** Returns the name that was probably meant: the nearest one, if only a few letters differ, ignoring case. */
export function nearest(word: string, names: readonly string[]): string | undefined {
  for (const edits of [0, 1, 2])
    for (const name of names)
      if (edits <= name.length / 3 && isWithin(edits, word.toLowerCase(), name.toLowerCase())) return name;
  return undefined;
}

/** Whether a text becomes another by adding, removing or replacing letters, or swapping two neighbours, up to `edits` times. */
function isWithin(edits: number, a: string, b: string): boolean {
  if (a === b) return true;
  if (a && a[0] === b[0]) return isWithin(edits, a.slice(1), b.slice(1));
  const isLess = (fromA: number, fromB: number) => isWithin(edits - 1, a.slice(fromA), b.slice(fromB));
  const isSwapped = a[0] === b[1] && a[1] === b[0];
  return edits > 0 && (isLess(1, 0) || isLess(0, 1) || isLess(1, 1) || (isSwapped && isLess(2, 2)));
}
