/** Code, and the findings that linters must report, as `line:column message`. None if the code is clean. */
export interface Case {
  readonly rule: string;
  readonly code: string;
  readonly expected: readonly string[];
  /** Whether it is TypeScript, which only oxlint parses without a plugin. */
  readonly typescript: boolean;
}

export const cases: Case[] = [];

const add = (rule: string, code: string, expected: readonly string[], typescript = false) =>
  cases.push({ rule, code, expected, typescript });

const inexact = (name: string) =>
  `Engines differ in the last bits of Math.${name}. Use ${name} from tickwise/math.`;
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
add("no-inexact-math", "let m;\nm = Math;\nexport const a = m.sin(1);", [`3:18 ${SIN}`]);
add("no-inexact-math", "let M;\n({ Math: M } = globalThis);\nexport const a = M.sin(1);", [`3:18 ${SIN}`]);
add("no-inexact-math", "let m = null;\nm ??= Math;\nexport const a = m.sin(1);", [`3:18 ${SIN}`]);
add("no-inexact-math", "export const f = (own) => (own ?? Math).sin(1);", [`1:27 ${SIN}`]);
add("no-inexact-math", "export const f = (own) => (own ? own : Math).sin(1);", [`1:27 ${SIN}`]);
add("no-inexact-math", "export const a = (0, Math).sin(1) + (0, Math.sin)(1);", [
  `1:18 ${SIN}`,
  `1:41 ${SIN}`,
]);
add("no-inexact-math", "export const f = ({ sin } = Math) => sin(1);", [`1:21 ${SIN}`]);
add("no-inexact-math", "export function f(M = Math) {\n  return M.sin(1);\n}", [`2:10 ${SIN}`]);
add("no-inexact-math", "export class A {\n  #x = Math.sin(1);\n  static {\n    Math.sin(2);\n  }\n}", [
  `2:8 ${SIN}`,
  `4:5 ${SIN}`,
]);
// Assignments in a circle.
add("no-inexact-math", "let m = Math;\nm = m.m;\nm = m();\nm = new m();\nexport const a = m.sin(1);", [
  `5:18 ${SIN}`,
]);
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
for (const [code, ...places] of [
  ["export const a = (<any>Math).sin(1) + (Math satisfies object).sin(2);", "1:18", "1:39"],
  ["const { sin }: any = Math as any;\nexport const a = sin(1);", "1:9"],
  ["export const f = Math.sin<number>;", "1:18"],
  ["export enum A {\n  x = Math.sin(1),\n}", "2:7"],
  ["export class A {\n  constructor(private x = Math.sin(1)) {}\n}", "2:27"],
  ["export namespace N {\n  export const x = Math.sin(1);\n}", "2:20"],
  ["@tag(Math.sin(1))\nexport class A {}", "1:6"],
  // These declare the type of the global, and do not replace it.
  ["declare const Math: { sin(x: number): number };\nexport const a = Math.sin(1);", "2:18"],
  ["interface Math {\n  own: 1;\n}\nexport const a: Math | number = Math.sin(1);", "4:33"],
] as const)
  add(
    "no-inexact-math",
    code,
    places.map((place) => `${place} ${SIN}`),
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
  "{\n  let Math = { sin: (x) => x };\n  Math.sin(1);\n}",
  "try {\n  f();\n} catch (Math) {\n  Math.sin(1);\n}",
  "export class Math {\n  static sin = 1;\n  #sin = Math.sin;\n  has = (x) => #sin in x;\n}",
  "const o = { Math: 1, sin: 2 };\nexport const a = tag`${o}` + import.meta.url;",
  "const [a, , ...b] = Math;\n({ a: b.c, ...b.d } = globalThis);\nexport { a };",
])
  add("no-inexact-math", code, []);
for (const code of [
  'export type Sine = (typeof Math)["sin"];',
  "export type Sine = typeof Math.sin | typeof globalThis.Math.sin;",
  "enum Math {\n  sin,\n}\nexport const a = Math.sin;",
  "namespace Math {\n  export const sin = 1;\n}\nexport const a = Math.sin;",
  'import Math = require("own");\nexport const a = Math.sin(1);',
  "export enum A {\n  Math,\n}",
  "export abstract class A {\n  abstract Math: number;\n  declare sin: number;\n}",
])
  add("no-inexact-math", code, [], true);

