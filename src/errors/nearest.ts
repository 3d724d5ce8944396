/** The name that was probably meant: the nearest one, if few letters are wrong, ignoring case. */
export function nearest(word: string, words: readonly string[]): string | undefined {
  const [best] = words
    .map((other) => ({ other, away: distance(word.toLowerCase(), other.toLowerCase()) }))
    .filter(({ other, away }) => away <= Math.min(2, other.length / 3))
    .sort((a, b) => a.away - b.away);
  return best?.other;
}

/** Letters to add, remove or exchange; two neighbours that changed places are one such. */
function distance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      let least = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (isSame ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, before[j - 2]! + 1);
      next.push(least);
    }
    before = row;
    row = next;
  }
  return row.at(-1)!;
}
