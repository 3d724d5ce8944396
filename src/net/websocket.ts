import { badValue, misuse, requireFunction, requireType } from "../errors/index.js";
import { LinkEnd } from "./link-end.js";
import type { Link } from "./link.js";

/** The part of a WebSocket that a link uses. The browser's WebSocket and the `ws` package have it. */
export interface SocketLike {
  /** What messages are received as. The link sets it to `"arraybuffer"`. */
  binaryType: string;
  /** 0: connecting, 1: open, 2: closing, 3: closed. */
  readonly readyState: number;
  /** Bytes that wait to be sent. */
  readonly bufferedAmount: number;
  /** Sends a message. */
  send(bytes: Uint8Array): void;
  /** Closes the socket with a code and a reason, which the peer gets. */
  close(code?: number, reason?: string): void;
  /** Adds a listener for `open`, `message`, `close` and `error`. */
  addEventListener(type: "open" | "message" | "close" | "error", listener: (event: object) => void): void;
}

/**
 * Creates a link over a WebSocket: an address such as `"wss://example.com/game"`, the browser's WebSocket, or a socket of the
 * `ws` package in Node. Create it before the first message arrives.
 *
 * Both kinds of messages arrive in order. To keep the delay short, unreliable ones are dropped while more than 16 KB wait to be
 * sent.
 */
export function websocketLink(socket: string | SocketLike): Link {
  if (typeof socket === "string") return new WebSocketLink(connectTo(socket));
  requireType("websocketLink: socket", socket, "object", '"wss://example.com/game"');
  requireFunction("websocketLink: socket.addEventListener", socket.addEventListener, "a WebSocket");
  return new WebSocketLink(socket);
}

function connectTo(address: string): SocketLike {
  if (typeof WebSocket === "undefined")
    misuse(
      "unsupported",
      "websocketLink",
      "this platform has no WebSocket",
      'Install "ws", and pass new WebSocket(address)',
    );
  try {
    return new WebSocket(address) as never;
  } catch {
    badValue("websocketLink: socket", "a WebSocket or its address", address, '"wss://example.com/game"');
  }
}

const OPEN = 1;
/** The code of a normal end. */
const NORMAL = 1000;
/** The code that stands for none. */
const NO_CODE = 1005;
/** The most bytes that the reason of a close may have. */
const MAX_REASON = 123;

class WebSocketLink extends LinkEnd {
  readonly #socket: SocketLike;
  /** Whether the socket keeps a reference to the bytes it sends, as that of `ws` does. */
  readonly #keepsBytes: boolean;

  constructor(socket: SocketLike) {
    super(socket.readyState > OPEN ? "closed" : socket.readyState === OPEN ? "open" : "connecting");
    this.#socket = socket;
    this.#keepsBytes = typeof WebSocket === "undefined" || !(socket instanceof WebSocket);
    socket.binaryType = "arraybuffer";
    socket.addEventListener("message", (event) => this.receivedData((event as { data: unknown }).data));
    socket.addEventListener("open", () => this.openedWith(socket));
    socket.addEventListener("close", (event) => {
      const { code, reason } = event as { code: number; reason: string };
      const isNormal = code === NORMAL || code === NO_CODE;
      this.closed(reason || (isNormal ? "closed by the peer" : "connection lost"));
    });
    // A close follows. Without a listener, ws would throw.
    socket.addEventListener("error", () => {});
  }

  protected transmit(bytes: Uint8Array, reliable: boolean): void {
    if (this.state === "open")
      this.sendThrough(this.#socket, this.#keepsBytes ? bytes.slice() : bytes, reliable);
    else if (reliable) this.keep(bytes);
  }

  protected shut(reason: string): void {
    // At most three bytes per unit of the text.
    this.#socket.close(NORMAL, reason.slice(0, MAX_REASON / 3));
  }
}