const power = (operator: string) =>
  `Engines differ in the last bits of ${operator}. Write a product, such as x * x, or use pow from tickwise/math.`;
add("no-power", "export const f = (x) => x ** 2;", [`1:25 ${power("**")}`]);
add("no-power", "export const f = (x) => 1 + x ** 0.5;", [`1:29 ${power("**")}`]);
add("no-power", "export let x = 2;\nx **= 2;", [`2:1 ${power("**=")}`]);
for (const code of [
  "export const f = (x) => x * x * 2;",
  "export const a = 2n ** 64n;",
  "export const f = (x) => (-2n) ** x + BigInt(x) ** x + x ** BigInt.asUintN(64, x);",
  "export let x = 2;\nx *= 2;",
])
  add("no-power", code, []);

add("no-power", "export enum A {\n  x = 2 ** 3,\n}", [`2:7 ${power("**")}`], true);
add("no-power", "export const f = (x: bigint) => (2n as bigint) ** x;", [], true);

const random = (path: string) =>
  `${path} cannot be seeded, so a replay cannot reproduce it. Use random from tickwise/math.`;
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
add("no-random", 'import * as all from "crypto";\nexport const a = all.default.randomInt(6);', [
  `2:18 ${random("crypto.randomInt")}`,
]);
add("no-random", 'export { randomInt as dice } from "node:crypto";', [`1:10 ${random("crypto.randomInt")}`]);
add("no-random", 'const { randomInt } = require("crypto");\nexport const a = randomInt(6);', [
  `1:9 ${random("crypto.randomInt")}`,
]);
add(
  "no-random",
  'import crypto = require("node:crypto");\nexport const a = crypto.randomInt(6);',
  [`2:18 ${random("crypto.randomInt")}`],
  true,
);
for (const code of [
  'import { type randomInt } from "node:crypto";\nexport type Int = typeof randomInt;',
  'import type { randomInt } from "node:crypto";\nexport type Int = typeof randomInt;',
  'export type { randomInt } from "node:crypto";',
  'import * as crypto from "node:crypto";\nexport type Int = typeof crypto.randomInt;',
  'export type Hash = import("node:crypto").Hash;',
])
  add("no-random", code, [], true);
for (const code of [
  'import { random } from "tickwise/math";\nexport const a = random(new Uint32Array(4)).seed(1).float();',
  'import { createHash } from "node:crypto";\nexport const a = createHash("sha256");',
  "export const f = (crypto) => crypto.randomUUID();",
])
  add("no-random", code, []);

const clock = (what: string) =>
  `${what} reads a clock, so a step that runs again gets another value. Count ticks: the time of tick n is n * dt.`;
