// The examples in a real Chromium: as a visitor sees them, and on a display that the test refreshes frame by frame.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Page } from "puppeteer-core";
import { expect, test } from "vitest";
import { useSite } from "../browser/site.js";
import { FULL } from "../full.js";
import { frames } from "../lab/pages.js";
import { sampleOf } from "../shared/sample.js";
import { ROOT } from "../../scripts/setup.mjs";

const NAMES = [
  "canvas",
  "pixels",
  "three",
  "fiber",
  "pixi",
  "excalibur",
  "phaser",
  "phaser_driver",
  "arcade",
  "planck",
  "matter",
  "rapier",
  "thread",
  "bitecs",
  "koota",
  "howler",
];

/** Those whose frames a test can refresh. Workers have their own clocks: see thread.test.ts. */
const ON_DISPLAY = NAMES.filter((name) => name !== "thread");

const without = (names: readonly string[], ...others: readonly string[][]) =>
  FULL ? names : names.filter((name) => !others.flat().includes(name));

/** Most examples get one of three tests: for even motion, for equal steps, or for its controls. The full run does all with all. */
const SMOOTH = sampleOf(ON_DISPLAY, 3, "canvas");
const EQUAL = sampleOf(without(ON_DISPLAY, SMOOTH), 3, "phaser_driver", "fiber");
const RUN = sampleOf(without(NAMES, SMOOTH, EQUAL), 5);
const sourceOf = (name: string) => (name === "fiber" ? `${name}/main.tsx` : `${name}/main.ts`);

const site = useSite("examples");

async function open(path: string, script = "", viewport = { width: 800, height: 600 }): Promise<Page> {
  const page = await site.blank();
  await page.setViewport(viewport);
  await page.evaluateOnNewDocument(script);
  await page.goto(site.address + path);
  return page;
}

/** A display that the test refreshes, and a tracker of the orange object. */
const display = (rate: number) => `
  let time = 1000;
  let waiting = [];
  performance.now = () => time;
  window.requestAnimationFrame = (callback) => waiting.push(callback);
  window.cancelAnimationFrame = (id) => void delete waiting[id - 1];
  const [width, height] = [384, 216];
  const eye = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
  eye.globalCompositeOperation = "copy";

  function look(screen) {
    eye.drawImage(screen, 0, 0, width, height);
    const { data } = eye.getImageData(0, 0, width, height);
    let [count, x, y] = [0, 0, 0];
    for (let i = 0; i < data.length; i += 4)
      if (data[i] > 60 && data[i] > 1.3 * data[i + 1] && data[i + 1] > 1.8 * data[i + 2]) {
        count++;
        x += (i / 4) % width;
        y += Math.floor(i / 4 / width);
      }
    return count ? [x / count / width, y / count / width] : null;
  }
  function refresh() {
    const callbacks = waiting;
    waiting = [];
    time += 1000 / ${rate};
    for (const callback of callbacks) callback?.(time);
  }
  /** Its position in each frame, in screen widths. */
  window.watch = (seconds) => Array.from({ length: ${rate} * seconds }, () => {
    refresh();
    return look(document.querySelector("main canvas"));
  });
  /** Refreshes until the loop is at a tick. */
  window.runTo = (tick) => {
    for (let i = 0; i < 5000 && loop.tick < tick; i++) refresh();
    return { tick: loop.tick, place: look(document.querySelector("main canvas")) };
  };`;

type Place = [x: number, y: number] | null;

/** Shows frames for some seconds. */
async function watch(page: Page, seconds: number): Promise<Place[]> {
  return (await page.evaluate(`watch(${seconds})`)) as Place[];
}

/** Shows frames until the loop is at a tick. */
async function runTo(page: Page, tick: number): Promise<{ tick: number; place: Place }> {
  return (await page.evaluate(`runTo(${tick})`)) as { tick: number; place: Place };
}

/** Opens a page on the manual display, and waits until the orange object is visible and the loop knows the display. */
async function openBeforeDisplay(path: string, rate = 90): Promise<Page> {
  // A small window, as software rendering is slow.
  const page = await open(path, display(rate), { width: 400, height: 300 });
  await expect.poll(async () => (await watch(page, 0.1)).some(Boolean)).toBe(true);
  await watch(page, 0.4);
  return page;
}

/** Returns the distances between consecutive visible positions. */
function moves(places: Place[]): number[] {
  const seen = places.filter((place) => place !== null);
  return seen.slice(1).map(([x, y], i) => Math.hypot(x - seen[i]![0], y - seen[i]![1]));
}

/** More than any object moves in a frame, but less per frame than a respawn that is wrongly blended. */
const LEAP = 0.025;

/**
 * The largest share of one frame in the movement of three frames, which are at most one step: 1/3 if smooth, 1 if
 * unblended.
 */
function unevenness(places: Place[]): number {
  const all = moves(places);
  let [largest, total] = [0, 0];
  for (let i = 0; i + 3 <= all.length; i += 3) {
    const three = all.slice(i, i + 3);
    if (three.some((move) => move > LEAP)) continue;
    largest += Math.max(...three);
    total += three.reduce((sum, move) => sum + move);
  }
  return largest / total;
}

