// Measures the cost of our functions over those of Math, with the arguments of a game, and the errors of both.
import * as math from "../dist/math/index.js";
import { readVectors, worstOf } from "../test/math/vectors.mjs";
import { compare, interleave, rounded, spread } from "./rounds.mjs";
import { sizeOf } from "./size.mjs";

const ours = { ...math };
// Too many for a processor to memorize the outcome of each branch.
const COUNT = 16384;
const ROUNDS = { warmUp: 30, rounds: 151 };
const TEN = ["sin", "cos", "tan", "asin", "acos", "atan", "atan2", "exp", "log", "pow"];

let state = 1;
/** Seeded random numbers, uniform between two bounds. */
function within(low, high) {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return low + (state / 2 ** 32) * (high - low);
}
const angle = () => [within(-10, 10)];
const unit = () => [within(-1, 1)];
const positive = () => [within(0, 100)];

/** Arguments that games use. */
const CALLS = {
  sin: angle,
  cos: angle,
  tan: angle,
  asin: unit,
  acos: unit,
  atan: angle,
  atan2: () => [within(-10, 10), within(-10, 10)],
  exp: () => [within(-10, 10)],
  expm1: () => [within(-2, 2)],
  log: positive,
  log1p: () => [within(-0.9, 10)],
  log2: positive,
  log10: positive,
  pow: () => [within(0, 10), within(-5, 5)],
  cbrt: () => [within(-100, 100)],
  sinh: () => [within(-5, 5)],
  cosh: () => [within(-5, 5)],
  tanh: () => [within(-3, 3)],
  asinh: angle,
  acosh: () => [within(1, 10)],
  atanh: unit,
  hypot: () => [within(-100, 100), within(-100, 100)],
};

/** Creates a separate program for each function: V8 shares code between functions of the same text, unless a name differs. All results are summed. */
function program(name, call, columns) {
  const list = columns.map((_, i) => `c${i}[i]`);
  const names = columns.map((_, i) => `c${i}`);
  const code = `return function ${name}() { let sum = 0; for (let i = 0; i < ${COUNT}; i++) sum += call(${list}); return sum; }`;
  return new Function("call", ...names, code)(call, ...columns);
}

const only = process.argv.slice(2).filter((name) => name in CALLS);
const names = Object.keys(CALLS).filter((name) => only.length === 0 || only.includes(name));
let kept = 0;
const ratio = {};
const maxUlp = {};
const rows = {};
for (const name of names) {
  const args = Array.from({ length: COUNT }, CALLS[name]);
  const columns = args[0].map((_, c) => Float64Array.from(args, (list) => list[c]));
  const contenders = [
    { run: program(`ours_${name}`, ours[name], columns) },
    { run: program(`theirs_${name}`, Math[name], columns) },
  ];
  for (const { run } of contenders) kept += run();
  const [mine, theirs] = interleave(contenders, ROUNDS);
  const over = compare(mine, theirs);
  ratio[name] = rounded(over.median);
  rows[name] = {
    "ns a call": rounded((spread(mine).median * 1e6) / COUNT, 1),
    "over Math": ratio[name],
    quartiles: `${rounded(over.p25)} to ${rounded(over.p75)}`,
  };
}
// Only now, as these arguments would change the optimized code.
for (const name of names) {
  const vectors = readVectors(name);
  maxUlp[name] = rounded(worstOf(ours[name], vectors).error);
  rows[name]["greatest error, ulp"] = maxUlp[name];
  rows[name]["Math's"] = rounded(worstOf(Math[name], vectors).error);
}
const gzip = await sizeOf(`export { ${TEN} } from "./dist/math/index.js";`);
console.log(
  `${COUNT} arguments: medians of ${ROUNDS.rounds} rounds; the ten usual ones have ${gzip} bytes gzipped`,
);
console.table(rows);
if (!(Math.abs(kept) > 0)) throw new Error("the results were not used");
if (process.argv.includes("--json")) console.log(JSON.stringify({ bench: "math", ratio, maxUlp, gzip }));
