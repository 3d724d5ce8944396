import { createRequire } from "node:module";
import { createContext, Script } from "node:vm";

/** The part of a session of `node:inspector` that is used here. */
interface Inspector {
  connect(): void;
  post(method: string, options: object, done: (error: Error | null) => void): void;
}

/** Calls functions, and ends a call that does not return: V8 stops it wherever it is, in JavaScript or in wasm. */
export class Watchdog {
  readonly #limit: number;
  readonly #usesInspector: boolean;

  /** `limit`: milliseconds that a call may take. 0 for no limit. Without the inspector of Node, each call takes longer. */
  constructor(limit: number, usesInspector = true) {
    this.#limit = limit;
    this.#usesInspector = usesInspector;
  }

  /**
   * Calls a function. Returns false if it was ended: what it worked on is then in an unknown state. A limit takes about 0.02 ms, so
   * give it much to do at once.
   */
  run(call: () => void): boolean {
    if (this.#limit === 0) {
      call();
      return true;
    }
    const found =
      (this.#usesInspector ? evaluate(call, this.#limit) : undefined) ?? runInThread(call, this.#limit);
    if ("error" in found) throw found.error;
    return found.isDone;
  }
}

type Outcome = { readonly isDone: boolean } | { readonly error: unknown };

/** What is being called, and how far it has come. */
let current: () => void = () => {};
let hasBegun = false;
let outcome: Outcome = { isDone: false };

function runCurrent(): void {
  const call = current;
  hasBegun = true;
  try {
    call();
    outcome = { isDone: true };
  } catch (error) {
    outcome = { error };
  }
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
    // `runInThread` does it.
  }
  return inspector;
}

/**
 * Calls a function as the console of a debugger would, with a timeout: V8 sets a timer of a thread that runs anyway. Nothing is opened
 * to the outside. Returns undefined if that is not possible here: then nothing was called.
 */
function evaluate(call: () => void, limit: number): Outcome | undefined {
  const session = inspectorOfThisThread();
  if (!session) return undefined;
  begin(call);
  const expression = `globalThis[Symbol.for(${JSON.stringify(NAME)})]()`;
  session.post("Runtime.evaluate", { expression, timeout: limit, silent: true }, () => {});
  return hasBegun ? outcome : undefined;
}

let context: object | undefined;
let script: Script | undefined;

/** The same with a thread and an event loop for each call, which take about 0.1 ms. */
function runInThread(call: () => void, limit: number): Outcome {
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
