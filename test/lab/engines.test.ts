// "Engines" in a real Chromium: the bits of the browser that shows the page.
import { expect, test } from "vitest";
import type { Page } from "puppeteer-core";
import golden from "../engines/golden.json" with { type: "json" };
import { testExperiment } from "./any-experiment.js";
import {
  addressOf,
  blank,
  noteOf,
  numberOf,
  open,
  queryOf,
  read,
  textOf,
  useLab,
  waitForNote,
} from "./pages.js";

useLab();

testExperiment("#engines", { lanes: 0, values: {}, controls: ["count"] });

const recorded: Record<string, Record<string, string>> = golden;

const entries = (page: Page) =>
  read<[string, string, string][]>(
    page,
    `[...document.querySelectorAll("[data-subject]")].map((e) =>
      [e.dataset.subject, e.querySelector("[data-figure]").textContent, e.querySelector(".pair").textContent])`,
  );

test("all digests match the recorded ones, and the share of differing Math results is shown", async () => {
  const page = await open("#engines?count=1000");
  await waitForNote(page, "All 51 digests");
  const shown = await entries(page);
  expect(shown.map(([name]) => name).sort()).toEqual(Object.keys(golden).sort());
  for (const [name, verdict, pair] of shown) {
    const digest = recorded[name]!["1000"];
    expect([verdict, pair], name).toEqual(["✓ same", `${digest} = ${digest} `]);
  }
  const share = numberOf(await textOf(page, '[data-math="sin"] strong'));
  expect(share).toBeGreaterThanOrEqual(0);
  expect(share).toBeLessThan(100);
  const differing = await read<number>(
    page,
    `[...document.querySelectorAll("[data-math] .count")].filter((e) => parseInt(e.textContent) > 0).length`,
  );
  expect(await noteOf(page)).toContain(`different bits in ${differing} of 22 functions`);
  expect(await textOf(page, "#status")).toBe("Done · 51 of 51 compared");
  // No overflow with all figures filled in either.
  await page.setViewport({ width: 320, height: 900 });
  expect(await read(page, "document.documentElement.scrollWidth - innerWidth")).toBeLessThanOrEqual(0);
});

test("the list sets the number of arguments and keeps it in the address; restart starts over", async () => {
  const page = await open("#engines?count=1000");
  await waitForNote(page, "All 51 digests");
  await page.select('[data-setting="count"] select', "100,000");
  await expect.poll(async () => (await queryOf(page)).get("count")).toBe("100000");
  expect(await noteOf(page)).toContain("Computing");
  await page.waitForFunction(
    `document.querySelector('[data-math="acos"] .count').textContent.endsWith("of 100,000")`,
  );
  await page.click("#restart");
  expect(await textOf(page, "#status")).toBe("Running · 0 of 51 compared");
});

test("frames keep coming while it computes", async () => {
  const page = await open("#engines?count=100000");
  await page.waitForSelector("[data-math]");
  // The status in each of the first frames.
  const seen = await read<string[]>(
    page,
    `new Promise((done) => {
      const seen = [];
      const look = () => {
        seen.push(document.querySelector("#status").textContent);
        if (seen.length < 20) requestAnimationFrame(look);
        else done(seen);
      };
      requestAnimationFrame(look);
    })`,
  );
  for (const status of seen) expect(status).toMatch(/^Running/);
});

test("with reduced motion, waits for Resume", async () => {
  const page = await open("#engines?count=1000", 1200, { name: "prefers-reduced-motion", value: "reduce" });
  await waitForNote(page, "Press Resume");
  await page.keyboard.press("p");
  await waitForNote(page, "All 51 digests");
  expect(await textOf(page, "#status")).toMatch(/^Done/);
});

test("reports an engine with different bits: a square root that is slightly too large, and a different sine", async () => {
  const page = await blank();
  await page.evaluateOnNewDocument(
    `{ const { sqrt } = Math; Math.sqrt = (x) => sqrt(x) * (1 + 2 ** -52); Math.sin = () => 2; }`,
  );
  await page.goto(addressOf("#engines?count=1000"));
  await waitForNote(page, "digests do not match the recorded ones");
  const verdicts = new Map((await entries(page)).map(([name, verdict]) => [name, verdict]));
  expect(verdicts.get("acos")).toBe("✗ differs");
  expect(verdicts.get("sin")).toBe("✓ same");
  expect(numberOf(await textOf(page, '[data-math="sin"] strong'))).toBe(100);
});
