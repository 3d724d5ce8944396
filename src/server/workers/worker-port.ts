import type { ChildProcess } from "node:child_process";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { systemNow } from "../../platform/index.js";
import { TickwiseError } from "../../errors/index.js";
import type { HostPort } from "../directory.js";
import { NO_STATS, type HostStats } from "../host-stats.js";
import type { HostEvents, Ticket } from "../ticket.js";
import type { LogEntry } from "../log.js";
import type { FromWorker, ToWorker } from "./messages.js";

/** The error of a worker that cannot run rooms. */
const unready = (reason: string) =>
  new TickwiseError("not-ready", "roomServer", `a worker cannot start: ${reason}`);

/** What a worker is to the process that listens. */
export class WorkerPort implements HostPort {
  readonly pid: number;
  /** Resolves when it can take rooms. Rejects with the reason if it cannot. */
  readonly ready: Promise<void>;
  /** Resolves when it has ended. */
  readonly ended: Promise<void>;
  isReady = false;
  hasEnded = false;
  overload: string | undefined;
  /** When it last said anything. */
  heardAt = systemNow();
  readonly #child: ChildProcess;
  readonly #events: HostEvents;
  #stats: HostStats = NO_STATS;
  /** The codes of its rooms, and of those that it was asked to create, by the connection for which. */
  readonly #codes = new Set<string>();
  readonly #asked = new Map<number, string>();
  /** Connections that it has. */
  readonly #connections = new Set<number>();
  readonly #resuming = new Map<string, (isRunning: boolean) => void>();

  constructor(child: ChildProcess, events: HostEvents, log: (entry: LogEntry) => void) {
    this.#child = child;
    this.#events = events;
    this.pid = child.pid ?? 0;
    this.ended = new Promise((resolve) => {
      child.once("exit", () => {
        this.hasEnded = true;
        this.isReady = false;
        resolve();
      });
    });
    this.ready = new Promise((resolve, reject) => {
      child.on("message", (message: FromWorker) => {
        this.heardAt = systemNow();
        if (message.type === "ready") {
          this.isReady = true;
          resolve();
        } else if (message.type === "unready") reject(unready(message.reason));
        else if (message.type === "log") log(message.entry);
        else this.#receive(message);
      });
      child.once("error", reject);
      void this.ended.then(() => reject(unready("the process ended before it was ready")));
    });
    // Those who wait for it see the reason. Without them, it is in the log.
    this.ready.catch(() => {});
  }

  #receive(message: FromWorker): void {
    switch (message.type) {
      case "listed":
        this.#codes.add(message.listing.code);
        for (const [id, code] of this.#asked) if (code === message.listing.code) this.#asked.delete(id);
        return this.#events.listed(message.listing);
      case "unlisted":
        this.#codes.delete(message.code);
        return this.#events.unlisted(message.code);
      case "left":
        this.#connections.delete(message.id);
        this.#asked.delete(message.id);
        return this.#events.left(message.id, message.refused);
      case "resumed":
        this.#resuming.get(message.id)?.(message.isRunning);
        this.#resuming.delete(message.id);
        return;
      case "stats":
        this.#stats = message.stats;
        this.overload = message.overload;
        return;
      default:
    }
  }

  get rooms(): number {
    return this.#codes.size + this.#asked.size;
  }
  stats(): HostStats {
    return this.#stats;
  }

  /** Sends the socket to the worker, which completes the handshake. */
  accept(ticket: Ticket, socket: Duplex, head: Uint8Array): void {
    // Others join a room that is there, if they are fast enough.
    if (ticket.create?.code === ticket.code) this.#asked.set(ticket.id, ticket.code);
    this.#connections.add(ticket.id);
    const lost = () => {
      socket.destroy();
      this.#asked.delete(ticket.id);
      if (this.#connections.delete(ticket.id)) this.#events.left(ticket.id);
    };
    if (!this.#child.connected) return lost();
    (socket as Socket).setTimeout(0);
    this.#child.send({ type: "accept", ticket, head } satisfies ToWorker, socket as Socket, {}, (error) => {
      if (error) lost();
    });
  }

  /** Continues a saved room there. Resolves with whether it runs. */
  resume(id: string): Promise<boolean> {
    return new Promise((resolve) => {
      this.#resuming.set(id, resolve);
      void this.ended.then(() => resolve(false));
      this.#send({ type: "resume", id });
    });
  }

  /** Asks it to save its rooms and to end. */
  close(): void {
    this.#send({ type: "close" });
  }

  #send(message: ToWorker): void {
    if (this.#child.connected) this.#child.send(message, () => {});
  }

  /** Ends it at once. */
  kill(): void {
    this.#child.kill("SIGKILL");
  }

  /** Releases all connections of a worker that has ended. */
  releaseAll(): void {
    for (const id of this.#connections) this.#events.left(id);
    this.#connections.clear();
  }
}
