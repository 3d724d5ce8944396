// docs/article.md answers every question, wish and pitfall of the sources. The sources are not in the repository, but each row says
// where it was asked, so that no comment thread can be forgotten.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ROOT } from "../../scripts/setup.mjs";
import { Loop } from "../../src/loop/index.js";
import { figuresOf, rowsOf, threadsIn, unsourcedFigure, wrongFigures } from "./article.js";
import { anchorsOf, linksOf } from "./markdown.js";

const PAGE = "docs/article.md";
const THREADS = 159;

const read = (path: string) =>
  existsSync(join(ROOT, path)) ? readFileSync(join(ROOT, path), "utf8") : undefined;
const page = read(PAGE)!;
const rows = rowsOf(page);

/** Returns ids in the order of the page that are not the next of their theme. */
function gapsIn(ids: readonly string[]): string[] {
  const last = new Map<string, number>();
  return ids.filter((id) => {
    const [theme, number] = [id[0]!, Number(id.slice(1))];
    const expected = (last.get(theme) ?? 0) + 1;
    last.set(theme, number);
    return number !== expected;
  });
}

/** Returns links whose file or heading does not exist. */
const brokenIn = (markdown: string) =>
  linksOf(PAGE, markdown)
    .filter(({ path, anchor }) => {
      const target = read(path);
      return target === undefined || (anchor !== undefined && !anchorsOf(target).includes(anchor));
    })
    .map(({ link }) => link);

/** Returns the paths of the repository in code spans that do not exist. */
const missingIn = (markdown: string) =>
  [...markdown.matchAll(/`((?:src|test|bench|scenes|lab|examples|scripts)\/[\w./-]+)`/g)]
    .map(([, path]) => path!)
    .filter((path) => !existsSync(join(ROOT, path)));

describe("docs/article.md", () => {
  test("every line of its tables is a row, and the rows of each theme are numbered without gaps", () => {
    const lines = page.split("\n").filter((line) => /^\| [A-Z]\d/.test(line));
    expect(rows.length).toBeGreaterThan(145);
    expect(rows.map(({ id }) => id)).toEqual(lines.map((line) => line.split(" ")[1]));
    expect(gapsIn(rows.map(({ id }) => id))).toEqual([]);
  });

  test("every row has a question, an answer of at most three lines, links, and says where it was asked", () => {
    for (const row of rows) {
      for (const cell of Object.values(row)) expect(cell.trim(), row.id).not.toBe("");
      expect(row.answer.replace(/\([^)]*\)/g, "").length, row.id).toBeLessThan(420);
      expect(linksOf(PAGE, row.see).length, row.id).toBeGreaterThan(0);
      expect(row.from, row.id).toMatch(/^([ARS]|\d+(–\d+)?)(, ([ARS]|\d+(–\d+)?))*$/);
    }
  });

  test("no answer is to come", () => {
    const open = rows.filter(({ answer }) => /to come|not yet/i.test(answer)).map(({ id }) => id);
    expect(open).toEqual([]);
  });

  test("every link leads to a file and a heading, and every path in code exists", () => {
    expect(brokenIn(page)).toEqual([]);
    expect(missingIn(page)).toEqual([]);
  });

  test("every figure is printed by a bench, asserted by a test, or printed by an example", () => {
    const figures = figuresOf(page);
    expect(figures.length).toBeGreaterThan(20);
    expect(wrongFigures(figures, read)).toEqual([]);
  });

  test("no answer has a figure without a source", () => {
    const unsourced = rows.map(({ id, answer }) => [id, unsourcedFigure(answer)]);
    expect(unsourced.filter(([, figure]) => figure !== undefined)).toEqual([]);
  });

  test("every comment thread is answered, or listed as one that asks nothing", () => {
    const silent = threadsIn(/Threads that ask nothing: ([^.]*)\./.exec(page)![1]!);
    const answered = new Set(rows.flatMap(({ from }) => threadsIn(from)));
    const all = Array.from({ length: THREADS }, (_, i) => i + 1);
    expect(silent.filter((thread) => answered.has(thread))).toEqual([]);
    expect([...silent, ...answered].sort((a, b) => a - b)).toEqual(all);
  });
});

