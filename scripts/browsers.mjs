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
    // MiniBrowser is not on the PATH, as it is not meant to be started by hand.
    get folders() {
      const libraries = foldersOf("/usr/lib").filter((path) => path.endsWith("-linux-gnu"));
      const folders = ["/usr/libexec", "/usr/lib", ...libraries].flatMap(foldersOf);
      return folders.filter((path) => path.includes("/webkit2gtk-"));
    },
  },
};

/** @typedef {keyof typeof BROWSERS} BrowserName */
export const BROWSER_NAMES = /** @type {BrowserName[]} */ (Object.keys(BROWSERS));

/** Returns the paths of a browser's files, or undefined if one is missing. */
export const findBrowser = (/** @type {BrowserName} */ name) => findProgram(BROWSERS[name]);

/** Returns the command that installs a browser. */
export const browserInstall = (/** @type {BrowserName} */ name) => installCommand([BROWSERS[name]]);

/** Installs missing browsers, on Debian. */
export const setUpBrowsers = (names = BROWSER_NAMES) => setUpPrograms(names.map((name) => BROWSERS[name]));

function foldersOf(/** @type {string} */ folder) {
  return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
}
