import { COLYSEUS_MESSAGE } from "../net/colyseus-link.js";
import { systemNow } from "../platform/index.js";
import { LinkEnd } from "../net/link-end.js";
import { closeReason, expectClose, stopReading, type EndableSocket } from "../server/end-socket.js";
import { Bucket } from "../server/rate-limit.js";
import { ENDED, MAY_REJOIN, type ColyseusServerClient } from "./colyseus-types.js";

/** The bytes that may wait for one client, before it is cut off: it does not read. */
const MAX_WAITING = 4 * 1024 * 1024;

/** Pings per second; four times as many at once. */
const PINGS = 20;
/** The state of a socket of ws that is closed. */
const CLOSED = 3;

/** Counts the bytes of all links of a process. */
export interface Traffic {
  bytesIn: number;
  bytesOut: number;
}

/** The server's end of a link over Colyseus. It lives as long as the connection of the client. */
export class ClientLink extends LinkEnd {
  /** Whether the room itself ended the connection for good, so that the client's place is not kept. */
  isEnded = false;
  /** The code of the close frame, if the room ends the connection. */
  closeCode = ENDED;
  readonly #client: ColyseusServerClient;
  readonly #traffic: Traffic;
  /** The socket of the client, if the transport uses ws. */
  readonly #ws: EndableSocket | undefined;
  readonly #pings = new Bucket(PINGS, 4 * PINGS, systemNow());
  /** What sends: Colyseus, which copies the bytes. */
  readonly #output: { readonly bufferedAmount: number; send(bytes: Uint8Array): void };

  constructor(client: ColyseusServerClient, traffic: Traffic) {
    super("open");
    this.#client = client;
    this.#traffic = traffic;
    const ref = client.ref as Partial<EndableSocket>;
    this.#ws = ref.terminate && ref.pause && ref.on ? (ref as EndableSocket) : undefined;
    // Such as a message that is too long.
    this.#ws?.on("error", () => stopReading(this.#ws!));
    this.#ws?.on("ping", () => this.#countPing());
    this.#output = {
      get bufferedAmount() {
        return (client.ref as { bufferedAmount?: number }).bufferedAmount ?? 0;
      },
      send: (bytes) => client.sendBytes(COLYSEUS_MESSAGE, bytes),
    };
  }

  /** Takes a message of the client. */
  deliver(bytes: Uint8Array): void {
    this.#traffic.bytesIn += bytes.length;
    this.receivedData(bytes);
  }

  /** Reports that the connection is gone, or that Colyseus ends it: then nothing is read any more. */
  end(reason: string): void {
    this.closed(reason);
    if (this.#ws && this.#ws.readyState < CLOSED) {
      expectClose(this.#ws);
      this.#ws.pause();
    }
  }

  /** ws answers pings by itself, however many there are. */
  #countPing(): void {
    if (!this.#pings.take(1, systemNow())) this.close("sends too many pings");
  }

  protected transmit(bytes: Uint8Array, reliable: boolean): void {
    if (this.#output.bufferedAmount > MAX_WAITING) return this.close("the client does not read");
    this.#traffic.bytesOut += bytes.length;
    this.sendThrough(this.#output, bytes, reliable);
  }

  protected shut(reason: string): void {
    // A client that was silent may come back; its seats are kept.
    const code = reason === "timeout" ? MAY_REJOIN : this.closeCode;
    this.isEnded = code !== MAY_REJOIN;
    this.#client.leave(code, closeReason(reason));
    if (this.#ws) expectClose(this.#ws);
  }
}
