import { afterEach, expect, test } from "vitest";
import { errorWith } from "../../test/error-with.js";
import type { TickwiseError } from "../errors/index.js";
import { f64, layout } from "../state/index.js";
import { guard, localSession, play, simulation, syncTest } from "./index.js";

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
  ["performance.mark", () => performance.mark("m").startTime, "the step's own time or tick"],
  ["performance.measure", () => performance.measure("m").startTime, "the step's own time or tick"],
  ["performance.getEntries", () => performance.getEntries().length, "the step's own time or tick"],
  ["performance.timeOrigin", () => performance.timeOrigin, "the step's own time or tick"],
  ["Event.timeStamp", () => new Event("e").timeStamp, "the step's own time or tick"],
  ["process.hrtime", () => process.hrtime()[0], "the step's own time or tick"],
  ["process.hrtime", () => process.hrtime.bigint(), "the step's own time or tick"],
  ["process.uptime", () => process.uptime(), "the step's own time or tick"],
  ["process.cpuUsage", () => process.cpuUsage().user, "the step's own time or tick"],
  ["process.memoryUsage", () => process.memoryUsage().heapUsed, "the step's own time or tick"],
  ["process.memoryUsage", () => process.memoryUsage.rss(), "the step's own time or tick"],
  ["crypto.randomUUID", () => crypto.randomUUID().length, "the step's own random"],
  ["new Date(year, month)", () => new Date(2020, 1).getTime(), "Date.UTC(year, month)"],
  ["new Date(text)", () => new Date("2020-01-01T10:00").getTime(), "a text with a time zone"],
  ["new Date(text)", () => new Date("1 January 2020").getTime(), "a text with a time zone"],
  ["Date.parse", () => Date.parse("2020-01-01T10:00"), "a text with a time zone"],
  ["Date.getHours", () => new Date(0).getHours(), "the methods with UTC"],
  ["Date.setMonth", () => new Date(0).setMonth(1), "the methods with UTC"],
  ["Date.getTimezoneOffset", () => new Date(0).getTimezoneOffset(), "the methods with UTC"],
  ["Date.toString", () => `${new Date(0)}`.length, "the methods with UTC"],
  ["Date.toLocaleDateString", () => new Date(0).toLocaleDateString().length, "the machine's language"],
  ["Intl.DateTimeFormat", () => Intl.DateTimeFormat().format().length, "the machine's language"],
  ["Intl.DateTimeFormat", () => new Intl.DateTimeFormat("en").format(0).length, "the machine's language"],
  ["Intl.DateTimeFormat.format", () => formatter.format().length, "the machine's language"],
  ["Intl.DateTimeFormat.formatToParts", () => formatter.formatToParts().length, "the machine's language"],
  ["Intl.NumberFormat", () => new Intl.NumberFormat().format(1e6).length, "the machine's language"],
  ["Intl.Collator", () => Intl.Collator().compare("a", "b"), "the machine's language"],
  ["Intl.Collator.compare", () => collator.compare("a", "b"), "the machine's language"],
  ["String.localeCompare", () => "a".localeCompare("b"), "< and >"],
  ["String.toLocaleUpperCase", () => "i".toLocaleUpperCase().length, "toUpperCase"],
  ["Number.toLocaleString", () => (1e6).toLocaleString().length, "the machine's language"],
  ["Number.toLocaleString", () => [1e6].toLocaleString().length, "the machine's language"],
  ["WeakRef", () => new WeakRef({}).deref() === undefined, "remove things in a step"],
  ["WeakRef.deref", () => weak.deref() === undefined, "the state"],
];
const formatter = new Intl.DateTimeFormat("en");
const collator = new Intl.Collator("en");
const weak = new WeakRef({});

function thrownBy(call: () => unknown): TickwiseError {
  try {
    call();
  } catch (error) {
    return error as TickwiseError;
  }
  throw new Error("nothing was thrown");
}

test.each(CALLS)("%s in a step throws, and the error says what to use instead", (name, call, fix) => {
  act = call;
  const session = localSession(game, { guard: guard() });
  expect(() => session.advance()).toThrow(
    errorWith("forbidden-call", `step: ${name} is not deterministic and must not be called in a step. Use `),
  );
  expect(() => session.advance()).toThrow(fix);
  // It works outside steps.
  expect(() => call()).not.toThrow();
});

test.each(CALLS)("the error about %s has the name that allows it", (_, call) => {
  act = call;
  const { value, message } = thrownBy(() => localSession(game, { guard: guard() }).advance());
  const allow = [String(value)];
  expect(message).toContain(`guard({ allow: ${JSON.stringify(allow)} })`);
  act = () => {
    const timer = call();
    clearTimeout(timer as ReturnType<typeof setTimeout>);
    clearInterval(timer as ReturnType<typeof setInterval>);
    return 1;
  };
  expect(() => localSession(game, { guard: guard({ allow }) }).advance()).not.toThrow();
});

