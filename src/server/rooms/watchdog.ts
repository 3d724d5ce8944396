import { createRequire } from "node:module";
import { createContext, Script } from "node:vm";
import { WatchThread } from "./watch-thread.js";

/** The part of a session of `node:inspector` that is used here. */
interface Inspector {
  connect(): void;
  post(method: string, options: object, done: (error: Error | null) => void): void;
}

/** How calls are ended: by a thread of our own, by a timer of V8 for each call, or by `node:vm`. Each costs more than the one before. */
type Means = "thread" | "timer" | "vm";

/** Calls functions, and ends a call that does not return: V8 stops it wherever it is, in JavaScript or in wasm. */
export class Watchdog {
  readonly #limit: number;
  readonly #means: Means;

  /** `limit`: milliseconds that a call may take. 0 for no limit. `means`: the best means that may be used. */
  constructor(limit: number, means: Means = "thread") {
    this.#limit = limit;
    this.#means = means;
  }

  /** Starts the thread that ends calls, if it is possible here. Returns whether it runs already. */
  static startThread(): boolean {
    if (!thread && WatchThread.isPossible) thread = new WatchThread();
    return thread?.isReady === true;
  }

  /**
   * Calls a function. Returns false if it was ended: what it worked on is then in an unknown state. A limit costs 0.01 to 0.1 ms, so
   * do much in one call. A call within a call that has a limit gets none of its own: the outer one is ended if it hangs.
   */
  run(call: () => void): boolean {
    if (this.#limit === 0 || isRunning) {
      call();
      return true;
    }
    const means = this.#means;
    isRunning = true;
    try {
      const found =
        (means === "vm" ? undefined : evaluate(call, this.#limit, means === "thread")) ??
        runByVm(call, this.#limit);
      if ("error" in found) throw found.error;
      return found.isDone;
    } finally {
      isRunning = false;
    }
  }
}

type Outcome = { readonly isDone: boolean } | { readonly error: unknown };

/** Whether a call with a limit runs. */
let isRunning = false;
/** What is being called, and how far it has come. */
let current: () => void = () => {};
let hasBegun = false;
let outcome: Outcome = { isDone: false };
/** The thread that watches it. */
let watching: WatchThread | undefined;

function runCurrent(): void {
  const call = current;
  hasBegun = true;
  let result: Outcome;
  try {
    call();
    result = { isDone: true };
  } catch (error) {
    result = { error };
  }
  watching?.returned();
  outcome = result;
}

function begin(call: () => void): void {
  current = call;
  hasBegun = false;
  outcome = { isDone: false };
}

/** How the inspector finds the function: only this copy of the module knows the name. */
const NAME = `tickwise watchdog ${Math.random()}`;
let inspector: Inspector | undefined;
let isInspectorTried = false;

function inspectorOfThisThread(): Inspector | undefined {
  if (isInspectorTried) return inspector;
  isInspectorTried = true;
  try {
    // Not imported, as some builds of Node lack it.
    const { Session } = createRequire(import.meta.url)("node:inspector") as { Session: new () => Inspector };
    const session = new Session();
    session.connect();
    Object.defineProperty(globalThis, Symbol.for(NAME), { value: runCurrent });
    inspector = session;
  } catch {
    // Then `runByVm` ends calls.
  }
  return inspector;
}

const PLAIN = { expression: `globalThis[Symbol.for(${JSON.stringify(NAME)})]()`, silent: true };
const ignore = (): void => {};
let thread: WatchThread | undefined;

/**
 * Calls a function as the console of a debugger would: V8 can end it without harm to what called it. Nothing is opened to the outside.
 * A thread of our own watches it. Until that runs, V8 sets a timer for each call, which costs three times as much. Returns undefined if
 * that is not possible here; then nothing was called.
 */
function evaluate(call: () => void, limit: number, usesThread: boolean): Outcome | undefined {
  const session = inspectorOfThisThread();
  if (!session) return undefined;
  begin(call);
  watching = usesThread && Watchdog.startThread() ? thread : undefined;
  if (watching) {
    watching.begin(limit);
    session.post("Runtime.evaluate", PLAIN, ignore);
    watching.ended();
    watching = undefined;
  } else session.post("Runtime.evaluate", { ...PLAIN, timeout: limit }, ignore);
  return hasBegun ? outcome : undefined;
}

let context: object | undefined;
let script: Script | undefined;

/** The same with `node:vm`, which starts a thread and an event loop for each call. They take about 0.1 ms. */
function runByVm(call: () => void, limit: number): Outcome {
  context ??= createContext({ runCurrent });
  script ??= new Script("runCurrent()");
  begin(call);
  try {
    script.runInContext(context, { timeout: limit });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
  }
  return outcome;
}
