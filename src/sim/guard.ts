// Names of globals are texts here: what is replaced must be found by name, and nothing of it is used.
import { TickwiseError, unknownName } from "../errors/index.js";

/** Options of `guard`. */
export interface GuardOptions {
  /**
   * Calls that are let through, such as "Math.sin", for libraries that make them inside. The risk: what they return may
   * differ on another engine, and then so does the simulation.
   */
  readonly allow?: readonly string[] | undefined;
}

/** Replaces what a step must not call, while it runs. */
export interface Guard {
  /** `call` is what runs: "step" or "init". */
  enter(call?: string): void;
  leave(): void;
}

const INEXACT =
  "acos acosh asin asinh atan atan2 atanh cbrt cos cosh exp expm1 hypot log log10 log1p log2 pow sin sinh tan tanh";
// Not process.nextTick: Node's own streams call it, as in console.log.
const TIMERS = "setTimeout setInterval setImmediate requestAnimationFrame requestIdleCallback queueMicrotask";

const TIME = "the step's own time or tick";
const CHANCE = "the step's own random";
const LATER = "a count of ticks in the state, or an effect";
const ZONE = "the methods with UTC in their names";
const LANGUAGE = "it where things are drawn: it depends on the machine's language";

/** Functions, classes or properties of an object that are refused, and what to use instead. */
interface Rule {
  /** The path of the object from the global one, which is "". */
  readonly at: string;
  readonly names: string;
  readonly cure: string;
  readonly kind?: "function" | "getter" | "class";
  /** The object's name in errors. Default: its path without "prototype". */
  readonly as?: string;
  /** The name in `allow` that allows all of them. Default: each has its own. */
  readonly allowed?: string;
}

const DATE_PARTS = "Date Day FullYear Hours Milliseconds Minutes Month Seconds Year".split(" ");
const IN_ZONE = DATE_PARTS.flatMap((part) =>
  part === "Day" ? [`get${part}`] : [`get${part}`, `set${part}`],
);

const RULES: readonly Rule[] = [
  { at: "Math", names: INEXACT, cure: "the function of that name from tickwise/math" },
  { at: "Math", names: "random", cure: CHANCE },
  { at: "crypto", names: "getRandomValues randomUUID", cure: CHANCE },
  { at: "Date", names: "now", cure: TIME },
  {
    at: "performance",
    names: "now mark measure getEntries getEntriesByName getEntriesByType eventLoopUtilization toJSON",
    cure: TIME,
  },
  { at: "performance", names: "timeOrigin timing memory", cure: TIME, kind: "getter" },
  { at: "process", names: "hrtime uptime cpuUsage memoryUsage resourceUsage", cure: TIME },
  { at: "Event.prototype", names: "timeStamp", cure: TIME, kind: "getter" },
  {
    at: "AnimationTimeline.prototype",
    names: "currentTime",
    cure: TIME,
    kind: "getter",
    as: "document.timeline",
  },
  {
    at: "Temporal.Now",
    names: "instant plainDateISO plainDateTimeISO plainTimeISO timeZoneId zonedDateTimeISO",
    cure: TIME,
  },
  { at: "", names: TIMERS, cure: LATER },
  { at: "scheduler", names: "postTask wait yield", cure: LATER },
  // Their results depend on when memory is collected.
  {
    at: "",
    names: "FinalizationRegistry WeakRef",
    cure: "the state: remove things in a step",
    kind: "class",
  },
  { at: "WeakRef.prototype", names: "deref", cure: "the state", allowed: "WeakRef" },
  {
    at: "Date.prototype",
    names: `${IN_ZONE.join(" ")} getTimezoneOffset toString toDateString toTimeString`,
    cure: ZONE,
  },
  {
    at: "Date.prototype",
    names: "toLocaleString toLocaleDateString toLocaleTimeString",
    cure: LANGUAGE,
  },
  {
    at: "String.prototype",
    names: "localeCompare toLocaleLowerCase toLocaleUpperCase",
    cure: "< and >, toLowerCase and toUpperCase",
  },
  ...["BigInt", "Number"].map((type): Rule => ({
    at: `${type}.prototype`,
    names: "toLocaleString",
    cure: LANGUAGE,
  })),
  {
    at: "Intl",
    names:
      "Collator DateTimeFormat DisplayNames DurationFormat ListFormat Locale NumberFormat PluralRules RelativeTimeFormat Segmenter",
    cure: LANGUAGE,
    kind: "class",
  },
  // Formatters that were made before the step. Without a date, they format the present.
  {
    at: "Intl.DateTimeFormat.prototype",
    names: "formatToParts formatRange formatRangeToParts",
    cure: LANGUAGE,
    allowed: "Intl.DateTimeFormat",
  },
  {
    at: "Intl.DateTimeFormat.prototype",
    names: "format",
    cure: LANGUAGE,
    kind: "getter",
    allowed: "Intl.DateTimeFormat",
  },
  {
    at: "Intl.Collator.prototype",
    names: "compare",
    cure: LANGUAGE,
    kind: "getter",
    allowed: "Intl.Collator",
  },
  { at: "navigator", names: "language languages", cure: LANGUAGE, kind: "getter" },
];

