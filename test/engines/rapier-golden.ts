/** Of the whole pile after so many ticks: changed only on purpose, or with another version of Rapier. */
export const PILE_HASHES: Readonly<Record<number, string>> = {
  600: "8c4cd30c36e9b4d3",
  6000: "a809949227ddaa22",
};
