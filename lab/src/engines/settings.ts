/** Digests are recorded for these counts only: see GOLDEN_COUNTS in test/engines. */
export const SETTINGS = {
  count: {
    label: "Arguments per function",
    choices: { "1000": "1,000", "20000": "20,000", "100000": "100,000" },
    initial: "20000",
  },
} as const;
