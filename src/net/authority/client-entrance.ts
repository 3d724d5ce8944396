import { layoutProblem } from "../handshake.js";
import type { Link } from "../link.js";
import {
  APPLICATION,
  COMMANDS,
  DESCRIPTION,
  HELLO,
  jsonMessage,
  LEAVE,
  message,
  readJson,
  readRejection,
  REJECT,
  SNAPSHOT,
  type Rejection,
} from "../messages.js";
import { MAX_APPLICATION } from "../application-messages.js";
import type { ClientCore } from "./client-core.js";
import { readRouted } from "./client-messages.js";
import type { ServerEvent } from "./client-net.js";
import { MAX_COMMAND_BYTES } from "./command-message.js";
import { Connection } from "./connection.js";
import type { InputsFollower } from "./inputs-follower.js";
import { JOIN, joinOf, NEWS, readNews, readWelcome, WELCOME } from "./messages.js";

/** Longest state, description and news that are accepted, in bytes. */
const MAX_SNAPSHOT = 2 ** 28;
const MAX_DESCRIPTION = 2 ** 20;
const MAX_NEWS = 2 ** 17;

interface EntranceOptions {
  onPacket(bytes: Uint8Array, now: number): void;
  /** The server let the client in, and gave it seats. */
  welcomed(seats: readonly number[]): void;
}

/** How a client gets into a game: it asks to join, and gets seats and a state. */
export class ClientEntrance {
  readonly #core: ClientCore;
  readonly #follower: InputsFollower;
  readonly #options: EntranceOptions;
  #askedAt = 0;
  #isGone = false;
  /** When the server let the client in, and how long it took to answer, in milliseconds. */
  welcomedAt = 0;
  firstRoundTrip = 0;

  constructor(core: ClientCore, follower: InputsFollower, options: EntranceOptions) {
    this.#core = core;
    this.#follower = follower;
    this.#options = options;
  }

  /** Asks to join over a link. An older link is closed. */
  enter(link: Link): void {
    const { simulation, settings, now } = this.#core;
    const old = this.#core.connection;
    this.#core.connection = undefined;
    old?.close("replaced by a newer link");
    this.#core.clock.reset();
    this.#core.lead.reset();
    const connection: Connection = new Connection(link, now, {
      onPacket: (bytes, at) => this.#options.onPacket(bytes, at),
      onControl: (type, body, at) => this.#onControl(connection, type, body, at),
      onTransfer: (kind, bytes) => this.#onTransfer(connection, kind, bytes),
      accepts: (kind, total) => this.#accepts(kind, total),
      onClosed: (reason) => {
        if (this.#core.connection === connection) this.#gone(reason);
      },
    });
    this.#core.connection = connection;
    this.#isGone = false;
    this.#askedAt = now();
    const { name, token, seats, count } = settings;
    // On a new link, the same seats as before.
    const wanted = this.#core.seats.length > 0 ? this.#core.seats : seats;
    const join = joinOf(simulation, { role: "client", name, token, seats: wanted, count, wire: "" });
    connection.send(jsonMessage(JOIN, join), true);
    if (link.state === "closed") connection.close("the link was closed");
  }

  #onControl(connection: Connection, type: number, body: Uint8Array, now: number): void {
    switch (type) {
      case WELCOME:
        return this.#onWelcome(connection, body, now);
      case REJECT: {
        const rejection = readRejection(readJson(body));
        if (!rejection) return connection.fault("a malformed rejection");
        return this.#reject(connection, rejection);
      }
      case HELLO:
        return this.#reject(connection, {
          code: "protocol",
          text: "the other side is a peer, not a server: play with peerSession",
        });
      case LEAVE:
        return connection.close("the server left");
      default:
        return connection.fault(`a message of the unknown type ${type}`);
    }
  }

  #onWelcome(connection: Connection, body: Uint8Array, now: number): void {
    const welcome = readWelcome(readJson(body), this.#core.simulation.players);
    if (!welcome) return connection.fault("a malformed welcome");
    const { seats } = this.#core;
    this.#core.welcome = welcome;
    this.welcomedAt = now;
    this.firstRoundTrip = now - this.#askedAt;
    if (String(seats) !== String(welcome.seats) || seats.length === 0) this.#options.welcomed(welcome.seats);
  }

  #reject(connection: Connection, rejection: Rejection): void {
    this.#core.connection = undefined;
    connection.close(rejection.text);
    this.#core.net.emit("rejected", rejection);
  }

  #onTransfer(connection: Connection, kind: number, bytes: Uint8Array): void {
    switch (kind) {
      case DESCRIPTION:
        return this.#reject(connection, {
          code: "layout",
          text: layoutProblem(this.#core.simulation, readJson(bytes)),
        });
      case SNAPSHOT:
        return this.#check(connection, this.#follower.onState(bytes));
      case COMMANDS:
        return this.#check(connection, this.#follower.onCommands(bytes));
      case NEWS:
        return this.#onNews(connection, bytes);
      default: {
        const routed = readRouted(bytes);
        if (!routed) return connection.fault("a malformed message");
        const name = this.#core.net.members.find(({ id }) => id === routed.from)?.name ?? "";
        this.#core.net.emit("message", { ...routed, name });
      }
    }
  }

  #check(connection: Connection, problem: string | undefined): void {
    if (problem !== undefined) connection.fault(problem);
  }

  #accepts(kind: number, total: number): boolean {
    const isWelcome = this.#core.welcome !== undefined;
    switch (kind) {
      case DESCRIPTION:
        return !isWelcome && total <= MAX_DESCRIPTION;
      case SNAPSHOT:
        return isWelcome && total <= MAX_SNAPSHOT;
      case COMMANDS:
        return isWelcome && total <= MAX_COMMAND_BYTES;
      case NEWS:
        return total <= MAX_NEWS;
      case APPLICATION:
        return total <= MAX_APPLICATION;
      default:
        return false;
    }
  }

  #onNews(connection: Connection, bytes: Uint8Array): void {
    const news = readNews(readJson(bytes), this.#core.simulation.players);
    if (!news) return connection.fault("malformed news");
    const { net, news: old } = this.#core;
    this.#core.news = news;
    if (JSON.stringify(old?.attendees) !== JSON.stringify(news.attendees))
      net.emit("players", { attendees: news.attendees });
    if ((old?.isPaused ?? false) !== news.isPaused) this.tell(news.isPaused ? "paused" : "resumed", "");
  }

  tell(kind: ServerEvent["kind"], reason: string): void {
    const { net, news, tick } = this.#core;
    const heir = news?.isLeaving === true ? news.heir : 0;
    net.emit("server", { kind, tick, reason, heir, isHeir: heir !== 0 && heir === net.id });
  }

  #gone(reason: string): void {
    if (this.#isGone || this.#core.isDisposed) return;
    this.#isGone = true;
    this.tell("gone", reason);
  }

  /** Notices a server that is silent. */
  poll(now: number): void {
    const { connection, settings } = this.#core;
    if (!connection || connection.isClosed || now - connection.heardAt <= settings.timeout) return;
    connection.close("no news of the server");
  }

  leave(): void {
    const { connection } = this.#core;
    connection?.send(message(LEAVE), true);
    connection?.close("the client left");
  }
}
