// "Time" in a real Chromium: a scene that is played, rewound, and continued from there.
import type { Page } from "puppeteer-core";
import { expect, test } from "vitest";
import { sceneOf } from "../../lab/src/scenes/drawable.js";
import { localSession } from "../../src/sim/index.js";
import { hashText } from "../../src/state/index.js";
import { testExperiment } from "./any-experiment.js";
import { laneOf, openPast, shownTick } from "./lanes.js";
import {
  addressOf,
  figureOf,
  frames,
  hashOf,
  numberOf,
  open,
  pixels,
  queryOf,
  read,
  textOf,
  useLab,
} from "./pages.js";

useLab();

testExperiment("#time", {
  lanes: 1,
  values: { history: 5 },
  controls: ["rewind", "timeline", "scene", "by", "speed"],
});

const LANE = laneOf("time");
const tickOf = (page: Page) => shownTick(page, "time");
const stateHashOf = (page: Page) => figureOf(page, LANE, "hash");

/** Returns the hash of a state when the script plays. */
function scripted(tick: number): string {
  const { simulation, script } = sceneOf("platformer");
  const session = localSession(simulation, { inputs: (players, request) => script(players, request.tick) });
  while (session.tick < tick) session.advance();
  return hashText(session.hash());
}

const openAt = (hash: string, tick: number) => openPast(hash, "time", tick - 1, shownTick);

test("rewinds to a state with its original hash while held by key or button, and continues when released", async () => {
  const page = await openAt("#time?speed=2", 120);
  for (const way of ["b", "the button", "space on the button"]) {
    const before = await tickOf(page);
    if (way === "b") await page.keyboard.down("b");
    else if (way === "the button") {
      await page.hover("#rewind");
      await page.mouse.down();
    } else {
      await page.focus("#rewind");
      await page.keyboard.down("Space");
    }
    // First, as the oldest state is soon reached if the machine is busy.
    await expect.poll(() => textOf(page, ".note")).toContain("Rewinding at 2×");
    await expect.poll(() => tickOf(page)).toBeLessThan(before - 30);
    expect(await read(page, `document.querySelector("#rewind").ariaPressed`)).toBe("true");
    // Read at once, so that they belong together.
    const [tick, hash] = await read<[string, string]>(
      page,
      `["tick", "hash"].map((name) => document.querySelector('${LANE} [data-figure="' + name + '"]').textContent)`,
    );
    expect(hash).toBe(scripted(Number(tick)));
    expect(await figureOf(page, LANE, "future")).not.toBe("0.00 s");
    if (way === "b") await page.keyboard.up("b");
    else if (way === "the button") await page.mouse.up();
    else await page.keyboard.up("Space");
    const from = await tickOf(page);
    await expect.poll(() => tickOf(page)).toBeGreaterThan(from + 20);
    expect(await figureOf(page, LANE, "future")).toBe("0.00 s");
    await page.click("#pause");
    expect(await stateHashOf(page)).toBe(scripted(await tickOf(page)));
    await page.click("#pause");
  }
});

test("rewinds while paused, and stays paused", async () => {
  // Slowly, so that it does not reach the start before the key is released.
  const page = await openAt("#time?speed=0.25", 60);
  await page.keyboard.press("p");
  const before = await tickOf(page);
  const picture = await pixels(page, ".scene");
  await page.keyboard.down("b");
  await expect.poll(() => tickOf(page)).toBeLessThan(before - 5);
  await page.keyboard.up("b");
  const tick = await tickOf(page);
  await frames(page, 15);
  expect(await tickOf(page)).toBe(tick);
  expect(await stateHashOf(page)).toBe(scripted(tick));
  expect(await pixels(page, ".scene")).not.toEqual(picture);
  expect(await textOf(page, "#status")).toContain("Paused");
  // The link leads there.
  await expect.poll(async () => (await queryOf(page)).get("at")).toBe(String(tick));
  const again = await open(await hashOf(page));
  await again.waitForSelector(LANE);
  expect(await tickOf(again)).toBe(tick);
  expect(await stateHashOf(again)).toBe(await stateHashOf(page));
});

