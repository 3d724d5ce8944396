import type { InputField } from "../input/index.js";
import { escaped } from "./escape.js";
import { bytesOf } from "./files.js";

/** How long a recording is. */
export function secondsText(seconds: number): string {
  const hundredths = Math.round(seconds * 100);
  const minutes = Math.floor(hundredths / 6000);
  const rest = ((hundredths % 6000) / 100).toFixed(2);
  return minutes > 0 ? `${minutes} min ${rest} s` : `${rest} s`;
}

/** What an input is. */
export function fieldText(name: string, { kind, bits, base, max }: InputField<boolean | number>): string {
  const shown = escaped(name);
  if (kind === "button") return shown;
  return kind === "int" ? `${shown} (${base} to ${base + max})` : `${shown} (${kind} of ${bits} bits)`;
}

/** What is read of a recording; or what is wrong with it, in words. */
export function readFile<T>(file: string, read: (bytes: Uint8Array) => T): T | string {
  try {
    // Anything but a recording is not read, as it may be long.
    const first = bytesOf(file, 4);
    if (first.length === 0) return "it is empty";
    const begins = bytesText(first);
    if (begins !== BEGINNING)
      return `it is no recording: it begins with ${begins}, where one has ${BEGINNING}`;
    return read(bytesOf(file));
  } catch (error) {
    return plain((error as Error).message);
  }
}

/** The first four bytes of every recording, as `bytesText` has them. */
const BEGINNING = '"TWRP"';

/** Bytes as a text if they are one, else one by one. */
export function bytesText(bytes: Uint8Array): string {
  const isText = bytes.every((byte) => (byte >= 0x20 && byte < 0x7f) || [9, 10, 13].includes(byte));
  if (isText) return JSON.stringify(String.fromCharCode(...bytes));
  return `the bytes ${Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join(" ")}`;
}

/** The library's calls that the commands make; they lead its messages. */
const CALLS = /(?<![\w.])(?:readReplay|replayPlayer|verify|syncTest|(?:Player|Session|State)\.\w+): /g;

/** What the library says, for those who know only the command line. What follows the first line are a user's fields. */
export function plain(message: string): string {
  const [head = "", ...rest] = message.split("\n");
  const said = head
    .replace(CALLS, "")
    .replace(/Try what .* gave\b[^.]*\.$/, "Try the file as it was recorded, whole.")
    .replace(/Try syncTest\.$/, "Try tickwise synctest.");
  return [said, ...rest].join("\n");
}

/** What a step threw. What a guard says of its options is here an option, too. */
export const thrownText = (error: unknown): string =>
  textOf(error).replace(
    /^Error: step: (.* must not be called: .* accept the risk): guard\(\{ allow: \["(.*)"\] \}\)\.$/,
    (_, said: string, call: string) =>
      `Error: ${said}: --allow ${/^[\w.]+$/.test(call) ? call : `"${call}"`}.`,
  );

/** Any value as text. Code can throw anything, even values that cannot be converted to text. */
function textOf(value: unknown): string {
  try {
    const text = String(value);
    return text === "[object Object]" ? JSON.stringify(value) : text;
  } catch {
    return `${typeof value === "function" ? "a function" : "an object"} that cannot be shown`;
  }
}

/** What an input is while a player does nothing. */
export const restOf = ({ kind, base }: InputField<boolean | number>): boolean | number =>
  kind === "button" ? false : kind === "int" ? base : 0;

/** A value of an input; of an axis as short as it can be told from its neighbours. */
export function valueText(value: boolean | number, { bits }: InputField<boolean | number>): string {
  if (typeof value === "boolean" || Number.isInteger(value)) return `${value}`;
  return `${Number(value.toFixed(Math.ceil(bits * Math.log10(2)) + 1))}`;
}
