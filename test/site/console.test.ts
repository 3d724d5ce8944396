// Every page of the site and of the lab, in three browsers: no errors or warnings in the console, and no failed requests.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { BROWSER_NAMES, findBrowser } from "../../scripts/browsers.mjs";
import { parsedDocs } from "../../site/pages/docs.js";
import { allPages } from "../../site/pages/index.js";
import { launch, until, type TestBrowser, type TestPage } from "../browser/launch.js";
import { IGNORED } from "../browser/site.js";
import { EXPERIMENTS } from "../lab/any-experiment.js";
import { askFor } from "../shared/ask.js";
import { watchedSite, type WatchedSite } from "./watched-site.js";

const PATHS = allPages(parsedDocs()).map(({ path }) => (path === "" ? "" : `${path}/`));
const isDocs = (path: string) => path.startsWith("docs/");

/** Waits for some frames of a page, in which it can fail. */
const FRAMES = `new Promise((done) => {
  let left = 20;
  const next = () => (left-- > 0 ? requestAnimationFrame(next) : done(true));
  next();
})`;

/** Scrolls to each figure of a page, and shows both of its sides. */
const BOTH_SIDES = `(async () => {
  for (const figure of document.querySelectorAll("[data-chapter]")) {
    figure.scrollIntoView();
    while (!("ready" in figure.dataset)) await new Promise((done) => setTimeout(done, 20));
    for (const radio of figure.querySelectorAll(".switch input")) {
      radio.click();
      await ${FRAMES};
    }
  }
  return true;
})()`;

// Tests of a missing browser are skipped, except in CI.
const browsers = BROWSER_NAMES.filter(
  (name) => findBrowser(name) !== undefined || process.env.CI !== undefined,
);

describe.each(browsers)("in %s, there are no errors", (name) => {
  let site: WatchedSite;
  let browser: TestBrowser;
  let page: TestPage;
  let complaints: string[] = [];

  beforeAll(async () => {
    site = await watchedSite({ "": await askFor("site/site"), lab: await askFor("site/lab") });
    browser = await launch(name);
  });
  afterAll(async () => {
    await browser.close();
    await site.close();
  });
  beforeEach(async () => {
    complaints = [];
    page = await browser.open(`${site.address}404.html`);
    await page.show();
  });
  afterEach(() => page.close());

  /** Goes to an address and waits until it is loaded. Adds what it complains about to the list, after `then`. */
  async function visit(path: string, then = "true"): Promise<void> {
    const count = site.failed.length;
    const known = page.errors?.length ?? 0;
    const address = JSON.stringify(site.address + path);
    await page.evaluate(`void ((window.isLeft = true), setTimeout(() => location.assign(${address})))`);
    // The lab adds settings to its address.
    await until(
      page,
      `!window.isLeft && location.href.startsWith(${address}) && document.readyState === "complete"`,
    );
    await page.evaluate(then);
    const noted = await page.evaluate<string[]>("complaints");
    for (const complaint of [...noted, ...(page.errors ?? []).slice(known), ...site.failed.slice(count)])
      if (!IGNORED.some((text) => complaint.includes(text))) complaints.push(`${path}: ${complaint}`);
  }

  test("on the start page, in the article, and in all chapters and embeds, on both sides", async () => {
    for (const path of PATHS.filter((each) => !isDocs(each))) await visit(path, BOTH_SIDES);
    expect(complaints).toEqual([]);
  });

  test("in the docs and their search", async () => {
    for (const path of PATHS.filter(isDocs)) await visit(path);
    await visit(
      "docs/",
      `(async () => {
        document.querySelector("[data-search]").click();
        for (;;) {
          await new Promise((done) => setTimeout(done, 20));
          const input = document.querySelector("dialog[open] input");
          if (!input) continue;
          if (document.querySelectorAll("dialog[open] a").length > 0) return true;
          input.value = "loop";
          input.dispatchEvent(new Event("input", { bubbles: true }));
        }
      })()`,
    );
    expect(complaints).toEqual([]);
  });

  test("in all experiments of the lab", async () => {
    for (const hash of EXPERIMENTS) {
      // An address that differs only in its hash would not load a new page.
      await visit("404.html");
      await visit(
        `lab/${hash}`,
        `(async () => {
          while (!document.querySelector("#experiment > *")) await new Promise((done) => setTimeout(done, 20));
          return ${FRAMES};
        })()`,
      );
    }
    expect(complaints).toEqual([]);
  });

  test("and an error would be seen", async () => {
    const thrower = `Object.assign(document.createElement("script"), { text: "throw new Error('on purpose')" })`;
    await visit("", `(document.body.append(${thrower}), ${FRAMES})`);
    await visit("", `(console.error("said"), ${FRAMES})`);
    await visit("", `(document.body.append(Object.assign(new Image(), { src: "missing.png" })), ${FRAMES})`);
    for (const text of ["on purpose", "said", "404: /missing.png"])
      expect(complaints).toContainEqual(expect.stringContaining(text));
  });
});
