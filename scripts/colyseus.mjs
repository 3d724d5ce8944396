// Colyseus and the Node that it needs, for test/colyseus. They have a lock file of their own: hoisted, this Node would run every script.
import { copyFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT, run } from "./setup.mjs";

const FOLDER = "test/colyseus";
const LOCK = join(ROOT, FOLDER, "package-lock.json");
const INSTALLED = join(ROOT, FOLDER, "node_modules/.installed-lock.json");

/** The oldest Node that runs Colyseus 0.18. */
const NODE = 22;

/** Installs the packages of test/colyseus, unless they are installed already. */
export function setUpColyseus() {
  if (isInstalled()) return;
  console.log(`Installing Colyseus and Node ${NODE} (npm ci --prefix ${FOLDER})`);
  // Node 20 is too old for them, which npm would report at length.
  run("npm", "ci", "--prefix", FOLDER, "--loglevel", "error");
  copyFileSync(LOCK, INSTALLED);
}

/** The path of a Node that runs Colyseus, or undefined if the packages are not installed. */
export function findColyseusNode() {
  if (!isInstalled()) return undefined;
  const local = join(
    ROOT,
    FOLDER,
    "node_modules/node/bin",
    process.platform === "win32" ? "node.exe" : "node",
  );
  if (existsSync(local)) return local;
  return Number(process.versions.node.split(".")[0]) >= NODE ? process.execPath : undefined;
}

function isInstalled() {
  return existsSync(INSTALLED) && readFileSync(INSTALLED).equals(readFileSync(LOCK));
}