add("no-clock", "export const a = Date.now();", [`1:18 ${clock("Date.now")}`]);
add("no-clock", "export const a = new Date();", [`1:18 ${clock("new Date()")}`]);
add("no-clock", "export const a = new globalThis.Date;", [`1:18 ${clock("new Date()")}`]);
add("no-clock", "export const a = Date(0);", [`1:18 ${clock("Date()")}`]);
add("no-clock", "const D = Date;\nexport const a = new D();", [`2:18 ${clock("new Date()")}`]);
add("no-clock", "export const a = performance.now();", [`1:18 ${clock("performance.now")}`]);
add("no-clock", "const { now } = performance;\nexport const a = now();", [`1:9 ${clock("performance.now")}`]);
add("no-clock", "export const a = performance.timeOrigin;", [`1:18 ${clock("performance.timeOrigin")}`]);
add("no-clock", "export const a = process.hrtime.bigint();", [`1:18 ${clock("process.hrtime")}`]);
add("no-clock", 'export const a = performance.mark("a").startTime;', [`1:18 ${clock("performance.mark")}`]);
add("no-clock", "export const a = process.memoryUsage();", [`1:18 ${clock("process.memoryUsage")}`]);
add("no-clock", 'export const a = new Event("a").timeStamp;', [`1:18 ${clock("timeStamp")}`]);
add("no-clock", 'export const f = (event) => event?.["timeStamp"];', [`1:29 ${clock("timeStamp")}`]);
add("no-clock", 'import { performance as p } from "node:perf_hooks";\nexport const a = p.now();', [
  `2:18 ${clock("performance.now")}`,
]);
add("no-clock", 'import * as hooks from "node:perf_hooks";\nexport const a = hooks.performance.now();', [
  `2:18 ${clock("performance.now")}`,
]);
add("no-clock", "const { now } = globalThis.performance ?? Date;\nexport const a = now();", [
  `1:9 ${clock("performance.now")}`,
  `1:9 ${clock("Date.now")}`,
]);
add("no-clock", 'export const a = require("perf_hooks").performance.now();', [
  `1:18 ${clock("performance.now")}`,
]);
add(
  "no-clock",
  "export const a = [new (Date as any)(), (Date as any)()];",
  [`1:19 ${clock("new Date()")}`, `1:40 ${clock("Date()")}`],
  true,
);
add(
  "no-clock",
  "declare const performance: { now(): number };\nexport const a = performance.now();",
  [`2:18 ${clock("performance.now")}`],
  true,
);
for (const code of [
  "export let day: Date;",
  "export type Now = typeof performance.now;",
  "export declare class Day extends Date {}",
])
  add("no-clock", code, [], true);
for (const code of [
  "export const a = new Date(0);",
  "export const a = Date.UTC(2026, 10);",
  "export const f = (performance) => performance.now();",
  "export const f = (x) => x instanceof Date;",
  "export const f = ({ tick, dt }) => tick * dt;",
])
  add("no-clock", code, []);

const timer = (path: string) =>
  `${path} runs between steps, at an unpredictable tick. Store the tick at which it is due in the state.`;
for (const name of ["setTimeout", "setInterval", "requestAnimationFrame", "queueMicrotask", "setImmediate"])
  add("no-timers", `export const f = (g) => ${name}(g);`, [`1:25 ${timer(name)}`]);
add("no-timers", "const later = window.setTimeout;\nlater(() => {}, 1);", [`1:15 ${timer("setTimeout")}`]);
add("no-timers", 'import { setTimeout } from "node:timers/promises";\nawait setTimeout(1);', [
  `1:10 ${timer("setTimeout")}`,
]);
add("no-timers", "export const f = (g) => scheduler.postTask(g);", [`1:25 ${timer("scheduler.postTask")}`]);
add("no-timers", "export const f = (g) => self?.setTimeout?.(g);", [`1:25 ${timer("setTimeout")}`]);
add("no-timers", "export let handle: ReturnType<typeof setTimeout>;", [], true);
add("no-timers", "export const f = (a) => new WeakRef(a);", [
  "1:29 WeakRef depends on garbage collection, which is up to the engine. Remove objects in a step.",
]);
for (const code of [
  "export const f = (setTimeout) => setTimeout(1);",
  "export const f = (loop) => loop.setTimeout(1);",
  "export const a = new WeakMap();",
])
  add("no-timers", code, []);

const ASYNC =
  "An async function continues between steps, at an unpredictable tick. Load data before the first step.";
const PROMISE = "A promise settles between steps, at an unpredictable tick. Load data before the first step.";
add("no-async", "export async function step() {\n  await 0;\n}", [`1:8 ${ASYNC}`]);
add("no-async", "export const step = async () => 0;", [`1:21 ${ASYNC}`]);
add("no-async", "export const step = async function* () {};", [`1:21 ${ASYNC}`]);
add("no-async", "export const a = Promise.resolve(1);", [`1:18 ${PROMISE}`]);
for (const code of [
  'import { init } from "physics";\nawait init();',
  "export function* steps() {\n  yield 1;\n}",
  "export const async = 1;",
  'export const f = (x) => {\n  if (x instanceof Promise) throw new Error("Steps do not wait.");\n};',
])
  add("no-async", code, []);
