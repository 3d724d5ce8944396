// Sessions in workers of real browsers, bundled as usual, with and without cross-origin isolation.
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { BROWSER_NAMES, findBrowser } from "../../scripts/browsers.mjs";
import { FULL } from "../full.js";
import { launch, until, type TestBrowser, type TestPage } from "./launch.js";

const TYPES: Record<string, string> = { ".html": "text/html", ".js": "text/javascript" };

let server: Server;
let folder: string;
let address: (isIsolated: boolean) => string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "tickwise-thread-"));
  await build({
    root: fileURLToPath(new URL("thread-page", import.meta.url)),
    configFile: false,
    base: "./",
    logLevel: "warn",
    worker: { format: "es" },
    build: { outDir: folder, emptyOutDir: true, minify: false },
  });
  server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    // Everything that begins with /isolated is sent with the headers that shared memory needs.
    const path = pathname.replace(/^\/isolated/, "");
    if (path !== pathname)
      response
        .setHeader("Cross-Origin-Opener-Policy", "same-origin")
        .setHeader("Cross-Origin-Embedder-Policy", "require-corp");
    try {
      const file = path.endsWith("/") ? `${path}index.html` : path;
      const content = readFileSync(join(folder, file.replace(/\.\./g, "")));
      response.setHeader("Content-Type", TYPES[extname(file)] ?? "application/octet-stream").end(content);
    } catch {
      response.writeHead(404).end();
    }
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  address = (isIsolated) => `http://127.0.0.1:${port}/${isIsolated ? "isolated/" : ""}`;
});
afterAll(() => {
  server?.close();
  rmSync(folder, { recursive: true, force: true });
});

describe.each(BROWSER_NAMES)("%s", (name) => {
  describe.runIf(findBrowser(name) || process.env.CI)("a session in a worker", () => {
    let browser: TestBrowser;
    beforeAll(async () => void (browser = await launch(name)));
    afterAll(() => browser?.close());

    // WebKit under WebDriver has no SharedArrayBuffer, isolated or not.
    const modes = name === "webkit" && !FULL ? [false] : [true, false];
    describe.each(modes)("with cross-origin isolation: %s", (isIsolated) => {
      // All tests share one page, as loading it takes longer than most of them.
      let page: TestPage;
      beforeAll(async () => {
        page = await browser.open(address(isIsolated));
        await page.show();
        await until(page, "globalThis.thread");
      });
      afterAll(() => page?.close());

      test("plays the same game: each press once, each effect once, and the recording verifies", async () => {
        const isShared = isIsolated && name !== "webkit";
        expect(await page.evaluate("thread.play(20)")).toMatchObject({
          memory: isShared ? "shared" : "transferred",
          reason: isShared
            ? "the page is cross-origin isolated"
            : isIsolated
              ? "this browser has no SharedArrayBuffer"
              : "the page is not cross-origin isolated",
          kernels: "wasm",
          presses: 20,
          shots: Array.from({ length: 20 }, (_, i) => i + 1),
          early: 0,
          backwards: 0,
          verified: true,
          from: 0,
          isWhole: true,
        });
      });

      test("workers that are killed, suspended or missing, and steps that throw", async () => {
        const { killed, suspended, failed, absent } = await page.evaluate<{
          killed: object;
          suspended: { lostSeconds: number };
          failed: { stack: string };
          absent: object;
        }>("thread.failures()");
        // Another one goes on from the last state.
        expect(killed).toEqual({ reasons: ["silent"], isSame: true });
        // It continues, and the time is lost: of 1.2 s, a loop catches up 0.25 s.
        expect(suspended).toMatchObject({ failure: "none", backwards: 0, isSame: true });
        expect(suspended.lostSeconds).toBeGreaterThan(0.9);
        expect(failed).toMatchObject({
          reason: "step",
          message: "the player asked for it",
          thrown: expect.stringContaining("threw in the worker: the player asked for it"),
          isBack: true,
        });
        expect(failed.stack).toContain("arcade.worker");
        expect(absent).toMatchObject({
          reason: "load",
          problem: expect.stringContaining("could not be loaded"),
        });
      });

      const count = FULL ? 1000 : 30;
      // Where no shared memory fills up, engines take seconds until they collect garbage.
      const isSampled = isIsolated || name === "webkit";
      test.runIf(FULL || isSampled)(`${count} starts and disposals leave nothing behind`, async () => {
        const { ready, left } = await page.evaluate<{ ready: number; left: number[] }>(
          `thread.many(${count})`,
        );
        expect(ready).toBe(count);
        expect(left.length, `in memory: ${left}`).toBeLessThanOrEqual(5);
      });

      // WebKit's WebDriver cannot hide a page.
      test.skipIf(name === "webkit")(
        "goes on while the page is hidden, and after it is shown again",
        async () => {
          await page.evaluate("thread.running()");
          await until(page, "session.tick > 10");
          await page.hide!();
          const before = await page.evaluate<number>("session.stats().then(({ steps }) => steps)");
          await until(page, `session.stats().then(({ steps }) => steps > ${before + 30})`);
          await page.show();
          const tick = await page.evaluate<number>("session.tick");
          await until(page, `session.tick > ${tick + 20}`);
          expect(await page.evaluate("!session.failure")).toBe(true);
          await page.evaluate("session.dispose()");
        },
      );
    });
  });
});
