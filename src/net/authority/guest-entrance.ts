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
import { MAX_APPLICATION, readRouted } from "../routed-message.js";
import type { ServerEvent } from "./client-net.js";
import { MAX_COMMAND_BYTES } from "./command-message.js";
import { Connection } from "./connection.js";
import type { GuestCore } from "./guest-core.js";
import {
  attendeesAfter,
  JOIN,
  joinOf,
  NEWS,
  PONG,
  readNews,
  readTime,
  readWelcome,
  STATE_PART,
  TIME,
  WELCOME,
  type Join,
  type Welcome,
} from "./messages.js";

/** Longest state, description and news that are accepted, in bytes. */
const MAX_SNAPSHOT = 2 ** 28;
const MAX_DESCRIPTION = 2 ** 20;
const MAX_NEWS = 2 ** 20;
/** Milliseconds after which the request to join is repeated: the server may not have listened to the link yet. */
const ASK_EVERY = 1000;

interface EntranceOptions {
  readonly role: Join["role"];
  onPacket(bytes: Uint8Array, now: number): void;
  /** A part of a state, or a whole one. */
  onStatePart(bytes: Uint8Array, now: number): void;
  onState(bytes: Uint8Array, now: number): void;
  onCommands(bytes: Uint8Array): string | undefined;
  /** The answer to a sign of life. */
  onPong?(body: Uint8Array, now: number): string | undefined;
  /** The server accepted the guest, and gave it seats. Returns why they do not fit together. */
  welcomed(welcome: Welcome): Rejection | undefined;
}

/** How a client or a viewer gets into a game: it asks to join, and gets seats and a state. */
export class GuestEntrance {
  readonly #core: GuestCore;
  readonly #options: EntranceOptions;
  #askedAt = 0;
  #link: Link | undefined;
  #request: Uint8Array = new Uint8Array();
  #isGone = false;
  /** The server of the newest link accepted the guest. */
  #isWelcome = false;

  constructor(core: GuestCore, options: EntranceOptions) {
    this.#core = core;
    this.#options = options;
  }

  /** Asks to join over a link. An older link is closed. The game goes on once the state has arrived: it may be another one. */
  enter(link: Link): void {
    const { simulation, settings, now } = this.#core;
    const old = this.#core.connection;
    this.#core.connection = undefined;
    old?.close("replaced by a newer link");
    this.#core.forgetTiming();
    this.#core.hasState = this.#isWelcome = false;
    const connection: Connection = new Connection(link, now, {
      receivesStates: true,
      onPacket: (bytes, at) => {
        if (this.#isWelcome) this.#options.onPacket(bytes, at);
      },
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
    // Before that, the request waits.
    link.on("open", () => (this.#askedAt = now()));
    const { name, token, seats, count } = settings;
    // On a new link, the same seats as before.
    const wanted = this.#core.seats.length > 0 ? this.#core.seats : seats;
    const join = joinOf(simulation, { role: this.#options.role, name, token, seats: wanted, count });
    this.#link = link;
    this.#request = jsonMessage(JOIN, join);
    connection.send(this.#request, true);
    if (link.state === "closed") connection.close("the link was closed");
  }

  #onControl(connection: Connection, type: number, body: Uint8Array, now: number): void {
    switch (type) {
      case WELCOME:
        return this.#onWelcome(connection, body, now);
      case STATE_PART:
        if (this.#isWelcome) this.#options.onStatePart(body, now);
        return;
      case PONG: {
        const problem = this.#isWelcome ? this.#options.onPong?.(body, now) : undefined;
        if (problem !== undefined) connection.fault(problem);
        return;
      }
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
      case TIME:
        return this.#onTime(connection, body, now);
      case LEAVE:
        return connection.close("the server left");
      default:
        return connection.fault(`a message of the unknown type ${type}`);
    }
  }

  #onWelcome(connection: Connection, body: Uint8Array, now: number): void {
    const welcome = readWelcome(readJson(body), this.#core.simulation.players);
    if (!welcome) return connection.fault("a malformed welcome");
    if (this.#isWelcome) return connection.fault("a second welcome");
    if (welcome.seats.length !== this.#core.settings.count)
      return connection.fault("a welcome with other seats than were asked for");
    this.#isWelcome = true;
    this.#core.welcome = welcome;
    this.#core.firstRoundTrip = now - this.#askedAt;
    this.#setTick(welcome.tick, now);
    const problem = this.#options.welcomed(welcome);
    if (problem) this.#reject(connection, problem);
  }

  #onTime(connection: Connection, body: Uint8Array, now: number): void {
    const time = readTime(body);
    if (!time) return connection.fault("a malformed time");
    const { news } = this.#core;
    if (!news) return;
    this.#core.news = { ...news, ...time };
    this.#setTick(time.tick, now);
  }

  #setTick(tick: number, now: number): void {
    this.#core.newsTick = tick;
    this.#core.newsAt = now;
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
        return this.#options.onState(bytes, this.#core.now());
      case COMMANDS: {
        const problem = this.#options.onCommands(bytes);
        if (problem !== undefined) connection.fault(problem);
        return;
      }
      case NEWS:
        return this.#onNews(connection, bytes);
      default: {
        const routed = readRouted(bytes);
        if (!routed) return connection.fault("a malformed message");
        const name = this.#core.net.members.find(({ id }) => id === routed.from)?.name ?? "";
        this.#core.net.emit("message", { from: routed.from, name, bytes: routed.bytes });
      }
    }
  }

  #accepts(kind: number, total: number): boolean {
    const isWelcome = this.#isWelcome;
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
    const { net, news: old, now } = this.#core;
    this.#core.news = news;
    this.#setTick(news.tick, now());
    // The time that the pause took would count as latency.
    if (old?.isPaused === true && !news.isPaused) this.#core.forgetTiming();
    const before = this.#core.members;
    const attendees = attendeesAfter(before, news);
    this.#core.members = attendees;
    // Changes are always news; a list may be the same one again.
    const isSame = news.attendees
      ? JSON.stringify(attendees) === JSON.stringify(before)
      : attendees === before;
    if (!isSame) net.emit("players", { attendees });
    if ((old?.isPaused ?? false) !== news.isPaused) this.tell(news.isPaused ? "paused" : "resumed", "");
  }

  tell(kind: ServerEvent["kind"], reason: string): void {
    const { net, news, tick } = this.#core;
    const heir = kind === "gone" ? (news?.heir ?? 0) : 0;
    net.emit("server", { kind, tick, reason, heir, isHeir: heir !== 0 && heir === net.id });
  }

  #gone(reason: string): void {
    if (this.#isGone || this.#core.isDisposed) return;
    this.#isGone = true;
    this.tell("gone", reason);
  }

  /** Repeats a request that was not answered, and notices a server that is silent. */
  poll(now: number): void {
    const { connection, settings } = this.#core;
    if (!connection || connection.isClosed) return;
    if (now - connection.heardAt > settings.timeout) return connection.close("no news of the server");
    if (this.#isWelcome || this.#link?.state !== "open" || now - this.#askedAt < ASK_EVERY) return;
    this.#askedAt = now;
    connection.send(this.#request, true);
  }

  leave(): void {
    const { connection } = this.#core;
    connection?.send(message(LEAVE), true);
    connection?.close("the client left");
  }
}
