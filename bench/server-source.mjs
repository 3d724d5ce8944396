// The library and the arena, file by file, so that a profile tells which part of them took the time.
import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const CACHE = join(ROOT, ".cache");
const PREFIX = "bench-server-";

/** Compiles the sources into a folder of this process. Returns its path. */
export async function compile() {
  mkdirSync(CACHE, { recursive: true });
  for (const old of readdirSync(CACHE).filter((name) => name.startsWith(PREFIX)))
    if (!existsSync(`/proc/${old.slice(PREFIX.length)}`)) rmSync(join(CACHE, old), { recursive: true });
  const outdir = join(CACHE, PREFIX + process.pid);
  process.on("exit", () => rmSync(outdir, { recursive: true, force: true }));
  const sources = readdirSync(join(ROOT, "src"), { recursive: true })
    .map((file) => join("src", file))
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"));
  await build({
    absWorkingDir: ROOT,
    entryPoints: [...sources, "scenes/arena.ts", "scenes/scene.ts"],
    outdir,
    outbase: ROOT,
    format: "esm",
    platform: "node",
  });
  return outdir;
}
