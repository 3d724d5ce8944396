import { build } from "./build.mjs";
import { run, setUp } from "./setup.mjs";

setUp();
build();
// Serves the lab, and prints its address.
run("vite", "lab", ...process.argv.slice(2));
