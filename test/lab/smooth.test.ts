// "Smooth" in a real Chromium: shows the figures of its model, and replays or rejects files.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "puppeteer-core";
import { expect, test } from "vitest";
import { readValues } from "../../lab/src/address.js";
import { LANES } from "../../lab/src/smooth/lanes.js";
import { Run } from "../../lab/src/smooth/run.js";
import { displayOf, SETTINGS } from "../../lab/src/smooth/settings.js";
import { VISIBLE } from "../../lab/src/smooth/verdicts.js";
import { framesOf, readTrace } from "../../lab/src/smooth/trace.js";
import { irregularPerMinute, score } from "../../scenes/score.js";
import { dropFile } from "../browser/drop-file.js";
import { sampleOf } from "../shared/sample.js";
import { testExperiment } from "./any-experiment.js";
import { laneOf, useFolder } from "./lanes.js";
import {
  addressOf,
  blank,
  downloadInto,
  figureOf,
  figures,
  frames,
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

const folder = useFolder();

const RECORDED = new URL("../../scenes/traces/", import.meta.url);
const FIREFOX = new URL("firefox_idle.json", RECORDED).pathname;

/** Writes a file; returns its path. */
function fileOf(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

/** Chooses a file in the dialog. */
async function choose(page: Page, path: string): Promise<void> {
  const [chooser] = await Promise.all([page.waitForFileChooser(), page.click("#open")]);
  await chooser.accept([path]);
}

/** Expects the page to show the figures of a run, up to rounding. */
async function expectFigures(page: Page, run: Run): Promise<void> {
  for (const [lane, { id }] of LANES.entries()) {
    const { rms, worst, irregular } = run.figures[lane]!;
    const shown = async (name: string) => numberOf(await figureOf(page, laneOf(id), name));
    expect(Math.abs((await shown("rms")) - 100 * rms), `${id} rms`).toBeLessThan(0.51);
    expect(Math.abs((await shown("worst")) - 100 * worst), `${id} worst`).toBeLessThan(0.51);
    expect(await shown("irregular"), `${id} irregular`).toBe(run.hasRegularSteps ? irregular : NaN);
  }
}

testExperiment("#smooth", {
  lanes: 3,
  values: { rate: 50, refresh: 59.94, jitter: 0.5, drops: 2, slow: 2, magnify: 3 },
  controls: ["next", "open", "save", "source", "sync", "clock", "stamps"],
});

test.each(
  sampleOf(["", "clock=whole&stamps=late", "refresh=59.94&drops=1", "refresh=72&rate=144&jitter=0.5"], 2),
)("figures equal the scores of the scenes with the same seed: %s", async (query) => {
  const page = await open(`#smooth?${query}`);
  const values = readValues(SETTINGS, new URLSearchParams(query));
  const options = displayOf(values);
  for (const { id, pacing } of LANES) {
    const { rms, worst } = score(pacing, values.rate, options);
    const percent = (part: number, text: string) =>
      expect(text).toContain((100 * part).toFixed(/\.(\d*)/.exec(text)?.[1]?.length ?? 0));
    const shownRms = await figureOf(page, laneOf(id), "rms");
    percent(rms, shownRms);
    expect(shownRms[0]).toBe(rms < VISIBLE ? "✓" : "✗");
    percent(worst, await figureOf(page, laneOf(id), "worst"));
    const irregular = numberOf(await figureOf(page, laneOf(id), "irregular"));
    expect(Math.abs(irregular - irregularPerMinute(pacing, values.rate, options))).toBeLessThan(1.1);
  }
  expect(await figureOf(page, laneOf("display"), "avoidable")).toMatch(/^✓/);
});

test("applies every choice, and keeps it in the address", async () => {
  const page = await open("#smooth");
  const select = async (name: string, label: string, value: string) => {
    const before = await figures(page);
    await page.select(`[data-setting="${name}"] select`, label);
    await expect.poll(async () => (await queryOf(page)).get(name)).toBe(value);
    expect(await figures(page), name).not.toEqual(before);
  };
  await select("clock", "1 ms", "whole");
  await select("stamps", "of the callback, late", "late");
  await select("sync", "Variable (from 1/3)", "variable");
  await select("source", "Chromium, busy", "chromium-busy");
  await waitForNote(page, "18 of 604 refreshes");
  expect(await read(page, `document.querySelector('[data-setting="clock"] select').disabled`)).toBe(true);
  expect(await read(page, `document.querySelector('[data-setting="rate"] input').disabled`)).toBe(false);
});

const RECORDINGS: [source: string, name: string, note: string][] = [
  ["chromium-idle", "chromium_idle_1", "60.00 Hz"],
  ["chromium-busy", "chromium_load2", "60.00 Hz"],
  ["firefox-idle", "firefox_idle", "Firefox 153"],
  ["webkit-idle", "webkitgtk_idle", "no even refresh"],
];
test.each(sampleOf(RECORDINGS, 2, RECORDINGS[3]!))("replays the recording %s", async (source, name, note) => {
  const page = await open(`#smooth?source=${source}`);
  await page.waitForFunction(`/\\d %$/.test(document.querySelector("[data-figure]")?.textContent)`);
  expect(await noteOf(page)).toContain(note);
  const trace = readTrace(readFileSync(new URL(`${name}.json`, RECORDED), "utf8"));
  await expectFigures(page, Run.of(framesOf(trace).frames, 60));
});

test("slow motion holds a refresh; the key . shows the next one, and view settings do not restart", async () => {
  const page = await blank();
  // The refresh shown in each frame of the page.
  await page.evaluateOnNewDocument(`
    const seen = [];
    requestAnimationFrame(function look() {
      const refresh = /refresh (\\d+)/.exec(document.querySelector("#status")?.textContent ?? "");
      if (refresh) seen.push(Number(refresh[1]));
      requestAnimationFrame(look);
    });`);
  await page.goto(addressOf("#smooth?slow=30"));
  const refreshOf = async () => numberOf(/refresh (\d+)/.exec(await textOf(page, "#status"))![1]!);
  await page.waitForFunction("seen.at(-1) >= 124");
  const seen = await read<number[]>(page, "seen");
  expect(seen[0]).toBe(121);
  // About thirty frames each; figures are not updated in every frame.
  for (const refresh of [122, 123])
    expect(Math.abs(seen.filter((each) => each === refresh).length - 30)).toBeLessThan(15);
  await page.keyboard.press(".");
  const refresh = await refreshOf();
  await page.keyboard.press(".");
  expect(await refreshOf()).toBe(refresh + 1);
  await page.click('[data-setting="magnify"] input', { count: 3 });
  await page.keyboard.type("9");
  await page.keyboard.press("Enter");
  await expect.poll(async () => (await queryOf(page)).get("magnify")).toBe("9");
  expect(await refreshOf()).toBe(refresh + 1);
});

test("measures this display live, saves a trace, and replays it", async () => {
  const page = await open("#smooth?source=own");
  expect(await noteOf(page)).toContain("Measuring");
  expect(await figureOf(page, laneOf("now"), "rms")).toBe("–");
  await waitForNote(page, "Your display: ");
  await frames(page, 60);
  await expect.poll(() => figureOf(page, laneOf("display"), "rms")).toMatch(/\d %$/);

  await downloadInto(page, folder);
  await page.keyboard.press("e");
  const path = join(folder, "tickwise-trace.json");
  await expect.poll(() => readFileSync(path, "utf8")).toMatch(/\}$/);
  const saved = JSON.parse(readFileSync(path, "utf8")) as { ua: string; T: number[]; N: number[] };
  expect(Object.keys(saved)).toEqual(["format", "version", "ua", "T", "N"]);
  expect(saved.ua).toContain("Chrome");
  expect(saved.T.length).toBeGreaterThan(60);
  expect(saved.N.length).toBe(saved.T.length);
  expect(saved.N.every((now, index) => Math.abs(now - saved.T[index]!) < 1000)).toBe(true);

  await choose(page, path);
  await waitForNote(page, "Chrome ");
  await expect.poll(async () => (await queryOf(page)).get("source")).toBe("file");
  await expectFigures(page, Run.of(framesOf(readTrace(JSON.stringify(saved))).frames, 60));
});

test("replays a dropped file, whatever the source was", async () => {
  const page = await open("#smooth");
  await dropFile(page, FIREFOX);
  await waitForNote(page, "Firefox 153");
  await expect.poll(async () => (await queryOf(page)).get("source")).toBe("file");
  await expectFigures(page, Run.of(framesOf(readTrace(readFileSync(FIREFOX, "utf8"))).frames, 60));
  const before = await textOf(page, "#status");
  await expect.poll(() => textOf(page, "#status")).not.toBe(before);
});

test("rejects invalid files with a reason, and keeps running", async () => {
  const page = await open("#smooth");
  for (const [name, content, reason] of [
    ["words.json", "once upon a time", "it is not JSON"],
    ["none.json", '{"ua":"x"}', "it has no array “T” of timestamps"],
    ["text.json", '{"T":[1,"two",3]}', 'T[1] is not a number of milliseconds: "two"'],
    ["few.json", '{"T":[1,17]}', "“T” has fewer than 3 timestamps: 2"],
    ["large.json", `{"T":[${"16.7,".repeat(1_000_001)}1]}`, "it is larger than 5 MB"],
    ["binary.json", "\u0000\u0001", "it is not JSON"],
  ] as const) {
    const path = fileOf(name, content);
    for (const give of [choose, dropFile]) {
      await give(page, path);
      await waitForNote(page, `“${name}” cannot be played: ${reason}.`);
      expect((await queryOf(page)).get("source")).toBe("simulated");
      await page.click("#restart");
      expect(await noteOf(page)).toContain("A 60.00 Hz display");
    }
  }
  const before = await textOf(page, "#status");
  await expect.poll(() => textOf(page, "#status")).not.toBe(before);
});

test("a link with a recording as its source asks for the file", async () => {
  // Not in the tab of the other tests, which keeps their files.
  const page = await blank();
  await page.goto(addressOf("#smooth?source=file"));
  expect(await noteOf(page)).toContain("Open a recording of a display, or drop one here");
  await choose(page, FIREFOX);
  await waitForNote(page, "Firefox 153");
});
