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
  enter(): void;
  leave(): void;
}

const INEXACT =
  "acos acosh asin asinh atan atan2 atanh cbrt cos cosh exp expm1 hypot log log10 log1p log2 pow sin sinh tan tanh".split(
    " ",
  );
const TIMERS =
  "setTimeout setInterval setImmediate requestAnimationFrame requestIdleCallback queueMicrotask".split(" ");

/** What is refused, by the object that has it, and what to use instead. */
const RULES: readonly (readonly [owner: string, names: readonly string[], cure: string])[] = [
  ["Math", INEXACT, "the function of that name from tickwise/math"],
  ["Math", ["random"], "the step's own random"],
  ["Date", ["now"], "the step's own time or tick"],
  ["performance", ["now"], "the step's own time or tick"],
  ["crypto", ["getRandomValues", "randomUUID"], "the step's own random"],
  ["globalThis", TIMERS, "to count ticks in the state, or to emit an effect"],
];

interface Patch {
  readonly owner: Record<string, unknown>;
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
  const patches = patchesFor(allow);
  let depth = 0;
  return {
    enter() {
      if (depth++ > 0) return;
      for (const patch of patches) {
        patch.own = Object.getOwnPropertyDescriptor(patch.owner, patch.name);
        Object.defineProperty(patch.owner, patch.name, {
          value: patch.trap,
          configurable: true,
          writable: true,
        });
      }
    },
    leave() {
      if (--depth > 0) return;
      for (const { owner, name, own } of patches)
        if (own) Object.defineProperty(owner, name, own);
        else delete owner[name];
    },
  };
}

function patchesFor(allow: readonly string[]): Patch[] {
  const patches: Patch[] = [];
  const known = new Set<string>();
  const add = (owner: object, name: string, called: string, trap: unknown) => {
    known.add(called);
    const found = Object.getOwnPropertyDescriptor(owner, name);
    const isFree = found ? found.configurable : name in owner;
    if (!allow.includes(called) && isFree)
      patches.push({ owner: owner as Patch["owner"], name, trap, own: undefined });
  };
  const globals = globalThis as unknown as Record<string, object | undefined>;
  for (const [ownerName, names, cure] of RULES) {
    const owner = globals[ownerName];
    for (const name of names) {
      const called = ownerName === "globalThis" ? name : `${ownerName}.${name}`;
      if (owner) add(owner, name, called, () => forbid(called, cure));
      else known.add(called);
    }
  }
  const date = globals["Date"] as unknown as new (...parts: unknown[]) => object;
  add(globalThis, "Date", "new Date()", dateTrap(date));
  for (const called of allow)
    if (!known.has(called))
      refuse("guard: allow", `calls that it knows: ${[...known].join(", ")}`, called, '["Math.sin"]');
  return patches;
}

/** `Date` itself, but for what asks the clock: a date of given parts in UTC is as good as any number. */
function dateTrap(date: new (...parts: unknown[]) => object): unknown {
  const cure = "the step's own time or tick";
  return new Proxy(date, {
    apply: () => forbid("Date()", cure, "new Date()"),
    construct: (target, parts, made) =>
      parts.length === 0 ? forbid("new Date()", cure) : (Reflect.construct(target, parts, made) as object),
  });
}

function forbid(called: string, cure: string, allowed = called): never {
  throw new Error(
    `step: ${called} must not be called: it would make the simulation differ elsewhere. Use ${cure}. If a library calls it and you accept the risk: guard({ allow: ["${allowed}"] }).`,
  );
}
