import { expect, test } from "vitest";
import { blocksOf, firstMismatch, expectedOutputOf } from "./blocks.js";

const MARKDOWN = `# Title

\`\`\`ts
console.log(1); // → 1
console.log("a  b"); // → a  b
\`\`\`

\`\`\`sh
npm test
\`\`\`

\`\`\`ts no-run
draw(); // nothing
\`\`\`
`;

test("finds ts blocks with their line numbers and expected output", () => {
  const blocks = blocksOf("a.md", MARKDOWN);
  expect(blocks.map(({ line, runs }) => ({ line, runs }))).toEqual([
    { line: 4, runs: true },
    { line: 13, runs: false },
  ]);
  expect(blocks.map(expectedOutputOf)).toEqual([["1", "a  b"], []]);
});

test("output must match line by line, in order", () => {
  expect(firstMismatch(["1", "2"], ["1", "2"])).toBeUndefined();
  expect(firstMismatch([], [])).toBeUndefined();
  expect(firstMismatch(["1", "2"], ["0", "1", "2"])).toBe("0");
  expect(firstMismatch(["1", "2"], ["1", "x", "2"])).toBe("x");
  expect(firstMismatch(["1", "2"], ["1", "2", "3"])).toBe("3");
  expect(firstMismatch(["1", "2"], ["2", "1"])).toBe("2");
  expect(firstMismatch(["1", "1"], ["1"])).toBe("1");
  expect(firstMismatch(["1"], ["10"])).toBe("1");
});

test("… matches any number of lines", () => {
  expect(firstMismatch(["…", "1", "…", "2"], ["0", "1", "x", "y", "2"])).toBeUndefined();
  expect(firstMismatch(["1", "…"], ["1", "2", "3"])).toBeUndefined();
  expect(firstMismatch(["…"], [])).toBeUndefined();
  expect(firstMismatch(["…", "1"], ["0", "1", "2"])).toBe("2");
  expect(firstMismatch(["…", "1"], ["0"])).toBe("1");
});
