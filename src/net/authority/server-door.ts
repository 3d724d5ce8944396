import { describeSimulation, helloProblem } from "../handshake.js";
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
  REJECT,
  type RejectCode,
} from "../messages.js";
import type { ServerMessages } from "./server-messages.js";
import type { ClientPackets } from "./client-packets.js";
import { Connection } from "./connection.js";
import {
  JOIN,
  jsonBytes,
  NEWS,
  readJoin,
  RESYNC,
  TIME,
  timeBody,
  WELCOME,
  type Attendee,
  type News,
  type Welcome,
} from "./messages.js";
import { isSeats } from "../membership/roster.js";
import { ServerClient, type ClientHandlers } from "./server-client.js";
import type { ServerCore } from "./server-core.js";
import type { ClientEvent } from "./server-net.js";
import type { ServerSeats } from "./server-seats.js";

/** Milliseconds within which a program must ask to join. */
const JOIN_WITHIN = 5000;
/** Milliseconds between two messages that say nothing but the time. */
const TIME_EVERY = 2000;
/** Milliseconds between two whole states that a client may ask for. */
const RESYNC_EVERY = 500;
/** Clients above which news are sent later, together, and only what changed. */
const MANY = 64;
/** Tokens of clients that were kicked, at most. */
const MAX_BANNED = 10_000;

const attendeeOf = ({ id, name, seats }: ServerClient): Attendee => ({ id, name, seats });

interface DoorOptions {
  readonly packets: ClientPackets;
  /** A client needs the whole state. */
  begin(client: ServerClient): void;
  /** The fingerprint of the codec of states for a client; "" if it gets none. */
  wireOf(client: ServerClient): string;
  readonly messages: ServerMessages;
}

/** Accepts, rejects and drops clients, and tells them who plays. */
export class ServerDoor implements ClientHandlers {
  readonly #core: ServerCore;
  readonly #seats: ServerSeats;
  readonly #wall: () => number;
  readonly #options: DoorOptions;
  /** Those that have a link, but have not been welcomed. */
  readonly #strangers = new Map<ServerClient, number>();
  readonly #banned = new Set<string>();
  #nextId = 2;
  #toldAt = -Infinity;
  /** Who came and who is gone since the last news. */
  readonly #came: ServerClient[] = [];
  readonly #gone: number[] = [];
  #isNewsDue = false;

  constructor(core: ServerCore, seats: ServerSeats, wall: () => number, options: DoorOptions) {
    this.#core = core;
    this.#seats = seats;
    this.#wall = wall;
    this.#options = options;
  }

