// What a simulation in a worker does to the frames of a page, and how far the picture is behind. In a real Chromium, and in Node.
import { once } from "node:events";
import { createServer } from "node:http";
import { build } from "esbuild";
import puppeteer from "puppeteer-core";
import { findBrowser, setUpBrowsers } from "../scripts/browsers.mjs";
import { ROOT } from "../scripts/setup.mjs";
import { compare, rounded, spread } from "./rounds.mjs";
import { COSTS } from "./worker-game.mjs";
import { blendInNode, bytesInNode, delayInNode, readyInNode } from "./worker-node.mjs";

const isQuick = process.argv.includes("--quick");
/** Seconds: before a measurement, of one without a worker, of one with a worker, of one of `ready`. */
const SETTLE = isQuick ? 1 : 6;
const SHORT = isQuick ? 1.5 : 12;
const LONG = isQuick ? 2 : 34;
const READY = isQuick ? 1 : 4;
const NODE = isQuick ? 1.5 : 8;
/** What the page spends in each frame, in milliseconds. */
const SPENT = 8;
/** Seconds in which allocations are counted, and tries, as the engine allocates, too. */
const HEAP_SECONDS = isQuick ? 1 : 6;
const HEAP_TRIES = isQuick ? 1 : 2;
const BLEND = { rounds: isQuick ? 11 : 151, frames: 64 };
const BODIES = 1000;
const FEW_BODIES = 50;

setUpBrowsers(["chromium"]);
const [executablePath] = findBrowser("chromium") ?? [];
const { outputFiles } = await build({
  entryPoints: { page: `${ROOT}/bench/worker-page.mjs`, thread: `${ROOT}/bench/worker-thread.mjs` },
  outdir: "/",
  bundle: true,
  format: "esm",
  write: false,
});
const files = new Map(outputFiles.map(({ path, text }) => [path.replaceAll("\\", "/"), text]));
const HTML = `<!doctype html><link rel="icon" href="data:,"><body>
  <script type="module">import * as bench from "./page.js"; Object.assign(globalThis, { bench });</script>`;
const server = createServer((request, response) => {
  const { pathname } = new URL(request.url ?? "/", "http://localhost");
  // Only what begins with /isolated gets the headers that shared memory needs.
  const path = pathname.replace(/^\/isolated/, "");
  if (path !== pathname)
    response
      .setHeader("Cross-Origin-Opener-Policy", "same-origin")
      .setHeader("Cross-Origin-Embedder-Policy", "require-corp");
  const script = files.get(path);
  response.setHeader("Content-Type", script ? "text/javascript" : "text/html").end(script ?? HTML);
}).listen(0, "127.0.0.1");
await once(server, "listening");
const browser = await puppeteer.launch({
  executablePath,
  protocolTimeout: 120_000,
  args: [
    "--no-sandbox",
    "--disable-gpu",
    "--enable-precise-memory-info",
    "--js-flags=--expose-gc --min-semi-space-size=64 --max-semi-space-size=64",
  ],
});
try {
  report(await measure());
} finally {
  await browser.close();
  server.close();
}

/** Calls a function of a new page. Only an isolated one has shared memory. */
async function inPage(memory, name, options) {
  const page = await browser.newPage();
  try {
    await page.goto(
      `http://127.0.0.1:${server.address().port}/${memory === "transferred" ? "" : "isolated/"}`,
    );
    await page.waitForFunction("globalThis.bench");
    return await page.evaluate(`bench.${name}(${JSON.stringify(options)})`);
  } finally {
    await page.close();
  }
}

async function measure() {
  const run = (where, cost, memory, seconds) =>
    inPage(memory, "run", { where, cost, memory, spent: SPENT, settle: SETTLE, seconds });
  const baseline = [await run("nowhere", 0, undefined, SHORT)];
  const costs = [];
  for (const cost of COSTS)
    costs.push({
      cost,
      onPage: await run("onPage", cost, undefined, SHORT),
      shared: await run("inWorker", cost, "shared", LONG),
      transferred: await run("inWorker", cost, "transferred", LONG),
    });
  baseline.push(await run("nowhere", 0, undefined, SHORT));
  const ready = [];
  const node = [];
  for (const cost of COSTS)
    for (const memory of ["shared", "transferred"]) {
      ready.push({
        cost,
        memory,
        samples: await inPage(memory, "ready", { cost, memory, seconds: READY }),
        inNode: await readyInNode({ cost, memory, seconds: READY }),
      });
      node.push({ cost, ...(await delayInNode({ cost, memory, settle: SETTLE / 2, seconds: NODE })) });
    }
  return {
    baseline,
    costs,
    ready,
    node,
    bytes: await inPage("shared", "sharedBytes", { calls: isQuick ? 3000 : 20_000 }),
    received: await receivedBytes(),
    nodeBytes: await bytesInNode(isQuick ? 3000 : 30_000),
    blends: {
      chromium: await inPage("shared", "blend", { ...BLEND, bodies: BODIES }),
      "chromium, few bodies": await inPage("shared", "blend", { ...BLEND, bodies: FEW_BODIES }),
      node: await blendInNode({ ...BLEND, bodies: BODIES }),
    },
  };
}

