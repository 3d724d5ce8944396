import type { Packing } from "../../input/index.js";
import type { Connection } from "./connection.js";
import { LineQuality } from "../line-quality.js";
import type { VisibleState } from "./visible-state.js";
import { InputBuffer } from "./input-buffer.js";
import { InputQueue } from "./input-queue.js";

/** A client or a viewer, as the server sees it. */
export class ServerClient {
  connection!: Connection;
  readonly quality: LineQuality;
  /** 0 until it was welcomed. */
  id = 0;
  name = "";
  token = "";
  isViewer = false;
  /** It was told who plays. */
  hasNews = false;
  /** It was rejected, as it has another build of the simulation. */
  isRejected = false;
  /** Bytes of long messages that it may send now, and since when. */
  longBytes = 0.5;
  longBytesAt = -0.5;
  /** The seats it plays. */
  seats: readonly number[] = [];
  buffer: InputBuffer | undefined;
  /** In lockstep instead of the buffer. */
  queue: InputQueue | undefined;
  /** The tick before which it knows all inputs; or the newest state that it has, 0 if it has none. */
  ack = 0;
  /** The state that it had acknowledged before that one; 0 if none. */
  olderAck = 0;
  /** What it may see of each state, if that differs from what others see. */
  view: VisibleState | undefined;
  /** When it was last sent the whole state. */
  snapshotAt = -Infinity;
  /** The commands of ticks before this one were sent. */
  commandsSent = 0;

  constructor(tickMs: number) {
    this.quality = new LineQuality(tickMs);
  }

  sit(packing: Packing, seats: readonly number[], from: number, isInLockstep: boolean): void {
    this.seats = seats;
    if (seats.length === 0) return;
    if (isInLockstep) this.queue = new InputQueue(packing, seats);
    else this.buffer = new InputBuffer(packing, seats, from);
  }
}
