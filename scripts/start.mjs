// Serves the pages of a folder, the lab or the examples, after installing and building what they need.
import { build } from "./build.mjs";
import { setUp } from "./setup.mjs";

const folder = process.argv[2];
setUp();
build();
// Only now: before, it may not have been installed. In this process, so that it ends with it.
const { createServer } = await import("vite");
const server = await createServer({ configFile: `${folder}/vite.config.ts` });
await server.listen();
console.log(`\nThe ${folder}, until Ctrl-C:`);
server.printUrls();
