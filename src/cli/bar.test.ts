import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Bar } from "./bar.js";

const WIPE = "\r\x1b[K";
/** Longer than one period of drawing, and shorter than two. */
const A_WHILE = 150;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubEnv("TERM", "xterm");
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

/** A stream that records what is written to it. */
function fakeStream(isTTY: boolean, columns: number) {
  const written: string[] = [];
  const stream = { isTTY, columns, write: (text: string | Uint8Array) => written.push(`${text}`) > 0 };
  return { bar: new Bar(stream), stream, written };
}

test("draws the progress periodically, and disappears at the end", () => {
  const { bar, written } = fakeStream(true, 80);
  let done = 0;
  bar.start(() => ({ done, total: 4, note: `${done} of 4 files` }));
  // Not at once: a short command needs no bar.
  expect(written).toEqual([]);
  vi.advanceTimersByTime(A_WHILE);
  done = 3;
  vi.advanceTimersByTime(A_WHILE);
  expect(written).toEqual([
    `${WIPE}${"░".repeat(24)} 0 of 4 files`,
    `${WIPE}${"█".repeat(18)}${"░".repeat(6)} 3 of 4 files`,
    `${WIPE}${"█".repeat(18)}${"░".repeat(6)} 3 of 4 files`,
  ]);
  bar.stop();
  expect(written.slice(3)).toEqual([WIPE]);
  vi.advanceTimersByTime(10 * A_WHILE);
  expect(written).toHaveLength(4);
});

test("disappears for another line, and comes back after it", () => {
  const { bar, written } = fakeStream(true, 80);
  bar.clear();
  expect(written).toEqual([]);
  bar.start(() => ({ done: 1, total: 1, note: "" }));
  vi.advanceTimersByTime(A_WHILE);
  bar.clear();
  bar.clear();
  expect(written.slice(1)).toEqual([WIPE]);
  vi.advanceTimersByTime(A_WHILE);
  expect(written.at(-1)).toBe(`${WIPE}${"█".repeat(24)} `);
  bar.stop();
});

test("fits the width of the terminal, and is never more than full", () => {
  const { bar, stream, written } = fakeStream(true, 30);
  bar.start(() => ({ done: 9, total: 0, note: "9 of 0 files" }));
  vi.advanceTimersByTime(A_WHILE);
  stream.columns = 10;
  vi.advanceTimersByTime(A_WHILE);
  // Some terminals do not report their width.
  stream.columns = 0;
  vi.advanceTimersByTime(A_WHILE);
  bar.stop();
  const full = "█".repeat(24);
  expect(new Set(written)).toEqual(
    new Set([`${WIPE}${full} 9 of`, `${WIPE}${full.slice(0, 9)}`, `${WIPE}${full} 9 of 0 files`, WIPE]),
  );
});

test.each([
  ["a file", false, "xterm"],
  ["a dumb terminal", true, "dumb"],
])("nothing is written to %s", (_, isTTY, term) => {
  vi.stubEnv("TERM", term);
  const { bar, written } = fakeStream(isTTY, 80);
  bar.start(() => ({ done: 1, total: 2, note: "" }));
  vi.advanceTimersByTime(10 * A_WHILE);
  bar.clear();
  bar.stop();
  expect(written).toEqual([]);
});
