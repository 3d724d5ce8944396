import type { ChildProcess } from "node:child_process";
import { misuse, requireWhole } from "../../errors/index.js";
import type { LogEntry } from "../log.js";
import { checkedServerOptions } from "../options.js";
import type { RoomServer } from "../server-handle.js";
import { startServer } from "../start-server.js";
import type { PlainOptions } from "./messages.js";
import { WorkerPool } from "./worker-pool.js";

/** How workers are started. */
export interface WorkerOptions {
  readonly count: number;
  /** Starts a process that calls `runRoomWorker` with the game. */
  readonly fork: () => ChildProcess;
  readonly log: (entry: LogEntry) => void;
  /** Milliseconds of silence, after which a worker is replaced. Default 10,000. */
  readonly answerWithin?: number | undefined;
}

/** Hosts rooms in several processes. This one listens, and passes each connection on to the process of its room. */
export async function workerServer(options: PlainOptions, workers: WorkerOptions): Promise<RoomServer> {
  const { count, fork, log: write, answerWithin } = workers;
  const checked = checkedServerOptions({ ...options, log: write });
  requireWhole("roomServer: workers", count, 1, 2);
  if (checked.tls)
    misuse(
      "unsupported",
      "roomServer",
      "TLS does not work with workers, as an encrypted connection cannot be passed to another process",
      "Put a proxy in front that ends TLS, such as nginx or Caddy, and leave out tls",
    );
  return startServer(checked, (front, log) =>
    WorkerPool.open({ options: checked, front, log, write, fork, count, answerWithin }),
  );
}
