import type { MonitorValue } from "./monitors.js";
import type { Figures } from "./figures.js";

/** Frames with more steps than this are counted as one kind. */
export const MANY = 8;

const count = String;
const milliseconds = (seconds: number) => `${(seconds * 1e3).toFixed(2)} ms`;
const seconds = (value: number) => `${value.toFixed(3)} s`;
const percent = (part: number) => `${(part * 100).toFixed(1)} %`;

/** The figures that are numbers, and how a table shows them. */
const FIGURES = {
  frames: count,
  steps: count,
  frameTime: milliseconds,
  framesWithoutTime: count,
  stepCost: milliseconds,
  renderCost: milliseconds,
  load: percent,
  lostSeconds: seconds,
  overloads: count,
  droppedFrames: count,
  irregularFrames: count,
  judder: percent,
  worstJudder: percent,
  moveError: percent,
  effectiveSpeed: percent,
} satisfies { [K in keyof Figures]?: (value: number) => string };

type FigureName = keyof typeof FIGURES;
const NAMES = Object.keys(FIGURES) as FigureName[];

/** The figures of a loop as plain data. */
export type FiguresData = { readonly [K in FigureName]: number } & {
  /** Frames that ran 0, 1, … 8 or more steps. */
  readonly framesWith: readonly number[];
};

/** Returns figures as plain data. */
export function dataOf(figures: Figures): FiguresData {
  const numbers = NAMES.map((name) => [name, figures[name]] as const);
  const framesWith = Array.from({ length: MANY + 1 }, (_, steps) => figures.framesWith(steps));
  return { ...(Object.fromEntries(numbers) as Record<FigureName, number>), framesWith };
}

/** Returns a table with a column for each set of figures, and a line for each monitor. */
export function tableOf(
  columns: Readonly<Record<string, Figures>>,
  monitors: Readonly<Record<string, MonitorValue>> = {},
): string {
  const all = Object.values(columns);
  const lines = [
    ["", ...Object.keys(columns)],
    ...NAMES.map((name) => [name, ...all.map((figures) => FIGURES[name](figures[name]))]),
  ];
  for (let steps = 0; steps <= MANY; steps++)
    if (all[0]!.framesWith(steps) > 0)
      lines.push([`framesWith(${steps})`, ...all.map((figures) => count(figures.framesWith(steps)))]);
  for (const [name, value] of Object.entries(monitors)) lines.push([name, monitorText(value)].map(onOneLine));
  const widths = lines[0]!.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map(([name, ...values]) => [
      name!.padEnd(widths[0]!),
      ...values.map((value, i) => value.padStart(widths[i + 1]!)),
    ])
    .map((cells) => cells.join("  "))
    .join("\n");
}

/** Returns what a monitor shows as text: a number with four digits, if it has a fraction. */
function monitorText(value: MonitorValue): string {
  if (typeof value !== "number" || Number.isInteger(value)) return String(value);
  return String(Math.abs(value) < 1e3 ? Number(value.toPrecision(4)) : Math.round(value));
}

/** Replaces line breaks, tabs and other control characters by spaces. */
const onOneLine = (text: string) => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ");
