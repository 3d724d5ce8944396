// The example with a simulation in a worker: with and without cross-origin isolation, and after its worker was killed.
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { build } from "vite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { guard, syncTest } from "tickwise/sim";
import { game } from "../../examples/thread/game.js";
import { ISOLATION } from "../../scripts/isolation.js";
import { ROOT } from "../../scripts/setup.mjs";
import { sampleOf } from "../shared/sample.js";
import { openChromium, type Chromium } from "../browser/launch.js";

test("the pile passes the sync test", () => {
  // Rapier times its own steps.
  const result = syncTest(game, { ticks: 10, back: 2, guard: guard({ allow: ["performance.now"] }) });
  expect(result.message).toBe("");
});

const TYPES: Record<string, string> = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css" };

describe("in Chromium", () => {
  let folder: string;
  let server: Server;
  let browser: Chromium;
  let isIsolated: boolean;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "tickwise-thread-"));
    await build({
      configFile: join(ROOT, "examples/vite.config.ts"),
      logLevel: "error",
      // Only this page, as all of them take long.
      build: {
        outDir: folder,
        minify: false,
        rolldownOptions: { input: join(ROOT, "examples/thread/index.html") },
      },
    });
    server = createServer(({ url }, response) => {
      const { pathname } = new URL(url ?? "/", "http://localhost");
      const file = pathname.endsWith("/") ? `${pathname}index.html` : pathname;
      if (isIsolated) response.setHeaders(new Map(Object.entries(ISOLATION)));
      response.setHeader("Content-Type", TYPES[extname(file)] ?? "application/octet-stream");
      const content = readFileSync(join(folder, file.replaceAll("..", "")), "utf8");
      // Small pictures and cheap steps, as there is no graphics card, and many tests at once.
      response.end(
        content
          .replaceAll('width="480" height="360"', 'width="80" height="60"')
          .replace('value="40"', 'value="1"'),
      );
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    browser = await openChromium();
  });
  afterAll(async () => {
    await browser?.close();
    server?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const CASES = [
    [true, "shared memory, as the page is cross-origin isolated"],
    [false, "transferred memory, as the page is not cross-origin isolated"],
  ] as const;
  test.each(sampleOf(CASES, 1))(
    "isolated %s: runs with %s, pauses, and continues after its worker was killed",
    async (isolated, memory) => {
      isIsolated = isolated;
      const page = await browser.newPage();
      const complaints: string[] = [];
      page.on("pageerror", (error) => complaints.push(String(error)));
      page.on("requestfailed", (request) => complaints.push(`failed: ${request.url()}`));
      await page.setViewport({ width: 400, height: 500 });
      await page.goto(`http://127.0.0.1:${(server.address() as { port: number }).port}/thread/`);
      const textOf = (selector: string) => `document.querySelector("${selector}").textContent`;
      const one = `Number(/tick (\\d+)/.exec(${textOf("#one output")})?.[1])`;

      await page.waitForFunction(`${one} > 5 && session.tick > 5 && ${textOf("#two output")}`);
      expect(await page.evaluate(textOf("#two output"))).toContain(memory);
      expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth"), "sticks out").toBe(0);

      await page.click(".bar button");
      // What was under way is still shown, and the figures of one thread arrive once per second.
      const ticks = async () => String([await page.evaluate(one), await page.evaluate("session.tick")]);
      await expect
        .poll(async () => {
          const before = await ticks();
          await setTimeout(1100);
          return (await ticks()) === before;
        })
        .toBe(true);
      const [first, second] = (await ticks()).split(",");
      await page.click(".bar button");
      // The worker sends its external state once per second.
      await page.waitForFunction(`${one} > ${first} && session.tick > ${second} + 40`);

      await page.click("#kill");
      await page.waitForFunction(`${textOf("#log")}.includes("continues")`);
      const [killed, continued] = /at tick (\d+)\..* at tick (\d+)/
        .exec(String(await page.evaluate(textOf("#log"))))!
        .slice(1)
        .map(Number);
      // Not from the beginning.
      expect(continued).toBeGreaterThan(5);
      await page.waitForFunction(`session.tick > ${killed} + 5 && !document.querySelector("#kill").disabled`);
      expect(complaints).toEqual([]);
      await page.close();
    },
  );
});
