// How all pages of the lab look in a real Chromium: what a phone shows first, and texts that must not run together.
import axe from "axe-core";
import type { HTTPRequest, Page } from "puppeteer-core";
import { expect, test } from "vitest";
import { addressOf, blank, frames, layoutShiftOf, open, read, useLab } from "./pages.js";

useLab();

/** The widths of screens, from small phones to large displays, and those at which the layout changes. */
const WIDTHS = [320, 390, 600, 704, 820, 1088, 1280, 1440, 1920];

/** The first picture must be in sight on a phone, in pixels from the top. */
const MAX_TOP = 300;

/** A link to a moment at which errors are tiny, and therefore long when written out. */
const TINY_ERRORS = "#five-loops?rate=60&fps=60&jitter=1&at=2";

/** Texts of the experiment on the page with the boxes of their lines, without the charts and what is hidden or in front. */
const TEXTS = `(() => {
  const texts = [];
  const walker = document.createTreeWalker(document.querySelector("#experiment"), NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (!node.textContent.trim() || !node.parentElement.checkVisibility()) continue;
    if (node.parentElement.closest(".visually-hidden, .lil-gui, .uplot, .actions, .report, [data-tickwise-hud]")) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const box of range.getClientRects()) if (box.width > 1) texts.push({ text: node.textContent, box });
  }
  return texts;
})()`;

const overlaps = (page: Page) =>
  read<string[]>(
    page,
    `${TEXTS}.flatMap(({ text, box }, index, all) =>
      all.slice(index + 1)
        .filter(({ box: other }) =>
          Math.min(box.right, other.right) - Math.max(box.left, other.left) > 1 &&
          Math.min(box.bottom, other.bottom) - Math.max(box.top, other.top) > 5)
        .map((other) => text + " over " + other.text))`,
  );

/** Words and figures that the text of a panel joins, as in "Frames/s60". */
const joined = (page: Page) =>
  read<string[]>(
    page,
    `[...document.querySelectorAll(".lane dl, .lane header, .lanes .caption, .seats li, .lane .bars li, .lane .digests li, .about dl, .more")]
      .flatMap((panel) => {
        const walker = document.createTreeWalker(panel, NodeFilter.SHOW_TEXT);
        const found = [];
        for (let before = ""; walker.nextNode(); before = walker.currentNode.textContent) {
          const text = walker.currentNode.textContent;
          if (/\\S$/.test(before) && /^[\\wÀ-ž✓✗±–]/.test(text)) found.push(before + "|" + text);
        }
        return found;
      })`,
  );

/** Calls `look` for the pages of all experiments. Returns what it finds, by page. */
async function ofAll<T>(look: (page: Page) => Promise<T>, ...more: string[]): Promise<Record<string, T>> {
  const first = await open("");
  const hashes = await read<string[]>(
    first,
    `[...document.querySelectorAll("#experiments a")].map((a) => a.hash)`,
  );
  expect(hashes.length).toBeGreaterThan(10);
  const found: Record<string, T> = {};
  for (const hash of [...hashes, ...more]) {
    await first.setViewport({ width: 390, height: 844 });
    await first.evaluate(`location.hash = ${JSON.stringify(hash)}`);
    await first.waitForFunction(
      `document.querySelector("#experiments [aria-current]").hash === ${JSON.stringify(hash.split("?")[0])}`,
    );
    await first.waitForSelector(".lane canvas, .lane .bars");
    await frames(first, 20);
    found[hash] = await look(first);
  }
  return found;
}

test("on a phone, the first picture of every page is in sight", async () => {
  const tops = await ofAll((page) =>
    read<number>(
      page,
      `document.querySelector(".lane canvas, .lane .bars").getBoundingClientRect().top + scrollY`,
    ),
  );
  expect(Object.entries(tops).filter(([, top]) => !(top < MAX_TOP))).toEqual([]);
});

test("texts neither overlap nor run together, at any width", async () => {
  const faults = await ofAll(async (page) => {
    const found = await joined(page);
    for (const width of WIDTHS) {
      await page.setViewport({ width, height: 900 });
      await frames(page, 2);
      found.push(...(await overlaps(page)).map((text) => `${width}: ${text}`));
      if (await read(page, "document.documentElement.scrollWidth > innerWidth"))
        found.push(`${width}: too wide`);
    }
    return found;
  }, TINY_ERRORS);
  expect(Object.entries(faults).filter(([, found]) => found.length > 0)).toEqual([]);
});

test("axe finds no fault on any page, light on a phone and dark on a desktop", async () => {
  const faults = await ofAll(async (page) => {
    const found: string[] = [];
    await page.evaluate(axe.source);
    for (const [value, width] of [
      ["light", 390],
      ["dark", 1280],
    ] as const) {
      await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value }]);
      await page.setViewport({ width, height: 900 });
      await frames(page, 2);
      found.push(
        ...(await read<string[]>(
          page,
          `axe.run({ resultTypes: ["violations"] }).then(({ violations }) =>
            violations.map(({ id, nodes }) => "${value} ${width} " + id + ": " + nodes.map(({ target }) => target).join(", ")))`,
        )),
      );
    }
    return found;
  });
  expect(Object.entries(faults).filter(([, found]) => found.length > 0)).toEqual([]);
});

test.each(["#five-loops", "#spiral", "#time"])(
  "%s: web fonts that arrive late move nothing",
  async (hash) => {
    // In a context of its own, which has no fonts in its cache.
    const page = await blank();
    const fonts: HTTPRequest[] = [];
    let isLate = true;
    await page.setRequestInterception(true);
    page.on("request", (request) => {
      if (isLate && request.url().endsWith(".woff2")) fonts.push(request);
      else void request.continue();
    });
    await page.goto(addressOf(hash), { waitUntil: "domcontentloaded" });
    await page.waitForSelector(".lane canvas");
    await frames(page, 30);
    expect(fonts.length).toBeGreaterThan(1);
    isLate = false;
    await Promise.all(fonts.map((request) => request.continue()));
    await read(page, "document.fonts.ready.then(() => undefined)");
    await frames(page, 10);
    expect(await read(page, `document.fonts.check("16px 'Inter Variable'")`)).toBe(true);
    expect(await layoutShiftOf(page)).toBeLessThan(0.02);
  },
);

test("the header leads to the other parts of the site, from any folder", async () => {
  const page = await open("#time");
  const links = await read<string[]>(
    page,
    `[...document.querySelectorAll(".site-header a")].map((a) => a.getAttribute("href"))`,
  );
  expect(links).toEqual(["../", "../article/", "../docs/", "../examples/", "../lab/"]);
});
