import type { MonitorValue } from "../loop/index.js";

/** A number with at most `digits` decimals, without trailing zeros. */
const brief = (value: number, digits: number) => String(Number(value.toFixed(digits)));

/** A rate in hertz. */
export const hertz = (value: number, digits = 1) => `${brief(value, digits)} Hz`;

/** Seconds, in milliseconds. */
export const milliseconds = (seconds: number) => `${(seconds * 1e3).toFixed(1)} ms`;

/** A fraction, in per cent. */
export const percent = (part: number, digits = 1) => `${brief(part * 100, digits)} %`;

/** What a monitor shows: a number with four digits, if it has a fraction. */
export function monitorText(value: MonitorValue): string {
  if (typeof value !== "number" || Number.isInteger(value)) return String(value);
  return Math.abs(value) < 1e3 ? String(Number(value.toPrecision(4))) : value.toFixed(0);
}

/** Stands for a figure that is not known. */
export const NONE = "–";