test("the index page links to every example", async () => {
  const page = await open("");
  const links = await page.evaluate(
    `[...document.querySelectorAll("main a")].map((a) => a.getAttribute("href"))`,
  );
  expect(links).toEqual(NAMES.map((name) => `${name}/`));
  const folders = readdirSync(join(ROOT, "examples"), { recursive: true, encoding: "utf8" })
    .filter((path) => /^\w+\/main\.tsx?$/.test(path))
    .map(dirname);
  expect(folders.sort()).toEqual([...NAMES].sort());
});

test.each(SMOOTH)("%s: moves smoothly between steps, and respawns in a single frame", async (name) => {
  const page = await openBeforeDisplay(`${name}/`);
  expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth"), "sticks out").toBe(0);
  const places: Place[] = [];
  const leaps = () => moves(places).flatMap((move, i) => (move > LEAP ? [i] : []));
  while (leaps().length === 0 && places.length < 90 * 15) places.push(...(await watch(page, 0.5)));
  places.push(...(await watch(page, 0.2)));
  expect(leaps()).toHaveLength(1);
  expect(unevenness(places)).toBeLessThan(0.6);

  const bare = await openBeforeDisplay(`${name}/?bare`);
  expect(unevenness(await watch(bare, 0.5))).toBeGreaterThan(0.9);
});

test.each(RUN)("%s: runs, pauses on click, resumes by key, and links to its source", async (name) => {
  const page = await open(`${name}/`);
  const screen = (await page.waitForSelector("main canvas"))!;
  const picture = async () => Buffer.from(await screen.screenshot()).toString("base64");
  const changes = async () => {
    const before = await picture();
    await frames(page, 12);
    return (await picture()) !== before;
  };
  await expect.poll(changes).toBe(true);
  await screen.click();
  // Frames that were already queued are still shown.
  await expect.poll(changes).toBe(false);
  expect(await changes()).toBe(false);
  await page.keyboard.press("p");
  await expect.poll(changes).toBe(true);

  const source = `fetch(document.querySelector(".bar a").href).then((response) => response.text())`;
  expect(await page.evaluate(source)).toBe(readFileSync(join(ROOT, "examples", sourceOf(name)), "utf8"));
});

test.each(EQUAL)("%s: takes the same steps at 30 and at 144 frames per second", async (name) => {
  const places = [];
  for (const rate of [30, 144]) {
    // Without blending, a picture shows a state as it is.
    const page = await openBeforeDisplay(`${name}/?bare`, rate);
    const [before, after] = [await runTo(page, 40), await runTo(page, 80)];
    expect([before.tick, after.tick]).toEqual([40, 80]);
    expect(after.place).not.toEqual(before.place);
    places.push([before.place, after.place]);
    await page.close();
  }
  expect(places[0]).toEqual(places[1]);
});

test("howler: plays each bounce once, at 30 and at 144 frames per second, and nothing before the click", async () => {
  const counts = [];
  for (const rate of [30, 144]) {
    const page = await openBeforeDisplay("howler/?bare", rate);
    await page.evaluate(`
      var played = 0;
      const { start } = AudioBufferSourceNode.prototype;
      AudioBufferSourceNode.prototype.start = function (...rest) {
        played++;
        return start.apply(this, rest);
      };`);
    const playedUntil = async (tick: number) => {
      await runTo(page, tick);
      return Number(await page.evaluate("played"));
    };
    expect(await playedUntil(60)).toBe(0);
    await page.click("#sound");
    await page.waitForFunction(`Howler.ctx?.state === "running" && Howler._howls[0].state() === "loaded"`);
    const unlocked = Number(await page.evaluate("played")); // Howler plays silence to unlock the context
    counts.push((await playedUntil(200)) - unlocked);
    await page.close();
  }
  expect(counts).toEqual([26, 26]);
});

test("bitecs: rewinds along its path while R is held, and continues from there", async () => {
  const page = await openBeforeDisplay("bitecs/");
  const there = await watch(page, 1);
  await page.keyboard.down("r");
  const back = await watch(page, 0.5);
  await page.keyboard.up("r");
  const again = await watch(page, 0.5);
  const x = (place: Place | undefined) => place![0];
  const way = x(there.at(-1)) - x(there[0]);
  expect(way).toBeGreaterThan(0.1);
  // Rewinds at twice the speed for half of the time, then runs half of the way again.
  expect((x(back.at(-1)) - x(there[0])) / way).toBeCloseTo(0, 1);
  expect((x(again.at(-1)) - x(there[0])) / way).toBeCloseTo(0.5, 1);
});

const WEBGL = [
  "pixels",
  "three",
  "thread",
  "fiber",
  "pixi",
  "excalibur",
  "phaser",
  "phaser_driver",
  "arcade",
];

test.each(sampleOf(WEBGL, 1))("%s: shows a message without WebGL", async (name) => {
  const page = await open(
    `${name}/`,
    `const { getContext } = HTMLCanvasElement.prototype;
    HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
      return kind === "2d" ? getContext.call(this, kind, ...rest) : null;
    };`,
  );
  const message = (await page.waitForSelector("[role=alert]"))!;
  expect(await message.evaluate((element) => element.textContent)).toMatch(/WebGL/);
});