describe("T29: to read the clock again after slow steps, advance twice", () => {
  const SLOW = 50;
  /** Plays frames at 60 Hz in which a step is slow, as the recipe does. Returns the ages of the pictures, in milliseconds. */
  function agesOf(readsAgain: boolean, isSlow: (tick: number) => boolean) {
    let [clock, given] = [0, 0];
    const loop = new Loop({ rate: 60, step: ({ tick }) => void (clock += isSlow(tick) ? SLOW : 1) });
    const advance = () => {
      const now = clock;
      loop.advance((now - given) / 1e3);
      given = now;
    };
    const ages = Array.from({ length: 60 }, (_, refresh) => {
      clock = Math.max(clock, (refresh + 1) * (1e3 / 60));
      advance();
      if (readsAgain && clock - given >= 1e3 * loop.dt) advance();
      return clock - 1e3 * loop.frame.shownTime;
    });
    return { ages, loop, clock };
  }

  test("the picture after a slow step is up to date, and no time is lost or counted twice", () => {
    const once = agesOf(false, (tick) => tick === 5);
    const again = agesOf(true, (tick) => tick === 5);
    expect(Math.max(...once.ages)).toBeCloseTo(66.7, 1);
    expect(Math.max(...again.ages)).toBeLessThan(25);
    expect(again.loop.tick).toBe(once.loop.tick);
    expect(again.loop.lostSeconds).toBe(0);
  });

  test("frames end even if every step is too slow", () => {
    const { loop, clock } = agesOf(true, () => true);
    expect(loop.lostSeconds).toBeGreaterThan(0);
    // Two advances of at most 0.25 s each.
    expect(clock).toBeLessThanOrEqual(60 * 2 * 15 * SLOW);
  });
});

describe("these checks report", () => {
  test("gaps, repeated numbers and swapped rows", () => {
    expect(gapsIn(["D1", "D2", "T1", "D3"])).toEqual([]);
    expect(gapsIn(["D1", "D3", "T2", "T2"])).toEqual(["D3", "T2", "T2"]);
  });

  test("links and paths that lead nowhere", () => {
    expect(brokenIn("[a](loop.md#rates) [b](none.md) [c](loop.md#none) [d](https://a.b/c)")).toEqual([
      "(none.md)",
      "(loop.md#none)",
    ]);
    expect(missingIn("`src/index.ts` `src/none.ts` `test/none/`")).toEqual(["src/none.ts", "test/none/"]);
  });

  test("figures that their source does not contain", () => {
    const files: Record<string, string> = {
      "bench/results.json": '{ "pacing": { "rms": { "a b": 0.0567 } } }',
      "src/a.test.ts": "expect(steps).toBe(5_184_000); expect(seconds).toBe(4.75);",
      "docs/loop.md": "It is 99 ms.\nconsole.log(x); // → 41 steps",
    };
    const wrong = (text: string) => wrongFigures(figuresOf(text), (path) => files[path]).length;
    expect(wrong("**0.057** (bench `pacing/rms/a b`)")).toBe(0);
    expect(wrong("**5.7 %** (bench `pacing/rms/a b`)")).toBe(0);
    expect(wrong("**0.058** (bench `pacing/rms/a b`)")).toBe(1);
    expect(wrong("**0.057** (bench `pacing/none/a b`)")).toBe(1);
    expect(wrong("**5,184,000 steps** (test `src/a.test.ts`), **4.75 s** (test `src/a.test.ts`)")).toBe(0);
    expect(wrong("**184,000** (test `src/a.test.ts`), **4.7** (test `src/a.test.ts`)")).toBe(2);
    expect(wrong("**4.75** (test `src/b.test.ts`), **no number** (test `src/a.test.ts`)")).toBe(2);
    expect(wrong("**41** (example `loop.md`)")).toBe(0);
    expect(wrong("**99 ms** (example `loop.md`), **4** (example `loop.md`)")).toBe(2);
  });

  test("figures without a source", () => {
    expect(unsourcedFigure("**4.75** (test `a.test.ts`) at 60 Hz; `maxFrameTime: 0.25`")).toBeUndefined();
    expect(unsourcedFigure("60 steps per second on [144 Hz](smoothness.md#limits)")).toBeUndefined();
    expect(unsourcedFigure("it takes 4.75 s")).toBe("4.75");
    expect(unsourcedFigure("it takes 5 ms")).toBe("5 ms");
    expect(unsourcedFigure("**12** of them")).toBe("bold text without a source");
  });

  test("threads in ranges", () => {
    expect(threadsIn("A, 3, 5–7")).toEqual([3, 5, 6, 7]);
  });
});
