// Replays in real browsers: what was recorded in Node comes out the same there, and the other way round.
import { readdirSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { BROWSER_NAMES, findBrowser } from "../../scripts/browsers.mjs";
import { readReplay, verify } from "../../src/replay/index.js";
import { duel } from "../replay/duel.js";
import { parseSummary } from "../replay/golden.js";
import { launch, type TestBrowser, type TestPage } from "./launch.js";
import { usePackage } from "./server.js";

const FOLDER = new URL("../golden/", import.meta.url);
const names = readdirSync(FOLDER).filter((name) => name.endsWith(".twr"));

const server = usePackage();

describe.each(BROWSER_NAMES)("%s", (name) => {
  describe.runIf(findBrowser(name) || process.env.CI)("replays with the same bits", () => {
    let browser: TestBrowser;
    let page: TestPage;
    beforeAll(async () => {
      browser = await launch(name);
      page = await browser.open(server.page());
    });
    afterAll(() => browser?.close());

    test.each(names)("%s comes out there as it did in Node", async (file) => {
      const base64 = readFileSync(new URL(file, FOLDER)).toString("base64");
      const told = await page.evaluate<string>(`tickwise.replays.summarize(${JSON.stringify(base64)})`);
      const json = readFileSync(new URL(file.replace(".twr", ".json"), FOLDER), "utf8");
      expect(JSON.parse(told)).toEqual(parseSummary(json));
    });

    test("what it records comes out here, with states that it deflated", async () => {
      const base64 = await page.evaluate<string>("tickwise.replays.recorded()");
      const replay = readReplay(Buffer.from(base64, "base64"));
      expect(verify(duel(), replay)).toMatchObject({ ok: true, compared: 300 });
      for (const frame of replay.keyframes) expect(replay.stateOf(frame).length).toBe(frame.size);
      expect(replay.keyframes.map(({ coding }) => coding)).toEqual([1, 1, 1, 1, 1]);
    });
  });
});
