import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Returns the bytes of a program in the package's folder: bundled, minified, gzipped. */
export async function sizeOf(/** @type {string} */ program) {
  const { outputFiles } = await build({
    stdin: { contents: program, resolveDir: root },
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    external: ["node:*"],
    write: false,
  });
  return gzipSync(outputFiles[0]?.contents ?? "", { level: 9 }).length;
}

/** Import paths for Node, where size does not matter. */
const FOR_NODE = ["./server", "./queue", "./colyseus"];

/** Returns the size of each import path with all of its exports, and of a program with just a loop. Needs dist. */
export async function measureSizes() {
  const { name, exports } = JSON.parse(await readFile(`${root}/package.json`, "utf8"));
  /** @type {Record<string, number>} */
  const sizes = {};
  for (const [path, { default: file }] of Object.entries(
    /** @type {Record<string, { default?: string }>} */ (exports),
  ))
    // A plain file such as package.json has no conditions.
    if (file && !FOR_NODE.includes(path))
      sizes[path.replace(".", name)] = await sizeOf(`export * from "${file}";`);
  sizes.loop = await sizeOf(
    `import { Loop } from "${exports["."].default}"; new Loop({ rate: 60, step() {}, render() {} });`,
  );
  return sizes;
}
