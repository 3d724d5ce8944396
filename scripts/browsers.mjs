// The browsers that tests drive.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { findProgram, installCommand, setUpPrograms } from "./programs.mjs";

export const BROWSERS = {
  chromium: {
    files: [["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"]],
    packages: ["chromium"],
  },
  firefox: { files: [["firefox-esr", "firefox"]], packages: ["firefox-esr"] },
  webkit: {
    files: [["WebKitWebDriver"], ["Xvfb"], ["MiniBrowser"]],
    packages: ["webkit2gtk-driver", "xvfb"],
    // Its small browser is not meant to be started by hand, and is put aside.
    get folders() {
      const libraries = foldersOf("/usr/lib").filter((path) => path.endsWith("-linux-gnu"));
      const folders = ["/usr/libexec", "/usr/lib", ...libraries].flatMap(foldersOf);
      return folders.filter((path) => path.includes("/webkit2gtk-"));
    },
  },
};

/** @typedef {keyof typeof BROWSERS} BrowserName */
export const BROWSER_NAMES = /** @type {BrowserName[]} */ (Object.keys(BROWSERS));

/** The paths of a browser's files, or nothing if one is missing. */
export const findBrowser = (/** @type {BrowserName} */ name) => findProgram(BROWSERS[name]);

/** What to type to have it. */
export const browserInstall = (/** @type {BrowserName} */ name) => installCommand([BROWSERS[name]]);

/** Installs the browsers that are missing, where that can be done. */
export const setUpBrowsers = (names = BROWSER_NAMES) => setUpPrograms(names.map((name) => BROWSERS[name]));

function foldersOf(/** @type {string} */ folder) {
  return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
}
