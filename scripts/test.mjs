// `npm test`: all checks that a change must pass, the fastest first. CI runs only this. `npm run test:full` passes
// --full, to test every case instead of samples.
import { build } from "./build.mjs";
import { setUpColyseus } from "./colyseus.mjs";
import { NGINX, REDIS } from "./servers.mjs";
import { run, setUp } from "./setup.mjs";
import { setUpEngines } from "./shells.mjs";

const stages = {
  setup: setUp,
  "browsers, engines and servers": () => setUpEngines(REDIS, NGINX),
  Colyseus: setUpColyseus,
  format: () => run("oxfmt", "--check"),
  lint: () => run("oxlint"),
  "types of src": () => run("tsc", "--noEmit"),
  build,
  "types of tests": () => run("tsc", "--project", "tsconfig.test.json"),
  "types of the lab": () => run("tsc", "--project", "lab"),
  "types of the examples": () => run("tsc", "--project", "examples"),
  "types of the template"() {
    run("tsc", "--project", "template");
    run("tsc", "--project", "template/tsconfig.three.json");
  },
  "types of the site": () => run("tsc", "--project", "site"),
  tests() {
    // Built by the stage above.
    process.env.DIST_IS_FRESH = "yes";
    if (process.argv.includes("--full")) process.env.TEST_FULL = "yes";
    run("vitest", "run");
  },
  "unused code": () => run("knip"),
};

for (const [name, stage] of Object.entries(stages)) {
  console.log(`\n== ${name}`);
  const start = performance.now();
  stage();
  console.log(`-- ${name}: ${((performance.now() - start) / 1000).toFixed(1)} s`);
}
console.log("\nAll passed.");
