import type { InputField } from "../input/index.js";

/** How long a recording is. */
export function secondsText(seconds: number): string {
  const hundredths = Math.round(seconds * 100);
  const minutes = Math.floor(hundredths / 6000);
  const rest = ((hundredths % 6000) / 100).toFixed(2);
  return minutes > 0 ? `${minutes} min ${rest} s` : `${rest} s`;
}

/** What an input is. */
export function fieldText(name: string, { kind, bits, base, most }: InputField<boolean | number>): string {
  if (kind === "button") return name;
  return kind === "int" ? `${name} (${base} to ${base + most})` : `${name} (${kind} of ${bits} bits)`;
}

/** What is read of a file; or what is wrong with it, in words. */
export function readFile<T>(file: string, read: (path: string) => T): T | string {
  try {
    return read(file);
  } catch (error) {
    return (error as Error).message;
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
