// What holds of every experiment: names, widths, motion, settings, keys, and a page that stands still around it.
import type { Page } from "puppeteer-core";
import { describe, expect, test } from "vitest";
import { frames, open, queryOf, read } from "./pages.js";

interface Expected {
  /** How many things move side by side. */
  readonly lanes: number;
  /** A value for each of its sliders, less than the most. */
  readonly values: Readonly<Record<string, number>>;
  /** What else can be reached with the keyboard: its own buttons and lists. */
  readonly controls: readonly string[];
}

const ALL = ["#five-loops", "#spiral", "#smooth", "#3d", "#engines", "#determinism", "#time", "#game"];

async function openAtLast(hash: string): Promise<Page> {
  const page = await open(hash);
  await page.waitForSelector(".lane");
  return page;
}

export function testExperiment(hash: string, { lanes, values, controls }: Expected): void {
  describe(`${hash}:`, () => {
    test("all has a name; at any width, light or dark, nothing sticks out", async () => {
      const page = await openAtLast(hash);
      const nameless = `[...document.querySelectorAll("button, input, select, canvas[class], .strip, section, aside, nav")]
        .filter((e) => !(e.ariaLabel || e.textContent.trim() ||
          document.getElementById(e.getAttribute("aria-labelledby"))?.textContent))
        .map((e) => e.outerHTML)`;
      expect(await read(page, nameless)).toEqual([]);
      for (const width of [320, 390, 820, 1440])
        for (const value of ["light", "dark"]) {
          await page.setViewport({ width, height: 900 });
          await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value }]);
          await frames(page, 2);
          const out = await read(page, "document.documentElement.scrollWidth - innerWidth");
          expect(out).toBeLessThanOrEqual(0);
        }
    });

    test("every lane moves", async () => {
      const page = await openAtLast(hash);
      // As they are seen: what WebGL draws cannot be read from its canvas.
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

    test("every setting acts, by keyboard and by mouse, and is in the address", async () => {
      const page = await openAtLast(hash);
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

    test("the tab key reaches every control", async () => {
      const page = await openAtLast(hash);
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

    test("nothing that is there leaps while it runs", async () => {
      const page = await openAtLast(hash);
      await frames(page, 90);
      expect(await leapsOf(page)).toBeLessThan(0.03);
      // It can fail.
      const line = `Object.assign(document.createElement("p"), { textContent: "A line" })`;
      await read(page, `void document.body.prepend(${line}, ${line}, ${line})`);
      await expect.poll(() => leapsOf(page)).toBeGreaterThan(0.03);
    });
  });
}

/** How much of the page has leapt, and how far: parts of the window, summed up. */
function leapsOf(page: Page): Promise<number> {
  return read(
    page,
    `new Promise((done) => {
      new PerformanceObserver((list) => done(list.getEntries().reduce((sum, { value }) => sum + value, 0)))
        .observe({ type: "layout-shift", buffered: true });
      setTimeout(() => done(0), 300);
    })`,
  );
}
