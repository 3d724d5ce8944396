// What is printed: results on stdout; progress, remarks and complaints on stderr.
import { bar } from "./bar.js";
import { escapedJson, escapedLines } from "./escape.js";

const CODES = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33 } as const;
export type Colour = keyof typeof CODES;

type Stream = { readonly isTTY?: boolean };

/** https://no-color.org; FORCE_COLOR as Node has it. */
function isColourful({ isTTY = false }: Stream): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env;
  if (NO_COLOR) return false;
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== "0" && FORCE_COLOR !== "false";
  return isTTY && TERM !== "dumb";
}

/** A coloured text. Not a string with codes, as codes in strings are escaped: colours are added after that. */
interface Painted {
  readonly colour: Colour;
  readonly text: string;
}

export const painted = (colour: Colour, text: string): Painted => ({ colour, text });

/** Writes a line, with everything escaped that a terminal would act on. */
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

/** A result, with a line's end. */
export function print(...pieces: (string | Painted)[]): void {
  write(process.stdout, pieces);
}

/** A value as one line of JSON. What JSON has no number for is a text. */
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

/** Beside the results. */
export function remark(text: string): void {
  write(process.stderr, [text]);
}

export function complain(text: string): void {
  write(process.stderr, [painted("red", "tickwise:"), ` ${text}`]);
}

/** Lines that belong to the one before. */
export const indented = (text: string, by: number): string => text.replace(/^(?=.)/gm, " ".repeat(by));

/** "1 file", "2 files", "3 hashes". */
export const count = (number: number, what: string): string =>
  `${number.toLocaleString("en")} ${what}${number === 1 ? "" : what.endsWith("h") ? "es" : "s"}`;
