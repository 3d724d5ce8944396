// Prints results to stdout; progress, remarks and errors to stderr.
import { bar } from "./bar.js";
import { escapedJson, escapedLines } from "./escape.js";

const CODES = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33 } as const;
export type Colour = keyof typeof CODES;

type Stream = { readonly isTTY?: boolean };

/** Follows https://no-color.org, and FORCE_COLOR as Node does. */
function isColourful({ isTTY = false }: Stream): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env;
  if (NO_COLOR) return false;
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== "0" && FORCE_COLOR !== "false";
  return isTTY && TERM !== "dumb";
}

/** A coloured text. Not a string with colour codes, as these would be escaped. */
interface Painted {
  readonly colour: Colour;
  readonly text: string;
}

export const painted = (colour: Colour, text: string): Painted => ({ colour, text });

/** Writes a line, with all control codes escaped. */
function write(
  stream: Stream & Pick<NodeJS.WriteStream, "write">,
  pieces: readonly (string | Painted)[],
): void {
  const line = pieces.map((piece) => {
    if (typeof piece === "string") return escapedLines(piece);
    const text = escapedLines(piece.text);
    return isColourful(stream) ? `\x1b[${CODES[piece.colour]}m${text}\x1b[0m` : text;
  });
  bar.clear();
  stream.write(`${line.join("")}\n`);
}

/** Prints a line of a result. */
export function print(...pieces: (string | Painted)[]): void {
  write(process.stdout, pieces);
}

/** Prints a value as one line of JSON. Numbers that JSON does not have, such as NaN, become texts. */
export function printJson(value: unknown): void {
  const json = JSON.stringify(value, (_, part: unknown) =>
    typeof part === "number" && (!Number.isFinite(part) || Object.is(part, -0))
      ? Object.is(part, -0)
        ? "-0"
        : `${part}`
      : part,
  );
  print(escapedJson(json));
}

/** Prints a note to stderr. */
export function remark(text: string): void {
  write(process.stderr, [text]);
}

/** Prints an error to stderr. */
export function complain(text: string): void {
  write(process.stderr, [painted("red", "tickwise:"), ` ${text}`]);
}

/** Indents all lines. */
export const indented = (text: string, by: number): string => text.replace(/^(?=.)/gm, " ".repeat(by));

/** "1 file", "2 files", "3 hashes". */
export const count = (number: number, what: string): string =>
  `${number.toLocaleString("en")} ${what}${number === 1 ? "" : what.endsWith("h") ? "es" : "s"}`;

/** "a", "a or b", "a, b or c". */
export const anyOf = (values: readonly string[]): string =>
  [...(values.length > 1 ? [values.slice(0, -1).join(", ")] : []), values.at(-1)].join(" or ");
