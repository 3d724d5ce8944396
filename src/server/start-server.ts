import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { systemNow, systemWall } from "../platform/index.js";
import { requireOptions } from "../errors/index.js";
import type { HostPort } from "./directory.js";
import { makeFolder } from "./folders.js";
import { Front } from "./front.js";
import { sumStats, type HostStats } from "./host-stats.js";
import { jwtChecker } from "./jwt.js";
import { listen, metricsServer, playerServer, requireFreePort } from "./listening.js";
import { logTo, type Log } from "./log.js";
import { metricsText, type ServerStats } from "./metrics.js";
import type { CheckedServerOptions } from "./options.js";
import { Recordings } from "./recordings.js";
import { requireTime } from "./require-time.js";
import { SAVES_MODE } from "./saves.js";
import type { RoomServer } from "./server-handle.js";
import { loadHandshakes } from "./ws-package.js";

/** The processes that run rooms. */
export interface Hosts {
  readonly ports: readonly HostPort[];
  readonly restarts: number;
  /** The counters of processes that have ended. */
  readonly past: HostStats;
  /** Ends all rooms, and saves those that can be continued. */
  close(): Promise<void>;
}

/** Starts to listen, with rooms that run wherever `open` says. */
export async function startServer(
  options: CheckedServerOptions,
  open: (front: Front, log: Log) => Promise<Hosts>,
): Promise<RoomServer> {
  const log = logTo(options.log, systemWall);
  let started: Hosts | undefined = undefined;
  const front = new Front(options, {
    hosts: () => (started as Hosts | undefined)?.ports ?? [],
    checkJwt: options.jwt && (await jwtChecker(options.jwt)),
    handshakes: await loadHandshakes("roomServer"),
    log,
  });
  const server = playerServer(options, front);
  // Before anything runs: another process that uses the port may run the saved rooms, too, and write the replays.
  await requirePortsAndFolders(options);
  if (options.replays !== undefined) await Recordings.finishLost(options.replays);
  const hosts = await open(front, log);
  started = hosts;
  const parts: Parts = {
    options,
    front,
    log,
    server,
    hosts: started,
    metrics: undefined,
    address: undefined,
  };
  const running = new RunningServer(parts);
  try {
    parts.address = await listen(server, "port", options.port, options.host);
    if (options.metrics) {
      const { host, port } = options.metrics;
      parts.metrics = metricsServer(options, front, () => metricsText(running.stats()));
      const { port: metricsPort } = await listen(parts.metrics, "metrics port", port, host);
      log("info", "metrics", { port: metricsPort, host });
    }
  } catch (error) {
    await running.end();
    throw error;
  }
  log("info", "listening", { port: running.port, host: options.host });
  return running;
}

/** Throws if a port is in use, or if a folder cannot be written. */
async function requirePortsAndFolders(options: CheckedServerOptions): Promise<void> {
  const { port, host, metrics, replays, saves } = options;
  await requireFreePort("port", port, host);
  if (metrics) await requireFreePort("metrics port", metrics.port, metrics.host);
  if (replays !== undefined) makeFolder("roomServer: replays", replays);
  if (saves !== undefined) makeFolder("roomServer: saves", saves, SAVES_MODE);
}

interface Parts {
  readonly options: CheckedServerOptions;
  readonly front: Front;
  readonly log: Log;
  readonly server: Server;
  readonly hosts: Hosts;
  metrics: Server | undefined;
  address: AddressInfo | undefined;
}

/** Milliseconds between two checks whether all clients have left. */
const POLL_EVERY = 100;

class RunningServer implements RoomServer {
  readonly #parts: Parts;
  readonly #timer: NodeJS.Timeout;
  #closing: Promise<void> | undefined;
  #closeAt = Infinity;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#timer = setInterval(() => parts.front.sweep(), 60_000);
    this.#timer.unref();
  }

  get port(): number {
    return this.#parts.address?.port ?? 0;
  }
  get address(): string {
    const { options, address } = this.#parts;
    const any = ["0.0.0.0", "::"].includes(address?.address ?? "");
    const host = any ? "localhost" : address?.family === "IPv6" ? `[${address.address}]` : address?.address;
    return `${options.tls ? "wss" : "ws"}://${host}:${this.port}`;
  }
  get metricsPort(): number | undefined {
    return (this.#parts.metrics?.address() as AddressInfo | null | undefined)?.port;
  }

  stats(): ServerStats {
    const { hosts, front } = this.#parts;
    return {
      ...sumStats([hosts.past, ...hosts.ports.map((port) => port.stats())]),
      connections: front.connections,
      refused: { ...front.refused },
      isDraining: front.isDraining,
      workers: hosts.ports.length,
      restarts: hosts.restarts,
    };
  }

  close(options: { readonly grace?: number | undefined } = {}): Promise<void> {
    requireOptions("RoomServer.close", options, ["grace"], "{ grace: 10 }");
    const { grace = this.#parts.options.grace / 1000 } = options;
    requireTime("RoomServer.close: grace", "seconds", grace, [0, 1e6], 10);
    // A second call ends the grace period at once.
    this.#closeAt = this.#closing ? systemNow() : systemNow() + grace * 1000;
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const { front, log } = this.#parts;
    front.isDraining = true;
    log("info", "stopping", { rooms: front.directory.size, connections: front.connections });
    while (front.connections > 0 && systemNow() < this.#closeAt)
      await new Promise((resolve) => setTimeout(resolve, POLL_EVERY));
    await this.end();
    log("info", "stopped");
  }

  /** Ends everything at once. */
  async end(): Promise<void> {
    const { hosts, server, metrics } = this.#parts;
    clearInterval(this.#timer);
    server.close();
    await hosts.close();
    server.closeAllConnections();
    metrics?.close();
    metrics?.closeAllConnections();
  }
}
