// `npm run kernels`: assembles src/state/kernels.wat, and compiles src/net/snapshot/kernel.ts. The results, kernels-code.ts and
// kernel-code.ts, are committed, so that only this script needs the assembler.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import wabt from "wabt";
import { compile, constantsOf } from "./compile-kernel.mjs";

const path = (/** @type {string} */ name) => fileURLToPath(new URL(`../src/${name}`, import.meta.url));
const read = (/** @type {string} */ name) => readFileSync(path(name), "utf8");

const STATE = "state/kernels-code.ts";
const SNAPSHOT = "net/snapshot/kernel-code.ts";

/** Returns a module as the text of a file. */
async function codeOf(/** @type {string} */ source, /** @type {string} */ wat) {
  const { parseWat } = await wabt();
  const module = parseWat(source, wat, { simd: true, bulk_memory: true, sat_float_to_int: true });
  module.validate();
  const code = Buffer.from(module.toBinary({}).buffer).toString("base64");
  module.destroy();
  return `// Made of ${source} by \`npm run kernels\`.\nexport const CODE =\n  "${code}";\n`;
}

/** Returns the text that kernels-code.ts should have. */
export const assemble = () => codeOf("kernels.wat", read("state/kernels.wat"));

/** Returns the text that kernels-code.ts has. */
export const kept = () => read(STATE);

/** Returns the text that kernel-code.ts of the snapshot codec should have. */
export function assembleSnapshot() {
  const constants = constantsOf("kernel-memory.ts", read("net/snapshot/kernel-memory.ts"));
  return codeOf(
    "kernel.ts",
    compile("kernel.ts", read("net/snapshot/kernel.ts"), "jsKernel", ["code"], constants),
  );
}

/** Returns the text that kernel-code.ts of the snapshot codec has. */
export const keptSnapshot = () => read(SNAPSHOT);

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(path(STATE), await assemble());
  writeFileSync(path(SNAPSHOT), await assembleSnapshot());
}
