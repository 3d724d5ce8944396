// Names of globals are texts here: what is replaced must be found by name, and nothing of it is used.
import { refuse } from "../time/index.js";

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
  "acos acosh asin asinh atan atan2 atanh cbrt cos cosh exp expm1 hypot log log10 log1p log2 pow sin sinh tan tanh".split(
    " ",
  );
const TIMERS =
  "setTimeout setInterval setImmediate requestAnimationFrame requestIdleCallback queueMicrotask".split(" ");

/** What is refused, by the object that has it, and what to use instead. */
const RULES: readonly (readonly [object: string, names: readonly string[], cure: string])[] = [
  ["Math", INEXACT, "the function of that name from tickwise/math"],
  ["Math", ["random"], "the step's own random"],
  ["Date", ["now"], "the step's own time or tick"],
  ["performance", ["now"], "the step's own time or tick"],
  ["crypto", ["getRandomValues", "randomUUID"], "the step's own random"],
  ["globalThis", TIMERS, "a count of ticks in the state, or an effect"],
];

/** Says what must not be called, what to use instead, and under which name it is allowed. */
type Forbid = (called: string, cure: string, allowed?: string) => never;

interface Patch {
  readonly object: Record<string, unknown>;
  readonly name: string;
  readonly trap: unknown;
  /** As it was; restored when the step ends. */
  own: PropertyDescriptor | undefined;
}

/**
 * Finds what would make a step differ elsewhere: while a step runs, `Math.random`, `Date.now`, `new Date()`, the inexact
 * functions of `Math`, timers and their like throw, and say what to use instead. For development: it costs a few
 * microseconds a step; without it, nothing.
 */
export function guard({ allow = [] }: GuardOptions = {}): Guard {
  let depth = 0;
  let running = "step";
  const forbid: Forbid = (called, cure, allowed = called) => {
    throw new Error(
      `${running}: ${called} must not be called: it would make the simulation differ elsewhere. Use ${cure}. If a library calls it and you accept the risk: guard({ allow: ["${allowed}"] }).`,
    );
  };
  const patches = patchesFor(allow, forbid);
  return {
    enter(call = "step") {
      if (depth++ > 0) return;
      running = call;
      for (const patch of patches) {
        patch.own = Object.getOwnPropertyDescriptor(patch.object, patch.name);
        Object.defineProperty(patch.object, patch.name, {
          value: patch.trap,
          configurable: true,
          writable: true,
        });
      }
    },
    leave() {
      if (--depth > 0) return;
      for (const { object, name, own } of patches)
        if (own) Object.defineProperty(object, name, own);
        else delete object[name];
    },
  };
}

function patchesFor(allow: readonly string[], forbid: Forbid): Patch[] {
  const patches: Patch[] = [];
  const known = new Set<string>();
  const add = (object: object, name: string, called: string, trap: unknown) => {
    known.add(called);
    const found = Object.getOwnPropertyDescriptor(object, name);
    const isFree = found ? found.configurable : name in object;
    if (!allow.includes(called) && isFree)
      patches.push({ object: object as Patch["object"], name, trap, own: undefined });
  };
  const globals = globalThis as unknown as Record<string, object | undefined>;
  for (const [objectName, names, cure] of RULES) {
    const object = globals[objectName];
    for (const name of names) {
      const called = objectName === "globalThis" ? name : `${objectName}.${name}`;
      if (object) add(object, name, called, () => forbid(called, cure));
      else known.add(called);
    }
  }
  const date = globals["Date"] as unknown as new (...fields: unknown[]) => object;
  add(globalThis, "Date", "new Date()", dateTrap(date, forbid));
  for (const called of allow)
    if (!known.has(called))
      refuse("guard: allow", `calls that it knows: ${[...known].join(", ")}`, called, '["Math.sin"]');
  return patches;
}

/** `Date` itself, but for what asks the clock: a date of given fields in UTC is as good as any number. */
function dateTrap(date: new (...fields: unknown[]) => object, forbid: Forbid): unknown {
  const cure = "the step's own time or tick";
  return new Proxy(date, {
    apply: () => forbid("Date()", cure, "new Date()"),
    construct: (target, fields, made) =>
      fields.length === 0 ? forbid("new Date()", cure) : (Reflect.construct(target, fields, made) as object),
  });
}
