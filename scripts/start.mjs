// Serves the site or the examples, after installing and building what they need.
import { build } from "./build.mjs";
import { setUp } from "./setup.mjs";

const folder = process.argv[2];
setUp();
build();
// Imported only now, as setUp may have to install it. In this process, so that the server ends with it.
const { createServer } = await import("vite");
const server = await createServer({ configFile: `${folder}/vite.config.ts` });
await server.listen();
console.log(`\nServing the ${folder}. Press Ctrl-C to stop.`);
server.printUrls();
