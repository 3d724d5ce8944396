// The built lab in a real Chromium: what a visitor sees and does.
import { setTimeout } from "node:timers/promises";
import type { Page } from "puppeteer-core";
import { Loop } from "tickwise";
import { fixed, semiFixed, variable } from "tickwise/stepping";
import { manualDriver, manualLoop } from "tickwise/testing";
import { expect, test } from "vitest";
import { Display } from "../../lab/src/display.js";
import { readMoment } from "../../lab/src/five-loops/moment.js";
import { SETTINGS as SMOOTH } from "../../lab/src/smooth/settings.js";
import { POLICIES } from "../../lab/src/spiral/policies.js";
import { SETTINGS as THREE_D } from "../../lab/src/three-d/settings.js";
import { figureOf, figures, hashOf, open, pixels, queryOf, read, textOf, useLab } from "./pages.js";

useLab();

const ALL = ["#five-loops", "#spiral", "#smooth", "#3d"];
const frameOf = async (page: Page) => Number(/frame (\d+)/.exec(await textOf(page, "#status"))![1]);

test.each(ALL)("%s: all has a name; at any width, light or dark, nothing sticks out", async (hash) => {
  const page = await open(hash);
  await page.waitForSelector(".lane");
  const nameless = `[...document.querySelectorAll("button, input, select, canvas[class], .strip, section, aside, nav")]
    .filter((e) => !(e.ariaLabel || e.textContent.trim() ||
      document.getElementById(e.getAttribute("aria-labelledby"))?.textContent))
    .map((e) => e.outerHTML)`;
  expect(await read(page, nameless)).toEqual([]);
  for (const width of [320, 390, 820, 1440])
    for (const value of ["light", "dark"]) {
      await page.setViewport({ width, height: 900 });
      await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value }]);
      await setTimeout(100);
      expect(await read(page, "document.documentElement.scrollWidth - innerWidth")).toBeLessThanOrEqual(0);
    }
});

test.each([
  ["#five-loops", 5],
  ["#spiral", 6],
  ["#smooth", 3],
  ["#3d", 3],
])("%s: every lane moves", async (hash, count) => {
  const page = await open(hash);
  await page.waitForSelector(".lane");
  // As they are seen: what WebGL draws cannot be read from its canvas.
  const pictures = async () => {
    const canvases = await page.$$(".lane > canvas");
    return Promise.all(canvases.map((canvas) => canvas.screenshot({ encoding: "base64" })));
  };
  await setTimeout(300);
  const before = await pictures();
  await setTimeout(700);
  const after = await pictures();
  expect(before.length).toBe(count);
  for (const [lane, picture] of before.entries()) expect(after[lane] === picture, `lane ${lane}`).toBe(false);
});

test.each([
  ["#five-loops", { rate: 25, fps: 30, jitter: 50, scale: 0.5 }],
  ["#spiral", { cost: 80, rate: 30, fps: 75 }],
  ["#smooth", { rate: 50, refresh: 59.94, jitter: 0.5, drops: 2, slow: 2, magnify: 3 }],
  ["#3d", { rate: 10, turns: 0.5, scale: 0.5 }],
] as const)(
  "%s: every setting acts, by keyboard and by mouse, and is in the address",
  async (hash, values) => {
    const page = await open(hash);
    await page.waitForSelector(".lane");
    const first = Object.fromEntries(await queryOf(page));
    for (const [name, value] of Object.entries(values)) {
      const input = `[data-setting="${name}"] input`;
      await page.click(input, { count: 3 });
      await page.keyboard.type(String(value));
      await page.keyboard.press("Enter");
      await expect.poll(async () => (await queryOf(page)).get(name)).toBe(String(value));
    }
    for (const name of Object.keys(values)) {
      const slider = (await page.$(`[data-setting="${name}"] .lil-slider`))!;
      const { x, y, width, height } = (await slider.boundingBox())!;
      await page.mouse.click(x + width - 2, y + height / 2);
      const input = `document.querySelector('[data-setting="${name}"] input')`;
      const value = await read<number>(page, `Number(${input}.value)`);
      expect(value, name).toBeGreaterThan(Number(values[name as keyof typeof values]));
      await expect.poll(async () => (await queryOf(page)).get(name)).toBe(String(value));
    }
    await page.click("xpath/.//button[.='Default settings']");
    await expect.poll(async () => Object.fromEntries(await queryOf(page))).toEqual(first);
  },
);

