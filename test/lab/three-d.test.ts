// "3D" in a real Chromium, with software rendering.
import type { Page } from "puppeteer-core";
import { expect, test } from "vitest";
import { readValues } from "../../lab/src/address.js";
import { SETTINGS } from "../../lab/src/three-d/settings.js";
import { Tumbling } from "../../lab/src/three-d/tumbling.js";
import { testExperiment } from "./any-experiment.js";
import {
  addressOf,
  blank,
  figureOf,
  frames,
  noteOf,
  numberOf,
  open,
  queryOf,
  read,
  textOf,
  useLab,
  waitForNote,
} from "./pages.js";

useLab();

testExperiment("#3d", { lanes: 3, values: { rate: 10, turns: 0.5, scale: 0.5 }, controls: [] });

const chunks = (page: Page) =>
  read<number>(
    page,
    `performance.getEntriesByType("resource").filter((e) => e.decodedBodySize > 3e5).length`,
  );

test("is loaded on demand", async () => {
  // In a context of its own: what comes from the cache is not among the resources.
  const page = await blank();
  await page.goto(addressOf("#smooth"));
  await frames(page, 10);
  expect(await chunks(page)).toBe(0);
  await page.click('nav a[href="#3d"]');
  await page.waitForSelector('[data-body="slerp"]');
  await expect.poll(() => chunks(page)).toBe(1);
  expect(await textOf(page, "#experiments [aria-current]")).toBe("3D");
});

test("is not shown if the visitor has moved on while it loads", async () => {
  // In a context of its own, which has nothing in its cache.
  const page = await blank();
  await page.goto(addressOf("#smooth"));
  // Once the page has begun to load the chunk: two changes at once would be one.
  await read(
    page,
    `addEventListener("hashchange", () => setTimeout(() => (location.hash = "#spiral")), { once: true }), location.hash = "#3d"`,
  );
  await page.waitForSelector('[data-world="drop"]');
  await expect.poll(() => chunks(page)).toBe(1);
  await frames(page, 5);
  expect(await textOf(page, "h2")).toBe("Spiral of death");
});

test("shows the figures of the model at the same time", async () => {
  const page = await open("#3d?rate=5&turns=2");
  await page.waitForSelector('[data-body="slerp"]');
  await frames(page, 60);
  await page.keyboard.press("p");
  await expect.poll(async () => (await queryOf(page)).get("at")).toMatch(/^\d/);
  const query = await queryOf(page);
  const model = new Tumbling(readValues(SETTINGS, query));
  model.advanceTo(Number(query.get("at")));
  const note = `The last step turned the box by ${model.degreesPerStep.toFixed(1)}°. Within it, nlerp is at most ${model.nlerpOffSlerp.toFixed(3)}° away from slerp.`;
  expect(await noteOf(page)).toBe(note);
  expect(numberOf(await figureOf(page, '[data-body="slerp"]', "slerp"))).toBe(0);
  expect(numberOf(await figureOf(page, '[data-body="nlerp"]', "slerp"))).toBeGreaterThan(1);
  expect(numberOf(await figureOf(page, '[data-body="none"]', "slerp"))).toBeGreaterThan(90);

  const again = await open(`#3d?${query}`);
  await again.waitForSelector('[data-body="slerp"]');
  expect(await noteOf(again)).toBe(note);
  expect(await textOf(again, "#pause span")).toBe("Resume");
});

test("warns about more than half a turn per step", async () => {
  const page = await open("#3d?rate=5&turns=4");
  await page.waitForSelector(".note");
  expect(await noteOf(page)).toContain("more than half a turn");
});

test("without WebGL, says so and still shows figures", async () => {
  const page = await blank();
  await page.evaluateOnNewDocument(`{
    const { getContext } = HTMLCanvasElement.prototype;
    HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
      return /webgl/.test(kind) ? null : getContext.call(this, kind, ...rest);
    };
  }`);
  await page.goto(addressOf("#3d"));
  await waitForNote(page, "WebGL is not available");
  await expect
    .poll(async () => numberOf(await figureOf(page, '[data-body="none"]', "slerp")))
    .toBeGreaterThan(30);
});

test("releases its WebGL contexts, of which browsers allow sixteen", async () => {
  const page = await open("#3d");
  for (let i = 0; i < 8; i++) {
    await read(page, `location.hash = "#3d?rate=${5 + i}"`);
    // Not once per frame: a new WebGL context can hold up all frames for long.
    await page.waitForFunction(
      `document.querySelector('[data-setting="rate"] input')?.value === "${5 + i}"`,
      { polling: 100 },
    );
  }
  await expect.poll(() => textOf(page, ".note")).toContain("The last step turned the box");
});
