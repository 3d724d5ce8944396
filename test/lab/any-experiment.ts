// Tests that every experiment must pass: labels, layout, motion, settings and keyboard.
import type { Page } from "puppeteer-core";
import { describe, expect, test } from "vitest";
import { FULL } from "../full.js";
import { sampleOf } from "../shared/sample.js";
import { frames, layoutShiftOf, open, queryOf, read } from "./pages.js";

interface Expected {
  /** Number of moving lanes. */
  readonly lanes: number;
  /** A value for each slider, below its maximum. */
  readonly values: Readonly<Record<string, number>>;
  /** The other controls that the tab key must reach. */
  readonly controls: readonly string[];
}

/** The hashes of all experiments. */
export const EXPERIMENTS = [
  "#five-loops",
  "#spiral",
  "#smooth",
  "#3d",
  "#engines",
  "#determinism",
  "#time",
  "#game",
  "#network",
  "#server",
  "#thread",
  "#friend",
];

/** The experiments whose widths, settings and tab order are tested. The full run takes all. */
const SAMPLE = sampleOf(EXPERIMENTS, 6, "#five-loops", "#network");

export function testExperiment(hash: string, { lanes, values, controls }: Expected): void {
  describe(`${hash}:`, () => {
    let page: Page | undefined;
    /** Returns the page of the last test, as opening one takes longer than most of the tests. */
    async function ready(): Promise<Page> {
      if (page && !page.isClosed()) return page;
      page = await open(hash);
      await page.waitForSelector(".lane");
      return page;
    }

    test("causes no layout shift while running, and moves in every lane", async () => {
      const page = await ready();
      // Screenshots, because a WebGL canvas cannot be read back.
      const pictures = async () => {
        const canvases = await page.$$(".lane > canvas");
        return Promise.all(canvases.map((canvas) => canvas.screenshot({ encoding: "base64" })));
      };
      await frames(page, FULL ? 90 : 30);
      expect(await layoutShiftOf(page)).toBeLessThan(0.03);
      const before = await pictures();
      expect(before.length).toBe(lanes);
      const moved = before.map(() => false);
      const look = async () => {
        for (const [lane, picture] of (await pictures()).entries()) moved[lane] ||= picture !== before[lane];
        return moved;
      };
      await expect.poll(look).toEqual(before.map(() => true));
      // Make sure that a shift is detected. Pictures may have scrolled the page, and what is above it does not shift it.
      const line = `Object.assign(document.createElement("p"), { className: "shift", textContent: "A line" })`;
      await read(page, `scrollTo(0, 0), void document.body.prepend(${line}, ${line}, ${line})`);
      await expect.poll(() => layoutShiftOf(page)).toBeGreaterThan(0.03);
      await read(page, `document.querySelectorAll(".shift").forEach((line) => line.remove())`);
    });

    test("labels every control", async () => {
      const nameless = `[...document.querySelectorAll("button, input, select, canvas[class], .strip, section, aside, nav")]
        .filter((e) => !(e.ariaLabel || e.textContent.trim() ||
          document.getElementById(e.getAttribute("aria-labelledby"))?.textContent))
        .map((e) => e.outerHTML)`;
      expect(await read(await ready(), nameless)).toEqual([]);
    });

    const isSampled = SAMPLE.includes(hash);
    test.runIf(isSampled)(
      "applies every setting, by keyboard and by mouse, and keeps it in the address",
      async () => {
        const page = await ready();
        const first = Object.fromEntries(await queryOf(page));
        for (const [name, value] of Object.entries(values)) {
          await page.click(`[data-setting="${name}"] input`, { count: 3 });
          await page.keyboard.type(String(value));
          await page.keyboard.press("Enter");
          await expect.poll(async () => (await queryOf(page)).get(name)).toBe(String(value));
        }
        for (const [name, before] of Object.entries(values)) {
          const slider = (await page.$(`[data-setting="${name}"] .lil-slider`))!;
          const { x, y, width, height } = (await slider.boundingBox())!;
          await page.mouse.click(x + width - 2, y + height / 2);
          const input = `document.querySelector('[data-setting="${name}"] input')`;
          const value = await read<number>(page, `Number(${input}.value)`);
          expect(value, name).toBeGreaterThan(before);
          await expect.poll(async () => (await queryOf(page)).get(name)).toBe(String(value));
        }
        await page.click("xpath/.//button[.='Default settings']");
        await expect.poll(async () => Object.fromEntries(await queryOf(page))).toEqual(first);
      },
    );

    test.runIf(isSampled)("fits any width in light and dark mode", async () => {
      const page = await ready();
      const themes = FULL ? ["light", "dark"] : ["dark"];
      for (const width of FULL ? [320, 390, 820, 1440] : [320, 820, 1440])
        for (const value of themes) {
          await page.setViewport({ width, height: 900 });
          await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value }]);
          await frames(page, 2);
          const overflow = await read(page, "document.documentElement.scrollWidth - innerWidth");
          expect(overflow).toBeLessThanOrEqual(0);
        }
    });

    test.runIf(isSampled)("reaches every control with the tab key", async () => {
      const page = await ready();
      const reached = new Set<string>();
      const wanted = [...controls, ...Object.keys(values), "pause", "restart", ...EXPERIMENTS];
      for (let i = 0; i < 60 && !wanted.every((name) => reached.has(name)); i++) {
        await page.keyboard.press("Tab");
        const active = "document.activeElement";
        reached.add(
          await read<string>(
            page,
            `${active}.id || ${active}.closest("[data-setting]")?.dataset.setting || ${active}.hash || ""`,
          ),
        );
      }
      for (const name of wanted) expect(reached).toContain(name);
    });
  });
}
