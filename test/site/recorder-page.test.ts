// The recorder and dropped recordings in Chromium: what pages show of them, and that they stay for the visit.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import axe from "axe-core";
import type { Page } from "puppeteer-core";
import { afterAll, expect, test } from "vitest";
import { readRecording } from "../../lab/src/recording/recording.js";
import { Race } from "../../site/src/chapters/speed/model.js";
import { dropFile } from "../browser/drop-file.js";
import { useSite } from "../browser/site.js";

const site = useSite("site");
const folder = mkdtempSync(join(tmpdir(), "tickwise-recordings-"));
afterAll(() => rmSync(folder, { recursive: true }));
const FIREFOX = new URL("../../scenes/traces/firefox_idle.json", import.meta.url).pathname;

// As text, because the tests are compiled without DOM types.
const read = <T>(page: Page, expression: string) => page.evaluate(expression) as Promise<T>;
const textOf = (page: Page, selector: string) =>
  read<string | undefined>(page, `document.querySelector(${JSON.stringify(selector)})?.textContent`);

/** Opens a page that stands still, so that its figures are those of one moment. */
async function open(path: string): Promise<Page> {
  const page = await site.blank();
  await page.setViewport({ width: 390, height: 844 });
  await page.emulateMediaFeatures([{ name: "prefers-reduced-motion", value: "reduce" }]);
  await page.goto(site.address + path);
  return page;
}
const ready = (page: Page) => page.waitForSelector("[data-chapter][data-ready]");
const numbersOf = (page: Page) =>
  read<string[]>(page, `[...document.querySelectorAll(".numbers dd")].map((one) => one.textContent)`);

test("a dropped recording drives the figures of all chapters, until the visitor returns to simulated ones", async () => {
  const page = await open("speed/");
  await ready(page);
  const simulated = await numbersOf(page);
  await dropFile(page, FIREFOX);
  await page.waitForSelector(".display-line:not([hidden])");
  expect(page.url()).toBe(`${site.address}speed/`);
  expect(await textOf(page, "[data-recording]")).toBe("Your recording, 59.99 Hz");
  expect(await read(page, `document.querySelector(".dial").checkVisibility()`)).toBe(false);
  const model = new Race(false, 144, readRecording(readFileSync(FIREFOX, "utf8")));
  model.advance(2.5);
  expect(await numbersOf(page)).toEqual(model.figures().map(({ value }) => value));

  await page.goto(`${site.address}determinism/`);
  await page.waitForSelector(".display-line:not([hidden])");
  expect(await textOf(page, ".display-line")).toContain("This figure does not depend on a display.");
  await page.goto(`${site.address}speed/`);
  await page.waitForSelector(".display-line:not([hidden])");
  await page.click("[data-simulated]");
  expect(await numbersOf(page)).toEqual(simulated);
  await page.reload();
  await ready(page);
  expect(await numbersOf(page)).toEqual(simulated);
});

test("a wrong file is refused in a sentence, and nothing else changes", async () => {
  const page = await open("embed/speed/");
  await ready(page);
  const simulated = await numbersOf(page);
  const path = join(folder, "replay.json");
  writeFileSync(path, "TWRP\u0001\u0000");
  await dropFile(page, path);
  await page.waitForSelector(".notice p");
  expect(await textOf(page, ".notice p")).toBe(
    "“replay.json” cannot be played: it is a replay of a game. Open replays on the lab’s Game page.",
  );
  expect(page.url()).toBe(`${site.address}embed/speed/`);
  expect(await numbersOf(page)).toEqual(simulated);
});

test("a file can be chosen with a button, and the page of the recorder shows it", async () => {
  const page = await open("recorder/");
  await page.waitForSelector("[data-ready]");
  const [chooser] = await Promise.all([
    page.waitForFileChooser(),
    page.click(".recorder [data-open-recording]"),
  ]);
  await chooser.accept([FIREFOX]);
  await page.waitForFunction(`document.querySelector(".numbers dd").textContent === "59.99 Hz"`);
  const { uneven, missed, refreshes } = readRecording(readFileSync(FIREFOX, "utf8"));
  expect(await numbersOf(page)).toEqual(["59.99 Hz", `${uneven.toFixed(2)} ms`, `${missed} of ${refreshes}`]);
  expect(await read<number>(page, "document.documentElement.scrollWidth")).toBeLessThanOrEqual(390);
  await page.evaluate(axe.source);
  const problems = `axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) => violations.map(({ id, nodes }) => id + ": " + nodes.map(({ target }) => target).join(", ")))`;
  expect(await read<string[]>(page, problems)).toEqual([]);
});
