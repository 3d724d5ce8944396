// `npm run test:engines`: checks for the same bits in more engines than `npm test`, with a million arguments per
// function in each.
import { run, setUp } from "./setup.mjs";
import { setUpAllEngines } from "./shells.mjs";

setUp();
setUpAllEngines();
process.env.ENGINES = "all";
// Fail if an engine is missing, instead of skipping it.
process.env.CI = "true";
run("vitest", "run", "--project", "engines");
