// `npm start` and `npm run examples`, and the pages that they build, share memory with workers. They also work on hosts that
// cannot send the headers for that.
import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createServer, type ViteDevServer } from "vite";
import type { Page } from "puppeteer-core";
import { describe, expect, test } from "vitest";
import { askFor } from "../shared/ask.js";
import { openChromium } from "../browser/launch.js";
import { useSite } from "../browser/site.js";
import { FULL } from "../full.js";
import { ROOT } from "../../scripts/setup.mjs";

const site = useSite("lab");

async function policiesOf(address: string): Promise<(string | null)[]> {
  const { status, headers } = await fetch(address);
  expect(status).toBe(200);
  return ["cross-origin-opener-policy", "cross-origin-embedder-policy"].map((name) => headers.get(name));
}

const ISOLATED = ["same-origin", "require-corp"];

/** Starts the server of a workspace, as `npm start` does, on any port. Dependencies are prepared only for pages that will run. */
async function start(workspace: string, runsPages = false): Promise<ViteDevServer> {
  const server = await createServer({
    configFile: join(ROOT, workspace, "vite.config.ts"),
    logLevel: "warn",
    server: { host: "127.0.0.1", port: 0 },
    ...(runsPages ? {} : { optimizeDeps: { noDiscovery: true, include: [] } }),
  });
  return server.listen();
}

/** Pages and, as workers need them too, modules. */
const PATHS = {
  lab: ["", "src/main.ts"],
  examples: ["", "three/", "three/main.ts"],
  site: [
    "",
    "thread/",
    "embed/thread/",
    "docs/threads/",
    "404.html",
    "src/article/main.ts",
    "lab/",
    "lab/src/main.ts",
  ],
};

test.each(["lab", "examples", "site"] as const)(
  "%s: the development server sends the headers of isolated pages",
  async (workspace) => {
    const server = await start(workspace);
    try {
      const address = server.resolvedUrls!.local[0]!;
      for (const path of PATHS[workspace]) expect(await policiesOf(address + path), path).toEqual(ISOLATED);
    } finally {
      await server.close();
    }
  },
);

/** Serves what another server serves, without its headers for isolation. */
async function withoutIsolation(address: string) {
  const server = createHttpServer(async ({ url = "/" }, response) => {
    const reply = await fetch(new URL(url, address));
    response.writeHead(reply.status, { "content-type": reply.headers.get("content-type") ?? "" });
    response.end(Buffer.from(await reply.arrayBuffer()));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

/** Opens the chapter and the experiment about threads. Returns whether they were isolated, and the memory that the lab chose. */
async function openThreads(page: Page, address: string) {
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  await page.goto(`${address}thread/`);
  await page.waitForSelector("[data-chapter][data-ready]");
  const isChapterIsolated = await page.evaluate("crossOriginIsolated");
  await page.goto(`${address}lab/#thread?cost=2`);
  await page.waitForFunction(
    `Number(document.querySelector('[data-lane="two"] [data-figure="fps"]')?.textContent) > 0`,
  );
  const memory = await page.evaluate(
    `document.querySelector('[data-lane="delay"] [data-figure="memory"]').textContent`,
  );
  return { isChapterIsolated, isIsolated: await page.evaluate("crossOriginIsolated"), memory, errors };
}

describe.runIf(FULL)("the chapter Thread and the lab, served by npm start, run", () => {
  test("with shared memory, and without the headers with transferred memory", async () => {
    const server = await start("site", true);
    const bare = await withoutIsolation(server.resolvedUrls!.local[0]!);
    const chromium = await openChromium();
    try {
      expect(await openThreads(await chromium.newPage(), server.resolvedUrls!.local[0]!)).toEqual({
        isChapterIsolated: true,
        isIsolated: true,
        memory: "shared",
        errors: [],
      });
      expect(await openThreads(await chromium.newPage(), bare.address)).toEqual({
        isChapterIsolated: false,
        isIsolated: false,
        memory: "transferred",
        errors: [],
      });
    } finally {
      await chromium.close();
      await bare.close();
      await server.close();
    }
  });
});

test("the built pages are isolated", async () => {
  expect(await policiesOf(await askFor<string>("site/lab"))).toEqual(ISOLATED);
  const page = await site.blank();
  await page.goto(site.address);
  expect(await page.evaluate("crossOriginIsolated && typeof SharedArrayBuffer")).toBe("function");
});
