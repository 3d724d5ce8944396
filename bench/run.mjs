// npm run bench -- NAME [--json]: installs missing packages, builds, and runs NAME.bench.mjs.
import { copyFileSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "../scripts/build.mjs";
import { ROOT, run, setUp } from "../scripts/setup.mjs";

const SUFFIX = ".bench.mjs";
// Enough room for a measurement of the heap without a garbage collection: see heap.mjs.
const FLAGS = ["--expose-gc", "--min-semi-space-size=64", "--max-semi-space-size=64"];

const [name, ...options] = process.argv.slice(2);
const names = readdirSync(join(ROOT, "bench"))
  .filter((file) => file.endsWith(SUFFIX))
  .map((file) => file.slice(0, -SUFFIX.length));
if (!names.includes(name ?? "")) {
  console.error(
    `bench: NAME must be one of ${names.join(", ")}, got ${name}. Try npm run bench -- ${names[0]}.`,
  );
  process.exit(1);
}

setUp();
installPeers();
build();
run("node", ...FLAGS, `bench/${name}${SUFFIX}`, ...options);

/** Installs the peers. They have a lock file of their own, so that only benches install them. */
function installPeers() {
  const lock = join(ROOT, "bench/package-lock.json");
  const installed = join(ROOT, "bench/node_modules/.installed-lock.json");
  if (existsSync(installed) && readFileSync(installed).equals(readFileSync(lock))) return;
  console.log("Installing the peers to compare with (npm ci --prefix bench)");
  run("npm", "ci", "--prefix", "bench");
  copyFileSync(lock, installed);
}
