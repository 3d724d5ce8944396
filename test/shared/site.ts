import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build, preview } from "vite";
import { ROOT } from "../../scripts/setup.mjs";
import type { Started } from "./setup.js";

/** Builds and serves a workspace of pages. Returns its address. */
export async function serveSite(workspace: string): Promise<Started> {
  const folder = mkdtempSync(join(tmpdir(), `tickwise-${workspace}-`));
  const config = {
    configFile: join(ROOT, workspace, "vite.config.ts"),
    logLevel: "warn",
    // No warnings about the size of the examples' large libraries.
    build: { outDir: folder, minify: workspace !== "examples" },
  } as const;
  await build(config);
  const server = await preview({ ...config, preview: { host: "127.0.0.1", port: 0 } });
  return {
    reply: server.resolvedUrls!.local[0]!,
    async close() {
      await server.close();
      rmSync(folder, { recursive: true });
    },
  };
}
