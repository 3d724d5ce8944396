/** The counts are those after which a digest is recorded: GOLDEN_COUNTS of test/engines. */
export const SETTINGS = {
  count: {
    label: "Arguments a function",
    choices: { "1000": "1,000", "20000": "20,000", "100000": "100,000" },
    initial: "20000",
  },
} as const;
