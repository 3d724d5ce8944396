// The figures and pictures of docs/pixel-art.md, drawn again in Chromium.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "puppeteer-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bundlePixelArt } from "../../scripts/pixel-art.mjs";
import { ROOT } from "../../scripts/setup.mjs";
import { openChromium, type Chromium } from "../browser/launch.js";

let browser: Chromium;
let page: Page;

beforeAll(async () => {
  browser = await openChromium();
  page = await browser.newPage();
  await page.addScriptTag({ content: await bundlePixelArt() });
});
afterAll(() => browser?.close());

const text = readFileSync(join(ROOT, "docs/pixel-art.md"), "utf8");

/** The number in the last column of a row of a table. */
const figureOf = (row: string) =>
  Number(/(\d+) \|$/.exec(text.split("\n").find((line) => line.startsWith(`| ${row} |`)) ?? "")?.[1]);

const bleeding = (filter: string, rounding: string, border = 0) =>
  page.evaluate(
    `pixelArt.countBleeding({ filter: "${filter}", rounding: "${rounding}", border: ${border} })`,
  );

test("neighbours in an atlas bleed in at fractions of a pixel, unless tiles have borders", async () => {
  expect(await bleeding("linear", "none")).toBe(figureOf("linear filter, fractions"));
  expect(await bleeding("nearest", "none")).toBe(figureOf("nearest filter, fractions"));
  const bordered = figureOf("linear filter, fractions, **border of one pixel**");
  expect(await bleeding("linear", "none", 1)).toBe(bordered);
  expect(await bleeding("nearest", "none", 1)).toBe(bordered);
  const whole = figureOf("linear or nearest filter, **whole pixels**");
  expect(await bleeding("linear", "both")).toBe(whole);
  expect(await bleeding("nearest", "both")).toBe(whole);
  expect([bordered, whole]).toEqual([0, 0]);
});

test("what stands still shakes if the difference is rounded, and not if both are", async () => {
  const shakes = (rounding: string) => page.evaluate(`pixelArt.countShakes("${rounding}")`);
  expect(await shakes("difference")).toBe(figureOf("`snap(x - camera)`"));
  expect(await shakes("both")).toBe(figureOf("`snap(x) - snap(camera)`"));
  expect(figureOf("`snap(x) - snap(camera)`")).toBe(0);
});

test("the pictures are those that the script makes", async () => {
  const made = (await page.evaluate("pixelArt.pictures()")) as Record<string, string>;
  const folder = join(ROOT, "docs/pictures");
  const names = Object.keys(made).map((name) => `${name}.png`);
  expect(readdirSync(folder)).toEqual(expect.arrayContaining(names));
  for (const [name, url] of Object.entries(made)) {
    const kept = `data:image/png;base64,${readFileSync(join(folder, `${name}.png`)).toString("base64")}`;
    // Encoders differ from version to version, so compare the pixels.
    const difference = await page.evaluate(`pixelArt.largestDifference(${JSON.stringify([url, kept])})`);
    expect(difference, `${name}: run node scripts/pixel-art.mjs`).toBeLessThanOrEqual(2);
  }
});
