// "Thread" in a real Chromium: the pile on one thread and on two. How fast it is depends on the machine, and is not tested.
import type { Page } from "puppeteer-core";
import { expect, test } from "vitest";
import { testExperiment } from "./any-experiment.js";
import {
  figureOf,
  frames,
  noteOf,
  open,
  pixels,
  queryOf,
  read,
  textOf,
  useLab,
  waitForNote,
} from "./pages.js";

useLab();

testExperiment("#thread", { lanes: 2, values: { cost: 5 }, controls: ["memory"] });

const tickOf = async (page: Page) => Number(/tick (\d+)/.exec(await textOf(page, "#status"))?.[1]);

/** Waits until both sides have drawn some frames. */
async function openRunning(hash: string): Promise<Page> {
  const page = await open(hash);
  for (const side of ["one", "two"])
    await page.waitForFunction(
      `Number(document.querySelector('[data-lane="${side}"] [data-figure="fps"]')?.textContent) > 0`,
    );
  return page;
}

test("says which memory is in use and why, changes it, and ends its workers when the visitor leaves", async () => {
  const page = await openRunning("#thread?cost=3");
  const isIsolated = await read<boolean>(page, "crossOriginIsolated");
  expect(await noteOf(page)).toContain(
    isIsolated
      ? "Memory: shared, as the page is cross-origin isolated."
      : "Memory: transferred, as the page is not cross-origin isolated.",
  );
  await expect.poll(() => tickOf(page)).toBeGreaterThan(20);
  const status = `document.querySelector("#status").textContent`;
  expect(await read(page, `document.querySelector("#restart").click(), ${status}`)).toContain("tick 0");
  await page.select('[data-setting="memory"] select', "transferred");
  await waitForNote(page, 'Memory: transferred, as the option memory is "transferred".');
  // The address follows the note later.
  await expect.poll(async () => (await queryOf(page)).get("memory")).toBe("transferred");
  await expect.poll(() => tickOf(page)).toBeGreaterThan(10);
  expect(await figureOf(page, '[data-lane="delay"]', "memory")).toBe("transferred");
  expect(await figureOf(page, '[data-lane="delay"]', "delay")).toMatch(/^\d+\.\d.ms$/);
  expect(await figureOf(page, '[data-lane="delay"]', "starved")).toMatch(/^\d+ of \d+$/);
  await expect.poll(() => page.workers().length).toBe(2);
  await page.click('nav a[href="#time"]');
  await expect.poll(() => page.workers().length).toBe(0);
});

test("pauses both sides, and goes on; the cost changes without a restart", async () => {
  const page = await openRunning("#thread?cost=2");
  await page.keyboard.press("p");
  // The picture of the worker stands still once the worker has stopped.
  const pictures = async () => {
    const canvases = await page.$$(".lane > canvas");
    return Promise.all(canvases.map((canvas) => canvas.screenshot({ encoding: "base64" })));
  };
  let before: string[] = [];
  await expect
    .poll(async () => {
      const last = before;
      before = await pictures();
      return last.join() === before.join();
    })
    .toBe(true);
  const histogram = await pixels(page, ".histogram");
  await frames(page, 30);
  expect(await pictures()).toEqual(before);
  expect(await pixels(page, ".histogram")).toEqual(histogram);
  const tick = await tickOf(page);
  await page.click('[data-setting="cost"] input', { count: 3 });
  await page.keyboard.type("6");
  await page.keyboard.press("Enter");
  await expect.poll(async () => (await queryOf(page)).get("cost")).toBe("6");
  await page.focus("#pause");
  await page.keyboard.press("p");
  await expect.poll(() => tickOf(page)).toBeGreaterThan(tick + 10);
  await expect
    .poll(async () => (await pictures()).map((picture, i) => picture !== before[i]))
    .toEqual([true, true]);
});

test("stands still for those who prefer reduced motion", async () => {
  const page = await open("#thread", 1200, { name: "prefers-reduced-motion", value: "reduce" });
  await page.waitForSelector('[data-lane="two"]');
  await frames(page, 30);
  expect(await textOf(page, "#status")).toContain("Paused (your system prefers reduced motion)");
  expect(await tickOf(page)).toBe(0);
});
