/** A fenced ts block of a Markdown file. */
export interface Block {
  readonly file: string;
  /** Of its first line of code, counted from 1. */
  readonly line: number;
  readonly code: string;
  readonly runs: boolean;
}

/** Finds the blocks fenced as ```ts, which run, and as ```ts no-run, which only have to compile. */
export function blocksOf(file: string, markdown: string): Block[] {
  const blocks: Block[] = [];
  for (const match of markdown.matchAll(/^```ts( no-run)?\n([^]*?)^```$/gm)) {
    const line = markdown.slice(0, match.index).split("\n").length + 1;
    blocks.push({ file, line, code: match[2]!, runs: !match[1] });
  }
  return blocks;
}

/** What a block says that it prints: the text after each `// →`. */
export function promisedBy(block: Block): string[] {
  return [...block.code.matchAll(/\/\/ → (.*)$/gm)].map((match) => match[1]!.trimEnd());
}

/** Stands for lines that a block prints and does not show. */
const REST = "…";

/** The first promised line that was not printed, or the first printed one that was not promised. */
export function firstBroken(promised: readonly string[], printed: readonly string[]): string | undefined {
  let from = 0;
  let isRest = false;
  for (const line of promised) {
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
