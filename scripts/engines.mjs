// `npm run test:engines`: the same bits in more engines than `npm test` has, a million arguments a function in each.
import { setUpBrowsers } from "./browsers.mjs";
import { run, setUp } from "./setup.mjs";
import { setUpAllShells } from "./shells.mjs";

setUp();
setUpBrowsers();
setUpAllShells();
process.env.ENGINES = "all";
// What is missing fails, and is not left out.
process.env.CI = "true";
run("vitest", "run", "--project", "engines");
