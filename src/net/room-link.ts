import { badValue, requireOptions } from "../errors/index.js";
import { LinkEnd } from "./link-end.js";
import type { Link, LinkEvents } from "./link.js";
import { readGreeting, type RoomEnd, type RoomGreeting } from "./room-lobby.js";
import { endOfEvent, firstText, openRoomSocket, requireRoom, type RoomSocketOptions } from "./room-socket.js";
import type { SocketLike } from "./websocket.js";

/** Options of `joinRoom`. */
export interface JoinOptions extends RoomSocketOptions {
  /** `"quick"`: any public room with a free seat, or a new one. `"new"`: a private room. Or the code of a room. Default `"quick"`. */
  readonly room?: string | undefined;
  /** Whether to watch instead of playing. Needs the code of a room. Default false. */
  readonly watch?: boolean | undefined;
}

/** A link to a room of a server: for `clientSession`, `viewerSession` or `peerSession`. */
export interface RoomLink extends Link, RoomGreeting {
  /** Why the server closed the link; undefined while it is open, or if the connection was lost. */
  readonly end: RoomEnd | undefined;
  /** Joins the same room again, with the same token: resolves with a new link to the same seat. `keepInRoom` calls it for you. */
  rejoin(): Promise<RoomLink>;
}

const OPTIONS = Object.keys({
  room: 1,
  watch: 1,
  token: 1,
  jwt: 1,
  webSocket: 1,
  timeout: 1,
  scheduler: 1,
} satisfies Record<keyof JoinOptions, 1>);

/**
 * Joins a room of a room server (`npx tickwise serve`, or `roomServer`), and resolves with the link to it. Show `link.code` to
 * friends. Store `link.code` and `link.token`: with both, a player gets the same seat back after a lost connection.
 *
 * Rejects with a `TickwiseError`: its code is `"refused"` if the server does not let this client in (`value` is a `RoomEnd` that says
 * why), or `"unreachable"`.
 */
export async function joinRoom(address: string, options: JoinOptions = {}): Promise<RoomLink> {
  requireOptions("joinRoom", options, OPTIONS, '{ room: "quick" }');
  const { room = "quick", watch = false } = options;
  requireRoom("joinRoom: room", room);
  if (options.token !== undefined && (room === "quick" || room === "new"))
    badValue("joinRoom: room", "the code of the room that the token is for", options.room, "link.code");
  const path = `rooms/${encodeURIComponent(room)}${watch ? "?watch" : ""}`;
  const socket = openRoomSocket("joinRoom", address, path, options);
  const link: RoomSocketLink = new RoomSocketLink(socket.socket, () =>
    joinRoom(address, { ...options, room: link.code, ...(watch ? {} : { token: link.token }) }),
  );
  link.greeting = await firstText("joinRoom", socket, options, readGreeting);
  return link;
}

/** Messages that may come before anybody listens. */
const MAX_EARLY = 1024;
/** The code of a normal end. */
const NORMAL = 1000;
/** The most letters of a reason, at three bytes each. */
const MAX_REASON = 41;

class RoomSocketLink extends LinkEnd implements RoomLink {
  /** Set as soon as the server has sent it, before anybody has the link. */
  greeting!: RoomGreeting;
  readonly #socket: SocketLike;
  /** Whether the socket keeps a reference to the bytes it sends, as that of `ws` does. */
  readonly #keepsBytes: boolean;
  #end: RoomEnd | undefined;
  /** Messages that came before anybody listened. */
  #early: Uint8Array[] | undefined = [];

  constructor(
    socket: SocketLike,
    readonly rejoin: () => Promise<RoomLink>,
  ) {
    super();
    this.#socket = socket;
    this.#keepsBytes = typeof WebSocket === "undefined" || !(socket instanceof WebSocket);
    socket.binaryType = "arraybuffer";
    socket.addEventListener("message", (event) => {
      const { data } = event as { data: unknown };
      // Texts are the lobby's. The first one is the greeting.
      if (typeof data !== "string") this.receivedData(data);
      else if (this.state === "connecting") this.opened();
    });
    socket.addEventListener("close", (event) => {
      const { reason, end } = endOfEvent(event);
      if (this.state !== "closed") this.#end = end;
      this.closed(reason);
    });
  }

  get room(): string {
    return this.greeting.room;
  }
  get code(): string {
    return this.greeting.code;
  }
  get token(): string {
    return this.greeting.token;
  }
  get expires(): number {
    return this.greeting.expires;
  }
  get mode(): RoomGreeting["mode"] {
    return this.greeting.mode;
  }
  get players(): number {
    return this.greeting.players;
  }
  get end(): RoomEnd | undefined {
    return this.#end;
  }

  override on<E extends keyof LinkEvents>(
    event: E,
    listener: (info: LinkEvents[E]) => void,
    owner?: object,
  ): () => void {
    const off = super.on(event, listener, owner);
    if (event === "message" && this.#early) {
      const early = this.#early;
      // Not within this call: the listener may not be ready. Nothing else can arrive before.
      queueMicrotask(() => {
        this.#early = undefined;
        for (const bytes of early.splice(0)) super.received(bytes);
      });
    }
    return off;
  }

  protected override received(bytes: Uint8Array): void {
    if (!this.#early) super.received(bytes);
    else if (this.#early.length < MAX_EARLY) this.#early.push(bytes);
    else this.close("nobody listens to the link");
  }

  protected transmit(bytes: Uint8Array, reliable: boolean): void {
    this.sendThrough(this.#socket, this.#keepsBytes ? bytes.slice() : bytes, reliable);
  }

  protected shut(reason: string): void {
    this.#socket.close(NORMAL, reason.slice(0, MAX_REASON));
  }
}
