/** What linters must say about a line of code, as `line:column message`; nothing, where it is clean. */
export interface Case {
  readonly rule: string;
  readonly code: string;
  readonly expected: readonly string[];
  /** Only oxlint reads TypeScript without a further parser. */
  readonly typescript: boolean;
}

export const cases: Case[] = [];

const add = (rule: string, code: string, expected: readonly string[], typescript = false) =>
  cases.push({ rule, code, expected, typescript });

const inexact = (name: string) =>
  `Engines differ in the last bits of Math.${name}. Use ${name} of "tickwise/math".`;
for (const name of (
  "sin cos tan asin acos atan atan2 exp expm1 log log1p log2 log10 pow cbrt " +
  "sinh cosh tanh asinh acosh atanh hypot"
).split(" "))
  add("no-inexact-math", `export const a = Math.${name}(1, 2);`, [`1:18 ${inexact(name)}`]);
const SIN = inexact("sin");
add("no-inexact-math", "export const f = Math.sin;", [`1:18 ${SIN}`]);
add("no-inexact-math", "export const a = [1].map(Math.sin);", [`1:26 ${SIN}`]);
add("no-inexact-math", 'export const a = Math["sin"](1);', [`1:18 ${SIN}`]);
add("no-inexact-math", "export const a = Math[`sin`](1);", [`1:18 ${SIN}`]);
add("no-inexact-math", "export const a = Math?.sin(1);", [`1:18 ${SIN}`]);
add("no-inexact-math", "export const a = (Math).sin(1);", [`1:18 ${SIN}`]);
add("no-inexact-math", "export const a = globalThis.Math.sin(1);", [`1:18 ${SIN}`]);
add("no-inexact-math", "export const a = window.self.Math.sin(1);", [`1:18 ${SIN}`]);
add("no-inexact-math", "export const a = Math.sin.call(null, 1);", [`1:18 ${SIN}`]);
add("no-inexact-math", "const { sin } = Math;\nexport const a = sin(1);", [`1:9 ${SIN}`]);
add("no-inexact-math", "const { PI, sin: s } = Math;\nexport const a = s(PI);", [`1:13 ${SIN}`]);
add("no-inexact-math", "const { Math: { sin } } = globalThis;\nexport const a = sin(1);", [`1:17 ${SIN}`]);
add("no-inexact-math", "const { Math: M } = globalThis;\nexport const a = M.sin(1);", [`2:18 ${SIN}`]);
add("no-inexact-math", "const { PI, ...M } = Math;\nexport const a = M.sin(PI);", [`2:18 ${SIN}`]);
add("no-inexact-math", "const M = Math;\nconst N = M;\nexport const a = N.sin(1);", [`3:18 ${SIN}`]);
add("no-inexact-math", "let s;\n({ sin: s } = Math);\nexport const a = s(1);", [`2:4 ${SIN}`]);
add("no-inexact-math", "export function f() {\n  const { cos } = Math;\n  return cos(Math.sin(1));\n}", [
  `2:11 ${inexact("cos")}`,
  `3:14 ${SIN}`,
]);
add(
  "no-inexact-math",
  "export const a = (Math as any).sin(1) + Math!.sin(2);",
  [`1:18 ${SIN}`, `1:41 ${SIN}`],
  true,
);
for (const code of [
  "export const a = Math.sqrt(Math.abs(Math.floor(2.5) * Math.PI));",
  "const Math = { sin: (x) => x };\nexport const a = Math.sin(1);",
  "export const f = (Math) => Math.sin(1);",
  'import * as Math from "tickwise/math";\nexport const a = Math.sin(1);',
  'import { sin } from "tickwise/math";\nexport const a = sin(1);',
  "const own = { Math: { sin: (x) => x } };\nexport const a = own.Math.sin(1);",
  "export const f = (globalThis) => globalThis.Math.sin(1);",
  "const { sqrt, sign } = Math;\nexport const a = sqrt(sign(1));",
  "export const Math2 = Math;",
  "let m = m;\nexport { m };",
])
  add("no-inexact-math", code, []);
add("no-inexact-math", 'export type Sine = (typeof Math)["sin"];', [], true);

const power = (operator: string) =>
  `Engines differ in the last bits of ${operator}. Write a product, as in x * x, or use pow of "tickwise/math".`;
add("no-power", "export const f = (x) => x ** 2;", [`1:25 ${power("**")}`]);
add("no-power", "export const f = (x) => 1 + x ** 0.5;", [`1:29 ${power("**")}`]);
add("no-power", "export let x = 2;\nx **= 2;", [`2:1 ${power("**=")}`]);
for (const code of [
  "export const f = (x) => x * x * 2;",
  "export const a = 2n ** 64n;",
  "export let x = 2;\nx *= 2;",
])
  add("no-power", code, []);

const random = (path: string) =>
  `${path} cannot be seeded, so no replay draws it again. Use random of "tickwise/math".`;
add("no-random", "export const a = Math.random();", [`1:18 ${random("Math.random")}`]);
add("no-random", "const { random } = Math;\nexport const a = random();", [`1:9 ${random("Math.random")}`]);
add("no-random", "export const f = (a) => crypto.getRandomValues(a);", [
  `1:25 ${random("crypto.getRandomValues")}`,
]);
add("no-random", "export const a = self.crypto.randomUUID();", [`1:18 ${random("crypto.randomUUID")}`]);
add("no-random", 'import { randomUUID as id } from "node:crypto";\nexport const a = id();', [
  `1:10 ${random("crypto.randomUUID")}`,
]);
add("no-random", 'import crypto from "crypto";\nexport const a = crypto.randomInt(6);', [
  `2:18 ${random("crypto.randomInt")}`,
]);
for (const code of [
  'import { random } from "tickwise/math";\nexport const a = random(new Uint32Array(4)).seed(1).float();',
  'import { createHash } from "node:crypto";\nexport const a = createHash("sha256");',
  "export const f = (crypto) => crypto.randomUUID();",
])
  add("no-random", code, []);

