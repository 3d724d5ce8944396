import { once } from "node:events";
import { createServer } from "node:http";
import { build } from "esbuild";
import { ROOT } from "../../scripts/setup.mjs";
import type { Started } from "./setup.js";

/** Serves a page with the whole package as one script, bundled from the source, and the code of the tests of replays and links. */
export async function servePackage(): Promise<Started> {
  const { outputFiles } = await build({
    stdin: {
      contents: `export * from "./src/index.ts"; export * from "./src/testing/index.ts"; export * from "./src/hud/index.ts"; export * as state from "./src/state/index.ts"; export * as sim from "./src/sim/index.ts"; export * as input from "./src/input/index.ts"; export * as net from "./src/net/index.ts"; export * as worker from "./src/worker/index.ts"; export * as audio from "./src/audio/index.ts"; export * as replays from "./test/replay/in-page.ts"; export * as links from "./test/net-links/exchange.ts"; export * as netplay from "./test/browser/netplay-player.ts";`,
      resolveDir: ROOT,
    },
    bundle: true,
    format: "iife",
    globalName: "tickwise",
    write: false,
  });
  const script = outputFiles[0]!.text;
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
    const policy = searchParams.get("policy");
    if (policy) response.setHeader("Content-Security-Policy", policy);
    if (pathname === "/tickwise.js") response.setHeader("Content-Type", "text/javascript").end(script);
    else if (pathname !== "/") response.writeHead(404).end();
    else
      response
        .setHeader("Content-Type", "text/html")
        .end(
          '<!doctype html><title>Tickwise</title><link rel="icon" href="data:,"><script src="tickwise.js"></script>',
        );
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    reply: `http://127.0.0.1:${(server.address() as { port: number }).port}/`,
    close: async () => void server.close(),
  };
}