test("the settings are in force: 20 Hz on 40 frames a second, at half speed, is a step in four frames", async () => {
  const page = await open("#five-loops?rate=20&fps=40&jitter=0&scale=0.5&at=83");
  expect(await textOf(page, '[data-lane="blended"] .total')).toBe("20 in 83");
  await page.click("#pause");
  await page.waitForFunction(
    `parseInt(document.querySelector('[data-lane="blended"] .total').textContent) > 22`,
  );
});

test("a stall is survived: its time is lost, the display stands for half a second, and goes on", async () => {
  const page = await open("#five-loops");
  await setTimeout(300);
  await page.click("#stall");
  const before = await frameOf(page);
  await setTimeout(300);
  expect(await frameOf(page)).toBeLessThan(before + 6);
  await setTimeout(700);
  expect(await frameOf(page)).toBeGreaterThan(before + 10);
  for (const lane of ["fixed", "variable", "semi-fixed", "accumulator", "blended"])
    expect(await figureOf(page, `[data-lane="${lane}"]`, "lost")).toBe("0.267 s");
  expect(await figureOf(page, '[data-lane="blended"]', "drift")).toBe("✓ exactly");
});

test("pause, one step and restart, by key; keys that are typed into a field do nothing else", async () => {
  const page = await open("#five-loops?rate=40&fps=60");
  await setTimeout(300);
  await page.keyboard.press("p");
  expect(await textOf(page, "#pause span")).toBe("Resume");
  const paused = await figures(page);
  await setTimeout(300);
  expect(await figures(page)).toEqual(paused);

  const stepsOf = async () => parseInt(await textOf(page, '[data-lane="accumulator"] .total'), 10);
  const steps = await stepsOf();
  await page.keyboard.press("n");
  expect(await stepsOf()).toBe(steps + 1);
  await page.focus('[data-setting="rate"] input');
  await page.keyboard.press("n");
  expect(await stepsOf()).toBe(steps + 1);
  await page.focus("#restart");
  await page.keyboard.press("Enter");
  expect(await frameOf(page)).toBe(0);
  await page.keyboard.press("p");
  await setTimeout(300);
  expect(await frameOf(page)).toBeGreaterThan(5);
});

test.each([
  ["#five-loops", ["stall", "step", "rate", "fps", "jitter", "scale"]],
  ["#smooth", ["next", "open", "save", ...Object.keys(SMOOTH)]],
  ["#3d", Object.keys(THREE_D)],
])("%s: the tab key reaches every control", async (hash, names) => {
  const page = await open(hash);
  await page.waitForSelector(".lane");
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
  for (const name of [...names, "pause", "restart", ...ALL]) expect(reached).toContain(name);
});

test("five loops: the figures are those of manual loops that are given the same frames", async () => {
  const settings = { rate: 50, fps: 45, jitter: 80, scale: 0.75 };
  const page = await open("#five-loops?rate=50&fps=45&jitter=80&scale=0.75");
  await setTimeout(500);
  await page.click("#stall");
  await setTimeout(900);
  await page.click("#pause");
  await page.click("#step");

  const steppings = {
    fixed: fixed(),
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
    const loop = manualLoop({ rate: 50, timeScale: 0.75, stepping });
    for (const event of events) {
      if (event === "stall") display.stall(0.5);
      else if (event === "step") loop.runSteps();
      else for (let frame = 0; frame < event; frame++) loop.advance(display.next());
    }
    const { steps, lostSeconds } = loop.stats;
    expect(await textOf(page, `[data-lane="${lane}"] .total`)).toBe(`${steps} in ${display.frames}`);
    expect(await figureOf(page, `[data-lane="${lane}"]`, "lost")).toBe(`${lostSeconds.toFixed(3)} s`);
  }
});