const clock = (what: string) =>
  `${what} reads a clock, which is never the same again. Count ticks: the time of tick n is n * dt.`;
add("no-clock", "export const a = Date.now();", [`1:18 ${clock("Date.now")}`]);
add("no-clock", "export const a = new Date();", [`1:18 ${clock("new Date()")}`]);
add("no-clock", "export const a = new globalThis.Date;", [`1:18 ${clock("new Date()")}`]);
add("no-clock", "export const a = Date(0);", [`1:18 ${clock("Date()")}`]);
add("no-clock", "const D = Date;\nexport const a = new D();", [`2:18 ${clock("new Date()")}`]);
add("no-clock", "export const a = performance.now();", [`1:18 ${clock("performance.now")}`]);
add("no-clock", "const { now } = performance;\nexport const a = now();", [`1:9 ${clock("performance.now")}`]);
add("no-clock", "export const a = performance.timeOrigin;", [`1:18 ${clock("performance.timeOrigin")}`]);
add("no-clock", "export const a = process.hrtime.bigint();", [`1:18 ${clock("process.hrtime")}`]);
add("no-clock", 'import { performance as p } from "node:perf_hooks";\nexport const a = p.now();', [
  `2:18 ${clock("performance.now")}`,
]);
add("no-clock", 'import * as hooks from "node:perf_hooks";\nexport const a = hooks.performance.now();', [
  `2:18 ${clock("performance.now")}`,
]);
for (const code of [
  "export const a = new Date(0);",
  "export const a = Date.UTC(2026, 10);",
  "export const f = (performance) => performance.now();",
  "export const f = (x) => x instanceof Date;",
  "export const f = ({ tick, dt }) => tick * dt;",
])
  add("no-clock", code, []);

const timer = (path: string) =>
  `${path} acts between steps, at no certain tick. Keep the tick at which it is due in the state.`;
for (const name of ["setTimeout", "setInterval", "requestAnimationFrame", "queueMicrotask", "setImmediate"])
  add("no-timers", `export const f = (g) => ${name}(g);`, [`1:25 ${timer(name)}`]);
add("no-timers", "const later = window.setTimeout;\nlater(() => {}, 1);", [`1:15 ${timer("setTimeout")}`]);
add("no-timers", 'import { setTimeout } from "node:timers/promises";\nawait setTimeout(1);', [
  `1:10 ${timer("setTimeout")}`,
]);
add("no-timers", "export const f = (a) => new WeakRef(a);", [
  "1:29 WeakRef tells when memory was collected, which is up to the engine. Remove things in a step.",
]);
for (const code of [
  "export const f = (setTimeout) => setTimeout(1);",
  "export const f = (loop) => loop.setTimeout(1);",
  "export const a = new WeakMap();",
])
  add("no-timers", code, []);

const ASYNC = "An async function goes on between steps, at no certain tick. Load before the first step.";
const PROMISE = "A promise is settled between steps, at no certain tick. Load before the first step.";
add("no-async", "export async function step() {\n  await 0;\n}", [`1:8 ${ASYNC}`]);
add("no-async", "export const step = async () => 0;", [`1:21 ${ASYNC}`]);
add("no-async", "export const step = async function* () {};", [`1:21 ${ASYNC}`]);
add("no-async", "export const a = Promise.resolve(1);", [`1:18 ${PROMISE}`]);
for (const code of [
  'import { init } from "physics";\nawait init();',
  "export function* steps() {\n  yield 1;\n}",
  "export const async = 1;",
])
  add("no-async", code, []);
add("no-async", "export let ready: Promise<void>;", [], true);
add("no-locale", "export let form: Intl.NumberFormat;", [], true);

add("no-locale", "export const f = (x) => x.toLocaleString();", [
  "1:25 toLocaleString depends on the machine's language. Leave texts to what is drawn.",
]);
add("no-locale", 'export const f = (names) => names.sort((a, b) => a["localeCompare"](b));', [
  "1:50 localeCompare depends on the machine's language. Compare by < and >.",
]);
add("no-locale", "export const a = new Intl.NumberFormat();", [
  "1:22 Intl depends on the machine's language. Leave texts to what is drawn.",
]);
add("no-locale", "export const a = new Date(2026, 10);", [
  "1:18 new Date(year, month, ...) is in the machine's time zone. Use new Date(Date.UTC(year, month, ...)).",
]);
for (const code of [
  "export const a = new Date(Date.UTC(2026, 10));",
  "export const f = (x) => x.toString() + x.toFixed(2);",
  "export const f = (names) => names.sort();",
  "export const f = (all) => {\n  for (const name in all) all[name] = 0;\n};",
])
  add("no-locale", code, []);

const RADIX =
  "Engines differ in the digits of fractions by toString(radix). Round it first, as in Math.floor(x).toString(16), or write it in decimals.";
add("no-engine-bits", "export const f = (x) => x.toString(36);", [`1:25 ${RADIX}`]);
add("no-engine-bits", "export const f = (x, r) => (x / 3).toString(r);", [`1:28 ${RADIX}`]);
add("no-engine-bits", "export const a = new Uint8ClampedArray(4);", [
  "1:22 Engines do not agree on Uint8ClampedArray. Round and clamp, and use Uint8Array.",
]);
for (const code of [
  "export const f = (x) => x.toString() + x.toString(10);",
  "export const f = (x) => (x >>> 0).toString(16) + (~x).toString(2) + (255).toString(16);",
  "export const f = (x) => Math.floor(x).toString(16);",
])
  add("no-engine-bits", code, []);
