// "Network" in a real Chromium: machines side by side on a simulated network.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "puppeteer-core";
import { expect, test } from "vitest";
import { readReport } from "../../src/net/index.js";
import { testExperiment } from "./any-experiment.js";
import { dataIn, figureIn, hiddenTick, laneOf, numberIn, openPast, useFolder } from "./lanes.js";
import {
  coloursIn,
  downloadInto,
  figureOf,
  frames,
  numberOf,
  open,
  queryOf,
  read,
  textOf,
  useLab,
} from "./pages.js";

useLab();

testExperiment("#network", {
  lanes: 2,
  values: { latency: 100, jitter: 40, loss: 10, burst: 4 },
  controls: ["kill", "cut", "freeze", "plant", "players", "model", "delay"],
});

const folder = useFolder();

const nameOf = (player: number) => `player-${player}`;
const figure = (page: Page, player: number, name: string) => figureIn(page, nameOf(player), name);
const numberAt = (page: Page, player: number, name: string) => numberIn(page, nameOf(player), name);
const tickOf = (page: Page, player: number) => hiddenTick(page, nameOf(player));
const stateOf = (page: Page, player: number) => dataIn(page, nameOf(player), "state");
const eventsOf = (page: Page) => textOf(page, ".events");
const labelOf = (page: Page, id: string) => textOf(page, `#${id} span`);

const openPlaying = (hash: string, tick = 60) => openPast(hash, nameOf(1), tick, hiddenTick);

test("two machines play on: guesses are corrected, and ticks confirmed", async () => {
  const page = await openPlaying("#network");
  for (const player of [1, 2]) {
    await expect.poll(() => numberAt(page, player, "rollbacks")).toBeGreaterThan(3);
    expect(await stateOf(page, player)).toBe("playing");
    expect(await numberAt(page, player, "roundTrip")).toBeGreaterThan(90);
    expect(await numberAt(page, player, "bytes")).toBeGreaterThan(3);
    expect(await figure(page, player, "pace")).toMatch(/^(0\.9\d|1\.0\d)×$/);
    // The colours of confirmed and predicted ticks are both there.
    const colours = await coloursIn(page, `${laneOf(nameOf(player))} .ticks`, ["ring", "correction"]);
    expect(colours).toEqual([true, true]);
  }
  await expect.poll(() => figureOf(page, '[data-lane="desync"]', "desync")).toBe("✓ no desync");
});

test("lockstep never rolls back; without input delay it mostly waits", async () => {
  const page = await openPlaying("#network?model=lockstep&delay=0&latency=100&loss=0", 20);
  await expect.poll(() => numberAt(page, 1, "stalled")).toBeGreaterThan(50);
  expect(await figure(page, 1, "rollbacks")).toBe("0");
  expect(await figure(page, 1, "delay")).toBe("0, 0");
  expect(await textOf(page, ".note")).toContain("makes everyone wait (red)");
});

test("four players have four pictures; sliders take effect without a restart", async () => {
  const page = await openPlaying("#network");
  expect((await page.$$(".machines .lane")).length).toBe(2);
  await page.select('[data-setting="players"] select', "Four");
  await expect.poll(async () => (await queryOf(page)).get("players")).toBe("4");
  expect((await page.$$(".machines .lane > canvas")).length).toBe(4);
  await expect.poll(() => tickOf(page, 4)).toBeGreaterThan(60);
  const tick = await tickOf(page, 1);
  await page.click('[data-setting="latency"] input', { count: 3 });
  await page.keyboard.type("200");
  await page.keyboard.press("Enter");
  await expect.poll(() => numberAt(page, 4, "roundTrip")).toBeGreaterThan(250);
  expect(await tickOf(page, 1)).toBeGreaterThan(tick);
});

