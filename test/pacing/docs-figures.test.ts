// The tables of docs/smoothness.md and docs/displays.md have the figures that `npm run bench -- pacing` printed.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

const textOf = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), "utf8");
const { multiples, unsteady } = JSON.parse(textOf("bench/results.json")).pacing;

/** The rows of all tables under a heading: their cells, without backticks. */
function rowsUnder(page: string, heading: string): string[][] {
  const text = textOf(`docs/${page}`);
  const start = text.indexOf(`\n${heading}\n`);
  expect(start, heading).toBeGreaterThan(0);
  const end = text.indexOf("\n## ", start + heading.length);
  return [...text.slice(start, end).matchAll(/^\|(.*)\|$/gm)]
    .map(([, row]) => row!.split("|").map((cell) => cell.trim().replaceAll("`", "")))
    .filter((cells) => !/^-+:?$/.test(cells[0]!));
}

/** The numbers of a row, without its first `labels` cells. */
const numbers = (row: readonly string[], labels = 1) => row.slice(labels).map(Number);

test("Stolk's method", () => {
  const [head, ...rows] = rowsUnder("smoothness.md", "## The display's own rate");
  const refreshes = head!.slice(1).map((cell) => parseInt(cell));
  const names = { Stolk: "stolk", "rate: 240": "fixed", "whole steps per refresh": "multiple" };
  const wanted = (["speed", "rms"] as const).flatMap((figure) =>
    Object.entries(names).map(([label, name]) => [
      `${figure === "rms" ? "judder" : figure}, ${label}`,
      ...refreshes.map((refresh) => String(multiples.coarse[name][figure][refresh])),
    ]),
  );
  expect(rows).toEqual(wanted);
  // "The latency is the same for all three."
  const { stolk, fixed, multiple } = multiples.chrome;
  expect(fixed.inputToPhotonMs).toEqual(stolk.inputToPhotonMs);
  expect(multiple.inputToPhotonMs).toEqual(stolk.inputToPhotonMs);
  // "The measured rate may be off by up to 0.1 %."
  for (const clock of Object.values<typeof multiples.chrome>(multiples))
    for (const speed of Object.values<number>(clock.multiple.speed))
      expect(Math.abs(speed - 100)).toBeLessThan(0.1);
});

describe("displays", () => {
  test("vsync off", () => {
    const [, ...rows] = rowsUnder("displays.md", "## Vsync off");
    const wanted = Object.entries<Record<string, number>>(unsteady.vsyncOff).map(([name, figures]) => [
      ...name.replace(" fps", "").split(", "),
      String(figures.display),
      String(figures.oracle),
    ]);
    expect(rows).toEqual(wanted);
    const even = unsteady.variable["200 fps ± 0.5 %, chrome"];
    const text = textOf("docs/displays.md").replace(/\s+/g, " ");
    expect(text).toContain(
      `the clock locks for ${even.locked} % of the frames. That does no harm: judder is ${even.display} % instead of ${even.plainRaf} %, and the time stays within ${even.distanceMs} ms`,
    );
  });

  test("variable refresh rates", () => {
    const { variable } = unsteady;
    const rows = rowsUnder("displays.md", "## Variable refresh rates");
    const of = (name: string) => variable[`48 to 144 Hz, ${name}`];
    for (const [i, clock] of ["chrome", "coarse", "late"].entries()) {
      const { display, meanOfFour, oracle, locked } = of(clock);
      expect(numbers(rows[1 + i]!)).toEqual([display, meanOfFour, oracle, locked]);
    }
    for (const [i, name] of ["48 to 144 Hz, as seen", "90 fps ± 1 %, as seen"].entries()) {
      const { display, meanOfFour, oracle } = variable[name];
      expect(numbers(rows[5 + i]!)).toEqual([display, meanOfFour, oracle]);
    }
    const phone = variable["120 and 60 Hz in turns, chrome"];
    const text = textOf("docs/displays.md").replace(/\s+/g, " ");
    expect(text).toContain(
      `it is locked for ${phone.locked} % of the frames, and judder is ${phone.display} %; an accumulator fed by the timestamps has ${phone.plainRaf} %`,
    );
  });

  test("coarse clocks", () => {
    const rows = rowsUnder("displays.md", "## Coarse clocks");
    const { clocks } = unsteady;
    const at144 = rows.slice(1, 8);
    for (const row of at144) {
      const { display, plainRaf, meanOfFour, firstLockMs, distanceMs } = clocks[`144 Hz, ${row[0]}`];
      expect(numbers(row), row[0]).toEqual([display, plainRaf, meanOfFour, firstLockMs, distanceMs]);
    }
    for (const row of rows.slice(9)) {
      const { irregular, irregularPlain } = clocks[`60 Hz, ${row[0]}`];
      expect(numbers(row), row[0]).toEqual([irregular, irregularPlain]);
    }
    expect(rows.length).toBe(8 + 6);
  });

  test("the display's own rate", () => {
    const [, ...rows] = rowsUnder("displays.md", "## The display's own rate");
    expect(rows).toEqual(
      Object.entries<{ rate: number; afterSeconds: number }>(unsteady.rates).map(
        ([name, { rate, afterSeconds }]) => [name, String(rate), String(afterSeconds)],
      ),
    );
  });
});
