// Tests that every experiment must pass: labels, layout, motion, settings and keyboard.
import type { Page } from "puppeteer-core";
import { describe, expect, test } from "vitest";
import { FULL } from "../full.js";
import { frames, open, queryOf, read } from "./pages.js";

interface Expected {
  /** Number of moving lanes. */
  readonly lanes: number;
  /** A value for each slider, below its maximum. */
  readonly values: Readonly<Record<string, number>>;
  /** The other controls that the tab key must reach. */
  readonly controls: readonly string[];
}

const ALL = [
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
  "#friend",
];

async function openReady(hash: string): Promise<Page> {
  const page = await open(hash);
  await page.waitForSelector(".lane");
  return page;
}

export function testExperiment(hash: string, { lanes, values, controls }: Expected): void {
  describe(`${hash}:`, () => {
    test("labels every control, and fits any width in light and dark mode", async () => {
      const page = await openReady(hash);
      const nameless = `[...document.querySelectorAll("button, input, select, canvas[class], .strip, section, aside, nav")]
        .filter((e) => !(e.ariaLabel || e.textContent.trim() ||
          document.getElementById(e.getAttribute("aria-labelledby"))?.textContent))
        .map((e) => e.outerHTML)`;
      expect(await read(page, nameless)).toEqual([]);
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

    test("moves in every lane", async () => {
      const page = await openReady(hash);
      // Screenshots, because a WebGL canvas cannot be read back.
      const pictures = async () => {
        const canvases = await page.$$(".lane > canvas");
        return Promise.all(canvases.map((canvas) => canvas.screenshot({ encoding: "base64" })));
      };
      await frames(page, 5);
      const before = await pictures();
      expect(before.length).toBe(lanes);
      const moved = before.map(() => false);
      const look = async () => {
        for (const [lane, picture] of (await pictures()).entries()) moved[lane] ||= picture !== before[lane];
        return moved;
      };
      await expect.poll(look).toEqual(before.map(() => true));
    });

    test("applies every setting, by keyboard and by mouse, and keeps it in the address", async () => {
      const page = await openReady(hash);
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
    });

    test("reaches every control with the tab key", async () => {
      const page = await openReady(hash);
      const reached = new Set<string>();
      for (let i = 0; i < 40; i++) {
        await page.keyboard.press("Tab");
        const active = "document.activeElement";
        reached.add(
          await read<string>(
            page,
            `${active}.id || ${active}.closest("[data-setting]")?.dataset.setting || ${active}.hash || ""`,
          ),
        );
      }
      for (const name of [...controls, ...Object.keys(values), "pause", "restart", ...ALL])
        expect(reached).toContain(name);
    });

    test("causes no layout shift while running", async () => {
      const page = await openReady(hash);
      await frames(page, FULL ? 90 : 45);
      expect(await layoutShiftOf(page)).toBeLessThan(0.03);
      // Make sure that a shift is detected.
      const line = `Object.assign(document.createElement("p"), { textContent: "A line" })`;
      await read(page, `void document.body.prepend(${line}, ${line}, ${line})`);
      await expect.poll(() => layoutShiftOf(page)).toBeGreaterThan(0.03);
    });
  });
}

/** Returns the page's cumulative layout shift. */
function layoutShiftOf(page: Page): Promise<number> {
  return read(
    page,
    `new Promise((done) => {
      new PerformanceObserver((list) => done(list.getEntries().reduce((sum, { value }) => sum + value, 0)))
        .observe({ type: "layout-shift", buffered: true });
      setTimeout(() => done(0), 300);
    })`,
  );
}
