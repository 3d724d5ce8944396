// The pages of the site in Chromium: what is accessible, what fits, what is loaded, and what figures say.
import { gzipSync } from "node:zlib";
import axe from "axe-core";
import type { Page } from "puppeteer-core";
import { describe, expect, test } from "vitest";
import { CHAPTER_TEXTS } from "../../site/src/chapters/texts.js";
import type { ChapterScene } from "../../site/src/figure/chapter.js";
import { useSite } from "../browser/site.js";
import { FULL } from "../full.js";
import { sampleOf } from "../shared/sample.js";

const site = useSite("site");
const CHAPTERS = CHAPTER_TEXTS.map(({ id }) => id);

/** Opens a page that stands still, so that all pictures are complete. */
async function open(path: string, width = 1280, theme: "light" | "dark" = "light"): Promise<Page> {
  const page = await site.blank();
  await page.setViewport({ width, height: 844 });
  await page.emulateMediaFeatures([
    { name: "prefers-color-scheme", value: theme },
    { name: "prefers-reduced-motion", value: "reduce" },
  ]);
  await page.goto(site.address + path);
  return page;
}

// As text, because the tests are compiled without DOM types.
const read = <T>(page: Page, expression: string) => page.evaluate(expression) as Promise<T>;
const ready = (page: Page) => page.waitForSelector("[data-chapter][data-ready]");

const PATHS = [
  "",
  "article/",
  ...CHAPTERS.map((id) => `${id}/`),
  "recorder/",
  "docs/",
  "docs/loop/",
  "docs/reference/tickwise/",
];
const LOOKS = [
  [390, "dark"],
  [1280, "light"],
  [1920, "dark"],
] as const;

test.each(sampleOf(PATHS, 2))("/%s is accessible and fits, at any width", async (path) => {
  for (const [width, theme] of LOOKS) {
    const page = await open(path, width, theme);
    if (CHAPTERS.includes(path.slice(0, -1))) await ready(page);
    expect(
      await read<number>(page, "document.documentElement.scrollWidth"),
      `${width} px`,
    ).toBeLessThanOrEqual(width);
    await page.evaluate(axe.source);
    const problems = await read<string[]>(
      page,
      `axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) =>
        violations
          .filter(({ impact }) => impact === "serious" || impact === "critical")
          .map(({ id, nodes }) => id + ": " + nodes.map(({ target }) => target).join(", ")))`,
    );
    expect(problems, `${width} px, ${theme}`).toEqual([]);
    await page.close();
  }
});

test.each(["", ...sampleOf(CHAPTERS, 2).map((id) => `${id}/`)])(
  "/%s: on a phone, the first moving picture is above 300 px",
  async (path) => {
    const page = await open(path, 390);
    expect(
      await read<number>(page, `document.querySelector("main canvas").getBoundingClientRect().top`),
    ).toBeLessThan(300);
  },
);

/** The addresses of the scripts that a page has loaded. */
const scriptsOf = (page: Page) =>
  read<string[]>(
    page,
    `performance.getEntriesByType("resource").map(({ name }) => name).filter((name) => /\\.js(\\?|$)/.test(name))`,
  );

