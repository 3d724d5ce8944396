import type { ServerStats } from "./metrics.js";

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
