// Rapier's deterministic build, joined to a simulation: the same bits in every engine that has WebAssembly.
import { expect, test } from "vitest";
import golden from "../../scenes/golden.json" with { type: "json" };
import { BROWSER_NAMES, browserInstall, findBrowser } from "../../scripts/browsers.mjs";
import { MORE_SHELLS, SHELLS } from "../../scripts/shells.mjs";
import { FULL } from "../full.js";
import { bundle, inBrowser, shell, type Place } from "./places.js";

const ALL = process.env.ENGINES === "all";
const TICKS = ALL || FULL ? 6000 : 600;
const script = `${textDecoder}\n(${textDecoder.name})();\n${await bundle("rapier-script.ts")}`;

/** Shells have none, and Rapier tells its version by one. */
function textDecoder() {
  (globalThis as { TextDecoder?: unknown }).TextDecoder ??= class {
    decode(bytes = new Uint8Array(0)) {
      return String.fromCharCode(...bytes);
    }
  };
}

const leftOut = (found: unknown) => !found && !process.env.CI;

/** The golden ones that it has not. */
async function differing(place: Place): Promise<string[]> {
  const start = performance.now();
  const [hashes] = await place.ask([{ subject: "rapier pile", count: TICKS }]);
  console.log(
    `${place.name}: ${TICKS} ticks of the pile; ${((performance.now() - start) / 1000).toFixed(1)} s`,
  );
  const recorded = Object.entries(golden["rapier-pile"]).filter(([tick]) => Number(tick) <= TICKS);
  return recorded.flatMap(([tick, hash]) => {
    const found = hashes![Number(tick) / 600 - 1];
    return found === hash ? [] : [`${place.name}, tick ${tick}: ${found}, not ${hash}`];
  });
}

for (const name of BROWSER_NAMES)
  test.skipIf(leftOut(findBrowser(name)))(`the pile in ${name}, in a page and in a worker`, async () => {
    if (!findBrowser(name)) throw new Error(`${name} is missing: ${browserInstall(name)}`);
    await inBrowser(name, script, async (places) => {
      for (const place of places) expect(await differing(place)).toEqual([]);
    });
  });

for (const [name, { start, install, edition }] of Object.entries(
  ALL ? { ...SHELLS, ...MORE_SHELLS } : SHELLS,
))
  test.skipIf(leftOut(start()))(`the pile in ${name}`, async () => {
    const command = start();
    if (!command) throw new Error(`${name} is missing: ${install}`);
    expect(await differing(shell(`${name} (${edition()})`, command, script))).toEqual([]);
  });

test("the pile in Node", async () => {
  const node = shell(`Node ${process.versions.node}`, [process.execPath], script);
  expect(await differing(node)).toEqual([]);
});
