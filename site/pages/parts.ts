import { existsSync, readdirSync } from "node:fs";
import type { Server } from "node:http";
import { join } from "node:path";
import { createServer, type Plugin, type ViteDevServer } from "vite";

/** The workspaces that are parts of the site, each with pages and a configuration of its own. */
const PARTS = ["lab", "examples"] as const;

/** Returns the folders of their pages: `lab`, `examples/three`. */
export const partPaths = (repository: string): string[] =>
  PARTS.flatMap((part) => [
    part,
    ...readdirSync(join(repository, part))
      .filter((name) => existsSync(join(repository, part, name, "index.html")) && name !== "dist")
      .map((name) => `${part}/${name}`),
  ]);

/** Serves the other workspaces in folders of the site. Each starts at the first request for one of its pages. */
export function siteParts(repository: string): Plugin {
  const servers = new Map<string, Promise<ViteDevServer>>();
  const start = (part: string, host: ViteDevServer["httpServer"]) =>
    createServer({
      configFile: join(repository, part, "vite.config.ts"),
      base: `/${part}/`,
      server: { middlewareMode: true, hmr: host ? { server: host as Server } : false },
    });
  return {
    name: "tickwise-site-parts",
    apply: "serve",
    configureServer({ middlewares, httpServer }) {
      middlewares.use((request, response, next) => {
        const [, part = ""] = /^\/(\w+)(?=[/?#]|$)/.exec(request.url ?? "") ?? [];
        if (!(PARTS as readonly string[]).includes(part)) return next();
        if (!servers.has(part)) servers.set(part, start(part, httpServer));
        servers.get(part)!.then((server) => server.middlewares(request, response, next), next);
      });
      httpServer?.on("close", () => {
        for (const server of servers.values()) void server.then((each) => each.close());
      });
    },
  };
}
