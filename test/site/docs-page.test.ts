// The pages of the documentation in Chromium: code that runs, and the search.
import type { Page } from "puppeteer-core";
import { expect, test } from "vitest";
import { parsedDocs } from "../../site/pages/docs.js";
import { useSite } from "../browser/site.js";
import { expectedOutputOf, firstMismatch } from "../docs/blocks.js";
import { sampleOf } from "../shared/sample.js";

const site = useSite("site");
const docs = parsedDocs().filter(({ blocks }) => blocks.length > 0);

async function open(path: string): Promise<Page> {
  const page = await site.blank();
  await page.goto(site.address + path);
  await page.waitForSelector(".search-button:not([hidden])");
  return page;
}

/** Runs all blocks of a page, one after the other. Returns what they print. */
const runAll = (page: Page) =>
  page.evaluate(async () => {
    const outputs: string[] = [];
    for (const block of document.querySelectorAll("[data-run]")) {
      const button = block.querySelector<HTMLButtonElement>(".run")!;
      button.click();
      while (button.textContent !== "Run again") await new Promise((done) => setTimeout(done, 5));
      outputs.push(block.querySelector("output")!.textContent);
    }
    return outputs;
  });

const linesOf = (output: string) =>
  output === "Done. It printed nothing.\n" ? [] : output.replace(/\n$/, "").split("\n");

test.each(sampleOf(docs, 4).map((doc) => [doc.source.path, doc] as const))(
  "the code of %s prints in the page what it prints in Node",
  async (path, { blocks }) => {
    const page = await open(`${path}/`);
    const outputs = await runAll(page);
    expect(outputs).toHaveLength(blocks.length);
    blocks.forEach((block, i) => {
      const expected = expectedOutputOf({ ...block, file: path, runs: true });
      expect(firstMismatch(expected, linesOf(outputs[i]!)), `${block.name}:\n${outputs[i]}`).toBeUndefined();
    });
  },
);

test("a second run replaces the output of the first", async () => {
  const page = await open("docs/loop/");
  const [first] = await runAll(page);
  expect(first).toContain("216000");
  await page.click(".run");
  await page.waitForFunction(() => document.querySelector(".run")!.ariaBusy === "false");
  expect(await page.$eval("[data-run] output", (output) => output.textContent)).toBe(first);
});

test("code that throws shows what it printed and the error", async () => {
  const page = await open("docs/loop/");
  await page.setRequestInterception(true);
  page.on("request", (request) => {
    const isBlock = request.url().includes("/run/docs-loop-");
    const body = 'export default async (console) => { console.log({ a: [1] }); throw new Error("b"); };';
    void (isBlock ? request.respond({ contentType: "text/javascript", body }) : request.continue());
  });
  const [output] = await runAll(page);
  expect(output).toBe("{ a: [ 1 ] }\nError: b\n");
});

test("the search opens by a key, is used by keys alone, and leads to a section", async () => {
  const page = await open("docs/");
  await page.keyboard.press("/");
  await page.waitForSelector("dialog.search[open]");
  await page.keyboard.type("hit-stop");
  await page.waitForSelector(".search-results a");
  await page.keyboard.press("ArrowDown");
  expect(await page.evaluate(() => document.activeElement!.textContent)).toMatch(/^Hit-stop/);
  await page.keyboard.press("ArrowUp");
  expect(await page.evaluate(() => (document.activeElement as HTMLElement).id)).toBe("search-input");
  await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")]);
  expect(page.url()).toBe(`${site.address}docs/recipes/#hit-stop`);
});

test("the key of the search can be turned off, and stays off on other pages", async () => {
  const page = await open("docs/");
  await page.click("[data-search]");
  await page.waitForSelector("dialog.search[open]");
  await page.click(".search-option input");
  await page.goto(`${site.address}docs/loop/`);
  await page.waitForSelector(".search-button:not([hidden])");
  const opens = (init: KeyboardEventInit) =>
    page.evaluate(
      (each) => !dispatchEvent(new KeyboardEvent("keydown", { ...each, cancelable: true })),
      init,
    );
  expect(await opens({ key: "/" })).toBe(false);
  expect(await opens({ key: "k", ctrlKey: true })).toBe(true);
  await page.waitForSelector("dialog.search[open]");
  await page.click(".search-option input");
  await page.click("dialog.search form button");
  expect(await opens({ key: "/" })).toBe(true);
});
