// State in real browsers: with wasm kernels, or with JS kernels if the page's policy blocks wasm.
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { BROWSER_NAMES, findBrowser } from "../../scripts/browsers.mjs";
import { launch, type TestBrowser, type TestPage } from "./launch.js";
import { usePackage } from "./server.js";

/** Creates, blends and hashes a state, to use all kernels. */
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
  describe.runIf(findBrowser(name) || process.env.CI)("runs the kernels of a state", () => {
    let browser: TestBrowser;
    let page: TestPage | undefined;
    beforeAll(async () => void (browser = await launch(name)));
    afterAll(() => browser?.close());
    afterEach(() => page?.close());
    const work = async (policy?: string) => {
      page = await browser.open(server.page(policy));
      return page.evaluate<Answer>(WORK);
    };

    test("in wasm, or in JS with the same bits if a policy blocks wasm", async () => {
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
