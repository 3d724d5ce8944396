// All games that the packed `tickwise new` creates: tested, checked and built; and those for two players, played.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "puppeteer-core";
import { createServer } from "vite";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { openChromium } from "../browser/launch.js";
import { complaintsOf, createGame, expectSteering, linkTools } from "./new-game.js";
import { installPackage } from "./run.js";

const project = mkdtempSync(join(tmpdir(), "tickwise-new-"));
const closers: (() => unknown)[] = [];

beforeAll(() => {
  installPackage(project);
  linkTools(project);
});
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

/** Opens a page in a window of its own, so that it is visible. */
async function openPage(): Promise<Page> {
  const browser = await openChromium();
  closers.push(() => browser.close());
  return browser.newPage();
}

/** Opens two tabs of a game. */
async function openTwo(address: string) {
  const pages: [Page, Page] = [await openPage(), await openPage()];
  const complaints = pages.map(complaintsOf);
  for (const page of pages) {
    await page.goto(address);
    await expect
      .poll(() => page.$eval("#message", ({ textContent }) => textContent))
      .toMatch(/^You are the (amber|blue) ship\./);
  }
  return { pages, complaints };
}

/** Serves a game as `npm start` does. */
async function start(game: string): Promise<string> {
  const server = await createServer({
    root: game,
    server: { host: "127.0.0.1", port: 0 },
    logLevel: "warn",
  });
  closers.push(() => server.close());
  await server.listen();
  return server.resolvedUrls!.local[0]!;
}

test("canvas, two-player: two tabs of npm start play with each other, and so do those of npm run host", async () => {
  const game = createGame(project, "duel", "--play", "two-player");
  const played = await openTwo(await start(game));
  await expectSteering(played.pages);
  expect(played.complaints.flat()).toEqual([]);

  const host = spawn("npm", ["run", "host", "--", "--port", "0"], { cwd: game, detached: true });
  closers.push(() => process.kill(-host.pid!, "SIGKILL"));
  let said = "";
  host.stdout.setEncoding("utf8").on("data", (text: string) => (said += text));
  await expect.poll(() => said).toMatch(/ at http:\S+/);
  const hosted = await openTwo(/ at (http:\S+)/.exec(said)![1]!);
  await expectSteering(hosted.pages);
  expect(hosted.complaints.flat()).toEqual([]);
});

test.each(["local", "two-player"])("three, %s: runs", async (play) => {
  const game = createGame(project, `space-${play}`, "--view", "three", "--play", play);
  const page = await openPage();
  const complaints = complaintsOf(page);
  await page.goto(await start(game));
  // The bot catches stars.
  await expect
    .poll(() => page.$$eval("#score output", ([, bot]) => Number(bot!.textContent)))
    .toBeGreaterThan(1);
  const before = await page.screenshot();
  await expect.poll(async () => Buffer.compare(await page.screenshot(), before)).not.toBe(0);
  expect(complaints).toEqual([]);
});
