// Breaks one constant or term at a time, to prove that the reference vectors detect it.
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { expect, test } from "vitest";
import type { Call } from "../../test/math/functions.js";
import { statedErrors } from "../../test/math/stated.js";
import { readVectors, worstOf } from "../../test/math/vectors.mjs";

const FOLDER = fileURLToPath(new URL(".", import.meta.url));
const stated = statedErrors();

/** Builds the functions with a change in one file. */
async function mutated(file: string, from: string, to: string): Promise<Record<string, Call>> {
  const { outputFiles } = await build({
    entryPoints: [`${FOLDER}/index.ts`],
    bundle: true,
    format: "esm",
    write: false,
    plugins: [
      {
        name: "mutate",
        setup: ({ onLoad }) =>
          onLoad({ filter: new RegExp(`/math/${file}\\.ts$`) }, async ({ path }) => {
            const source = await readFile(path, "utf8");
            if (!source.includes(from)) throw new Error(`${file} has no ${from}`);
            return { contents: source.replace(from, to), loader: "ts" };
          }),
      },
    ],
  });
  const bundle = Buffer.from(outputFiles[0]!.contents).toString("base64");
  return import(/* @vite-ignore */ `data:text/javascript;base64,${bundle}`);
}

const errorOf = (functions: Record<string, Call>, name: string) =>
  worstOf(functions[name]!, readVectors(name)).error;

test("the unchanged functions pass", async () => {
  const functions = await mutated("profile", "1;", "1;");
  for (const name of Object.keys(stated))
    expect(errorOf(functions, name), name).toBeLessThan(stated[name]! + 0.002);
});

test.each([
  ["sin", "sine", "1.66666666666666324348e-1", "1.6666666666666e-1"],
  ["cos", "sine", "4.16666666666666019037e-2", "4.1666666666665e-2"],
  ["cos", "sine", "1 - (1 - half) - half + (", "("],
  ["sin", "reduce", "- n * P3_REST", ""],
  ["tan", "reduce", "> 0.0078125", "> 0"],
  ["cos", "reduce", "a - r - w", "0"],
  ["sin", "reduce-huge", "15675153", "15675152"],
  ["sin", "reduce-huge", "DIGITS = 7", "DIGITS = 4"],
  ["tan", "reduce-huge", " + (d5 * BASE + d6)", " + 0"],
  ["tan", "tan", "h - th + low", "0"],
  ["tan", "tan", "3.2874038711393937e-4", "3.3e-4"],
  ["tan", "tan", "- k * QUARTER_PI_LOW", ""],
  ["tan", "pair", "- q * dl", ""],
  ["asin", "asin-low", "3.26261109961928e-2", "3.2e-2"],
  ["acos", "pair", "(0.5 / r)", "0"],
  ["atan", "atan", "2.2698777452961687e-17", "0"],
  ["atan2", "octants", "PI_LOW = 1.2246467991473532e-16", "PI_LOW = 1e-15"],
  ["atan2", "atan2", "(a - th * top - th * (b - top)) / b", "0"],
  ["atan2", "atan-low", "4.97687799461593236017e-2", "4.9e-2"],
  ["exp", "powers", "8.551889705537965e-17", "0"],
  ["exp", "exp-pair", "1.0291218489310676e-13", "1.0292e-13"],
  ["expm1", "expm1-low", "2.7576553598391426e-7", "2.7e-7"],
  ["log", "log-low", "1.479819860511658591e-1", "1.4e-1"],
  ["log", "ln2", "7.440617110012397e-11", "7.4407e-11"],
  ["log1p", "log1p-pair", "h - (whole - 1)", "0"],
  ["log2", "log2", "(low + high) * PER_LN2_REST", "0"],
  ["log10", "log10", "k * LOG10_2_REST", "0"],
  ["pow", "log2-pair", "CP_LOW * ph + ", ""],
  ["pow", "log2-pair", "+ sl * (sh + s)", ""],
  ["pow", "pow", "(y - yh) * h + ", ""],
  ["cbrt", "cbrt", "0.145996192886612446982", "0.14"],
  ["cbrt", "cbrt", " - (square - top) * t", ""],
  ["sinh", "sinh", "4.436559066356903e-15", "4e-15"],
  ["cosh", "cosh", "e - sum + inverse", "0"],
  ["tanh", "tanh", "LOW[0]! + nl", "nl"],
  ["asinh", "asinh", "a - u + d", "0"],
  ["acosh", "acosh", "squareLow(x, square)", "0"],
  ["atanh", "atanh", "quotient(2 * a, 0, d, LOW[0]!)", "quotient(2 * a, 0, d, 0)"],
  ["hypot", "hypot", " + squareLow(a, aa)", ""],
  ["sinDegrees", "angles", "productLow(y, unit, product) + y * unitLow", "0"],
  ["toRadians", "angles", "0.017453292519943295", "0.01745329251994329"],
])("%s detects a change in %s.ts: %s", async (name, file, from, to) => {
  expect(errorOf(await mutated(file, from, to), name)).toBeGreaterThan(stated[name]! + 0.01);
});