test.runIf(FULL)("chapters fit a zoom of 400 %, and draw in tiny frames without errors", async () => {
  for (const id of sampleOf(CHAPTERS, 3)) {
    const page = await open(`${id}/`, 320);
    await ready(page);
    expect(await read<number>(page, "document.documentElement.scrollWidth"), id).toBe(320);
    const errors: string[] = [];
    page.on("pageerror", (error) => void errors.push(String(error)));
    await page.setViewport({ width: 200, height: 120 });
    await page.goto(`${site.address}embed/${id}/`);
    await ready(page);
    // Draws in the new size.
    await read(page, "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
    expect(errors, id).toEqual([]);
    expect(await read<number>(page, "document.documentElement.scrollWidth"), `embed of ${id}`).toBe(200);
    await page.close();
  }
});

test("the start page loads at most 65 KB of scripts before its first picture", async () => {
  const page = await open("");
  await page.waitForFunction(`document.querySelector(".hero canvas").width > 300`);
  const urls = await scriptsOf(page);
  const sizes = await Promise.all(
    urls.map(
      async (url) => gzipSync(Buffer.from(await (await fetch(url)).arrayBuffer()), { level: 9 }).length,
    ),
  );
  expect(urls.length).toBeGreaterThan(0);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(65 * 1024);
});

test("the chapters share one copy of the library, those that play scenes of the tests, too", async () => {
  const urls = new Set<string>();
  for (const path of ["lost-input/", "thread/"]) {
    const page = await open(path);
    await ready(page);
    for (const url of await scriptsOf(page)) urls.add(url);
  }
  const scripts = await Promise.all([...urls].map(async (url) => (await fetch(url)).text()));
  // Parts of an error of `Loop`, and of one of `State`.
  for (const text of ["already drives another loop", "row bookkeeping"])
    expect(scripts.join("\n").split(text).length - 1, text).toBe(1);
});

test("a cell of the map in Explosion is picked by keyboard, announced, and kept in links", async () => {
  const page = await open("explosion/");
  await ready(page);
  const status = `document.querySelector("[data-status]").textContent`;
  const verdict = `document.querySelector(".numbers > div:last-child dd").textContent`;
  expect(await read(page, status)).toBe("");
  await page.focus("canvas.picture");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowRight");
  expect(await read(page, status)).toBe("Verlet at 60 frames per second: stable.");
  await read(page, `navigator.clipboard.writeText = async (text) => void (window.copied = text)`);
  await page.click("[data-copy-link]");
  const link = new URL(await read<string>(page, "copied"));
  expect(link.searchParams.get("pick")).toBe("velocityVerlet-60");
  await page.goto(link.href);
  await ready(page);
  expect(await read(page, verdict)).toBe("stable");
  await page.goto(`${site.address}explosion/?pick=velocityVerlet-15`);
  await ready(page);
  expect(await read(page, verdict)).toBe("explodes");
});

test("a link with rubbish starts the chapter, and one with a value between two steps plays what the slider says", async () => {
  const page = await open("speed/?side=xyz&value=NaN&at=1e9&pick=%00&side=fixed");
  await ready(page);
  const state = () =>
    read(
      page,
      `[document.querySelector(".switch input:checked").value, document.querySelector(".dial input").value, document.querySelectorAll(".numbers dt")[1].textContent]`,
    );
  expect(await state()).toEqual(["broken", "144", "144 fps"]);
  await page.goto(`${site.address}speed/?value=33.3333&at=1`);
  await ready(page);
  expect(await state()).toEqual(["broken", "33", "33 fps"]);
  // A switch takes no letters, so the shortcuts work with the focus on it.
  await page.focus(".switch input:checked");
  await page.keyboard.press("/");
  await page.waitForSelector("dialog[open]");
  await page.close();
});

test("the old addresses of the lab lead there", async () => {
  const page = await site.blank();
  const asked: string[] = [];
  await page.setRequestInterception(true);
  page.on("request", (request) => {
    const isLab = request.url().startsWith(`${site.address}lab/`);
    if (isLab) asked.push(request.url());
    // The lab is not part of this build.
    if (isLab)
      void request.respond({
        contentType: "text/html",
        body: '<link rel="icon" href="data:," /><title>the lab</title>',
      });
    else void request.continue();
  });
  await page.goto(`${site.address}#spiral?cost=60`);
  await page.waitForFunction(`document.title === "the lab"`);
  expect(page.url()).toBe(`${site.address}lab/#spiral?cost=60`);
});

test("all links, scripts and pictures are relative, so that the site works in any folder", async () => {
  for (const path of sampleOf(PATHS, 6)) {
    const html = await (await fetch(site.address + path)).text();
    const absolute = [...html.matchAll(/(?:href|src|content)="(\/[^"]*)"/g)].map(([, target]) => target);
    expect(absolute, path).toEqual([]);
  }
});

describe.each(sampleOf(CHAPTER_TEXTS, 2).map((text) => [text.id, text] as const))("%s", (id, { control }) => {
  test("shows the figures of its model at the same moment, on both sides", async () => {
    const { default: scene } = (await import(`../../site/src/chapters/${id}/scene.ts`)) as {
      default: ChapterScene;
    };
    for (const side of ["broken", "fixed"] as const) {
      const page = await open(`${id}/?side=${side}&value=${control.initial}&at=2.75`);
      await ready(page);
      const model = scene.create(side === "fixed", control.initial);
      model.advance(2.75);
      const shown = await read<[string, string][]>(
        page,
        `[...document.querySelectorAll(".numbers > div")].map((each) => [...each.children].map((one) => one.textContent))`,
      );
      expect(shown).toEqual(model.figures().map(({ label, value }) => [label, value]));
      await page.close();
    }
  });
});
