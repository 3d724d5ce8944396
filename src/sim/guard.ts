// Globals appear only as strings here: the guard looks them up by name to replace them, and calls none of them.
import { badValue, requireOptions, TickwiseError, unknownName } from "../errors/index.js";

/** Options of `guard`. */
export interface GuardOptions {
  /**
   * Calls to allow, such as "Math.sin", for libraries that need them. Their results may differ on another engine, and then the
   * simulation diverges.
   */
  readonly allow?: readonly string[] | undefined;
}

const OPTIONS = Object.keys({ allow: 1 } satisfies Record<keyof GuardOptions, 1>);

/** Replaces the functions that a step must not call, while the step runs. */
export interface Guard {
  /** Replaces them. `call` is "step" or "init", for errors. */
  enter(call?: string): void;
  /** Restores them. */
  leave(): void;
}

const INEXACT =
  "acos acosh asin asinh atan atan2 atanh cbrt cos cosh exp expm1 hypot log log10 log1p log2 pow sin sinh tan tanh";
// Not process.nextTick, which console.log calls through Node's streams.
const TIMERS = "setTimeout setInterval setImmediate requestAnimationFrame requestIdleCallback queueMicrotask";

// What to use instead: each ends a sentence that begins with "Use".
const TIME = "the step's own time or tick";
const RANDOM = "the step's own random";
const LATER = "a count of ticks in the state, or an effect";
const ZONE = "the methods with UTC in their names";
const LANGUAGE = "it only where you draw, as it depends on the machine's language";

/** Forbids functions, classes or properties of an object. */
interface Rule {
  /** The path of the object from the global one, which is "". */
  readonly at: string;
  readonly names: string;
  /** Ends the sentence "Use …". */
  readonly instead: string;
  readonly kind?: "function" | "getter" | "class";
  /** The object's name in errors. Default: its path without "prototype". */
  readonly as?: string;
  /** One name in `allow` for all of them. Default: each has its own. */
  readonly allowed?: string;
}

const DATE_PARTS = "Date Day FullYear Hours Milliseconds Minutes Month Seconds Year".split(" ");
const IN_ZONE = DATE_PARTS.flatMap((part) =>
  part === "Day" ? [`get${part}`] : [`get${part}`, `set${part}`],
);

const RULES: readonly Rule[] = [
  { at: "Math", names: INEXACT, instead: "the function of that name from tickwise/math" },
  { at: "Math", names: "random", instead: RANDOM },
  { at: "crypto", names: "getRandomValues randomUUID", instead: RANDOM },
  { at: "Date", names: "now", instead: TIME },
  {
    at: "performance",
    names: "now mark measure getEntries getEntriesByName getEntriesByType eventLoopUtilization toJSON",
    instead: TIME,
  },
  { at: "performance", names: "timeOrigin timing memory", instead: TIME, kind: "getter" },
  { at: "process", names: "hrtime uptime cpuUsage memoryUsage resourceUsage", instead: TIME },
  { at: "Event.prototype", names: "timeStamp", instead: TIME, kind: "getter" },
  {
    at: "AnimationTimeline.prototype",
    names: "currentTime",
    instead: TIME,
    kind: "getter",
    as: "document.timeline",
  },
  {
    at: "Temporal.Now",
    names: "instant plainDateISO plainDateTimeISO plainTimeISO timeZoneId zonedDateTimeISO",
    instead: TIME,
  },
  { at: "", names: TIMERS, instead: LATER },
  { at: "scheduler", names: "postTask wait yield", instead: LATER },
  // Their results depend on when memory is collected.
  {
    at: "",
    names: "FinalizationRegistry WeakRef",
    instead: "the state: remove things in a step",
    kind: "class",
  },
  { at: "WeakRef.prototype", names: "deref", instead: "the state", allowed: "WeakRef" },
  {
    at: "Date.prototype",
    names: `${IN_ZONE.join(" ")} getTimezoneOffset toString toDateString toTimeString`,
    instead: ZONE,
  },
  {
    at: "Date.prototype",
    names: "toLocaleString toLocaleDateString toLocaleTimeString",
    instead: LANGUAGE,
  },
  {
    at: "String.prototype",
    names: "localeCompare toLocaleLowerCase toLocaleUpperCase",
    instead: "< and >, toLowerCase and toUpperCase",
  },
  ...["BigInt", "Number"].map((type): Rule => ({
    at: `${type}.prototype`,
    names: "toLocaleString",
    instead: LANGUAGE,
  })),
  {
    at: "Intl",
    names:
      "Collator DateTimeFormat DisplayNames DurationFormat ListFormat Locale NumberFormat PluralRules RelativeTimeFormat Segmenter",
    instead: LANGUAGE,
    kind: "class",
  },
  // Formatters that were made before the step. Without a date, they format the present.
  {
    at: "Intl.DateTimeFormat.prototype",
    names: "formatToParts formatRange formatRangeToParts",
    instead: LANGUAGE,
    allowed: "Intl.DateTimeFormat",
  },
  {
    at: "Intl.DateTimeFormat.prototype",
    names: "format",
    instead: LANGUAGE,
    kind: "getter",
    allowed: "Intl.DateTimeFormat",
  },
  {
    at: "Intl.Collator.prototype",
    names: "compare",
    instead: LANGUAGE,
    kind: "getter",
    allowed: "Intl.Collator",
  },
  { at: "navigator", names: "language languages", instead: LANGUAGE, kind: "getter" },
];

