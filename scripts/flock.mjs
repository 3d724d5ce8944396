// `npm run flock`: records the flock in Chromium, Firefox and the shell of JavaScriptCore, for the site's chapter about
// engines.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import puppeteer from "puppeteer-core";
import { findBrowser } from "./browsers.mjs";
import { ROOT, run } from "./setup.mjs";
import { SHELLS } from "./shells.mjs";

const FILE = join(ROOT, "site/src/chapters/engines/recordings.json");

const { outputFiles } = await build({
  stdin: {
    contents: `
      import { FLOCK_HASH_EVERY, playFlock } from "./scenes/flock-recording.js";
      import * as math from "./src/math/index.js";
      export const play = () => JSON.stringify([playFlock(Math), playFlock(math), FLOCK_HASH_EVERY]);`,
    resolveDir: ROOT,
  },
  bundle: true,
  format: "iife",
  globalName: "flock",
  write: false,
});
const script = String(outputFiles[0]?.text);

/** Plays in a page. */
async function inBrowser(/** @type {"chromium" | "firefox"} */ name) {
  const [executablePath = ""] = findBrowser(name) ?? [];
  const browser = await puppeteer.launch({
    browser: name === "firefox" ? "firefox" : "chrome",
    executablePath,
    // A busy machine takes its time.
    timeout: 180_000,
    args: name === "chromium" ? ["--no-sandbox"] : [],
  });
  const page = await browser.newPage();
  const answer = String(await page.evaluate(`${script}; flock.play()`));
  const version = (await browser.version()).replace("/", " ").replace("Headless", "");
  await browser.close();
  return { version: version.replace(/^\w/, (letter) => letter.toUpperCase()), answer };
}

/** Plays in the shell of JavaScriptCore. */
function inShell() {
  const folder = mkdtempSync(join(tmpdir(), "tickwise-flock-"));
  const file = join(folder, "play.js");
  writeFileSync(file, `${script}\nprint(flock.play());`);
  const answer = execFileSync(String(SHELLS.jsc.start()?.[0]), [file], {
    encoding: "utf8",
    maxBuffer: 2 ** 26,
  });
  rmSync(folder, { recursive: true });
  return { version: SHELLS.jsc.edition(), answer };
}

const runs = [
  { engine: "V8", ...(await inBrowser("chromium")) },
  { engine: "SpiderMonkey", ...(await inBrowser("firefox")) },
  { engine: "JavaScriptCore", ...inShell() },
].map(({ engine, version, answer }) => {
  const [own, exact, every] = JSON.parse(answer);
  return { engine, version, own, exact, every };
});
const sampled = (/** @type {number[]} */ hashes, /** @type {number} */ every) =>
  hashes.filter((_, i) => (i + 1) % every === 0);
const recordings = runs.map(({ engine, version, own, exact, every }) => ({
  engine,
  version,
  partedAt:
    own.hashes.findIndex(
      (/** @type {number} */ hash, /** @type {number} */ i) => hash !== runs[0]?.own.hashes[i],
    ) + 1,
  positions: own.positions.join(" "),
  hashes: sampled(own.hashes, every),
  exactHashes: sampled(exact.hashes, every),
}));
writeFileSync(FILE, JSON.stringify(recordings));
run("oxfmt", FILE);
for (const { engine, version, partedAt } of recordings) console.log(engine, version, partedAt);
