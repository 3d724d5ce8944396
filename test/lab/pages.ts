// Helpers for tests of the built lab in a real Chromium.
import type { MediaFeature, Page } from "puppeteer-core";
import { expect } from "vitest";
import { useSite, type Site } from "../browser/site.js";

let lab: Site;
let contexts: "shared" | "own";

/** Serves the built lab for the tests of the calling file. If pages store something, each test needs a browser context of its "own". */
export function useLab(browserContexts: "shared" | "own" = "shared"): void {
  lab = useSite("lab");
  contexts = browserContexts;
}

export async function open(hash: string, width = 1200, ...media: MediaFeature[]): Promise<Page> {
  if (contexts === "shared") return lab.open(hash, (page) => prepare(page, width, media));
  const page = await blank(width, ...media);
  await page.goto(addressOf(hash));
  return page;
}

/** Opens a blank page in a browser context of the test, before it goes to the lab. */
export async function blank(width = 1200, ...media: MediaFeature[]): Promise<Page> {
  const page = await lab.blank();
  await prepare(page, width, media);
  return page;
}

async function prepare(page: Page, width: number, media: MediaFeature[]): Promise<void> {
  await page.setViewport({ width, height: 900 });
  await page.emulateMediaFeatures(media);
}

export const addressOf = (hash: string) => lab.address + hash;

// Expressions as strings, because the tests are compiled without DOM types.
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
/** Waits until the canvases of a page are equal to those of another. A canvas gets its size, and is painted, a frame after its figures. */
export async function expectSamePictures(page: Page, other: Page): Promise<void> {
  const areEqual = async () => {
    const [shown, expected] = [await pixels(page, "canvas"), await pixels(other, "canvas")];
    return expected.map((picture, i) => picture === shown[i]);
  };
  const count = (await pixels(other, "canvas")).length;
  await expect.poll(areEqual).toEqual(Array.from({ length: count }, () => true));
}
export const figureOf = (page: Page, group: string, name: string) =>
  textOf(page, `${group} [data-figure="${name}"]`);
export const hashOf = (page: Page) => read<string>(page, "location.hash");
export const queryOf = async (page: Page) => new URLSearchParams((await hashOf(page)).split("?")[1]);
export const noteOf = (page: Page) => textOf(page, ".note");
export const waitForNote = (page: Page, text: string) =>
  page.waitForFunction(`document.querySelector(".note")?.textContent.includes(${JSON.stringify(text)})`);
export const numberOf = (text: string) => Number(/[\d.]+/.exec(text)?.[0] ?? NaN);

/** Waits for `count` frames of the page; returns the milliseconds between the first and the last, by its clock. */
export const frames = (page: Page, count: number) =>
  read<number>(
    page,
    `new Promise((done) => {
      let [left, first] = [${count}, 0];
      const next = (now) => {
        first ||= now;
        if (left-- > 0) requestAnimationFrame(next);
        else done(now - first);
      };
      requestAnimationFrame(next);
    })`,
  );

/** Returns the page's cumulative layout shift. */
export function layoutShiftOf(page: Page): Promise<number> {
  return read(
    page,
    `new Promise((done) => {
      new PerformanceObserver((list) => done(list.getEntries().reduce((sum, { value }) => sum + value, 0)))
        .observe({ type: "layout-shift", buffered: true });
      setTimeout(() => done(0), 300);
    })`,
  );
}

/** Saves the page's downloads in a folder. */
export async function downloadInto(page: Page, downloadPath: string): Promise<void> {
  const client = await page.createCDPSession();
  const browserContextId = page.browserContext().id!;
  await client.send("Browser.setDownloadBehavior", { behavior: "allow", browserContextId, downloadPath });
}

/** Returns which of the named colours of the style sheet a canvas has. */
export const coloursIn = (page: Page, canvas: string, names: readonly string[]): Promise<boolean[]> =>
  read<boolean[]>(
    page,
    `(() => {
      const canvas = document.querySelector('${canvas}');
      // A copy, as Chromium warns about canvases that are read often.
      const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", { willReadFrequently: true });
      copy.drawImage(canvas, 0, 0);
      const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
      const seen = new Set();
      for (let i = 0; i < data.length; i += 4) if (data[i + 3] === 255) seen.add(data[i] + "," + data[i + 1] + "," + data[i + 2]);
      const style = getComputedStyle(document.documentElement);
      return ${JSON.stringify(names)}.map((name) => {
        const hex = style.getPropertyValue("--" + name).trim().slice(1);
        return seen.has([0, 2, 4].map((at) => parseInt(hex.slice(at, at + 2), 16)).join());
      });
    })()`,
  );