add("no-async", "export let ready: Promise<void>;", [], true);
add("no-async", "export class A implements PromiseLike<void>, Promise<void> {}", [], true);
add("no-async", "export const P = Promise<void>;", [`1:18 ${PROMISE}`], true);
add("no-locale", "export let form: Intl.NumberFormat;", [], true);
add("no-locale", "export interface Form extends Intl.NumberFormat {}", [], true);
add("no-locale", "export abstract class Form implements Intl.NumberFormat {}", [], true);

add("no-locale", "export const f = (x) => x.toLocaleString();", [
  "1:25 toLocaleString depends on the machine's language. Format text when drawing.",
]);
add("no-locale", 'export const f = (names) => names.sort((a, b) => a["localeCompare"](b));', [
  "1:50 localeCompare depends on the machine's language. Compare with < and >.",
]);
add("no-locale", "export const a = new Intl.NumberFormat();", [
  "1:22 Intl depends on the machine's language. Format text when drawing.",
]);
add("no-locale", "export const a = new Date(2026, 10);", [
  "1:18 new Date(year, month, ...) uses the machine's time zone. Use new Date(Date.UTC(year, month, ...)).",
]);
add("no-locale", "const day = new Date(0);\nexport const a = day.getHours() + day.getUTCHours();", [
  "2:18 getHours uses the machine's time zone. Use the UTC method.",
]);
const DATE_TEXT =
  "The meaning of this date string depends on the engine and the time zone. Use Date.UTC, or write 2026-11-30T12:00Z.";
add("no-locale", 'export const a = new Date("2026-11-30T12:00");', [`1:18 ${DATE_TEXT}`]);
add("no-locale", "export const f = (text) => Date.parse(text);", [`1:28 ${DATE_TEXT}`]);
for (const code of [
  'export const a = new Date("2026-11-30T12:00Z") - Date.parse("2026-11-30");',
  "export const f = (x) => new Date(x).toISOString();",
  "export const f = (calendar) => calendar.getDay() + calendar.getHours();",
  "export const a = new Date(Date.UTC(2026, 10));",
  "export const f = (x) => x.toString() + x.toFixed(2);",
  "export const f = (names) => names.sort();",
  "export const f = (all) => {\n  for (const name in all) all[name] = 0;\n};",
])
  add("no-locale", code, []);

const RADIX =
  "Engines differ in the digits of toString(radix) for fractions. Round first, as in Math.floor(x).toString(16), or use decimals.";
add("no-engine-bits", "export const f = (x) => x.toString(36);", [`1:25 ${RADIX}`]);
add("no-engine-bits", "export const f = (x, r) => (x / 3).toString(r);", [`1:28 ${RADIX}`]);
add("no-engine-bits", "export const a = new Uint8ClampedArray(4);", [
  "1:22 Engines differ in Uint8ClampedArray. Round and clamp yourself, and use Uint8Array.",
]);
add("no-engine-bits", "export const f = (x: any) => (x.toString as any)(16);", [`1:30 ${RADIX}`], true);
add("no-engine-bits", "export const f = (x: number) => Math.floor(x)!.toString(16);", [], true);
add("no-engine-bits", "export const f = (x: number) => (x >>> 0 as number).toString(16);", [], true);
const ORDER =
  "With a comparator that returns true or false, the order depends on the engine. Return a number, such as a - b.";
add("no-engine-bits", "export const f = (all) => all.sort((a, b) => a > b);", [`1:36 ${ORDER}`]);
add("no-engine-bits", "export const f = (all) => all.toSorted(function (a, b) { return a.x <= b.x; });", [
  `1:40 ${ORDER}`,
]);
for (const code of [
  "export const f = (all) => all.sort((a, b) => a - b).sort().sort(compare);\nfunction compare() {}",
  "export const f = (all) => all.sort((a, b) => (a > b ? 1 : -1)).filter((a) => a > 1);",
  'export const f = (bytes) => bytes.toString("hex") + bytes.toString(undefined);',
  "export const f = (x) => (-255).toString(16) + BigInt(x).toString(16) + x.length.toString(36);",
  "export const f = (x) => x.toString() + x.toString(10);",
  "export const f = (x) => (x >>> 0).toString(16) + (~x).toString(2) + (255).toString(16);",
  "export const f = (x) => Math.floor(x).toString(16);",
])
  add("no-engine-bits", code, []);
