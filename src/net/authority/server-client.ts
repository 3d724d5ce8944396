import type { Packing } from "../../input/index.js";
import type { Connection } from "./connection.js";
import { LineQuality } from "../line-quality.js";
import { InputBuffer } from "./input-buffer.js";

/** A client or a viewer, as the server sees it. */
export class ServerClient {
  connection!: Connection;
  readonly quality: LineQuality;
  /** 0 until it was welcomed. */
  id = 0;
  name = "";
  token = "";
  isViewer = false;
  /** The seats it plays. */
  seats: readonly number[] = [];
  buffer: InputBuffer | undefined;
  /** The tick before which it knows all inputs; or the newest state that it has; -1 if it has none. */
  ack = -1;
  /** When it was last sent the whole state. */
  snapshotAt = -Infinity;
  /** The commands of ticks before this one were sent. */
  commandsSent = 0;

  constructor(tickMs: number) {
    this.quality = new LineQuality(tickMs);
  }

  sit(packing: Packing, seats: readonly number[], from: number): void {
    this.seats = seats;
    this.buffer = seats.length > 0 ? new InputBuffer(packing, seats, from) : undefined;
  }
}