/** Says what must not be called, what to use instead, and under which name it is allowed. */
type Forbid = (called: string, cure: string, allowed?: string) => never;

interface Patch {
  readonly object: object;
  readonly name: string;
  readonly trap: PropertyDescriptor;
  /** As it was; restored when the step ends. */
  own: PropertyDescriptor | undefined;
}

/**
 * Finds what would make a step differ elsewhere. While a step runs, clocks, timers, `Math.random`, the inexact functions of
 * `Math`, the machine's language and time zone and the like throw an error that says what to use instead. A session with a
 * guard also refuses NaN and infinities in its state, text in columns, and rows used after their turn in a loop. For development: it costs about 50 microseconds
 * per step, and more with a large state.
 */
export function guard({ allow = [] }: GuardOptions = {}): Guard {
  let depth = 0;
  let running = "step";
  const forbid: Forbid = (called, cure, allowed = called) => {
    const problem = `${called} is not deterministic and must not be called in ${running === "init" ? running : "a step"}`;
    const fix = `Use ${cure}`;
    const allowance = `If a library calls it and you accept the risk: guard({ allow: [${JSON.stringify(allowed)}] })`;
    throw new TickwiseError("forbidden-call", running, {
      message: `${running}: ${problem}. ${fix}. ${allowance}.`,
      problem,
      fix,
      value: allowed,
    });
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
  for (const { at, names, cure, kind, as = at.replace(/\.prototype$/, ""), allowed } of RULES) {
    const object = objectAt(at);
    for (const name of names.split(" ")) {
      const called = as ? `${as}.${name}` : name;
      const refuseCall = () => forbid(called, cure, allowed);
      if (isAllowed(allowed ?? called) || !object) continue;
      if (kind === "getter") add(object, name, { get: refuseCall });
      else add(object, name, { value: trapOf(object, name, kind === "class", refuseCall), writable: true });
    }
  }
  const date = objectAt("Date") as DateClass;
  if (!isAllowed("Date.parse")) add(date, "parse", { value: parseTrap(date, forbid), writable: true });
  add(globalThis, "Date", { value: dateTrap(date, isAllowed, forbid), writable: true });
  for (const called of allow) if (!known.has(called)) unknownName("guard", "call", called, [...known]);
  return patches;
}

/** The object at a path of names from the global object; undefined if there is none. */
function objectAt(path: string): object | undefined {
  let object: unknown = globalThis;
  for (const name of path === "" ? [] : path.split("."))
    object = (object as Record<string, unknown> | null | undefined)?.[name];
  return (typeof object === "object" || typeof object === "function") && object !== null ? object : undefined;
}

/** A function that refuses to be called, and so do its own functions, such as `process.hrtime.bigint`. */
function trapOf(object: object, name: string, isClass: boolean, refuseCall: () => never): unknown {
  const own = (object as Record<string, unknown>)[name];
  if (typeof own !== "function") return own;
  // A proxy, so that `instanceof` still works.
  if (isClass) return new Proxy(own, { apply: refuseCall, construct: refuseCall });
  const trap = () => refuseCall();
  for (const inner of Object.keys(own)) Object.defineProperty(trap, inner, { value: refuseCall });
  return trap;
}

/** Dates as text that mean the same everywhere: in ISO format, without a time or with a time zone. */
const FIXED = /^([+-]\d\d)?\d{4}(-\d\d){0,2}(T[\d:.]+(Z|[+-]\d\d:\d\d))?$/;
const isFixed = (given: unknown) => typeof given !== "string" || FIXED.test(given);
const FIXED_TEXT = "a text with a time zone, such as 2026-11-30T12:00Z";

type DateClass = typeof globalThis.Date;

function parseTrap({ parse }: DateClass, forbid: Forbid): unknown {
  return (text: string) => (isFixed(text) ? parse(text) : forbid("Date.parse", FIXED_TEXT));
}

/** `Date`, without what reads the clock or the time zone. Dates in UTC are deterministic. */
function dateTrap(date: DateClass, isAllowed: (name: string) => boolean, forbid: Forbid): unknown {
  /** Throws, unless the name is allowed. */
  const forbidder = (name: string, cure: string) =>
    isAllowed(name) ? () => {} : (called = name) => forbid(called, cure, name);
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
