import { once } from "node:events";
import { createServer } from "node:http";
import { build } from "esbuild";
import puppeteer from "puppeteer-core";
import { findBrowser, setUpBrowsers } from "../scripts/browsers.mjs";
import { ROOT } from "../scripts/setup.mjs";
import { compare, rounded, spread } from "./rounds.mjs";

const WARM_UP = 5;
const ROUNDS = 31;

setUpBrowsers(["chromium"]);
const [executablePath] = findBrowser("chromium") ?? [];
const { outputFiles } = await build({
  entryPoints: [`${ROOT}/bench/hud-page.mjs`],
  bundle: true,
  format: "iife",
  globalName: "bench",
  write: false,
});
const server = createServer((_, response) =>
  response
    .setHeader("Content-Type", "text/html")
    .end(`<!doctype html><link rel="icon" href="data:,"><body><script>${outputFiles[0]?.text}</script>`),
).listen(0, "127.0.0.1");
await once(server, "listening");
// Without a GPU, as in tests: the page's own thread then does all of the drawing.
const browser = await puppeteer.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
try {
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  report(await page.evaluate(`bench.measure(${WARM_UP}, ${ROUNDS})`));
} finally {
  await browser.close();
  server.close();
}

function report(times) {
  console.log(`An overlay's frame, with an empty one of the loop: medians of ${ROUNDS} rounds`);
  const medians = Object.entries(times).map(([name, each]) => [
    name,
    { microseconds: rounded(spread(each).median, 1) },
  ]);
  console.table(Object.fromEntries(medians));
  const ratios = {
    vsStatsJs: compare(times.tickwise, times["stats.js"]),
    vsStatsJsFps: compare(times.tickwise, times["stats.js, fps"]),
  };
  console.log("Our cost over theirs");
  console.table(ratios);
  if (process.argv.includes("--json")) {
    const figures = Object.entries(ratios).map(([name, { median }]) => [name, rounded(median)]);
    console.log(JSON.stringify({ bench: "hud", ...Object.fromEntries(figures) }));
  }
}
