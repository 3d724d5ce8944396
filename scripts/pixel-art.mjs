// node scripts/pixel-art.mjs: makes the pictures of docs/pixel-art.md in Chromium, and writes them to docs/pictures.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import puppeteer from "puppeteer-core";
import { findBrowser, setUpBrowsers } from "./browsers.mjs";
import { ROOT } from "./setup.mjs";

/** Returns the script of the page that makes them, as the global `pixelArt`. */
export async function bundlePixelArt() {
  const { outputFiles } = await build({
    entryPoints: [join(ROOT, "test/docs/pixel-art-page.ts")],
    bundle: true,
    format: "iife",
    globalName: "pixelArt",
    write: false,
  });
  return outputFiles[0]?.text ?? "";
}

async function makePictures() {
  setUpBrowsers(["chromium"]);
  const [executablePath = ""] = findBrowser("chromium") ?? [];
  const args = ["--no-sandbox", "--disable-gpu", "--enable-unsafe-swiftshader"];
  const browser = await puppeteer.launch({ executablePath, args });
  const page = await browser.newPage();
  await page.addScriptTag({ content: await bundlePixelArt() });
  const pictures = /** @type {Record<string, string>} */ (await page.evaluate("pixelArt.pictures()"));
  await browser.close();
  const folder = join(ROOT, "docs/pictures");
  mkdirSync(folder, { recursive: true });
  for (const [name, url] of Object.entries(pictures))
    writeFileSync(join(folder, `${name}.png`), Buffer.from(url.split(",")[1] ?? "", "base64"));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) await makePictures();
