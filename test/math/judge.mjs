// `node test/math/judge.mjs FOLDER`: prints the errors of the built functions for all vectors in a folder, in ulp.
import { readdirSync } from "node:fs";
import * as math from "../../dist/math/index.js";
import { readVectors, worstOf } from "./vectors.mjs";

const functions = /** @type {Record<string, (...args: number[]) => number>} */ (
  /** @type {unknown} */ ({ ...math })
);
const folder = process.argv[2] ?? "test/math/vectors";
/** @type {Record<string, number>} */
const maxUlp = {};
for (const file of readdirSync(folder)) {
  const name = file.replace(".bin", "");
  const vectors = readVectors(name, folder);
  const { error, at } = worstOf(/** @type {any} */ (functions[name]), vectors);
  maxUlp[name] = Number(error.toFixed(2));
  console.log(name, vectors.count, error.toFixed(3), at.join(", "));
}
console.log(JSON.stringify(maxUlp));
