// Calls between the bench and the processes it starts: { id, call, args } and { id, result } or { id, error }.
import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";

/** Node 22 of the npm package, as Colyseus needs it. All processes run on it, so that the engine is the same for all. */
const LOCAL = fileURLToPath(new URL("node_modules/node/bin/node", import.meta.url));
const NODE = existsSync(LOCAL) ? LOCAL : process.execPath;
const hasTaskset = cpus().length > 1 && spawnSync("taskset", ["--version"]).status === 0;

/** The version of the engine that all processes run on. */
export const engine = () => spawnSync(NODE, ["--version"], { encoding: "utf8" }).stdout?.trim();
/** Whether each process gets a core of its own. */
export const isPinned = hasTaskset;

/** A process that the bench started. It ends with the bench. */
export class Child {
  #process;
  #waiting = new Map();
  #nextId = 1;
  #name;

  constructor(name, file, args, core) {
    const path = fileURLToPath(new URL(file, import.meta.url));
    const command = [NODE, "--expose-gc", path, ...args];
    if (hasTaskset && core !== undefined) command.unshift("taskset", "-c", String(core % cpus().length));
    this.#name = name;
    this.#process = spawn(command[0], command.slice(1), { stdio: ["ignore", "inherit", "inherit", "ipc"] });
    this.#process.on("message", ({ id, result, error }) => {
      const { resolve, reject, timer } = this.#waiting.get(id) ?? {};
      clearTimeout(timer);
      this.#waiting.delete(id);
      if (error === undefined) resolve?.(result);
      else reject?.(new Error(`${name}: ${error}`));
    });
    const fail = (reason) => {
      for (const { reject, timer } of this.#waiting.values()) {
        clearTimeout(timer);
        reject(new Error(`${name}: ${reason}`));
      }
      this.#waiting.clear();
    };
    this.#process.on("error", (error) => fail(error.message));
    this.#process.on("exit", (code, signal) => fail(`the process ended with ${signal ?? code}`));
    process.on("exit", () => this.kill());
  }

  /** Calls a function of the process. Rejects after `seconds` without an answer. */
  call(call, args = {}, seconds = 60) {
    return new Promise((resolve, reject) => {
      const id = this.#nextId++;
      const timer = setTimeout(() => {
        this.#waiting.delete(id);
        reject(new Error(`${this.#name}: ${call} has not returned after ${seconds} s`));
      }, 1000 * seconds);
      this.#waiting.set(id, { resolve, reject, timer });
      this.#process.send({ id, call, args }, (error) => error && reject(error));
    });
  }

  kill() {
    this.#process.kill("SIGKILL");
  }
}

/** Answers the calls of the bench. Ends with it. */
export function answer(functions) {
  process.on("message", async ({ id, call, args }) => {
    try {
      process.send({ id, result: (await functions[call](args)) ?? null });
    } catch (error) {
      process.send({ id, error: error.stack });
    }
  });
  process.on("disconnect", () => process.exit());
}
