// What is printed: results on stdout; progress, remarks and complaints on stderr.
import { bar } from "./bar.js";

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

const paint = (stream: Stream, colour: Colour, text: string) =>
  isColourful(stream) ? `\x1b[${CODES[colour]}m${text}\x1b[0m` : text;

/** A text for stdout, in a colour if it has any. */
export const painted = (colour: Colour, text: string): string => paint(process.stdout, colour, text);

/** A result, with a line's end. */
export function print(text: string): void {
  bar.clear();
  process.stdout.write(`${text}\n`);
}

/** A value as one line of JSON. What JSON has no number for is a text. */
export function printJson(value: unknown): void {
  print(
    JSON.stringify(value, (_, part: unknown) =>
      typeof part === "number" && (!Number.isFinite(part) || Object.is(part, -0))
        ? Object.is(part, -0)
          ? "-0"
          : `${part}`
        : part,
    ),
  );
}

/** Beside the results. */
export function remark(text: string): void {
  bar.clear();
  process.stderr.write(`${text}\n`);
}

export function complain(text: string): void {
  bar.clear();
  process.stderr.write(`${paint(process.stderr, "red", "tickwise:")} ${text}\n`);
}

/** Lines that belong to the one before. */
export const indented = (text: string, by: number): string => text.replace(/^(?=.)/gm, " ".repeat(by));

/** "1 file", "2 files", "3 hashes". */
export const count = (number: number, what: string): string =>
  `${number.toLocaleString("en")} ${what}${number === 1 ? "" : what.endsWith("h") ? "es" : "s"}`;
