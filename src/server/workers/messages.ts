import type { RoomEnd } from "../../net/room-lobby.js";
import type { HostStats } from "../host-stats.js";
import type { LogEntry } from "../log.js";
import type { RoomServerOptions } from "../options.js";
import type { Listing, Ticket } from "../ticket.js";

/** The options of a server that can be sent to another process. */
export type PlainOptions = Omit<RoomServerOptions, "log" | "seed">;

/** What the process that listens tells a worker. With `accept`, it also sends the socket. */
export type ToWorker =
  | { readonly type: "accept"; readonly ticket: Ticket; readonly head: Uint8Array }
  | { readonly type: "resume"; readonly id: string }
  | { readonly type: "close" };

/** What a worker tells the process that listens. */
export type FromWorker =
  | { readonly type: "ready" }
  | { readonly type: "unready"; readonly reason: string }
  | { readonly type: "listed"; readonly listing: Listing }
  | { readonly type: "unlisted"; readonly code: string }
  | { readonly type: "left"; readonly id: number; readonly refused: RoomEnd | undefined }
  | { readonly type: "resumed"; readonly id: string; readonly isRunning: boolean }
  | { readonly type: "stats"; readonly stats: HostStats; readonly overload: string | undefined }
  | { readonly type: "log"; readonly entry: LogEntry };

/** Milliseconds between two messages with figures. They also show that a worker still answers. */
export const STATS_EVERY = 500;
