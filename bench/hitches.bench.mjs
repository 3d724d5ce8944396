// How long the longest frame becomes while a game loads, decodes, compiles shaders or makes garbage, in a real Chromium.
import { once } from "node:events";
import { createServer } from "node:http";
import { build } from "esbuild";
import puppeteer from "puppeteer-core";
import { findBrowser, setUpBrowsers } from "../scripts/browsers.mjs";
import { ROOT } from "../scripts/setup.mjs";
import { rounded, spread } from "./rounds.mjs";

const ROUNDS = process.argv.includes("--quick") ? 1 : 7;
const COLLECTIONS = new Set(["MinorGC", "MajorGC"]);

setUpBrowsers(["chromium"]);
const [executablePath] = findBrowser("chromium") ?? [];
const { outputFiles } = await build({
  entryPoints: [`${ROOT}/bench/hitches-page.mjs`],
  bundle: true,
  format: "iife",
  globalName: "bench",
  write: false,
});
const server = createServer((request, response) =>
  request.url === "/bench.js"
    ? response.setHeader("Content-Type", "text/javascript").end(outputFiles[0]?.text)
    : response
        .setHeader("Content-Type", "text/html")
        .end('<!doctype html><link rel="icon" href="data:,"><body><script src="bench.js"></script>'),
).listen(0, "127.0.0.1");
await once(server, "listening");
const browser = await puppeteer.launch({
  executablePath,
  args: ["--no-sandbox", "--disable-gpu", "--enable-unsafe-swiftshader", "--js-flags=--expose-gc"],
});
try {
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  report(await page.evaluate("bench.prepare()"), await measure(page));
} finally {
  await browser.close();
  server.close();
}

/** Returns the results of all rounds, by name. The order rotates. */
async function measure(page) {
  const names = await page.evaluate("bench.names");
  const results = Object.fromEntries(names.map((name) => [name, []]));
  for (let round = -1; round < ROUNDS; round++)
    for (let turn = 0; turn < names.length; turn++) {
      const name = names[(turn + round + 1) % names.length];
      // The garbage of others.
      await page.evaluate("gc()");
      await page.tracing.start({ categories: ["-*", "devtools.timeline", "v8"] });
      const result = await page.evaluate(`bench.measure("${name}")`);
      const { traceEvents } = JSON.parse(Buffer.from(await page.tracing.stop()).toString());
      const pauses = pausesOf(traceEvents);
      if (round >= 0) results[name].push({ ...result, pauses });
    }
  return results;
}

/** Returns the garbage collections of the page's own thread, in milliseconds. */
function pausesOf(events) {
  const isPage = ({ name, args }) => name === "thread_name" && args.name === "CrRendererMain";
  const threads = new Set(events.filter(isPage).map(({ pid, tid }) => `${pid} ${tid}`));
  return events
    .filter(({ name, pid, tid }) => COLLECTIONS.has(name) && threads.has(`${pid} ${tid}`))
    .map(({ dur = 0 }) => dur / 1e3);
}

function report(sizes, results) {
  const { levelMegabytes, imageMegabytes } = sizes;
  console.log(
    `Milliseconds: the longest frame in the best and in the median of ${ROUNDS} rounds, and garbage collection. A level of ${rounded(levelMegabytes, 1)} MB, images of ${rounded(imageMegabytes, 1)} MB`,
  );
  const figures = Object.fromEntries(
    Object.entries(results).map(([name, rounds]) => [name, figuresOf(rounds)]),
  );
  console.table(figures);
  console.log("What diagnose says, in the round with the longest frame");
  for (const [name, rounds] of Object.entries(results)) {
    const worst = rounds.reduce((a, b) => (b.longest > a.longest ? b : a));
    console.log(`${name}: ${worst.hitch || "nothing"}`);
  }
  if (process.argv.includes("--json")) console.log(JSON.stringify({ bench: "hitches", ...figures }));
}

/**
 * The longest time between two drawings, in the best round, as other load only adds to it, and in the median; and what garbage
 * collections took in a whole round, in the median.
 */
function figuresOf(rounds) {
  const longest = rounds.map((round) => round.longest);
  const gc = rounds.map(({ pauses }) => pauses.reduce((sum, pause) => sum + pause, 0));
  return {
    longest: rounded(Math.min(...longest), 0),
    median: rounded(spread(longest).median, 0),
    gc: rounded(spread(gc).median, 0),
  };
}
