/** A row of the tables in docs/article.md: a question, wish or pitfall of the sources, and our answer. */
export interface Row {
  /** A letter for the theme and a number, such as `D7`. */
  readonly id: string;
  readonly question: string;
  readonly answer: string;
  /** Links to pages. */
  readonly see: string;
  /** Where it was asked: A, R, S, or the number of a comment thread. */
  readonly from: string;
}

/** A number in an answer, and the file that prints or asserts it. */
export interface Figure {
  readonly text: string;
  readonly kind: "bench" | "test" | "example";
  readonly source: string;
}

const ROW = /^\| ([A-Z]\d+) \| (.*?) \| (.*?) \| (.*?) \| (.*?) \|$/gm;
const FIGURE = /\*\*([^*]+)\*\* \((bench|test|example) `([^`]+)`\)/g;

/** Finds numbers that look measured: with decimals, thousands, or a unit. Round settings, such as 60 Hz, do not count. */
const MEASURED =
  /\d+\.\d+|\d,\d{3}|\d+ ?(%|×|times|ns|µs|ms|bytes?|KB|MB|px|pixels?|ticks?|fps|frames per second)(?![\w])/;

export const rowsOf = (page: string): Row[] =>
  [...page.matchAll(ROW)].map(([, id, question, answer, see, from]) => ({
    id: id!,
    question: question!,
    answer: answer!,
    see: see!,
    from: from!,
  }));

/** Returns the figures of a text: a bold number, followed by its source. */
export const figuresOf = (text: string): Figure[] =>
  [...text.matchAll(FIGURE)].map(([, figure, kind, source]) => ({
    text: figure!,
    kind: kind as Figure["kind"],
    source: source!,
  }));

/** Returns what is left of an answer without code, links and figures with a source, if that looks like a figure. */
export function unsourcedFigure(answer: string): string | undefined {
  const rest = answer
    .replace(FIGURE, "")
    .replace(/`[^`]*`/g, "")
    .replace(/\]\([^)]*\)/g, "]");
  return /\*\*/.test(rest) ? "bold text without a source" : MEASURED.exec(rest)?.[0];
}

/** Returns the threads that a text names: `3, 5–7` are four of them. */
export const threadsIn = (text: string): number[] =>
  [...text.matchAll(/(\d+)(?:–(\d+))?/g)].flatMap(([, first, last = first]) =>
    Array.from({ length: Number(last) - Number(first) + 1 }, (_, i) => Number(first) + i),
  );

/** The number that a figure states, and its decimals. `5,184,000 steps` is 5184000 with none. */
function numberIn(text: string): { digits: string; decimals: number; isPercent: boolean } {
  const digits = /-?\d[\d,]*(?:\.\d+)?/.exec(text)?.[0].replaceAll(",", "") ?? "";
  return { digits, decimals: digits.split(".")[1]?.length ?? 0, isPercent: text.includes("%") };
}

/** Whether a bench printed a figure: the number at a path of results.json, rounded as the figure is. */
function isPrinted({ text, source }: Figure, results: unknown): boolean {
  const value = source
    .split("/")
    .reduce<unknown>((part, key) => (part as Record<string, unknown> | undefined)?.[key], results);
  if (typeof value !== "number") return false;
  const { digits, decimals, isPercent } = numberIn(text);
  const stated = Number(digits).toFixed(decimals);
  return value.toFixed(decimals) === stated || (isPercent && (100 * value).toFixed(decimals) === stated);
}

/** Whether a text contains a number, and not as a part of a longer one. */
function hasNumber(text: string, digits: string): boolean {
  const plain = text.replace(/(?<=\d)[_,](?=\d{3})/g, "");
  return new RegExp(`(?<![\\d.])${digits.replace(".", "\\.")}(?!\\d|\\.\\d)`).test(plain);
}

/** Returns the figures whose source does not contain them. `read` returns a file, or undefined if there is none. */
export function wrongFigures(
  figures: readonly Figure[],
  read: (path: string) => string | undefined,
): Figure[] {
  return figures.filter((figure) => {
    const { digits } = numberIn(figure.text);
    if (digits === "") return true;
    if (figure.kind === "bench") return !isPrinted(figure, JSON.parse(read("bench/results.json") ?? "{}"));
    if (figure.kind === "test")
      return !figure.source.endsWith(".test.ts") || !hasNumber(read(figure.source) ?? "", digits);
    // The tests compare these lines with what the code of the page prints.
    const output = (read(`docs/${figure.source}`) ?? "").match(/\/\/ → .*$/gm) ?? [];
    return !output.some((line) => hasNumber(line, digits));
  });
}
