// The built lab in a real Chromium, for the tests of a file: what they open, and how they read it.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, MediaFeature, Page } from "puppeteer-core";
import { build, preview, type PreviewServer } from "vite";
import { afterAll, afterEach, beforeAll } from "vitest";
import { launchChromium } from "../browser/launch.js";

/** What software graphics say of themselves: here is no graphics card. */
const NO_CARD = "GL Driver Message";

const folder = mkdtempSync(join(tmpdir(), "tickwise-lab-"));
let server: PreviewServer;
let browser: Browser;
let address: string;
/** What the page complained of. */
const complaints: string[] = [];

/** Builds the lab and starts the browser before the tests of the file that calls it; no page may complain. */
export function useLab(): void {
  beforeAll(async () => {
    const config = {
      configFile: new URL("../../lab/vite.config.ts", import.meta.url).pathname,
      logLevel: "warn",
      build: { outDir: folder },
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
}

export async function open(hash: string, width = 1200, ...media: MediaFeature[]): Promise<Page> {
  const page = await blank(width, ...media);
  await page.goto(address + hash);
  return page;
}

/** A page that is still to go to the lab's address. */
export async function blank(width = 1200, ...media: MediaFeature[]): Promise<Page> {
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
  await page.setViewport({ width, height: 900 });
  await page.emulateMediaFeatures(media);
  return page;
}

export const addressOf = (hash: string) => address + hash;

// Expressions, as the tests' own compiler knows no document.
export const read = <T>(page: Page, expression: string) => page.evaluate(expression) as Promise<T>;
export const textOf = (page: Page, selector: string) =>
  read<string>(page, `document.querySelector(${JSON.stringify(selector)}).textContent`);
export const figures = (page: Page) =>
  read<string[]>(
    page,
    `[...document.querySelectorAll("[data-figure], .total, .note, #status")].map((e) => e.textContent)`,
  );
export const pixels = (page: Page, selector: string) =>
  read<string[]>(page, `[...document.querySelectorAll("${selector}")].map((e) => e.toDataURL())`);
export const figureOf = (page: Page, group: string, name: string) =>
  textOf(page, `${group} [data-figure="${name}"]`);
export const hashOf = (page: Page) => read<string>(page, "location.hash");
export const queryOf = async (page: Page) => new URLSearchParams((await hashOf(page)).split("?")[1]);
export const noteOf = (page: Page) => textOf(page, ".note");
export const waitForNote = (page: Page, text: string) =>
  page.waitForFunction(`document.querySelector(".note")?.textContent.includes(${JSON.stringify(text)})`, {
    timeout: 15_000,
  });
export const numberOf = (text: string) => Number(/[\d.]+/.exec(text)?.[0] ?? NaN);
