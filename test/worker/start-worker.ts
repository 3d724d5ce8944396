// Bundles modules of workers, and starts them in Node.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { build } from "esbuild";
import { afterAll, afterEach } from "vitest";

export interface StartWorker {
  /** Starts a module of this folder as a worker, which ends with the test. */
  start(module: string): Promise<Worker>;
  /** Bundles a module of this folder. Returns the path. */
  bundle(module: string): Promise<string>;
}

/** Lets the tests of the calling file start workers. */
export function useWorkers(): StartWorker {
  const folder = mkdtempSync(join(tmpdir(), "tickwise-worker-"));
  const bundles = new Map<string, Promise<string>>();
  const workers: Worker[] = [];
  afterEach(async () => {
    await Promise.all(workers.splice(0).map((worker) => worker.terminate()));
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  const bundled = async (module: string): Promise<string> => {
    const outfile = join(folder, `${module}.mjs`);
    await build({
      entryPoints: [fileURLToPath(new URL(`${module}.ts`, import.meta.url))],
      bundle: true,
      platform: "neutral",
      external: ["node:*"],
      format: "esm",
      outfile,
    });
    return outfile;
  };
  const bundle = (module: string): Promise<string> => {
    const path = bundles.get(module) ?? bundled(module);
    bundles.set(module, path);
    return path;
  };
  return {
    bundle,
    async start(module) {
      const worker = new Worker(await bundle(module));
      workers.push(worker);
      return worker;
    },
  };
}