async function receivedBytes() {
  const options = { settle: SETTLE, seconds: HEAP_SECONDS };
  let least = Infinity;
  for (let i = 0; i < HEAP_TRIES; i++)
    least = Math.min(least, await inPage("transferred", "receivedBytes", options));
  return least;
}

function report({ baseline, costs, ready, node, bytes, received, nodeBytes, blends }) {
  const lateOf = (runs) => {
    const sum = (name) => runs.reduce((total, run) => total + run[name], 0);
    return rounded((100 * sum("late")) / sum("refreshes"));
  };
  console.log(
    `A page that spends ${SPENT} ms per frame: refreshes without a picture in time, in %; without a simulation ${lateOf(baseline)}`,
  );
  console.table(
    Object.fromEntries(
      costs.map(({ cost, onPage, shared, transferred }) => [
        `steps of ${cost} ms`,
        { "one thread": lateOf([onPage]), shared: lateOf([shared]), transferred: lateOf([transferred]) },
      ]),
    ),
  );
  const runs = costs.flatMap(({ cost, shared, transferred }) =>
    [shared, transferred].map((run) => ({ cost, ...run })),
  );
  console.log(
    "How far the picture is behind, in ms: the delay D, the p99.9 of what a step costs, and the rest",
  );
  console.table(delayTable(runs));
  console.log("The same in Node");
  console.table(delayTable(node));
  console.log("From the end of a step until its state can be drawn, in ms: medians");
  console.table(
    Object.fromEntries(
      ready.map(({ cost, memory, samples, inNode }) => [
        `${cost} ms, ${memory}`,
        { chromium: rounded(spread(samples).median, 3), node: rounded(spread(inNode).median, 3) },
      ]),
    ),
  );
  console.log("Bytes: a frame with shared memory, a blend on one thread, and reading the clock");
  console.table({ chromium: numbers(bytes, 1), node: numbers(nodeBytes, 1) });
  console.log(`Bytes for each state that is received in a buffer: ${rounded(received, 0)}`);
  const ratios = Object.fromEntries(
    Object.entries(blends).map(([name, { single, worker }]) => [
      name,
      {
        microseconds: rounded((1000 * spread(worker).median) / BLEND.frames, 1),
        "on one thread": rounded((1000 * spread(single).median) / BLEND.frames, 1),
        ...numbers(compare(worker, single)),
      },
    ]),
  );
  console.log("Taking over and blending a frame with shared memory, over a blend on one thread");
  console.table(ratios);
  if (!process.argv.includes("--json")) return;
  const over = (all, figure) => rounded(Math.max(...all.map(figure)), 2);
  // The engine allocates the number that the clock returns.
  const bytesOfShared = Math.max(0, bytes.shared - bytes.onPage - bytes.clock);
  const line = {
    bench: "worker",
    lateFrames: {
      baseline: lateOf(baseline),
      onPage: Math.max(...costs.map(({ onPage }) => lateOf([onPage]))),
      inWorker: Math.max(...runs.map((run) => lateOf([run]))),
    },
    readyMs: over(ready, ({ samples }) => spread(samples).median),
    delayMs: over(runs, ({ delay, cost99 }) => delay - cost99),
    starved: rounded(Math.max(...runs.map(({ starved, frames }) => starved / frames)), 5),
    bytesPerFrame: {
      shared: rounded(bytesOfShared, 0),
      transferred: rounded(bytesOfShared + received, 0),
    },
    blendVsSingle: ratios.chromium.median,
  };
  console.log(JSON.stringify(line));
}

function numbers(figures, digits = 2) {
  return Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, rounded(value, digits)]));
}

function delayTable(runs) {
  return Object.fromEntries(
    runs.map(({ cost, memory, delay, cost99, frames, starved }) => [
      `${cost} ms, ${memory}`,
      {
        delay: rounded(delay),
        "p99.9 of a step": rounded(cost99),
        rest: rounded(delay - cost99),
        "starved, %": rounded((100 * starved) / frames, 3),
      },
    ]),
  );
}
