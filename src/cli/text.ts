import { isTickwiseError, showBytes } from "../errors/index.js";
import type { InputField } from "../input/index.js";
import { escaped } from "./escape.js";
import { bytesOf } from "./files.js";

/** Formats a duration. */
export function secondsText(seconds: number): string {
  const hundredths = Math.round(seconds * 100);
  const minutes = Math.floor(hundredths / 6000);
  const rest = ((hundredths % 6000) / 100).toFixed(2);
  return minutes > 0 ? `${minutes} min ${rest} s` : `${rest} s`;
}

/** Describes an input. */
export function fieldText(name: string, { kind, bits, base, max }: InputField<boolean | number>): string {
  const shown = escaped(name);
  if (kind === "button") return shown;
  return kind === "int" ? `${shown} (${base} to ${base + max})` : `${shown} (${kind} of ${bits} bits)`;
}

/** Reads a recording by `read`; or returns what is wrong with it. */
export function readFile<T>(file: string, read: (bytes: Uint8Array) => T): T | string {
  try {
    // Anything but a recording may be long, so read only its beginning.
    return wrongBeginning(bytesOf(file, 4)) ?? read(bytesOf(file));
  } catch (error) {
    return errorText(error);
  }
}

/** The same for bytes that are in memory. */
export function readBytes<T>(bytes: Uint8Array, read: (bytes: Uint8Array) => T): T | string {
  try {
    return wrongBeginning(bytes.subarray(0, 4)) ?? read(bytes);
  } catch (error) {
    return errorText(error);
  }
}

function wrongBeginning(first: Uint8Array): string | undefined {
  if (first.length === 0) return "the file is empty";
  const begins = showBytes(first);
  return begins === BEGINNING
    ? undefined
    : `not a recording: it begins with ${begins}, not with ${BEGINNING}`;
}

/** The first four bytes of every recording, as `showBytes` formats them. */
const BEGINNING = '"TWRP"';

/** The problem and the fix of an error, without the name of the library's call. */
export function errorText(error: unknown): string {
  if (!isTickwiseError(error)) return error instanceof Error ? error.message : thrownText(error);
  const { problem, fix } = error;
  return [problem, ...(fix === undefined ? [] : [fix])].map(sentence).join(" ");
}

const sentence = (text: string): string => (/[.?!]$/.test(text) ? text : `${text}.`);

/** The same for options of a call that are options of a command, too: as one types them. `others` have another name there. */
export function optionText(
  error: unknown,
  options: Readonly<Record<string, unknown>>,
  others: Readonly<Record<string, string>> = {},
): string {
  const text = errorText(error);
  const [name = ""] = /^[a-z]+(?= must )/i.exec(text) ?? [];
  const option = others[name] ?? name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  if (!Object.hasOwn(options, option)) return text;
  const example = / Try \[?"(.*?)"\]?\.$/;
  return `--${option}${text.slice(name.length)}`.replace(example, ` Try --${option} $1.`);
}

/** Says what a step, or init, threw. For a call that --guard forbids, names the option that allows it. */
export function failureText(name: string, error: unknown): string {
  if (!isTickwiseError(error) || error.code !== "forbidden-call") return `${name} threw ${thrownText(error)}`;
  const allowed = String(error.value);
  // Quotation marks for the shell.
  const argument = /^[\w.]+$/.test(allowed) ? allowed : `"${allowed}"`;
  return `${name}: ${errorText(error).replace(/guard\(.*\)\.$/, () => `--allow ${argument}`)}`;
}

/** Formats a thrown value: code can throw anything, even values that cannot be converted to text. */
export function thrownText(value: unknown): string {
  try {
    const text = String(value);
    return text === "[object Object]" ? JSON.stringify(value) : text;
  } catch {
    return `${typeof value === "function" ? "a function" : "an object"} that cannot be shown`;
  }
}

/** The value of an input while a player does nothing. */
export const restOf = ({ kind, base }: InputField<boolean | number>): boolean | number =>
  kind === "button" ? false : kind === "int" ? base : 0;

/** Formats the value of an input. An axis has just enough digits to tell neighbouring values apart. */
export function valueText(value: boolean | number, { bits }: InputField<boolean | number>): string {
  if (typeof value === "boolean" || Number.isInteger(value)) return `${value}`;
  return `${Number(value.toFixed(Math.ceil(bits * Math.log10(2)) + 1))}`;
}
