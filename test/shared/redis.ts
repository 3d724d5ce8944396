// Starts a Redis of its own for a test: on a free port of loopback, in a temporary folder, without writing to disk.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { connect, createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { findRedis, redisInstall } from "../../scripts/servers.mjs";

/** A running redis-server. */
export interface Redis {
  readonly port: number;
  /** Its address: `redis://127.0.0.1:PORT`. */
  readonly url: string;
  /** Ends it, and removes its folder. */
  stop(): Promise<void>;
  /** Ends it and starts it again on the same port. It is empty afterwards, unless `args` make it keep its data. */
  restart(): Promise<void>;
  /** Ends it without warning (SIGKILL). `restart` starts it again. */
  kill(): Promise<void>;
}

/** Time limit for a start, in milliseconds. Long enough for a busy machine. */
const TIMEOUT = 60_000;

/** Whether redis-server is installed. Tests that need it: `test.skipIf(!hasRedis)`. In CI they run, and fail without it. */
export const hasRedis = process.env.CI === "true" || findRedis() !== undefined;

const MISSING = `redis-server is missing: ${redisInstall()}`;

/** Ends the name of a test that needs Redis. If the test is skipped, it says why, and what to install. */
export const REDIS_NOTE = hasRedis ? "" : ` (${MISSING})`;

/** Starts redis-server; undefined if it is not installed. `args` are added to its command line, for example to keep data. */
export async function startRedis(...args: string[]): Promise<Redis | undefined> {
  const program = findRedis();
  if (program === undefined) {
    if (process.env.CI === "true") throw new Error(MISSING);
    return undefined;
  }
  const folder = await mkdtemp(join(tmpdir(), "tickwise-redis-"));
  const port = await freePort();
  let child = await launch();

  async function launch(): Promise<ChildProcess> {
    const settings = ["--port", `${port}`, "--bind", "127.0.0.1", "--dir", folder, "--loglevel", "warning"];
    const started = spawn(
      program!,
      [...settings, "--save", "", "--appendonly", "no", "--daemonize", "no", ...args],
      { stdio: ["ignore", "ignore", "inherit"] },
    );
    await untilReady(started, port);
    return started;
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill(signal);
    await ended;
  }

  return {
    port,
    url: `redis://127.0.0.1:${port}`,
    async stop() {
      await end("SIGTERM");
      await rm(folder, { recursive: true, force: true });
    },
    async restart() {
      await end("SIGTERM");
      child = await launch();
    },
    kill: () => end("SIGKILL"),
  };
}

/** Waits until it answers PING: it refuses connections at first, and answers with an error while it loads its data. */
async function untilReady(child: ChildProcess, port: number): Promise<void> {
  for (let waited = 0; waited < TIMEOUT; waited += 20) {
    if (child.exitCode !== null) throw new Error(`redis-server ended with status ${child.exitCode}`);
    if (/^(\+PONG|-NOAUTH)/.test(await ping(port))) return;
    await setTimeout(20);
  }
  child.kill("SIGKILL");
  throw new Error(`redis-server did not answer within ${TIMEOUT} ms`);
}

function ping(port: number): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => socket.write("PING\r\n"));
    socket.once("error", () => resolve(""));
    socket.once("close", () => resolve(""));
    socket.once("data", (data) => {
      resolve(data.toString());
      socket.destroy();
    });
  });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