  open(link: Link): void {
    const { clients, settings, now, tickMs } = this.#core;
    const client = new ServerClient(this.#options.packets, this, tickMs);
    client.connection = new Connection(link, now, client);
    if (clients.length + this.#strangers.size >= 2 * settings.maxClients)
      return this.#reject(client, "game full", "the server has too many connections");
    this.#strangers.set(client, now());
  }

  onTransfer(client: ServerClient, kind: number, bytes: Uint8Array): void {
    if (kind === COMMANDS) this.#options.messages.onCommands(client, bytes);
    else this.#options.messages.onApplication(client, bytes);
  }

  accepts(client: ServerClient, kind: number, total: number): boolean {
    const isKnown = kind === APPLICATION || (kind === COMMANDS && client.seats.length > 0);
    if (client.id === 0 || !isKnown) return false;
    return this.#options.messages.accepts(client, kind, total, this.#core.now());
  }

  onControl(client: ServerClient, type: number, body: Uint8Array, now: number): void {
    const { connection } = client;
    switch (type) {
      case JOIN:
        if (client.id === 0) return this.#onJoin(client, body, now);
        // Clients repeat it until they are answered.
        if (readJoin(readJson(body), this.#core.simulation.players)?.token !== client.token)
          connection.fault("another request to join");
        return;
      case HELLO:
        return this.#reject(client, "protocol", "this is a server: join it with clientSession");
      case REJECT:
        return connection.close("the client rejected the server");
      case LEAVE:
        return this.#part(client, "left", "left", false);
      case RESYNC:
        if (client.id !== 0 && now - client.snapshotAt > RESYNC_EVERY) this.#options.begin(client);
        return;
      default:
        return connection.fault(`a message of the unknown type ${type}`);
    }
  }

  #onJoin(client: ServerClient, body: Uint8Array, now: number): void {
    const { simulation, clients, settings } = this.#core;
    const join = readJoin(readJson(body), simulation.players);
    if (!join) return client.connection.fault("a malformed request to join");
    client.name = join.name;
    const problem = helloProblem(simulation, join);
    if (problem === "describe") return this.#rejectBuild(client);
    if (problem) return this.#reject(client, problem.code, problem.text);
    if (client.isRejected || !isSeats(join.seats, simulation.players))
      return client.connection.fault("a malformed request to join");
    if (this.#banned.has(join.token)) return this.#reject(client, "kicked", "this player was kicked");
    // The same player again, over a new link: the old one is dead.
    const old = clients.find(({ token }) => token === join.token);
    if (old) this.#part(old, "dropped", "replaced by a newer link", true);
    if (clients.length >= settings.maxClients)
      return this.#reject(client, "game full", `the server has ${clients.length} clients already`);
    const isViewer = join.role === "viewer";
    const seats = isViewer ? [] : this.#seats.choose(join, now);
    if (typeof seats === "string")
      return this.#reject(
        client,
        seats,
        seats === "seat taken" ? `seat ${join.seats.join(" or ")} is taken` : "no seat is free",
      );
    client.token = join.token;
    client.isViewer = isViewer;
    this.#welcome(client, seats);
  }

  /** Rejects a client with another build of the simulation. It finds out what differs, and says so. */
  #rejectBuild(client: ServerClient): void {
    const { simulation, net } = this.#core;
    if (client.isRejected) return;
    client.isRejected = true;
    client.connection.sendLong(DESCRIPTION, describeSimulation(simulation));
    const text = "the client has another build of the simulation";
    net.emit("rejected", { code: "layout", text, name: client.name });
  }

  #welcome(client: ServerClient, seats: readonly number[]): void {
    const { simulation, clients, settings, seed, tick } = this.#core;
    const { isViewer } = client;
    client.id = this.#nextId++;
    this.#strangers.delete(client);
    client.sit(simulation.packing, seats, tick, settings.down === "lockstep" && !isViewer);
    if (isViewer) this.#core.viewers++;
    this.#seats.take(client);
    clients.push(client);
    const welcome: Welcome = {
      id: client.id,
      seats,
      down: isViewer ? "states" : settings.down,
      isSecretive: isViewer || settings.secretive,
      wire: this.#options.wireOf(client),
      seed,
      tick,
      hashEvery: settings.hashEvery,
      stateEvery: settings.stateEvery,
      from: tick,
    };
    client.connection.send(jsonMessage(WELCOME, welcome), true);
    this.#options.begin(client);
    if (seats.length > 0) this.#came.push(client);
    this.#tell("joined", client, "");
    this.tellNews();
  }

  #reject(client: ServerClient, code: RejectCode, text: string): void {
    this.#strangers.delete(client);
    client.connection.send(jsonMessage(REJECT, { code, text }), true);
    this.#core.net.emit("rejected", { code, text, name: client.name });
    client.connection.close(text);
  }

  kick(client: ServerClient, reason: string): void {
    if (this.#banned.size < MAX_BANNED) this.#banned.add(client.token);
    client.connection.send(jsonMessage(REJECT, { code: "kicked", text: reason }), true);
    this.#part(client, "dropped", reason, false);
  }

  onClosed(client: ServerClient, reason: string, isHostile: boolean): void {
    this.#strangers.delete(client);
    if (client.id !== 0) this.#part(client, isHostile ? "hostile" : "dropped", reason, !isHostile);
  }

  /** A client is gone. `isKept`: its seats are kept for a while. */
  #part(client: ServerClient, kind: ClientEvent["kind"], reason: string, isKept: boolean): void {
    const { clients, net, now } = this.#core;
    const index = clients.indexOf(client);
    if (index < 0) return client.connection.close(reason);
    clients.splice(index, 1);
    if (client.isViewer) this.#core.viewers--;
    this.#seats.release(client, isKept, now());
    net.forget(client.connection.bytesSent, client.connection.messagesSent);
    net.droppedMessages += client.connection.droppedMessages;
    client.connection.close(reason);
    if (client.seats.length > 0) this.#gone.push(client.id);
    this.#tell(kind, client, reason);
    this.tellNews();
  }

