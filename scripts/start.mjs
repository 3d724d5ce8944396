import { build } from "./build.mjs";
import { setUp } from "./setup.mjs";

setUp();
build();
// Only now: before, it may not have been installed. In this process, so that it ends with it.
const { createServer } = await import("vite");
const server = await createServer({ configFile: "lab/vite.config.ts" });
await server.listen();
console.log("\nThe lab, until Ctrl-C:");
server.printUrls();