/** Throws for a forbidden call. `allowed` is the name under which `allow` permits it. */
type Forbid = (called: string, instead: string, allowed?: string) => never;

interface Patch {
  readonly object: object;
  readonly name: string;
  readonly trap: PropertyDescriptor;
  /** The original property; undefined if the object inherits it. */
  own: PropertyDescriptor | undefined;
}

/**
 * Finds calls that are not deterministic. While a step runs, clocks, timers, `Math.random`, the inexact functions of `Math`, the
 * machine's language and time zone and the like throw an error that says what to use instead. A session with a guard also rejects
 * NaN and infinities in its state, text in columns, and rows used after their turn in a loop. Use it during development: it costs
 * about 50 microseconds per step, and more with a large state.
 */
export function guard(options: GuardOptions = {}): Guard {
  requireOptions("guard", options, OPTIONS, '{ allow: ["Math.sin"] }');
  const { allow = [] } = options;
  if (!Array.isArray(allow)) badValue("guard: allow", "an array of names", allow, '["Math.sin"]');
  let depth = 0;
  let running = "step";
  const forbid: Forbid = (called, instead, allowed = called) => {
    const problem = `${called} is not deterministic and must not be called in ${running === "init" ? running : "a step"}`;
    const fix = `Use ${instead}. If a library calls it and you accept the risk: guard({ allow: [${JSON.stringify(allowed)}] })`;
    throw new TickwiseError("forbidden-call", running, problem, fix, { value: allowed });
  };
  const patches = patchesFor(allow, forbid);
  return {
    enter(call = "step") {
      if (depth++ > 0) return;
      running = call;
      for (const patch of patches) {
        patch.own = Object.getOwnPropertyDescriptor(patch.object, patch.name);
        Object.defineProperty(patch.object, patch.name, patch.trap);
      }
    },
    leave() {
      if (--depth > 0) return;
      for (const { object, name, own } of patches)
        if (own) Object.defineProperty(object, name, own);
        else delete (object as Record<string, unknown>)[name];
    },
  };
}

