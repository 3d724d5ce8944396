import { realScheduler, type Scheduler } from "../platform/index.js";
import { requireFunction, requireNumber, requireOptions, requireType } from "../errors/index.js";
import { colyseusLink, type ColyseusLink, type ColyseusRoom } from "./colyseus-link.js";
import type { Link } from "./link.js";

/** The part of a client of the Colyseus SDK that `keepJoined` uses. */
export interface ColyseusClient {
  /** Returns to the same place in a room, if its process still keeps it. */
  reconnect(reconnectionToken: string): Promise<ColyseusRoom>;
  /** Joins a room by its id. */
  joinById(roomId: string, options?: object): Promise<ColyseusRoom>;
}

/** Options of `keepJoined`. */
export interface KeepJoinedOptions {
  /** What `joinById` sends to the room: the same as when you joined. Default `{}`. */
  readonly join?: object | undefined;
  /** How many seconds it tries to join again before the room counts as lost. Default 20. */
  readonly timeout?: number | undefined;
  /** Called when the session has a new link. */
  readonly onRejoined?: ((room: ColyseusRoom) => void) | undefined;
  /** Called once, with the reason, if the room has ended or cannot be joined again. */
  readonly onLost?: ((reason: string) => void) | undefined;
  /** The timers. Default: `realScheduler`. */
  readonly scheduler?: Scheduler | undefined;
}

/** What `keepJoined` returns. */
export interface KeptJoined {
  /** The room. Each time it is joined again, this is a new object. */
  readonly room: ColyseusRoom;
  /** `"joined"`, `"rejoining"` after the connection was lost, `"lost"` when that failed, or `"stopped"`. */
  readonly state: "joined" | "rejoining" | "lost" | "stopped";
  /** Stops joining again. Call it before you leave the game. */
  stop(): void;
}

/** A session that can continue over a new link. */
interface Reconnectable {
  connect(link: Link): void;
  readonly net: {
    readonly state: string;
    readonly last?: { readonly rejected?: { readonly text: string } | undefined };
  };
}

const OPTIONS = Object.keys({
  join: 1,
  timeout: 1,
  onRejoined: 1,
  onLost: 1,
  scheduler: 1,
} satisfies Record<keyof KeepJoinedOptions, 1>);

/** Milliseconds between two attempts, and those after which an attempt no longer holds up the next one. */
const PAUSE = 200;
const PATIENCE = 700;

/** The code of a room of `tickwise/colyseus` that is lost for good: its message says why. Also a close code. */
export const ROOM_LOST = 4484;
/** Close codes of Colyseus after which the room may still be there: failed to reconnect, and may try to. */
const MAY_REJOIN = [4003, 4010];
/** Codes of Colyseus that another attempt cannot change: the room lets nobody in, or not this client. */
const FINAL = [ROOM_LOST, 525, 526];

/**
 * Keeps a session in its room: if the connection is lost, or the process of the room ends, it joins the room again and gives the
 * session a new link. If another process has continued the room, the session is connected to that one. Its token gets its seats back.
 *
 * `clients` is the SDK's client, or several if there are several servers without a load balancer: it tries them in turn.
 */
export function keepJoined(
  session: Reconnectable,
  link: ColyseusLink,
  clients: ColyseusClient | readonly ColyseusClient[],
  options: KeepJoinedOptions = {},
): KeptJoined {
  const call = "keepJoined";
  requireType(`${call}: session`, session, "object", "clientSession(game, link)");
  requireFunction(`${call}: session.connect`, session.connect, "clientSession(game, link)");
  requireType(`${call}: link`, link, "object", "colyseusLink(room)");
  requireType(`${call}: link.room`, link.room, "object", "colyseusLink(room)");
  requireOptions(call, options, OPTIONS, "{ timeout: 20 }");
  const all = Array.isArray(clients) ? (clients as readonly ColyseusClient[]) : [clients as ColyseusClient];
  for (const client of all) {
    requireType(`${call}: clients`, client, "object", 'new Client("https://example.com")');
    requireFunction(`${call}: clients.joinById`, client.joinById, 'new Client("https://example.com")');
  }
  requireNumber(`${call}: timeout`, options.timeout ?? 20, 0.1, 3600, 20);
  return new Keeper(session, link, all, options);
}