  #tell(kind: ClientEvent["kind"], { id, name, seats }: ServerClient, reason: string): void {
    this.#core.net.emit("client", { kind, id, name, seats, reason, tick: this.#core.tick });
  }

  /** Drops clients that are silent, and sends news now and then. */
  poll(now: number): void {
    const { clients, settings } = this.#core;
    // Backwards, as those that are dropped leave the list.
    for (let i = clients.length - 1; i >= 0; i--) {
      const client = clients[i];
      if (client && now - client.connection.heardAt > settings.timeout)
        this.#part(client, "dropped", "timeout", true);
    }
    for (const [stranger, since] of this.#strangers)
      if (now - since > JOIN_WITHIN) stranger.connection.close("did not ask to join");
    if (this.#isNewsDue) this.#sendNews();
    else if (now - this.#toldAt > TIME_EVERY) this.#sendTime();
  }

  /** Tells all clients who plays, and what the time is. If there are many, soon: then others may have come or left, too. */
  tellNews(): void {
    if (this.#core.clients.length > MANY) this.#isNewsDue = true;
    else this.#sendNews();
  }

  #sendNews(): void {
    if (this.#core.isDisposed) return;
    const { clients, now } = this.#core;
    this.#toldAt = now();
    this.#isNewsDue = false;
    const came = this.#came.splice(0).filter(({ connection }) => !connection.isClosed);
    const gone = this.#gone.splice(0);
    if (clients.length === 0) return;
    const time = this.#time();
    const isShort = clients.length > MANY || (came.length === 0 && gone.length === 0);
    const all = isShort && clients.every(({ hasNews }) => hasNews) ? undefined : this.#allNews(time);
    const changes = isShort ? jsonBytes({ ...time, came: came.map(attendeeOf), gone } satisfies News) : all;
    for (const client of clients) {
      client.connection.sendLong(NEWS, (client.hasNews ? changes : all)!);
      client.hasNews = true;
    }
  }

  #sendTime(): void {
    const { clients, now } = this.#core;
    this.#toldAt = now();
    const bytes = message(TIME, timeBody(this.#time()));
    // Backwards, as one whose link is dead leaves the list.
    for (let i = clients.length - 1; i >= 0; i--) clients[i]?.connection.send(bytes, true);
  }

  /** Returns what all news contain. */
  #time(): Pick<News, "isPaused" | "tick" | "wall" | "heir"> {
    const { clients, settings, isPaused, tick } = this.#core;
    // The client that has played longest hosts next, also if the server dies without a word.
    const heir = settings.whenGone === "migrate" ? clients.find(({ seats }) => seats.length > 0) : undefined;
    return {
      isPaused,
      // A server that stood still, or is paused, is not further than one tick.
      tick: tick + Math.min(1, 1 - this.#core.untilNext(this.#toldAt)),
      wall: this.#wall(),
      heir: heir?.id ?? 0,
    };
  }

  #allNews(time: Pick<News, "isPaused" | "tick" | "wall" | "heir">): Uint8Array {
    const { clients, settings } = this.#core;
    const own = settings.seats.length > 0 ? [{ id: 1, name: settings.name, seats: settings.seats }] : [];
    const playing = clients.filter(({ seats }) => seats.length > 0);
    return jsonBytes({ attendees: [...own, ...playing.map(attendeeOf)], ...time } satisfies News);
  }

  /** Tells all clients that the server leaves, and closes their links. */
  close(): void {
    const { clients } = this.#core;
    this.#sendNews();
    this.#core.viewers = 0;
    for (const client of clients.splice(0)) {
      client.connection.send(message(LEAVE), true);
      client.connection.close("the server left");
    }
    for (const stranger of this.#strangers.keys()) stranger.connection.close("the server left");
  }
}
