// A folder of pages, built and served, in a real Chromium, for the tests of a file; no page may complain.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "puppeteer-core";
import { build, preview, type PreviewServer } from "vite";
import { afterAll, afterEach, beforeAll } from "vitest";
import { ROOT } from "../../scripts/setup.mjs";
import { launchChromium } from "./launch.js";

/** What software graphics say of themselves, where there is no graphics card. */
const NO_CARD = "GL Driver Message";

export interface Site {
  /** Where it is served. */
  readonly address: string;
  /** A page that is still to go there. */
  blank(): Promise<Page>;
}

/** Builds and serves the workspace of that name before the tests of the file that calls it. */
export function useSite(workspace: string, minify = true): Site {
  const folder = mkdtempSync(join(tmpdir(), `tickwise-${workspace}-`));
  const complaints: string[] = [];
  let server: PreviewServer;
  let browser: Browser;
  let address: string;

  beforeAll(async () => {
    const config = {
      configFile: join(ROOT, workspace, "vite.config.ts"),
      logLevel: "warn",
      build: { outDir: folder, minify },
    } as const;
    await build(config);
    server = await preview({ ...config, preview: { host: "127.0.0.1", port: 0 } });
    address = server.resolvedUrls!.local[0]!;
    // WebGL in software.
    browser = await launchChromium("--enable-unsafe-swiftshader");
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
    rmSync(folder, { recursive: true });
  });
  afterEach(async () => {
    for (const page of await browser.pages()) if (page.url().startsWith(address)) await page.close();
    if (complaints.length > 0) throw new Error(complaints.splice(0).join("\n"));
  });

  return {
    get address() {
      return address;
    },
    async blank() {
      const page = await browser.newPage();
      page.on("console", (message) => {
        if (!message.text().includes(NO_CARD)) complaints.push(message.text());
      });
      page.on("pageerror", (error) => complaints.push(String(error)));
      page.on("requestfailed", (request) => complaints.push(`failed: ${request.url()}`));
      page.on("response", (response) => {
        if (response.status() >= 400) complaints.push(`${response.status()}: ${response.url()}`);
      });
      page.on("request", (request) => {
        if (!/^(data:|blob:|about:)/.test(request.url()) && !request.url().startsWith(address))
          complaints.push(`asks elsewhere: ${request.url()}`);
      });
      return page;
    },
  };
}
