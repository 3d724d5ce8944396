// Starts the programs of these tests on the Node that Colyseus needs. They are bundled first, as that Node cannot run TypeScript
// whose imports name .js files. The bundles lie in this folder's node_modules, where they find Colyseus.
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { findColyseusNode } from "../../scripts/colyseus.mjs";
import { hasRedis, REDIS_NOTE } from "../shared/redis.js";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const HERE = fileURLToPath(new URL(".", import.meta.url));
/** The path of the Node that runs Colyseus. */
export const NODE = findColyseusNode();

/** Whether all that the tests need is installed. In CI they run, and fail without it. */
export const canRun = hasRedis && (process.env.CI === "true" || NODE !== undefined);

/** Ends the name of a test. If the test is skipped, it says why. */
export const NOTE =
  NODE === undefined ? " (Colyseus is not installed: npm ci --prefix test/colyseus)" : REDIS_NOTE;

/** A program that exchanges messages with the test. */
export class Program {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, { resolve(reply: never): void; reject(error: Error): void }>();
  #asked = 0;
  /** What it wrote, for failures. */
  output = "";

  constructor(child: ChildProcess) {
    this.#child = child;
    child.on("message", (reply: { id: number; value?: never; error?: string }) => {
      const asked = this.#waiting.get(reply.id);
      this.#waiting.delete(reply.id);
      if (reply.error === undefined) asked?.resolve(reply.value as never);
      else asked?.reject(new Error(reply.error));
    });
    for (const stream of [child.stdout, child.stderr])
      stream?.on("data", (data: Buffer) => (this.output = (this.output + data.toString()).slice(-20_000)));
    child.on("exit", (code, signal) => {
      for (const { reject } of this.#waiting.values())
        reject(new Error(`the program ended (${code ?? signal}):\n${this.output}`));
      this.#waiting.clear();
    });
  }

  get pid(): number {
    return this.#child.pid!;
  }

  get isAlive(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Calls a function of the program, and resolves with what it returns. */
  ask<T>(what: string, ...args: unknown[]): Promise<T> {
    const id = ++this.#asked;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#child.send({ id, what, args });
    });
  }

  /** Ends it with a signal, and resolves when it is gone. */
  async end(signal: NodeJS.Signals = "SIGKILL"): Promise<void> {
    if (!this.isAlive) return;
    const ended = once(this.#child, "exit");
    this.#child.kill(signal);
    await ended;
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }
}

/** Bundles a program of this folder. Returns its path. */
export const bundle = (name: string) => bundleFile(name, join(HERE, `${name}.ts`));

/** Bundles a program of the deployment example, with the package as it is in src. Returns its path. */
export const bundleExample = (name: string) =>
  bundleFile(`deploy-${name}`, join(ROOT, `examples/deploy/${name}.mjs`));

/** The files of src for the subpaths of the package that the example imports. */
const ALIASES = {
  "tickwise/colyseus": "src/colyseus/index.ts",
  "tickwise/net": "src/net/index.ts",
  "tickwise/node": "src/loop/drivers/node.ts",
  "tickwise/sim": "src/sim/index.ts",
  "tickwise/state": "src/state/index.ts",
};

async function bundleFile(name: string, file: string): Promise<string> {
  // One per process, as tests of the same program may run at the same time.
  const outfile = join(HERE, `node_modules/.bundles/${name}-${process.pid}.mjs`);
  await build({
    entryPoints: [file],
    outfile,
    alias: Object.fromEntries(Object.entries(ALIASES).map(([from, to]) => [from, join(ROOT, to)])),
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node22",
    external: ["@colyseus/*", "ioredis", "ws"],
    logLevel: "warning",
  });
  return outfile;
}

/** Starts a bundled program, and resolves when it says that it is ready. */
export async function start(file: string, settings: object): Promise<Program> {
  const child = fork(file, [], {
    execPath: NODE!,
    execArgv: ["--expose-gc"],
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    env: { ...process.env, NODE_ENV: "production", NO_COLOR: "1", SETTINGS: JSON.stringify(settings) },
  });
  const program = new Program(child);
  await program.ask("ready");
  return program;
}

/** Some ports that are free now. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, "127.0.0.1"));
  await Promise.all(servers.map((server) => once(server, "listening")));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => once(server.close(), "close")));
  return ports;
}