function patchesFor(allow: readonly string[], forbid: Forbid): Patch[] {
  const patches: Patch[] = [];
  const known = new Set<string>();
  const isAllowed = (name: string) => {
    known.add(name);
    return allow.includes(name);
  };
  const add = (object: object, name: string, trap: PropertyDescriptor) => {
    const found = Object.getOwnPropertyDescriptor(object, name);
    const isFree = found ? found.configurable : name in object && Object.isExtensible(object);
    if (isFree) patches.push({ object, name, trap: { ...trap, configurable: true }, own: undefined });
  };
  for (const { at, names, instead, kind, as = at.replace(/\.prototype$/, ""), allowed } of RULES) {
    const object = objectAt(at);
    for (const name of names.split(" ")) {
      const called = as ? `${as}.${name}` : name;
      const throwForbidden = () => forbid(called, instead, allowed);
      if (isAllowed(allowed ?? called) || !object) continue;
      if (kind === "getter") add(object, name, { get: throwForbidden });
      else
        add(object, name, { value: trapOf(object, name, kind === "class", throwForbidden), writable: true });
    }
  }
  const date = objectAt("Date") as DateClass;
  if (!isAllowed("Date.parse")) add(date, "parse", { value: parseTrap(date, forbid), writable: true });
  add(globalThis, "Date", { value: dateTrap(date, isAllowed, forbid), writable: true });
  for (const called of allow) if (!known.has(called)) unknownName("guard", "call", called, [...known]);
  return patches;
}

/** Returns the object at a path from the global object; undefined if it does not exist here. */
function objectAt(path: string): object | undefined {
  let object: unknown = globalThis;
  for (const name of path === "" ? [] : path.split("."))
    object = (object as Record<string, unknown> | null | undefined)?.[name];
  return (typeof object === "object" || typeof object === "function") && object !== null ? object : undefined;
}

/** Returns a replacement that throws when called, as do its own functions, such as `process.hrtime.bigint`. */
function trapOf(object: object, name: string, isClass: boolean, throwForbidden: () => never): unknown {
  const own = (object as Record<string, unknown>)[name];
  if (typeof own !== "function") return own;
  // `instanceof` still works with a proxy.
  if (isClass) return new Proxy(own, { apply: throwForbidden, construct: throwForbidden });
  const trap = () => throwForbidden();
  for (const inner of Object.keys(own)) Object.defineProperty(trap, inner, { value: throwForbidden });
  return trap;
}

/** Date strings that mean the same in all time zones: in ISO format, without a time or with a time zone. */
const FIXED = /^([+-]\d\d)?\d{4}(-\d\d){0,2}(T[\d:.]+(Z|[+-]\d\d:\d\d))?$/;
const isFixed = (given: unknown) => typeof given !== "string" || FIXED.test(given);
const FIXED_TEXT = "a text with a time zone, such as 2026-11-30T12:00Z";

type DateClass = typeof globalThis.Date;

function parseTrap({ parse }: DateClass, forbid: Forbid): unknown {
  return (text: string) => (isFixed(text) ? parse(text) : forbid("Date.parse", FIXED_TEXT));
}

/** Returns a `Date` that throws if it would read the clock or the time zone. Dates in UTC are deterministic. */
function dateTrap(date: DateClass, isAllowed: (name: string) => boolean, forbid: Forbid): unknown {
  /** Returns a function that throws, unless the name is allowed. */
  const forbidder = (name: string, instead: string) =>
    isAllowed(name) ? () => {} : (called = name) => forbid(called, instead, name);
  const forbidLocal = forbidder("new Date(year, month)", "new Date(Date.UTC(year, month))");
  const forbidText = forbidder("new Date(text)", FIXED_TEXT);
  const forbidNow = forbidder("new Date()", TIME);
  return new Proxy(date, {
    apply(target, self, fields) {
      forbidNow("Date()");
      return Reflect.apply(target, self, fields) as string;
    },
    construct(target, fields: unknown[], made) {
      if (fields.length === 0) forbidNow();
      else if (fields.length > 1) forbidLocal();
      else if (!isFixed(fields[0])) forbidText();
      return Reflect.construct(target, fields, made) as object;
    },
  });
}
