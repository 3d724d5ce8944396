// Resources that test files share: browsers, built sites, and the page with the package. Each is started on first use,
// and closed after the last file.
import { once } from "node:events";
import { createServer } from "node:http";
import type { TestProject } from "vitest/node";
import { BROWSER_NAMES } from "../../scripts/browsers.mjs";
import { startBrowser } from "./browsers.js";
import { servePackage } from "./package.js";
import { serveSite } from "./site.js";

/** A started resource: the text that test files get, and a function that stops it. */
export interface Started {
  readonly reply: unknown;
  close(): Promise<void>;
}

/** Resources by the first part of their path. Each worker has its own browsers. */
const STARTERS: Record<string, (rest: string) => Promise<Started>> = {
  ...Object.fromEntries(BROWSER_NAMES.map((name) => [name, () => startBrowser(name)])),
  site: serveSite,
  package: servePackage,
};

declare module "vitest" {
  interface ProvidedContext {
    /** The address that `ask` uses. */
    shared: string;
  }
}

export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const started = new Map<string, Promise<Started>>();
  const server = createServer(async ({ url = "/", method }, response) => {
    const [, kind = "", rest = ""] = url.split("/");
    try {
      // Restart it, as the current one no longer works.
      if (method === "DELETE") await end(url);
      if (!started.has(url)) started.set(url, STARTERS[kind]!(rest));
      response.end(JSON.stringify((await started.get(url)!).reply));
    } catch (error) {
      started.delete(url);
      response.writeHead(500).end(String(error));
    }
  }).listen(0, "127.0.0.1");
  const end = async (url: string) => {
    const one = started.get(url);
    started.delete(url);
    // A failed start was already reported to its caller.
    await one?.then((each) => each.close()).catch(() => {});
  };
  await once(server, "listening");
  provide("shared", `http://127.0.0.1:${(server.address() as { port: number }).port}`);
  return async () => {
    server.close();
    await Promise.all([...started.keys()].map(end));
  };
}
