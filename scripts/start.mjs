import { build } from "./build.mjs";
import { run, setUp } from "./setup.mjs";

setUp();
build();
run("node", "examples/hello.mjs");
