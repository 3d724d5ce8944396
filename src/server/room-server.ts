import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { systemNow, systemWall } from "../drivers/index.js";
import { requireOptions } from "../errors/index.js";
import type { AnySimulation } from "../sim/index.js";
import { requireSimulation } from "../sim/simulation.js";
import type { HostPort } from "./directory.js";
import { Front } from "./front.js";
import { NO_STATS, sumStats, type HostStats } from "./host-stats.js";
import { jwtChecker } from "./jwt.js";
import { listen, metricsServer, playerServer } from "./listening.js";
import { logTo, type Log } from "./log.js";
import { metricsText, type ServerStats } from "./metrics.js";
import { checkedServerOptions, type CheckedServerOptions, type RoomServerOptions } from "./options.js";
import { Recordings } from "./recordings.js";
import { RoomHost } from "./room-host.js";
import { loadHandshakes } from "./ws-package.js";

/** A server that hosts rooms. */
export interface RoomServer {
  /** The port that it listens on. */
  readonly port: number;
  /** Its address, for `joinRoom` on the same machine. */
  readonly address: string;
  /** The port of `/metrics`; undefined if there is none. */
  readonly metricsPort: number | undefined;
  /** Returns the figures of this moment. */
  stats(): ServerStats;
  /**
   * Stops: creates no new rooms, lets running ones go on for `grace` seconds, saves them if there is a folder for it, and tells the
   * clients to come back. Resolves when all is written. A second call does not wait any longer.
   */
  close(options?: { readonly grace?: number | undefined }): Promise<void>;
}

/** The processes that run rooms. */
export interface Hosts {
  readonly ports: readonly HostPort[];
  readonly restarts: number;
  /** The counters of processes that have ended. */
  readonly past: HostStats;
  /** Ends all rooms, and saves those that can be continued. */
  close(): Promise<void>;
}

/**
 * Hosts rooms of a game over WebSockets: quick play, private rooms by code, spectators, reconnection, and meetings for peer-to-peer
 * games. Needs the package `ws`. `npx tickwise serve` is the same as a command.
 */
export async function roomServer(game: AnySimulation, options: RoomServerOptions = {}): Promise<RoomServer> {
  const checked = checkedServerOptions(options);
  requireSimulation("roomServer", game);
  if (checked.replays !== undefined) await Recordings.finishLost(checked.replays);
  return startServer(checked, async (front) => {
    const ports: HostPort[] = [];
    const host = await RoomHost.open(
      game,
      checked,
      front.eventsOf(() => ports[0]!),
    );
    ports.push(localPort(host));
    await host.resumeAll();
    return { ports, restarts: 0, past: NO_STATS, close: () => host.close() };
  });
}

function localPort(host: RoomHost): HostPort {
  return {
    get overload() {
      return host.overload;
    },
    get rooms() {
      return host.rooms;
    },
    get load() {
      return host.rooms;
    },
    accept: (ticket, socket, head) => host.accept(ticket, socket, head),
    stats: () => host.stats(),
  };
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
    await running.close({ grace: 0 });
    throw error;
  }
  log("info", "listening", { port: running.port, host: options.host });
  return running;
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

/** Milliseconds between two looks whether all rooms have finished. */
const LOOK = 100;

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
    // Not later than an earlier call wanted.
    this.#closeAt = this.#closing ? systemNow() : systemNow() + grace * 1000;
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const { front, hosts, server, metrics, log } = this.#parts;
    front.isDraining = true;
    log("info", "stopping", { rooms: front.directory.size, connections: front.connections });
    while (front.connections > 0 && systemNow() < this.#closeAt)
      await new Promise((resolve) => setTimeout(resolve, LOOK));
    clearInterval(this.#timer);
    server.close();
    await hosts.close();
    server.closeAllConnections();
    metrics?.close();
    metrics?.closeAllConnections();
    log("info", "stopped");
  }
}
