import { createContext, Script } from "node:vm";

/** Calls functions, and ends a call that does not return: V8 stops it wherever it is, in JavaScript or in wasm. */
export class Watchdog {
  readonly #limit: number;
  readonly #box: { call: () => void } = { call: () => {} };
  readonly #context = createContext(this.#box);
  readonly #script = new Script("call()");

  /** `limit`: milliseconds that a call may take. 0 for no limit. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /**
   * Calls a function. Returns false if it was ended: what it worked on is then in an unknown state. Each call with a limit starts a
   * thread, which takes about 0.05 ms, so give it much to do at once.
   */
  run(call: () => void): boolean {
    if (this.#limit === 0) {
      call();
      return true;
    }
    this.#box.call = call;
    try {
      this.#script.runInContext(this.#context, { timeout: this.#limit });
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ERR_SCRIPT_EXECUTION_TIMEOUT") return false;
      throw error;
    }
  }
}
