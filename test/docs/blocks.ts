/** A fenced ts block of a Markdown file. */
export interface Block {
  readonly file: string;
  /** Number of its first line of code, counted from 1. */
  readonly line: number;
  readonly code: string;
  readonly runs: boolean;
}

/** Finds blocks fenced as ```ts, which must run, and as ```ts no-run, which must only compile. */
export function blocksOf(file: string, markdown: string): Block[] {
  const blocks: Block[] = [];
  for (const match of markdown.matchAll(/^```ts( no-run)?\n([^]*?)^```$/gm)) {
    const line = markdown.slice(0, match.index).split("\n").length + 1;
    blocks.push({ file, line, code: match[2]!, runs: !match[1] });
  }
  return blocks;
}

/** Returns the output that a block expects: the text after each `// →`. */
export function expectedOutputOf(block: Block): string[] {
  return [...block.code.matchAll(/\/\/ → (.*)$/gm)].map((match) => match[1]!.trimEnd());
}

/** Stands for any number of lines of output. */
const REST = "…";

/** Returns the first expected line that was not printed, or the first printed line that was not expected. */
export function firstMismatch(expected: readonly string[], printed: readonly string[]): string | undefined {
  let from = 0;
  let isRest = false;
  for (const line of expected) {
    if (line === REST) {
      isRest = true;
      continue;
    }
    const found = printed.indexOf(line, from);
    if (found < 0) return line;
    if (found > from && !isRest) return printed[from];
    from = found + 1;
    isRest = false;
  }
  return isRest ? undefined : printed[from];
}
