// The memory of a state in real browsers: by wasm where a page may, by JS where its policy forbids it.
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { BROWSER_NAMES, findBrowser } from "../../scripts/browsers.mjs";
import { launch, type TestBrowser, type TestPage } from "./launch.js";
import { usePackage } from "./server.js";

/** Makes a state, blends and hashes: all kernels at work. */
const WORK = `(() => {
  const { layout, table, f64, quat, LIVE } = tickwise.state;
  const state = layout({ crates: table(99, { x: f64.lerp, heading: f64.angle, turn: quat.nlerp }) }).allocate(2);
  const { crates } = state.world;
  for (let i = 0; i < 99; i++) crates.add({ x: i / 3, heading: i, turn: [0, 0.6, 0, 0.8] });
  state.save(0);
  for (let i = 0; i < 99; i++) crates.heading[i] += i;
  state.blend(1, 0, LIVE, 0.3);
  return { kernels: state.kernels, hash: state.hash(1).join() };
})()`;

interface Answer {
  kernels: "wasm" | "js";
  hash: string;
}

const server = usePackage();

describe.each(BROWSER_NAMES)("%s", (name) => {
  describe.runIf(findBrowser(name) || process.env.CI)("has a state's memory", () => {
    let browser: TestBrowser;
    let page: TestPage | undefined;
    beforeAll(async () => void (browser = await launch(name)));
    afterAll(() => browser?.close());
    afterEach(() => page?.close());
    const work = async (policy?: string) => {
      page = await browser.open(server.page(policy));
      return page.evaluate<Answer>(WORK);
    };

    test("by wasm where it may, and by JS, with the same bits, where a policy forbids it", async () => {
      const free = await work();
      expect(free.kernels).toBe("wasm");
      await page!.close();
      const bound = await work("script-src 'self'");
      expect(bound.kernels).toBe("js");
      expect(bound.hash).toBe(free.hash);
      await page!.close();
      const allowed = await work("script-src 'self' 'wasm-unsafe-eval'");
      expect(allowed).toEqual(free);
    });
  });
});
