// `npm run social`: takes the social image of each chapter and of the start page from the site itself, into site/public/social.
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { build } from "./build.mjs";
import { findBrowser, setUpBrowsers } from "./browsers.mjs";
import { ROOT, setUp } from "./setup.mjs";

const SIZE = { width: 1200, height: 630 };
/** What a picture leaves out, and how large the figure is. */
const STYLE = `
  .site-header, .site-footer, .bar, .promise, .cards, .code, .links, .pager, .words:not(:first-child), .hero .dial { display: none !important; }
  .chapter { padding: 1.5rem 0 0 !important; }
  .chapter .words { max-width: none; padding: 0 3rem; }
  .chapter .picture { height: 350px !important; }
  .hero canvas { height: 540px !important; }
  .hero { padding-top: 2rem !important; }
`;

setUp();
build();
setUpBrowsers(["chromium"]);
// Imported only now, as setUp may have to install them.
const { createServer } = await import("vite");
const { default: puppeteer } = await import("puppeteer-core");

const folder = join(ROOT, "site/public/social");
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const server = await createServer({ configFile: join(ROOT, "site/vite.config.ts"), server: { port: 0 } });
await server.listen();
const address = /** @type {string} */ (server.resolvedUrls?.local[0]);
const executablePath = /** @type {[string]} */ (findBrowser("chromium"))[0];
const browser = await puppeteer.launch({
  executablePath,
  args: ["--no-sandbox", "--enable-unsafe-swiftshader"],
});
const page = await browser.newPage();
await page.setViewport(SIZE);
// A still picture shows the problem, and is the same each time.
await page.emulateMediaFeatures([
  { name: "prefers-reduced-motion", value: "reduce" },
  { name: "prefers-color-scheme", value: "light" },
]);
await page.goto(address);
const ids = await page.$$eval(".cards a", (links) =>
  links.map((link) => link.getAttribute("href")?.replaceAll(/[./]/g, "")),
);
for (const id of ["", ...ids]) {
  await page.goto(`${address}${id === "" ? "" : `${id}/`}`);
  await page.addStyleTag({ content: STYLE });
  if (id !== "") await page.waitForSelector("[data-chapter][data-ready]");
  await new Promise((done) => void setTimeout(done, 500));
  await page.screenshot({
    path: join(folder, `${id === "" ? "start" : id}.png`),
    clip: { x: 0, y: 0, ...SIZE },
  });
}
await browser.close();
await server.close();
console.log(`Wrote ${ids.length + 1} pictures to site/public/social`);
