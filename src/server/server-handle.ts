import type { ServerStats } from "./metrics.js";

/** A server that hosts rooms. */
export interface RoomServer {
  /** The port that it listens on. */
  readonly port: number;
  /** Its address, for `joinRoom` on the same machine. */
  readonly address: string;
  /** The port of `/metrics`; undefined if there is none. */
  readonly metricsPort: number | undefined;
  /** Returns the current figures. */
  stats(): ServerStats;
  /**
   * Stops: creates no new rooms, lets running ones go on for `grace` seconds, saves them if `saves` is set, and tells the
   * clients to join again. Resolves when everything is written. A second call ends running rooms at once.
   */
  close(options?: { readonly grace?: number | undefined }): Promise<void>;
}