test("deterministic calls work as usual: console.log, dates in UTC, sorting", () => {
  act = () => {
    console.log("in a step");
    const date = new Date(Date.UTC(2020, 1));
    date.setUTCHours(5);
    const texts = [new Date("2020-02-01").toISOString(), new Date("2020-02-01T05:00Z").toJSON()];
    expect(texts.sort()).toEqual(["2020-02-01T00:00:00.000Z", "2020-02-01T05:00:00.000Z"]);
    expect(new Date(date).getTime() - Date.parse("2020-02-01")).toBe(5 * 3_600_000);
    expect(date instanceof Date && !({} instanceof WeakRef)).toBe(true);
    return "B".toLowerCase() < "c" ? 1 : 0;
  };
  const session = localSession(game, { guard: guard() });
  session.advance();
  expect(session.world.x).toBe(1);
});

test("a class can extend Date", () => {
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

test("exact functions of Math and dates of given parts are allowed", () => {
  act = () => Math.sqrt(4) + Math.floor(1.5) + new Date(86_400_000).getUTCDate() + Date.UTC(1970, 0, 1);
  const session = localSession(game, { guard: guard() });
  session.advance();
  expect(session.world.x).toBe(5);
});

test("allow permits one call, and no other", () => {
  act = () => Math.sin(0);
  const session = localSession(game, { guard: guard({ allow: ["Math.sin"] }) });
  session.advance();
  act = () => Math.cos(0);
  expect(() => session.advance()).toThrow("Math.cos");
});

test("rejects unknown names and options", () => {
  expect(() => guard({ allow: ["Math.sine"] })).toThrow(
    errorWith("unknown-name", 'guard: unknown call "Math.sine". Did you mean "Math.sin"?'),
  );
  expect(() => guard({ allow: ["eval"] })).toThrow(errorWith("unknown-name", "Known: Math.acos, "));
  expect(() => guard({ alow: ["Math.sin"] } as never)).toThrow(
    errorWith("unknown-option", 'guard: unknown option "alow". Did you mean "allow"?'),
  );
  expect(() => guard({ allow: "Math.sin" } as never)).toThrow(
    errorWith("bad-value", 'guard: allow must be an array of names, got "Math.sin". Try ["Math.sin"].'),
  );
  expect(() => guard(null as never)).toThrow(errorWith("bad-value", "guard: options must be an object"));
});

test("globals are restored, also after an error and after a guarded step inside a step", () => {
  const names = Object.getOwnPropertyNames(globalThis).length;
  const { sin } = Math;
  const own = Object.getOwnPropertyDescriptor(globalThis, "Date");
  const places = [Math, performance, process, Date, Date.prototype, String.prototype, Intl, Event.prototype];
  const all = () =>
    places.flatMap((place) =>
      Object.entries(Object.getOwnPropertyDescriptors(place)).map(([name, own]) => ({ name, ...own })),
    );
  const before = all();
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
  const after = all();
  const isSame = (i: number) =>
    (["name", "value", "get", "set", "writable", "enumerable", "configurable"] as const).every(
      (part) => after[i]![part] === before[i]![part],
    );
  expect(before.filter((_, i) => !isSame(i)).map(({ name }) => name)).toEqual([]);
  expect(after.length).toBe(before.length);
});

test("init is guarded too", () => {
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

test("an error about a call in init says so", () => {
  const { options } = game;
  const randomized = simulation({ ...options, init: (world) => void (world.x = Math.random()) });
  expect(() => localSession(randomized, { guard: guard() })).toThrow(
    errorWith("forbidden-call", "init: Math.random is not deterministic and must not be called in init."),
  );
});

test("a write outside a step is rolled back and reported by the next step", () => {
  const counter = simulation({ ...game.options, step: (world) => void (world.x += 1) });
  const session = localSession(counter, { guard: guard(), history: { seconds: 1 } });
  for (let i = 0; i < 5; i++) session.advance();
  (session.world as { x: number }).x = 500;
  expect(() => session.advance()).toThrow(
    errorWith(
      "read-only",
      "Session.world: x was changed from 5 to 500 outside a step. Change the world in step only",
    ),
  );
  session.advance();
  expect([session.tick, session.world.x]).toEqual([6, 6]);
  // Seeks, rewinds and loads are no such writes.
  session.seek(2);
  session.advance();
  session.rewind();
  session.advance();
  session.endRewind();
  session.advance();
  session.load(session.bytes());
  session.view(0.5);
  session.advance();
  expect(session.world.x).toBe(session.tick);
});

test.each([
  [true, "true"],
  [guard, "a function"],
  [{}, "{}"],
])("rejects %s as a guard", (wrong, shown) => {
  const options = { guard: wrong as never };
  const rule = `guard must be a guard, got ${shown}. Try guard().`;
  expect(() => localSession(game, options)).toThrow(errorWith("bad-value", `localSession: ${rule}`));
  expect(() => syncTest(game, options)).toThrow(errorWith("bad-value", `syncTest: ${rule}`));
  expect(() => play(game, options)).toThrow(errorWith("bad-value", `play: ${rule}`));
});

test("rejects values that are not simulations", () => {
  for (const wrong of [layout({ x: f64 }), {}, undefined, game.options]) {
    expect(() => localSession(wrong as never)).toThrow(/^localSession: simulation must be a simulation/);
    expect(() => syncTest(wrong as never)).toThrow(/^syncTest: simulation must be a simulation/);
  }
});
