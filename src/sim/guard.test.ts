import { afterEach, expect, test } from "vitest";
import { f64, layout } from "../state/index.js";
import { guard, localSession, simulation, syncTest } from "./index.js";

let act: () => unknown = () => 0;
const game = simulation({
  name: "guarded",
  version: 1,
  rate: 60,
  state: layout({ x: f64 }),
  step(world) {
    world.x = Number(act());
  },
});
afterEach(() => {
  act = () => 0;
});

const INEXACT = ["sin", "cos", "tan", "atan2", "exp", "log", "pow", "hypot", "cbrt", "tanh"] as const;

const CALLS: [string, () => unknown, string][] = [
  ...INEXACT.map(
    (name) =>
      [`Math.${name}`, () => (Math[name] as (x: number) => number)(1), "tickwise/math"] as [
        string,
        () => unknown,
        string,
      ],
  ),
  ["Math.random", () => Math.random(), "the step's own random"],
  ["Date.now", () => Date.now(), "the step's own time or tick"],
  ["new Date()", () => new Date(), "the step's own time or tick"],
  ["Date()", () => Date(), "the step's own time or tick"],
  ["performance.now", () => performance.now(), "the step's own time or tick"],
  ["crypto.getRandomValues", () => crypto.getRandomValues(new Uint8Array(1)), "the step's own random"],
  ["setTimeout", () => setTimeout(() => {}, 0), "a count of ticks in the state"],
  ["setInterval", () => setInterval(() => {}, 1e9), "a count of ticks in the state"],
  ["queueMicrotask", () => queueMicrotask(() => {}), "a count of ticks in the state"],
];

test.each(CALLS)("%s in a step throws and says what to use instead", (name, call, cure) => {
  act = call;
  const session = localSession(game, { guard: guard() });
  expect(() => session.advance()).toThrow(`step: ${name} must not be called`);
  expect(() => session.advance()).toThrow(cure);
  // Outside of steps it is as it was.
  expect(() => call()).not.toThrow();
});

test.each(CALLS)("what the error says of %s lets it through", (_, call) => {
  act = call;
  let message = "";
  try {
    localSession(game, { guard: guard() }).advance();
  } catch (error) {
    message = String(error);
  }
  const allow = JSON.parse(/allow: (\[.*?\])/.exec(message)![1]!) as string[];
  act = () => {
    const left = call();
    // Neither is to ring.
    clearTimeout(left as ReturnType<typeof setTimeout>);
    clearInterval(left as ReturnType<typeof setInterval>);
    return 1;
  };
  expect(() => localSession(game, { guard: guard({ allow }) }).advance()).not.toThrow();
});

test("a class that extends Date is made as ever", () => {
  act = () => {
    class Day extends Date {
      count() {
        return this.getTime() / 86_400_000;
      }
    }
    return new Day(86_400_000 * 3).count();
  };
  const session = localSession(game, { guard: guard() });
  session.advance();
  expect(session.world.x).toBe(3);
});

test("what ECMAScript fixes, and dates of given parts, are let through", () => {
  act = () => Math.sqrt(4) + Math.floor(1.5) + new Date(86_400_000).getUTCDate() + Date.UTC(1970, 0, 1);
  const session = localSession(game, { guard: guard() });
  session.advance();
  expect(session.world.x).toBe(5);
});

test("the allow-list lets one call through, and no other", () => {
  act = () => Math.sin(0);
  const session = localSession(game, { guard: guard({ allow: ["Math.sin"] }) });
  session.advance();
  act = () => Math.cos(0);
  expect(() => session.advance()).toThrow("Math.cos");
});

test("a call that it does not know cannot be allowed", () => {
  expect(() => guard({ allow: ["Math.sine"] })).toThrow(
    /^guard: allow must be calls that it knows: Math.acos,/,
  );
});

test("globals are restored to what they were, after an error and after a step in a step's guard too", () => {
  const names = Object.getOwnPropertyNames(globalThis).length;
  const { sin } = Math;
  const own = Object.getOwnPropertyDescriptor(globalThis, "Date");
  act = () => {
    act = () => 0;
    localSession(game, { guard: watch }).advance();
    expect(Math.sin).not.toBe(sin);
    throw new Error("in a step");
  };
  const watch = guard();
  expect(() => localSession(game, { guard: watch }).advance()).toThrow("in a step");
  expect(Math.sin).toBe(sin);
  expect(Object.getOwnPropertyDescriptor(globalThis, "Date")).toEqual(own);
  expect(Object.getOwnPropertyNames(globalThis).length).toBe(names);
});

test("init is guarded, too", () => {
  const random = simulation({
    name: "guarded init",
    version: 1,
    rate: 60,
    state: layout({ x: f64 }),
    init(world) {
      world.x = Math.random();
    },
    step() {},
  });
  expect(() => localSession(random, { guard: guard() })).toThrow("Math.random");
});

test("without a guard nothing is replaced", () => {
  let seen: unknown;
  act = () => {
    seen = Math.sin;
    return 0;
  };
  localSession(game).advance();
  expect(seen).toBe(Math.sin);
});

test("what init must not call is said to be in init", () => {
  const { options } = game;
  const chancy = simulation({ ...options, init: (world) => void (world.x = Math.random()) });
  expect(() => localSession(chancy, { guard: guard() })).toThrow(/^init: Math.random must not be called/);
});

test("what is written outside of a step is refused by the next, named, and undone", () => {
  const counter = simulation({ ...game.options, step: (world) => void (world.x += 1) });
  const session = localSession(counter, { guard: guard(), history: { seconds: 1 } });
  for (let i = 0; i < 5; i++) session.advance();
  (session.world as { x: number }).x = 500;
  expect(() => session.advance()).toThrow(
    'Session.world must be written by steps alone, got "x: 5 ≠ 500". Try an input that the step acts on.',
  );
  session.advance();
  expect([session.tick, session.world.x]).toEqual([6, 6]);
  // States that it is put into are none of that.
  session.jump(2);
  session.advance();
  session.rewind();
  session.advance();
  session.resume();
  session.advance();
  session.load(session.bytes());
  session.view(0.5);
  session.advance();
  expect(session.world.x).toBe(session.tick);
});

test.each([true, guard, {}])("%s is no guard, and is said to be none", (wrong) => {
  expect(() => localSession(game, { guard: wrong as never })).toThrow(/guard.enter must be .*Try guard\(\)/);
});

test("what is no simulation is said to be none", () => {
  for (const wrong of [layout({ x: f64 }), {}, undefined, game.options]) {
    expect(() => localSession(wrong as never)).toThrow(/^localSession: simulation must be a simulation/);
    expect(() => syncTest(wrong as never)).toThrow(/^syncTest: simulation must be a simulation/);
  }
});
