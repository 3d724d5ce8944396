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

/** Compares two rows, four words at a time. */
const COMPARE = `(func $compare (param $a i32) (param $b i32) (param $stride i32) (result i32)
  (local $end i32) (local $last i32)
  (local.set $end (i32.shl (i32.add (local.get $a) (local.get $stride)) (i32.const 2)))
  (local.set $last (i32.sub (local.get $end) (i32.const 16)))
  (local.set $a (i32.shl (local.get $a) (i32.const 2)))
  (local.set $b (i32.shl (local.get $b) (i32.const 2)))
  (block $rest (loop $next
    (br_if $rest (i32.gt_u (local.get $a) (local.get $last)))
    (if (v128.any_true (v128.xor (v128.load (local.get $a)) (v128.load (local.get $b))))
      (then (return (i32.const 1))))
    (local.set $a (i32.add (local.get $a) (i32.const 16)))
    (local.set $b (i32.add (local.get $b) (i32.const 16)))
    (br $next)))
  (block $done (loop $next
    (br_if $done (i32.ge_u (local.get $a) (local.get $end)))
    (if (i32.ne (i32.load (local.get $a)) (i32.load (local.get $b))) (then (return (i32.const 1))))
    (local.set $a (i32.add (local.get $a) (i32.const 4)))
    (local.set $b (i32.add (local.get $b) (i32.const 4)))
    (br $next)))
  (i32.const 0))`;

/** Returns the text that kernel-code.ts of the snapshot codec should have. */
export function assembleSnapshot() {
  const constants = constantsOf("kernel-memory.ts", read("net/snapshot/kernel-memory.ts"));
  const source = read("net/snapshot/kernel.ts");
  const wat = compile("kernel.ts", source, "jsKernel", ["code"], constants, { compare: COMPARE });
  return codeOf("kernel.ts", wat);
}

/** Returns the text that kernel-code.ts of the snapshot codec has. */
export const keptSnapshot = () => read(SNAPSHOT);

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(path(STATE), await assemble());
  writeFileSync(path(SNAPSHOT), await assembleSnapshot());
}
