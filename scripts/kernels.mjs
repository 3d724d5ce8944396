// `npm run kernels`: assembles src/state/kernels.wat into src/state/kernels-code.ts, which is committed, so that only
// this script needs the assembler.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import wabt from "wabt";

const path = (/** @type {string} */ name) => fileURLToPath(new URL(`../src/state/${name}`, import.meta.url));

/** Returns the text that kernels-code.ts should have. */
export async function assemble() {
  const { parseWat } = await wabt();
  const module = parseWat("kernels.wat", readFileSync(path("kernels.wat"), "utf8"), {
    simd: true,
    bulk_memory: true,
  });
  module.validate();
  const code = Buffer.from(module.toBinary({}).buffer).toString("base64");
  module.destroy();
  return `// Made of kernels.wat by \`npm run kernels\`.\nexport const CODE =\n  "${code}";\n`;
}

/** Returns the text that kernels-code.ts has. */
export const kept = () => readFileSync(path("kernels-code.ts"), "utf8");

if (process.argv[1] === fileURLToPath(import.meta.url))
  writeFileSync(path("kernels-code.ts"), await assemble());
