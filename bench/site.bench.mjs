// What the pages of the site cost: main-thread work per frame, scripts before the first picture, and Lighthouse.
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import puppeteer from "puppeteer-core";
import { findBrowser, setUpBrowsers } from "../scripts/browsers.mjs";
import { ROOT, run } from "../scripts/setup.mjs";
import { quantile, rounded } from "./rounds.mjs";
import { traceFrames } from "./site-frames.mjs";
import { lighthouseScores } from "./site-lighthouse.mjs";
import { serveFolder } from "./site-server.mjs";

const isQuick = process.argv.includes("--quick");
/** Seconds until the engine has optimized a page, after throttling has changed, and of a measurement. */
const WARM_UP = isQuick ? 1 : 3;
const SETTLE = 0.5;
const SECONDS = isQuick ? 2 : 5;
const THROTTLE = 2;
const LIGHTHOUSE_RUNS = isQuick ? 1 : 3;
const DESKTOP = { width: 1280, height: 860 };
const PHONE = { width: 390, height: 844, deviceScaleFactor: 3, isMobile: true, hasTouch: true };
/** The chapter that is measured on a phone, too: it draws most. */
const ON_PHONE = "replay";

/** Only these, in any order: `npm run bench -- site speed latency`. */
const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));

setUpBrowsers(["chromium"]);
const [executablePath] = findBrowser("chromium") ?? [];
const folder = mkdtempSync(join(tmpdir(), "tickwise-site-"));
run("vite", "build", "site", "--outDir", folder, "--emptyOutDir", "--logLevel", "warn");
const chapters = readdirSync(join(ROOT, "site/src/chapters"), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);
const server = await serveFolder(folder);
const browser = await puppeteer.launch({ executablePath, args: ["--no-sandbox"] });
try {
  await report();
} finally {
  await browser.close();
  server.stop();
  rmSync(folder, { recursive: true });
}

async function report() {
  const rows = await measureFrames();
  console.log(`Main-thread work per frame at ${THROTTLE} × throttling, in ms`);
  console.table(rows);
  const worst = {};
  for (const [name, { p95 }] of Object.entries(rows)) {
    const [chapter] = name.split(",");
    worst[chapter] = Math.max(worst[chapter] ?? 0, p95);
  }
  if (wanted.length > 0) return;
  const jsKb = { start: await scriptsOf(""), article: await scriptsOf("article/") };
  console.log("Gzipped scripts before the first picture, in KB");
  console.table(jsKb);
  const { failed, ...lighthouse } = await lighthouseScores(browser, server.address, LIGHTHOUSE_RUNS);
  console.log(
    `Lighthouse on the start page: medians of ${LIGHTHOUSE_RUNS} runs. Audits below 90: ${failed.join(", ") || "none"}`,
  );
  console.table(lighthouse);
  if (!process.argv.includes("--json")) return;
  const figures = { frameMs: worst, worst: Math.max(...Object.values(worst)), jsKb, lighthouse };
  console.log(JSON.stringify({ bench: "site", ...figures }));
}

async function measureFrames() {
  const rows = {};
  const isWanted = (name) => wanted.length === 0 || wanted.includes(name);
  const measure = async (name, path, viewport) => {
    rows[name] = await framesOf(path, viewport);
  };
  if (isWanted("start")) {
    await measure("start", "", DESKTOP);
    await measure("start, phone", "", PHONE);
  }
  for (const chapter of chapters.filter(isWanted))
    for (const side of ["broken", "fixed"]) {
      await measure(`${chapter}, ${side}`, `${chapter}/?side=${side}`, DESKTOP);
      if (chapter === ON_PHONE)
        await measure(`${chapter}, ${side}, phone`, `${chapter}/?side=${side}`, PHONE);
    }
  return rows;
}

/** Measures a page twice: as it is, and with the throttling of Chromium. */
async function framesOf(path, viewport) {
  const page = await browser.newPage();
  try {
    await page.setViewport(viewport);
    await page.goto(server.address + path);
    await setTimeout(1000 * WARM_UP);
    const plain = await traceFrames(page, SECONDS);
    await page.emulateCPUThrottling(THROTTLE);
    await setTimeout(1000 * SETTLE);
    const throttled = await traceFrames(page, SECONDS);
    const at = (part, works, clock) =>
      quantile(
        works.map((work) => work[clock]),
        part,
      );
    return {
      p50: rounded(THROTTLE * at(0.5, plain, "thread")),
      p95: rounded(THROTTLE * at(0.95, plain, "thread")),
      "throttled p95": rounded(at(0.95, throttled, "thread")),
      "on the wall p95": rounded(at(0.95, throttled, "wall")),
      frames: plain.length,
    };
  } finally {
    await page.close();
  }
}

/** Returns the kilobytes of gzipped scripts that a page has loaded when it draws its first picture. */
async function scriptsOf(path) {
  const page = await browser.newPage();
  try {
    await page.setCacheEnabled(false);
    await page.evaluateOnNewDocument(() => {
      const { clearRect } = CanvasRenderingContext2D.prototype;
      CanvasRenderingContext2D.prototype.clearRect = function (...area) {
        globalThis.scriptBytes ??= performance
          .getEntriesByType("resource")
          .filter(({ name }) => name.endsWith(".js"))
          .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0);
        clearRect.apply(this, area);
      };
    });
    await page.goto(server.address + path);
    const bytes = await page.waitForFunction("globalThis.scriptBytes");
    return rounded((await bytes.jsonValue()) / 1000, 1);
  } finally {
    await page.close();
  }
}
