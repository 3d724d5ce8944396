// Random numbers, damp, spring and the integrators: the same bits in every engine.
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { BROWSER_NAMES, findBrowser } from "../../scripts/browsers.mjs";
import { SWARM_HASHES } from "../swarm.js";
import { launch } from "./launch.js";
import { servePackage, type PageServer } from "./server.js";

let server: PageServer;
let script: string;
beforeAll(async () => {
  server = await servePackage();
  const entryPoints = [new URL("../../scenes/swarm.ts", import.meta.url).pathname];
  const { outputFiles } = await build({ entryPoints, bundle: true, globalName: "scene", write: false });
  script = outputFiles[0]!.text;
});
afterAll(() => server.close());

describe.each(BROWSER_NAMES)("%s", (name) => {
  test.skipIf(!findBrowser(name))("a swarm ends where it does in Node, to the bit", async () => {
    const browser = await launch(name);
    try {
      const page = await browser.open(server.page());
      const seeds = JSON.stringify(Object.keys(SWARM_HASHES));
      const run = `${seeds}.map((seed) => [seed, scene.swarmHash(seed, 10_000)])`;
      const hashes = await page.evaluate<[string, string][]>(`(() => { ${script}; return ${run}; })()`);
      expect(Object.fromEntries(hashes)).toEqual(SWARM_HASHES);
    } finally {
      await browser.close();
    }
  });
});
