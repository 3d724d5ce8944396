// Rapier's deterministic build has the same bits in every engine with WebAssembly.
import { expect, test } from "vitest";
import golden from "../../scenes/golden.json" with { type: "json" };
import { BROWSER_NAMES, browserInstall, findBrowser } from "../../scripts/browsers.mjs";
import { MORE_SHELLS, SHELLS } from "../../scripts/shells.mjs";
import { FULL } from "../full.js";
import { bundle, inBrowser, shell, type Runtime } from "./runtimes.js";

const ALL = process.env.ENGINES === "all";
const TICKS = ALL || FULL ? 6000 : 600;
const script = `${textDecoder}\n(${textDecoder.name})();\n${await bundle("rapier-script.ts")}`;

/** Defines TextDecoder, which Rapier needs to return its version, and which shells do not have. */
function textDecoder() {
  (globalThis as { TextDecoder?: unknown }).TextDecoder ??= class {
    decode(bytes = new Uint8Array(0)) {
      return String.fromCharCode(...bytes);
    }
  };
}

const isSkipped = (found: unknown) => !found && !process.env.CI;

/** Lists the golden hashes that a runtime does not reproduce. */
async function differing(runtime: Runtime): Promise<string[]> {
  const start = performance.now();
  const [hashes] = await runtime.ask([{ subject: "rapier pile", count: TICKS }]);
  console.log(
    `${runtime.name}: ${TICKS} ticks of the pile; ${((performance.now() - start) / 1000).toFixed(1)} s`,
  );
  const recorded = Object.entries(golden["rapier-pile"]).filter(([tick]) => Number(tick) <= TICKS);
  return recorded.flatMap(([tick, hash]) => {
    const found = hashes![Number(tick) / 600 - 1];
    return found === hash ? [] : [`${runtime.name}, tick ${tick}: ${found}, not ${hash}`];
  });
}

for (const name of BROWSER_NAMES)
  test.skipIf(isSkipped(findBrowser(name)))(
    `reproduces the pile in ${name}, in a page and in a worker`,
    async () => {
      if (!findBrowser(name)) throw new Error(`${name} is missing: ${browserInstall(name)}`);
      await inBrowser(name, script, async (runtimes) => {
        // Workers have the engine of the page, so one of them is enough in `npm test`.
        const tested = ALL || FULL || name === "chromium" ? runtimes : runtimes.slice(0, 1);
        for (const runtime of tested) expect(await differing(runtime)).toEqual([]);
      });
    },
  );

for (const [name, { start, install, edition }] of Object.entries(
  ALL ? { ...SHELLS, ...MORE_SHELLS } : SHELLS,
))
  test.skipIf(isSkipped(start()))(`reproduces the pile in ${name}`, async () => {
    const command = start();
    if (!command) throw new Error(`${name} is missing: ${install}`);
    expect(await differing(shell(`${name} (${edition()})`, command, script))).toEqual([]);
  });

test("reproduces the pile in Node", async () => {
  const node = shell(`Node ${process.versions.node}`, [process.execPath], script);
  expect(await differing(node)).toEqual([]);
});