test("the slider seeks, by keyboard and mouse", async () => {
  const page = await openAt("#time", 90);
  await page.keyboard.press("p");
  const last = await tickOf(page);
  const value = () => read<number>(page, `document.querySelector("#timeline").valueAsNumber`);
  expect(await value()).toBe(last);
  await page.focus("#timeline");
  await page.keyboard.press("Home");
  expect(await tickOf(page)).toBe(0);
  expect(await stateHashOf(page)).toBe(scripted(0));
  await page.keyboard.press("ArrowRight");
  expect(await tickOf(page)).toBe(1);
  expect(await stateHashOf(page)).toBe(scripted(1));
  const { x, y, width, height } = (await (await page.$("#timeline"))!.boundingBox())!;
  await page.mouse.click(x + width / 2, y + height / 2);
  const middle = await tickOf(page);
  expect(Math.abs(middle - last / 2)).toBeLessThan(3);
  expect(await stateHashOf(page)).toBe(scripted(middle));
  expect(await textOf(page, ".timeline")).toContain(`newest ${last}`);

  // Time stops while it is dragged.
  await page.keyboard.press("p");
  await page.mouse.move(x + width / 3, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(x + width / 4, y + height / 2);
  await frames(page, 5);
  const held = await tickOf(page);
  await frames(page, 15);
  expect(await tickOf(page)).toBe(held);
  await page.mouse.up();
  await expect.poll(() => tickOf(page)).toBeGreaterThan(held + 10);
});

test("a key takes over; playing on after a rewind changes the future", async () => {
  const page = await openAt("#time?by=script&speed=4", 30);
  await page.keyboard.down("ArrowRight");
  await expect.poll(async () => (await queryOf(page)).get("by")).toBe("keys");
  const start = await tickOf(page);
  await expect.poll(() => tickOf(page)).toBeGreaterThan(start + 60);
  await page.keyboard.press("p");
  await page.keyboard.up("ArrowRight");
  const tick = await tickOf(page);
  const hash = await stateHashOf(page);
  expect(hash).not.toBe(scripted(tick));

  await page.keyboard.down("b");
  await expect.poll(() => tickOf(page)).toBeLessThan(tick - 30);
  await page.keyboard.up("b");
  const back = await tickOf(page);
  const there = await stateHashOf(page);
  await page.keyboard.press("p");
  await page.keyboard.down("ArrowLeft");
  await expect.poll(() => tickOf(page)).toBeGreaterThan(tick + 5);
  await page.keyboard.up("ArrowLeft");
  await page.keyboard.press("p");
  expect(numberOf(await figureOf(page, LANE, "future"))).toBe(0);

  const seek = (to: number) =>
    read(
      page,
      `{ const slider = document.querySelector("#timeline"); slider.value = ${to};
         slider.dispatchEvent(new Event("input")); slider.dispatchEvent(new Event("change")); }`,
    );
  // The past is the same; the future is not.
  await seek(back);
  expect([await tickOf(page), await stateHashOf(page)]).toEqual([back, there]);
  await seek(tick);
  expect(await tickOf(page)).toBe(tick);
  expect(await stateHashOf(page)).not.toBe(hash);
});

test("discards states older than the history, and allocates no more memory", async () => {
  const page = await openAt("#time?history=2", 60);
  const memory = await figureOf(page, LANE, "memory");
  expect(memory).toMatch(/^\d+ kB$/);
  await expect.poll(() => tickOf(page)).toBeGreaterThan(200);
  expect(await figureOf(page, LANE, "memory")).toBe(memory);
  const oldest = numberOf((await textOf(page, ".timeline")).replace("oldest", ""));
  expect(oldest).toBeGreaterThan(0);
  await page.keyboard.down("b");
  await expect.poll(() => textOf(page, ".note")).toContain("the oldest state");
  await page.keyboard.up("b");
  await expect.poll(() => textOf(page, ".note")).toContain("The script is playing");
});

test("rewinds the balls too, and ignores keys typed into a field", async () => {
  const page = await openAt("#time?scene=balls", 40);
  await page.focus('[data-setting="history"] input');
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("b");
  expect((await queryOf(page)).get("by")).toBe("script");
  await page.focus("#pause");
  const before = await tickOf(page);
  await page.keyboard.down("b");
  await expect.poll(() => read(page, `document.querySelector('${LANE}').dataset.mode`)).toBe("back");
  await expect.poll(() => tickOf(page)).toBeLessThan(before + 1);
  await page.keyboard.up("b");
});

test("on a touch screen, the pad takes over, runs and rewinds; the balls have a stick", async () => {
  const page = await open("#time");
  await page.setViewport({ width: 390, height: 844, hasTouch: true, isMobile: true });
  await page.reload();
  await page.waitForSelector(LANE);
  const boxOf = async (selector: string) => {
    await page.waitForSelector(selector);
    await read(page, `document.querySelector("${selector}").scrollIntoView({ block: "center" })`);
    return (await (await page.$(selector))!.boundingBox())!;
  };
  const modeOf = () => read(page, `document.querySelector('${LANE}').dataset.mode`);
  const pad = await boxOf(".pad");
  const touchPad = (part: number) =>
    page.touchscreen.touchStart(pad.x + pad.width * part, pad.y + pad.height / 2);
  const right = await touchPad(0.4);
  await expect.poll(() => textOf(page, ".note")).toContain("You are playing: ◀ and ▶ run");
  // The address follows at most four times per second.
  await expect.poll(async () => (await queryOf(page)).get("by")).toBe("keys");
  const tick = await tickOf(page);
  await expect.poll(() => tickOf(page)).toBeGreaterThan(tick + 20);
  await right.end();
  expect(await stateHashOf(page)).not.toBe(scripted(await tickOf(page)));
  const back = await touchPad(0.62);
  await expect.poll(modeOf).toBe("back");
  await back.end();
  await expect.poll(modeOf).toBe("forward");

  await page.goto(addressOf("#time?scene=balls"));
  const stick = await boxOf(".stick");
  expect(await page.$(".pad")).toBe(null);
  const thumb = await page.touchscreen.touchStart(stick.x + stick.width * 0.9, stick.y + stick.height / 2);
  await expect.poll(() => textOf(page, ".note")).toContain("with the stick");
  await thumb.end();
});