test("spiral: the figures are those of loops before the manual driver's display", async () => {
  const page = await open("#spiral?cost=140&rate=50&fps=60");
  await setTimeout(2500);
  await page.click("#pause");
  for (const { id, options } of POLICIES) {
    const world = `[data-world="${id}"]`;
    const total = await textOf(page, `${world} .total`);
    const shown = Number(/in (\d+) frames/.exec(total)![1]);
    const driver = manualDriver();
    const loop = new Loop({
      rate: 50,
      ...options,
      driver,
      step: ({ dt }) => driver.spend(dt * 1.4),
      render: () => {
        if (loop.stats.frames === shown) loop.stop();
      },
    });
    loop.start();
    driver.display(60, 10);
    const { frames, steps, lostSeconds } = loop.stats;
    expect(total).toBe(`${steps} steps in ${frames} frames`);
    expect(await figureOf(page, world, "lost")).toBe(`${lostSeconds.toFixed(3)} s`);
    expect(await figureOf(page, world, "debt")).toBe(`${loop.debt.toFixed(3)} s`);
  }
});

test.each([
  ["#five-loops", "#stall"],
  ["#spiral", "#heavy"],
  ["#smooth", "#restart"],
  ["#smooth?source=firefox-idle&rate=50", "#restart"],
])("%s: a link shows what was seen, to the pixel", async (hash, button) => {
  const page = await open(hash);
  await setTimeout(400);
  await page.click(button);
  await setTimeout(1000);
  await page.click("#pause");
  await expect.poll(() => hashOf(page)).toMatch(/at=/);
  const link = await hashOf(page);
  const again = await open(link);
  await setTimeout(200);
  expect(await figures(again)).toEqual(await figures(page));
  const [shown, expected] = [await pixels(again, "canvas"), await pixels(page, "canvas")];
  expect(shown.map((picture, index) => picture === expected[index])).toEqual(expected.map(() => true));
});

test("a heavy second costs drop some time, and puts catch up in debt, which it pays back", async () => {
  const fast = "#spiral?cost=60&rate=60&fps=75";
  const debtAt = async (time: string) => {
    const page = await open(`${fast}&at=${time}`);
    return parseFloat(await figureOf(page, '[data-world="catch-up"]', "debt"));
  };
  expect(await debtAt("3h4.5")).toBeGreaterThan(0.2);
  expect(await debtAt("3h6")).toBe(0);

  const page = await open(fast);
  await page.click("#heavy");
  const lost = `parseFloat(document.querySelector('[data-world="drop"] [data-figure="lost"]').textContent)`;
  expect(await read(page, lost)).toBe(0);
  await page.waitForFunction(`${lost} > 0.2`, { timeout: 10_000 });
});

/** How much of the page has leapt, and how far: parts of the window, summed up. */
function leapsOf(page: Page): Promise<number> {
  const shift = `new Promise((done) => new PerformanceObserver((list) => done(
    list.getEntries().reduce((sum, { value }) => sum + value, 0))).observe({ type: "layout-shift", buffered: true })
    || setTimeout(() => done(0), 300))`;
  return read(page, shift);
}

test.each(["#smooth", "#smooth?source=own", "#3d"])(
  "%s: nothing that is there leaps while it runs",
  async (hash) => {
    const page = await open(hash);
    await page.waitForSelector(".lane");
    await setTimeout(4000);
    expect(await leapsOf(page)).toBeLessThan(0.01);
    // It can fail.
    await read(
      page,
      `void document.body.prepend(Object.assign(document.createElement("p"), { textContent: "A line" }))`,
    );
    await setTimeout(300);
    expect(await leapsOf(page)).toBeGreaterThan(0.01);
  },
);

test("the experiments are a click apart, and a link within one changes its settings", async () => {
  const page = await open("");
  expect(await textOf(page, "h2")).toBe("Five loops");
  await page.click('nav a[href="#spiral"]');
  await page.waitForSelector('[data-world="drop"]');
  expect(await textOf(page, "nav [aria-current]")).toBe("Spiral of death");
  await page.goBack();
  await page.waitForSelector('[data-lane="blended"]');
  await page.click(".try a");
  await expect.poll(async () => (await queryOf(page)).get("rate")).toBe("25");
});

test("who asked for less motion finds the lab standing", async () => {
  const page = await open("#five-loops", 1200, { name: "prefers-reduced-motion", value: "reduce" });
  await setTimeout(300);
  expect(await textOf(page, "#pause span")).toBe("Resume");
  expect(await frameOf(page)).toBe(0);
});
