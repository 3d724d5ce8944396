import { expect, test } from "vitest";
import { blocksOf, firstBroken, promisedBy } from "./blocks.js";

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

test("finds ts blocks with their lines, and what they promise", () => {
  const blocks = blocksOf("a.md", MARKDOWN);
  expect(blocks.map(({ line, runs }) => ({ line, runs }))).toEqual([
    { line: 4, runs: true },
    { line: 13, runs: false },
  ]);
  expect(blocks.map(promisedBy)).toEqual([["1", "a  b"], []]);
});

test("what is printed is what was promised, no less and no more, and in order", () => {
  expect(firstBroken(["1", "2"], ["1", "2"])).toBeUndefined();
  expect(firstBroken([], [])).toBeUndefined();
  expect(firstBroken(["1", "2"], ["0", "1", "2"])).toBe("0");
  expect(firstBroken(["1", "2"], ["1", "x", "2"])).toBe("x");
  expect(firstBroken(["1", "2"], ["1", "2", "3"])).toBe("3");
  expect(firstBroken(["1", "2"], ["2", "1"])).toBe("2");
  expect(firstBroken(["1", "1"], ["1"])).toBe("1");
  expect(firstBroken(["1"], ["10"])).toBe("1");
});

test("… stands for what is not shown", () => {
  expect(firstBroken(["…", "1", "…", "2"], ["0", "1", "x", "y", "2"])).toBeUndefined();
  expect(firstBroken(["1", "…"], ["1", "2", "3"])).toBeUndefined();
  expect(firstBroken(["…"], [])).toBeUndefined();
  expect(firstBroken(["…", "1"], ["0", "1", "2"])).toBe("2");
  expect(firstBroken(["…", "1"], ["0"])).toBe("1");
});