class Keeper implements KeptJoined {
  room: ColyseusRoom;
  state: KeptJoined["state"] = "joined";
  readonly #session: Reconnectable;
  readonly #clients: readonly ColyseusClient[];
  readonly #options: KeepJoinedOptions;
  readonly #scheduler: Scheduler;
  #link: ColyseusLink;
  /** When it gives up, and how often it has tried. */
  #until = 0;
  #attempts = 0;
  #lastProblem = "";
  #cancel = () => {};

  constructor(
    session: Reconnectable,
    link: ColyseusLink,
    clients: readonly ColyseusClient[],
    options: KeepJoinedOptions,
  ) {
    this.#session = session;
    this.#clients = clients;
    this.#options = options;
    this.#scheduler = options.scheduler ?? realScheduler;
    this.#link = link;
    this.room = link.room;
    this.#watch(link);
  }

  stop(): void {
    if (this.state !== "lost") this.state = "stopped";
    this.#cancel();
  }

  #watch(link: ColyseusLink): void {
    this.#link = link;
    this.room = link.room;
    // Otherwise the SDK would try to reach the process that may be gone, with longer and longer pauses.
    link.room.reconnection.enabled = false;
    link.on("close", (reason) => this.#closed(link, reason));
    if (link.state === "closed") this.#closed(link, "connection lost");
  }

  #closed(link: ColyseusLink, reason: string): void {
    if (this.state !== "joined" || link !== this.#link) return;
    const { endCode } = link;
    if (endCode !== undefined && endCode >= 4000 && !MAY_REJOIN.includes(endCode)) return this.#lost(reason);
    this.state = "rejoining";
    this.#until = this.#scheduler.now() + (this.#options.timeout ?? 20) * 1000;
    this.#lastProblem = reason;
    this.#attempts = 0;
    // Later, as the session may have closed the link because it was rejected, and says so after that.
    this.#after(0, () => this.#attempt());
  }

  #attempt(): void {
    if (this.state !== "rejoining") return;
    const { net } = this.#session;
    if (net.state === "rejected") return this.#lost(net.last?.rejected?.text ?? this.#lastProblem);
    if (this.#scheduler.now() > this.#until) return this.#lost(this.#lastProblem);
    const client = this.#clients[(this.#attempts >> 1) % this.#clients.length]!;
    // The old place first. A room that was restored by another process has none, but it knows the token of the session.
    const isSamePlace = this.#attempts++ % 2 === 0;
    let isOver = false;
    const next = (pause: number) => {
      if (isOver) return;
      isOver = true;
      this.#after(pause, () => this.#attempt());
    };
    this.#after(PATIENCE, () => next(0));
    const joining = isSamePlace
      ? client.reconnect(this.room.reconnectionToken)
      : client.joinById(this.room.roomId, this.#options.join ?? {});
    joining.then(
      (room) => this.#rejoined(room),
      (error: unknown) => {
        if (this.state !== "rejoining") return;
        const { code, message } = error as { code?: number; message?: string };
        this.#lastProblem = (message ?? String(error)) + serverText(client);
        if (!isSamePlace && code !== undefined && FINAL.includes(code)) this.#lost(this.#lastProblem);
        else next(isSamePlace ? 0 : PAUSE);
      },
    );
  }

  #rejoined(room: ColyseusRoom): void {
    // An earlier attempt was faster, or nobody waits any more.
    if (this.state !== "rejoining") return leave(room);
    this.#cancel();
    const link = colyseusLink(room);
    try {
      this.#session.connect(link);
    } catch {
      // The session is disposed: it has left the game.
      this.stop();
      return leave(room);
    }
    this.state = "joined";
    this.#watch(link);
    this.#options.onRejoined?.(room);
  }

  #lost(reason: string): void {
    this.state = "lost";
    this.#cancel();
    this.#options.onLost?.(reason);
  }

  #after(milliseconds: number, call: () => void): void {
    this.#cancel();
    this.#cancel = this.#scheduler.after(milliseconds, call);
  }
}

/** Names the server of a client, if the SDK tells. */
function serverText(client: object): string {
  const { hostname, port, secure } =
    (client as { settings?: { hostname?: string; port?: number; secure?: boolean } }).settings ?? {};
  return hostname ? ` (server: ${secure ? "https" : "http"}://${hostname}${port ? `:${port}` : ""})` : "";
}

function leave(room: ColyseusRoom): void {
  room.leave().catch(() => {});
}
