// "Server" in a real Chromium: a server, two clients and a viewer side by side on a simulated network.
import type { Page } from "puppeteer-core";
import { expect, test } from "vitest";
import { testExperiment } from "./any-experiment.js";
import { figureIn, hiddenTick, laneOf, numberIn, openPast } from "./lanes.js";
import { coloursIn, frames, noteOf, numberOf, open, queryOf, textOf, useLab } from "./pages.js";

useLab();

testExperiment("#server", {
  lanes: 4,
  values: { latency: 150, jitter: 40, loss: 10, burst: 4 },
  controls: ["step", "prediction", "reconciliation", "smoothing", "down", "rate"],
});

const CLIENTS = ["client-1", "client-2"];
const tickOf = (page: Page) => hiddenTick(page, "client-1");
const select = (page: Page, name: string, value: string) =>
  page.select(`[data-setting="${name}"] select`, value);

const openPlaying = (hash: string, tick = 120) => openPast(hash, "client-1", tick, hiddenTick);

/** Returns which of the colours of the server's, the predicted and the shown state a picture has. */
const coloursOf = (page: Page, lane: string) =>
  coloursIn(page, `${laneOf(lane)} .scene`, ["ring", "correction", "ball"]);

test("shows at once what each machine does: figures, ghosts and a legend", async () => {
  const page = await openPlaying("#server");
  for (const client of CLIENTS) {
    await expect.poll(() => numberIn(page, client, "corrections")).toBeGreaterThan(0.5);
    expect(await numberIn(page, client, "roundTrip")).toBeGreaterThan(150);
    expect(await numberIn(page, client, "early")).toBeGreaterThan(0.5);
    expect(await numberIn(page, client, "ahead")).toBeGreaterThan(4);
    expect(await figureIn(page, client, "received")).toMatch(/^2\d\/s × \d+ B$/);
    expect(await figureIn(page, client, "pace")).toMatch(/^(0\.9\d|1\.0\d)×$/);
    expect(await figureIn(page, client, "delay")).toBe("0 ms");
    await expect.poll(() => coloursOf(page, client)).toEqual([true, true, true]);
  }
  expect(await figureIn(page, "server", "late")).toMatch(/^\d+, \d+$/);
  expect(await numberIn(page, "server", "bytes")).toBeGreaterThan(1);
  expect(await numberIn(page, "viewer", "delay")).toBeGreaterThan(50);
  expect(await numberIn(page, "viewer", "behind")).toBeGreaterThan(100);
  expect(await textOf(page, ".ghost-legend")).toBe(
    "server, now predicted by the client shown to the player ",
  );
  expect(await noteOf(page)).toContain("follows smoothly");
});

test("prediction and reconciliation are switched while the game runs", async () => {
  const page = await openPlaying("#server");
  const tick = await tickOf(page);
  await select(page, "reconciliation", "Off");
  await expect.poll(() => figureIn(page, "client-1", "corrections")).toBe("ignored");
  await expect.poll(() => numberIn(page, "client-1", "error")).toBeGreaterThan(60);
  expect(await noteOf(page)).toContain("a game of its own");
  await select(page, "prediction", "Off");
  await expect.poll(() => numberIn(page, "client-2", "delay")).toBeGreaterThan(150);
  expect(await figureIn(page, "client-2", "error")).toBe("no guess");
  await expect.poll(() => coloursOf(page, "client-1")).toEqual([true, false, true]);
  expect(await noteOf(page)).toContain("it shows the past");
  expect(Object.fromEntries(await queryOf(page))).toMatchObject({ prediction: "off", reconciliation: "off" });
  await select(page, "prediction", "On");
  await select(page, "reconciliation", "On");
  await expect.poll(() => figureIn(page, "client-2", "corrections")).toMatch(/\/s$/);
  expect(await tickOf(page)).toBeGreaterThan(tick);
});

test("a link restores the settings: inputs without smoothing, on a good network", async () => {
  const page = await openPlaying("#server?smoothing=off&down=inputs&latency=10&jitter=0&loss=0&rate=30");
  await expect.poll(() => figureIn(page, "client-1", "received")).toMatch(/^6\d\/s/);
  await expect.poll(() => figureIn(page, "viewer", "snapshots")).toMatch(/^3\d\/s/);
  expect(await numberIn(page, "client-1", "roundTrip")).toBeLessThan(80);
  expect(await noteOf(page)).toContain("Without smoothing");
});

test("keys play both clients, once pressed", async () => {
  const page = await openPlaying("#server", 30);
  const playerOf = (client: string) => textOf(page, `${laneOf(client)} header p`);
  expect(await playerOf("client-1")).toBe("bot until you press W A S D, Space to dash");
  await page.keyboard.down("a");
  await expect.poll(() => playerOf("client-1")).toBe("you: W A S D, Space to dash");
  await page.keyboard.up("a");
  await page.click("#restart");
  await expect.poll(() => playerOf("client-1")).toContain("bot until");
});

test("pauses, also if the visitor prefers reduced motion, and runs single ticks", async () => {
  const page = await open("#server", 1200, { name: "prefers-reduced-motion", value: "reduce" });
  await page.waitForSelector(laneOf("client-1"));
  const serverTick = async () => numberOf((await textOf(page, "#status")).split("tick")[1]!);
  const tick = await serverTick();
  await frames(page, 20);
  expect(await serverTick()).toBe(tick);
  await page.keyboard.press(".");
  const next = await serverTick();
  await page.click("#step");
  expect(await serverTick()).toBe(next + 1);
  await page.keyboard.press("p");
  await expect.poll(serverTick).toBeGreaterThan(next + 20);
  await page.keyboard.press(".");
  const paused = await serverTick();
  await frames(page, 20);
  expect(await serverTick()).toBe(paused);
});