test("keys play both players, once pressed", async () => {
  const page = await openPlaying("#network?latency=0&jitter=0&loss=0");
  const playerOf = (player: number) => textOf(page, `${laneOf(nameOf(player))} header p`);
  expect(await playerOf(1)).toBe("bot until you press W A S D, Space to dash");
  await page.keyboard.down("a");
  await expect.poll(() => playerOf(1)).toBe("you: W A S D, Space to dash");
  expect(await playerOf(2)).toContain("bot until you press arrow keys");
  await page.keyboard.down("ArrowUp");
  await expect.poll(() => playerOf(2)).toBe("you: arrow keys, Enter to dash");
  await page.keyboard.up("a");
  await page.keyboard.up("ArrowUp");
  // Arrow keys do not scroll the page.
  expect(await read(page, "scrollY")).toBe(0);
  await page.click("#restart");
  await expect.poll(() => playerOf(1)).toContain("bot until");
});

test("player 2 is killed and comes back; the line is cut and repaired; player 2 freezes", async () => {
  const page = await openPlaying("#network?latency=20");
  await page.click("#kill");
  expect(await labelOf(page, "kill")).toBe("Bring it back");
  expect(await stateOf(page, 2)).toBe("gone");
  await expect
    .poll(() => eventsOf(page))
    .toContain("Player 2 is dropped (it stopped responding). A bot plays for it");
  await page.keyboard.press("k");
  await expect.poll(() => eventsOf(page)).toMatch(/Player 2 plays from tick [1-9]\d* on/);
  await expect.poll(() => stateOf(page, 2)).toBe("playing");

  await page.click("#cut");
  expect(await labelOf(page, "cut")).toBe("Repair the line");
  const drops = async () => (await eventsOf(page)).split("is dropped").length - 1;
  await expect.poll(drops).toBe(2);
  await page.click("#cut");
  const joins = async () => (await eventsOf(page)).match(/plays from tick/g)?.length ?? 0;
  await expect.poll(joins).toBe(3);
  await page.keyboard.press("f");
  await expect.poll(drops).toBe(3);
  await expect.poll(joins).toBe(4);
  expect(await figureOf(page, '[data-lane="desync"]', "desync")).toBe("✓ no desync");
});

test("a planted desync is diagnosed in plain words; its report can be downloaded; a correct copy ends it", async () => {
  const page = await openPlaying("#network");
  await downloadInto(page, folder);
  expect(await read(page, `document.querySelector("#save-report").disabled`)).toBe(true);
  await page.click("#plant");
  expect(await textOf(page, ".planted")).toContain("bodies.vx[BALL] += hidden.wind");
  const diagnosis = () => textOf(page, '[data-lane="desync"] .report');
  await expect
    .poll(diagnosis)
    .toMatch(/At tick \d+ they differ:\nbodies\[4\]\.vx, the speed to the right of the ball:/);
  expect(await diagnosis()).toMatch(/ {2}\S+ for Player 1\n {2}\S+ for Player 2/);
  expect(await figureOf(page, '[data-lane="desync"]', "desync")).toBe("✗ states differ");
  await page.click("#save-report");
  const files = () => readdirSync(folder).filter((name) => name.endsWith(".twd"));
  await expect.poll(files).toHaveLength(1);
  const tick = numberOf((await diagnosis()).split("At tick")[1]!);
  expect(files()[0]).toBe(`arena-desync-${tick}.twd`);
  const report = readReport(readFileSync(join(folder, files()[0]!)));
  expect(report).toMatchObject({ tick, fields: [{ path: "bodies[4].vx" }] });

  await page.click("#plant");
  await expect.poll(() => figureOf(page, '[data-lane="desync"]', "desync")).toBe("✓ no desync");
  await expect.poll(() => stateOf(page, 2)).toBe("playing");
  const before = await tickOf(page, 2);
  await expect.poll(() => tickOf(page, 2)).toBeGreaterThan(before + 60);
  expect(await figureOf(page, '[data-lane="desync"]', "desync")).toBe("✓ no desync");
});

test("pauses, also if the visitor prefers reduced motion", async () => {
  const page = await open("#network", 1200, { name: "prefers-reduced-motion", value: "reduce" });
  await page.waitForSelector(laneOf(nameOf(1)));
  const tick = await tickOf(page, 1);
  await frames(page, 20);
  expect(await tickOf(page, 1)).toBe(tick);
  await page.keyboard.press("p");
  await expect.poll(() => tickOf(page, 1)).toBeGreaterThan(tick + 20);
});
