// The browsers that tests drive: found where they are, or installed from Debian's packages.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { delimiter, join } from "node:path";

/** The commands of each browser, the first there is of each list, and the packages that bring them. */
const BROWSERS = {
  chromium: {
    commands: [["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"]],
    packages: ["chromium"],
  },
  firefox: { commands: [["firefox-esr", "firefox"]], packages: ["firefox-esr"] },
  webkit: {
    commands: [["WebKitWebDriver"], ["Xvfb"], ["MiniBrowser"]],
    packages: ["webkit2gtk-driver", "xvfb"],
  },
};

/** @typedef {keyof typeof BROWSERS} BrowserName */
export const BROWSER_NAMES = /** @type {BrowserName[]} */ (Object.keys(BROWSERS));

/** The paths of a browser's commands, or nothing if one is missing. */
export function findBrowser(/** @type {BrowserName} */ name) {
  const paths = BROWSERS[name].commands.map((names) => names.map(pathOf).find(Boolean));
  return paths.every((path) => path !== undefined) ? paths : undefined;
}

function pathOf(/** @type {string} */ command) {
  const folders = (process.env.PATH ?? "").split(delimiter);
  // WebKit's small browser is not meant to be started by hand, and is put aside.
  if (command === "MiniBrowser") folders.push(...ASIDE.flatMap(webkitFolders));
  return folders.map((folder) => join(folder, command)).find((path) => existsSync(path));
}

const ASIDE = [
  "/usr/libexec",
  "/usr/lib",
  ...foldersOf("/usr/lib").filter((path) => path.endsWith("-linux-gnu")),
];

function webkitFolders(/** @type {string} */ folder) {
  return foldersOf(folder).filter((path) => path.includes("/webkit2gtk-"));
}

function foldersOf(/** @type {string} */ folder) {
  return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
}

/** Installs the browsers that are missing, where that can be done. The tests say which they went without. */
export function setUpBrowsers(names = BROWSER_NAMES) {
  const missing = names.filter((name) => !findBrowser(name));
  if (missing.length === 0) return;
  const packages = missing.flatMap((name) => BROWSERS[name].packages);
  const prefix = process.getuid?.() === 0 ? [] : ["sudo", "--non-interactive"];
  console.log(`Installing ${packages.join(", ")}`);
  const apt = (/** @type {string[]} */ ...args) =>
    spawnSync([...prefix, "apt-get"][0] ?? "", [...prefix, "apt-get", ...args].slice(1), {
      stdio: ["ignore", "ignore", "inherit"],
      env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    }).status === 0;
  const install = () => apt("install", "--yes", "--no-install-recommends", ...packages);
  // The lists of packages may be old, or none: then they are fetched first.
  if (!install() && !(apt("update") && install()))
    console.warn(`Could not install ${packages.join(", ")}: tests that need them are left out.`);
}
