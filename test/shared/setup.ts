// What test files share: browsers, built sites, the page with the package. Each is started when a file first asks for
// it, and closed after the last file.
import { once } from "node:events";
import { createServer } from "node:http";
import type { TestProject } from "vitest/node";
import { BROWSER_NAMES } from "../../scripts/browsers.mjs";
import { startBrowser } from "./browsers.js";
import { servePackage } from "./package.js";
import { serveSite } from "./site.js";

/** Something that was started: what test files get, and how to end it. */
export interface Started {
  readonly told: unknown;
  close(): Promise<void>;
}

/** What can be asked for, by the first part of its path. Each worker has browsers of its own. */
const STARTERS: Record<string, (rest: string) => Promise<Started>> = {
  ...Object.fromEntries(BROWSER_NAMES.map((name) => [name, () => startBrowser(name)])),
  site: serveSite,
  package: servePackage,
};

declare module "vitest" {
  interface ProvidedContext {
    /** The address to ask. */
    shared: string;
  }
}

export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const started = new Map<string, Promise<Started>>();
  const server = createServer(async ({ url = "/", method }, response) => {
    const [, kind = "", rest = ""] = url.split("/");
    try {
      // Restart it: the present one no longer works.
      if (method === "DELETE") await end(url);
      if (!started.has(url)) started.set(url, STARTERS[kind]!(rest));
      response.end(JSON.stringify((await started.get(url)!).told));
    } catch (error) {
      started.delete(url);
      response.writeHead(500).end(String(error));
    }
  }).listen(0, "127.0.0.1");
  const end = async (url: string) => {
    const one = started.get(url);
    started.delete(url);
    // A failed start was reported to its caller.
    await one?.then((each) => each.close()).catch(() => {});
  };
  await once(server, "listening");
  provide("shared", `http://127.0.0.1:${(server.address() as { port: number }).port}`);
  return async () => {
    server.close();
    await Promise.all([...started.keys()].map(end));
  };
}
