// The built lab in a real Chromium, as a visitor uses it: "Five loops" and "Spiral of death".
import type { Page } from "puppeteer-core";
import { Loop, measure, timeScale } from "tickwise";
import { onePerFrame, semiFixed, variable } from "tickwise/stepping";
import { manualDriver } from "tickwise/testing";
import { expect, test } from "vitest";
import { Display } from "../../lab/src/display.js";
import { readMoment } from "../../lab/src/five-loops/moment.js";
import { POLICIES } from "../../lab/src/spiral/policies.js";
import { sampleOf } from "../shared/sample.js";
import { testExperiment } from "./any-experiment.js";
import {
  expectSamePictures,
  figureOf,
  figures,
  frames,
  hashOf,
  open,
  queryOf,
  read,
  textOf,
  useLab,
} from "./pages.js";

useLab();

const frameOf = async (page: Page) => Number(/frame (\d+)/.exec(await textOf(page, "#status"))![1]);

testExperiment("#five-loops", {
  lanes: 5,
  values: { rate: 25, fps: 30, jitter: 50, scale: 0.5 },
  controls: ["stall", "step"],
});
testExperiment("#spiral", { lanes: 6, values: { cost: 80, rate: 30, fps: 75 }, controls: ["heavy"] });

test("applies the settings: 20 Hz on a 40 Hz display at half speed is one step in four frames", async () => {
  const page = await open("#five-loops?rate=20&fps=40&jitter=0&scale=0.5&at=83");
  expect(await textOf(page, '[data-lane="blended"] .total')).toBe("20 in 83");
  await page.click("#pause");
  await page.waitForFunction(
    `parseInt(document.querySelector('[data-lane="blended"] .total').textContent) > 22`,
  );
});

test("a stall freezes the display for half a second and loses time, then it continues", async () => {
  const page = await open("#five-loops");
  // The time of each frame of the page, and the simulated display's frame number.
  await read(
    page,
    `{ window.seen = [];
       const look = (now) => {
         seen.push([now, Number(/frame (\\d+)/.exec(document.querySelector("#status").textContent)[1])]);
         requestAnimationFrame(look);
       };
       requestAnimationFrame(look); }`,
  );
  await frames(page, 10);
  await page.click("#stall");
  const before = await frameOf(page);
  await expect.poll(() => frameOf(page)).toBeGreaterThan(before + 10);
  const since = new Map<number, number>();
  let longest = 0;
  for (const [now, frame] of await read<[number, number][]>(page, "seen")) {
    if (!since.has(frame)) since.set(frame, now);
    longest = Math.max(longest, now - since.get(frame)!);
  }
  expect(longest).toBeGreaterThan(400);
  for (const lane of ["one-per-frame", "variable", "semi-fixed", "accumulator", "blended"])
    expect(await figureOf(page, `[data-lane="${lane}"]`, "lost")).toBe("0.267 s");
  expect(await figureOf(page, '[data-lane="blended"]', "drift")).toBe("✓ exactly");
});

test("pauses, steps and restarts by key; keys typed into a field do nothing else", async () => {
  const page = await open("#five-loops?rate=40&fps=60");
  await frames(page, 15);
  await page.keyboard.press("p");
  expect(await textOf(page, "#pause span")).toBe("Resume");
  const paused = await figures(page);
  await frames(page, 15);
  expect(await figures(page)).toEqual(paused);

  const stepsOf = async () => parseInt(await textOf(page, '[data-lane="accumulator"] .total'), 10);
  const steps = await stepsOf();
  await page.keyboard.press(".");
  expect(await stepsOf()).toBe(steps + 1);
  await page.focus('[data-setting="rate"] input');
  await page.keyboard.press(".");
  expect(await stepsOf()).toBe(steps + 1);
  await page.focus("#restart");
  await page.keyboard.press("Enter");
  expect(await frameOf(page)).toBe(0);
  await page.keyboard.press("p");
  await expect.poll(() => frameOf(page)).toBeGreaterThan(5);
});

