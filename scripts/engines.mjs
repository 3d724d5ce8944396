// `npm run test:engines`: the same bits in more engines than `npm test` has, a million arguments a function in each.
import { run, setUp } from "./setup.mjs";
import { setUpAllEngines } from "./shells.mjs";

setUp();
setUpAllEngines();
process.env.ENGINES = "all";
// What is missing fails, and is not left out.
process.env.CI = "true";
run("vitest", "run", "--project", "engines");
