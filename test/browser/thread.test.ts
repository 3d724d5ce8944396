// Sessions in workers of real browsers, bundled as usual, with and without cross-origin isolation.
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
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
    let page: TestPage | undefined;
    beforeAll(async () => void (browser = await launch(name)));
    afterAll(() => browser?.close());
    afterEach(() => page?.close());

    describe.each([true, false])("with cross-origin isolation: %s", (isIsolated) => {
      const open = async () => {
        page = await browser.open(address(isIsolated));
        await page.show();
        await until(page, "globalThis.thread");
        return page;
      };

      test("plays the same game: each press once, each effect once, and the recording verifies", async () => {
        await open();
        // WebKit under WebDriver is isolated, but has no SharedArrayBuffer.
        const isShared = isIsolated && name !== "webkit";
        const result = await page!.evaluate<{ timing: { frames: number; starvedFrames: number } }>(
          "thread.play(20)",
        );
        expect(result).toMatchObject({
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
        console.log(`${name}, isolated ${isIsolated}: ${JSON.stringify(result.timing)}`);
      });

      test("a worker that was killed is noticed, and another one goes on from the last state", async () => {
        await open();
        expect(await page!.evaluate("thread.kill()")).toEqual({ reasons: ["silent"], isSame: true });
      });

      test("a step that throws, and a module that is not there, reach the page", async () => {
        await open();
        const failure = await page!.evaluate<{ stack: string }>("thread.fail()");
        expect(failure).toMatchObject({
          reason: "step",
          message: "the player asked for it",
          thrown: expect.stringContaining("threw in the worker: the player asked for it"),
          isBack: true,
        });
        expect(failure.stack).toContain("arcade.worker");
        expect(await page!.evaluate("thread.missing()")).toMatchObject({
          reason: "load",
          problem: expect.stringContaining("could not be loaded"),
        });
      });

      test("many starts and disposals", async () => {
        await open();
        const count = FULL ? 1000 : 30;
        expect(await page!.evaluate(`thread.many(${count})`)).toBe(count);
      });

      // WebKit's WebDriver cannot hide a page.
      test.skipIf(name === "webkit")(
        "goes on while the page is hidden, and after it is shown again",
        async () => {
          await open();
          await page!.evaluate("thread.running()");
          await until(page!, "session.tick > 10");
          await page!.hide!();
          const before = await page!.evaluate<number>("session.stats().then(({ steps }) => steps)");
          await until(page!, `session.stats().then(({ steps }) => steps > ${before + 60})`);
          await page!.show();
          const tick = await page!.evaluate<number>("session.tick");
          await until(page!, `session.tick > ${tick + 20}`);
          expect(await page!.evaluate("!session.failure")).toBe(true);
          await page!.evaluate("session.dispose()");
        },
      );
    });
  });
});