test("five loops: figures equal those of manual loops with the same frames", async () => {
  const settings = { rate: 50, fps: 45, jitter: 80, scale: 0.75 };
  const page = await open("#five-loops?rate=50&fps=45&jitter=80&scale=0.75");
  await frames(page, 30);
  await page.click("#stall");
  await frames(page, 50);
  await page.click("#pause");
  await page.click("#step");

  const steppings = {
    "one-per-frame": onePerFrame(),
    variable: variable(),
    "semi-fixed": semiFixed(),
    accumulator: undefined,
    blended: undefined,
  };
  const at = async () => (await queryOf(page)).get("at");
  await expect.poll(at).toMatch(/s.*n$/);
  const events = readMoment((await at())!);
  for (const [lane, stepping] of Object.entries(steppings)) {
    const display = new Display(settings);
    const loop = new Loop({ rate: 50, stepping });
    timeScale(loop).set(0.75);
    for (const event of events) {
      if (event === "stall") display.stall(0.5);
      else if (event === "step") loop.runSteps();
      else for (let frame = 0; frame < event; frame++) loop.advance(display.next());
    }
    const { tick, lostSeconds } = loop;
    expect(await textOf(page, `[data-lane="${lane}"] .total`)).toBe(`${tick} in ${display.frames}`);
    expect(await figureOf(page, `[data-lane="${lane}"]`, "lost")).toBe(`${lostSeconds.toFixed(3)} s`);
  }
});

test("spiral: figures equal those of loops on the manual driver's display", async () => {
  const page = await open("#spiral?cost=140&rate=50&fps=60");
  await frames(page, 80);
  await page.click("#pause");
  for (const { id, options, attach } of POLICIES) {
    const world = `[data-world="${id}"]`;
    const total = await textOf(page, `${world} .total`);
    const shown = Number(/in (\d+) frames/.exec(total)![1]);
    const driver = manualDriver();
    const loop = new Loop({
      rate: 50,
      ...options,
      step: ({ dt }) => driver.spend(dt * 1.4),
      render: () => {
        if (counted.frames === shown) loop.stop();
      },
    });
    attach?.(loop);
    const counted = measure(loop);
    loop.start(driver);
    driver.display(60, 10);
    const { frames, steps, lostSeconds } = counted;
    expect(total).toBe(`${steps} steps in ${frames} frames`);
    expect(await figureOf(page, world, "lost")).toBe(`${lostSeconds.toFixed(3)} s`);
    const now = Number((await queryOf(page)).get("at"));
    const owed = Math.max(0, now - loop.frame.shownTime - lostSeconds);
    expect(await figureOf(page, world, "owed")).toBe(`${owed.toFixed(3)} s`);
  }
});

const LINKS: [hash: string, button: string][] = [
  ["#five-loops", "#stall"],
  ["#spiral", "#heavy"],
  ["#smooth", "#restart"],
  ["#smooth?source=firefox-idle&rate=50", "#restart"],
];
test.each(sampleOf(LINKS, 2))("%s: a link reproduces the page to the pixel", async (hash, button) => {
  const page = await open(hash);
  await frames(page, 20);
  await page.click(button);
  await frames(page, 50);
  await page.click("#pause");
  await expect.poll(() => hashOf(page)).toMatch(/at=/);
  const link = await hashOf(page);
  const again = await open(link);
  await expect.poll(() => figures(again)).toEqual(await figures(page));
  await expectSamePictures(again, page);
});

test("a heavy second makes Drop lose time, and puts Catch up in debt, which it pays back", async () => {
  const fast = "#spiral?cost=60&rate=60&fps=75";
  const owedAt = async (time: string) => {
    const page = await open(`${fast}&at=${time}`);
    return parseFloat(await figureOf(page, '[data-world="catch-up"]', "owed"));
  };
  expect(await owedAt("3h4.5")).toBeGreaterThan(0.2);
  expect(await owedAt("3h6")).toBeLessThan(0.05);

  const page = await open(fast);
  await page.click("#heavy");
  const lost = `parseFloat(document.querySelector('[data-world="drop"] [data-figure="lost"]').textContent)`;
  expect(await read(page, lost)).toBe(0);
  await page.waitForFunction(`${lost} > 0.2`);
});

test("navigates between experiments, and a preset link changes the settings", async () => {
  const page = await open("");
  expect(await textOf(page, "h2")).toBe("Five loops");
  await page.click('nav a[href="#spiral"]');
  await page.waitForSelector('[data-world="drop"]');
  expect(await textOf(page, "#experiments [aria-current]")).toBe("Spiral of death");
  await page.goBack();
  await page.waitForSelector('[data-lane="blended"]');
  await page.click(".try a");
  await expect.poll(async () => (await queryOf(page)).get("rate")).toBe("25");
});

test("starts paused with reduced motion", async () => {
  const page = await open("#five-loops", 1200, { name: "prefers-reduced-motion", value: "reduce" });
  await frames(page, 10);
  expect(await textOf(page, "#pause span")).toBe("Resume");
  expect(await frameOf(page)).toBe(0);
});
