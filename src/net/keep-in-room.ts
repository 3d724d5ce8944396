import { realScheduler, type Scheduler } from "../platform/index.js";
import {
  isTickwiseError,
  problemOf,
  requireFunction,
  requireNumber,
  requireOptions,
  requireType,
} from "../errors/index.js";
import type { Link } from "./link.js";
import type { RoomLink } from "./room-link.js";
import type { RoomEnd } from "./room-lobby.js";

/** Options of `keepInRoom`. */
export interface KeepInRoomOptions {
  /** How many seconds it tries to join again. Default 60: as long as a server keeps a seat by default. */
  readonly timeout?: number | undefined;
  /** Called when the session has a new link. */
  readonly onRejoined?: ((link: RoomLink) => void) | undefined;
  /** Called once, with the reason, if the room has ended or cannot be joined again. */
  readonly onLost?: ((reason: string) => void) | undefined;
  /** The timers. Default: `realScheduler`. */
  readonly scheduler?: Scheduler | undefined;
}

/** What `keepInRoom` returns. */
export interface KeptInRoom {
  /** The newest link. */
  readonly link: RoomLink;
  /** `"joined"`, `"rejoining"` after the connection was lost, `"lost"` when that failed, or `"stopped"`. */
  readonly state: "joined" | "rejoining" | "lost" | "stopped";
  /** Stops joining again. Call it before you leave the game. */
  stop(): void;
}

/** A session that can continue over a new link. */
interface Reconnectable {
  connect(link: Link): void;
  readonly net?: {
    readonly state: string;
    readonly last: { readonly rejected?: { readonly text: string } | undefined };
  };
}

const OPTIONS = Object.keys({
  timeout: 1,
  onRejoined: 1,
  onLost: 1,
  scheduler: 1,
} satisfies Record<keyof KeepInRoomOptions, 1>);

/** Milliseconds before the first attempt, and between later ones at most. */
const FIRST_PAUSE = 100;
const MAX_PAUSE = 3000;

/** Ends after which the room is still there, or soon will be. */
const MAY_REJOIN: readonly (RoomEnd | undefined)[] = [undefined, "restarting", "overloaded", "idle"];

/**
 * Keeps a session in its room: if the connection is lost, or the server restarts, it joins the room again and gives the session a new
 * link. Create the session with `{ token: link.token }`, so that it gets its seats back.
 */
export function keepInRoom(
  session: Reconnectable,
  link: RoomLink,
  options: KeepInRoomOptions = {},
): KeptInRoom {
  const call = "keepInRoom";
  requireType(`${call}: session`, session, "object", "clientSession(game, link)");
  requireFunction(`${call}: session.connect`, session.connect, "clientSession(game, link)");
  requireType(`${call}: link`, link, "object", "await joinRoom(address)");
  requireFunction(`${call}: link.rejoin`, link.rejoin, "await joinRoom(address)");
  requireOptions(call, options, OPTIONS, "{ timeout: 60 }");
  requireNumber(`${call}: timeout`, options.timeout ?? 60, 0.1, 1e6, 60);
  for (const name of ["onRejoined", "onLost"] as const)
    if (options[name] !== undefined) requireFunction(`${call}: ${name}`, options[name]);
  return new Keeper(session, link, options);
}

class Keeper implements KeptInRoom {
  link: RoomLink;
  state: KeptInRoom["state"] = "joined";
  readonly #session: Reconnectable;
  readonly #options: KeepInRoomOptions;
  readonly #scheduler: Scheduler;
  #until = 0;
  #cancel = () => {};

  constructor(session: Reconnectable, link: RoomLink, options: KeepInRoomOptions) {
    this.#session = session;
    this.#options = options;
    this.#scheduler = options.scheduler ?? realScheduler;
    this.link = link;
    this.#watch(link);
  }

  stop(): void {
    if (this.state !== "lost") this.state = "stopped";
    this.#cancel();
  }

  #watch(link: RoomLink): void {
    this.link = link;
    link.on("close", (reason) => this.#onClosed(link, reason));
    if (link.state === "closed") this.#onClosed(link, "connection lost");
  }

  #onClosed(link: RoomLink, reason: string): void {
    if (this.state !== "joined" || link !== this.link) return;
    if (!MAY_REJOIN.includes(link.end)) return this.#lost(reason);
    this.state = "rejoining";
    this.#until = this.#scheduler.now() + (this.#options.timeout ?? 60) * 1000;
    this.#tryAfter(FIRST_PAUSE);
  }

  #tryAfter(pause: number): void {
    this.#cancel = this.#scheduler.after(pause, () => void this.#try(pause));
  }

  async #try(pause: number): Promise<void> {
    const { net } = this.#session;
    // The session closed the link, as it was rejected. The server would only say that the token is no longer valid.
    if (net?.state === "rejected") return this.#lost(net.last.rejected?.text ?? "rejected by the game");
    try {
      const link = await this.link.rejoin();
      // It was stopped meanwhile.
      if (this.state !== "rejoining") return link.close("no longer needed");
      this.#rejoined(link);
    } catch (error) {
      if (this.state !== "rejoining") return;
      const end = isTickwiseError(error) ? (error.value as RoomEnd | undefined) : undefined;
      const isLate = this.#scheduler.now() + pause > this.#until;
      if (isLate || !MAY_REJOIN.includes(end)) this.#lost(problemOf(error));
      else this.#tryAfter(Math.min(2 * pause, MAX_PAUSE));
    }
  }

  #rejoined(link: RoomLink): void {
    try {
      this.#session.connect(link);
    } catch {
      // The session is disposed: it has left the game.
      this.stop();
      return link.close("left the game");
    }
    this.state = "joined";
    this.#watch(link);
    this.#options.onRejoined?.(link);
  }

  #lost(reason: string): void {
    this.state = "lost";
    this.#cancel();
    this.#options.onLost?.(reason);
  }
}
