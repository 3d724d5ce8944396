// 3D in a real Chromium, with graphics in software: it is run after all other tests.
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

test("is loaded only when it is asked for", async () => {
  const page = await open("#smooth");
  await frames(page, 10);
  expect(await chunks(page)).toBe(0);
  await page.click('nav a[href="#3d"]');
  await page.waitForSelector('[data-body="slerp"]');
  expect(await chunks(page)).toBe(1);
  expect(await textOf(page, "nav [aria-current]")).toBe("3D");
});

test("who goes on before it has come is not brought back", async () => {
  const page = await open("#smooth");
  await read(page, `location.hash = "#3d", setTimeout(() => (location.hash = "#spiral"))`);
  await page.waitForSelector('[data-world="drop"]');
  await expect.poll(() => chunks(page)).toBe(1);
  await frames(page, 5);
  expect(await textOf(page, "h2")).toBe("Spiral of death");
});

test("the figures are those of the model at the same time", async () => {
  const page = await open("#3d?rate=5&turns=2");
  await page.waitForSelector('[data-body="slerp"]');
  await frames(page, 60);
  await page.keyboard.press("p");
  await expect.poll(async () => (await queryOf(page)).get("at")).toMatch(/^\d/);
  const query = await queryOf(page);
  const model = new Tumbling(readValues(SETTINGS, query));
  model.advanceTo(Number(query.get("at")));
  const said = `This step turned it by ${model.turnOfStep.toFixed(1)}°, and nlerp is at most ${model.nlerpOffSlerp.toFixed(3)}° from slerp on the way.`;
  expect(await noteOf(page)).toBe(said);
  expect(numberOf(await figureOf(page, '[data-body="slerp"]', "slerp"))).toBe(0);
  expect(numberOf(await figureOf(page, '[data-body="nlerp"]', "slerp"))).toBeGreaterThan(1);
  expect(numberOf(await figureOf(page, '[data-body="none"]', "slerp"))).toBeGreaterThan(90);

  const again = await open(`#3d?${query}`);
  await again.waitForSelector('[data-body="slerp"]');
  expect(await noteOf(again)).toBe(said);
  expect(await textOf(again, "#pause span")).toBe("Resume");
});

test("more than half a turn a step: says that nobody can tell which way", async () => {
  const page = await open("#3d?rate=5&turns=4");
  await page.waitForSelector(".note");
  expect(await noteOf(page)).toContain("more than half a turn");
});

test("without WebGL it says so, and shows its figures", async () => {
  const page = await blank();
  await page.evaluateOnNewDocument(`{
    const { getContext } = HTMLCanvasElement.prototype;
    HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
      return /webgl/.test(kind) ? null : getContext.call(this, kind, ...rest);
    };
  }`);
  await page.goto(addressOf("#3d"));
  await waitForNote(page, "no WebGL");
  await expect
    .poll(async () => numberOf(await figureOf(page, '[data-body="none"]', "slerp")))
    .toBeGreaterThan(30);
});

test("coming and going many times leaves no context behind: browsers allow sixteen", async () => {
  const page = await open("#3d");
  for (let i = 0; i < 8; i++) {
    await read(page, `location.hash = "#3d?rate=${5 + i}"`);
    await page.waitForFunction(`document.querySelector('[data-setting="rate"] input')?.value === "${5 + i}"`);
  }
  await expect.poll(() => textOf(page, ".note")).toContain("This step turned it");
});
