/** Of the whole pile after so many ticks: changed only on purpose, or with another version of Rapier. */
export const PILE_HASHES: Readonly<Record<number, string>> = {
  600: "96b441384ea3a81f",
  6000: "1697c1bff56b5e22",
};
