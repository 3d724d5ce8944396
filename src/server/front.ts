import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { systemNow } from "../platform/index.js";
import { SUBPROTOCOL, type RoomEnd } from "../net/room-lobby.js";
import { addressGroup, TrustedProxies } from "./addresses.js";
import { Directory, emptiest, type HostPort } from "./directory.js";
import { completeHandshake, refuseSocket, RESTARTING, type Objection } from "./handshake.js";
import type { CheckJwt } from "./jwt.js";
import type { Log } from "./log.js";
import type { CheckedServerOptions } from "./options.js";
import { Bucket, KeyedBuckets } from "./rate-limit.js";
import { readRoute, readSubprotocols, type Credentials, type Route } from "./route.js";
import type { HostEvents, Ticket } from "./ticket.js";
import type { Handshakes, ServerSocket } from "./ws-package.js";

/** The headers that complete a handshake. Those with secrets stay here. */
const HANDSHAKE_HEADERS = ["connection", "upgrade", "sec-websocket-key", "sec-websocket-version"];
const MINUTE = 60;
/** Refusals per second that are logged. */
const LOGGED_REFUSALS = 5;

/** Why a connection was refused before its handshake, by HTTP status. */
const REFUSALS = {
  "bad request": 400,
  "origin not allowed": 403,
  "no such address": 404,
  "too many connections from this address": 429,
  "too many wrong codes": 429,
  "too many connections": 503,
} as const;
type Refusal = keyof typeof REFUSALS;

/** Decides who comes in, and where: limits, origins, tokens, codes. It knows all rooms, but runs none. */
export class Front {
  readonly directory = new Directory();
  /** How often connections were refused, by reason. */
  readonly refused: Record<string, number> = {};
  /** No new rooms are created. */
  isDraining = false;
  readonly #options: CheckedServerOptions;
  readonly #hosts: () => readonly HostPort[];
  readonly #proxies: TrustedProxies;
  readonly #checkJwt: CheckJwt | undefined;
  readonly #refuser: Handshakes;
  readonly #log: Log;
  /** The address of each connection, by its number. */
  readonly #connections = new Map<number, string>();
  readonly #perAddress = new Map<string, number>();
  readonly #wrongCodes: KeyedBuckets;
  readonly #newRooms: KeyedBuckets;
  /** An attack must not fill the log. All refusals are counted. */
  readonly #refusalLog = new Bucket(LOGGED_REFUSALS, 4 * LOGGED_REFUSALS, systemNow());
  #nextId = 1;

  constructor(
    options: CheckedServerOptions,
    parts: {
      /** The processes that run rooms. */
      readonly hosts: () => readonly HostPort[];
      readonly checkJwt: CheckJwt | undefined;
      readonly handshakes: (maxPayload: number, subprotocol: string) => Handshakes;
      readonly log: Log;
    },
  ) {
    const { limits, trustProxy } = options;
    this.#options = options;
    this.#hosts = parts.hosts;
    this.#checkJwt = parts.checkJwt;
    this.#log = parts.log;
    this.#proxies = new TrustedProxies(trustProxy);
    this.#refuser = parts.handshakes(1024, SUBPROTOCOL);
    this.#wrongCodes = new KeyedBuckets(limits.wrongCodesPerMinute / MINUTE, limits.wrongCodesPerMinute);
    this.#newRooms = new KeyedBuckets(limits.newRoomsPerMinute / MINUTE, limits.newRoomsPerMinute);
  }

  get connections(): number {
    return this.#connections.size;
  }

  /** Whether this address is a proxy, which connects for many. */
  isProxy(address: string): boolean {
    return this.#proxies.trusts(address);
  }

  /** Returns what listens to a host. */
  eventsOf(host: () => HostPort): HostEvents {
    return {
      listed: (listing) => this.directory.list(host(), listing),
      unlisted: (code) => this.directory.unlist(host(), code),
      left: (id, refused) => {
        const address = this.#connections.get(id);
        if (address !== undefined && refused === "not-allowed") this.#wrongCodes.take(address, systemNow());
        if (refused !== undefined) {
          this.#count(refused);
          this.#logRefusal("refused by the room", refused);
        }
        this.release(id);
      },
    };
  }

  /** A connection has ended. */
  release(id: number): void {
    const address = this.#connections.get(id);
    if (address === undefined) return;
    this.#connections.delete(id);
    const left = this.#perAddress.get(address)! - 1;
    if (left > 0) this.#perAddress.set(address, left);
    else this.#perAddress.delete(address);
  }

  /** Forgets addresses that have been quiet. */
  sweep(): void {
    const now = systemNow();
    this.#wrongCodes.sweep(now);
    this.#newRooms.sweep(now);
  }

  /** Takes a handshake. The socket must not have been read beyond `head`. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Uint8Array): void {
    // It may break at any time.
    const onError = () => {};
    socket.on("error", onError);
    const { headers } = request;
    const forwarded = [headers["x-forwarded-for"] ?? []].flat().join(",");
    const address = this.#proxies.clientOf(request.socket.remoteAddress ?? "", forwarded || undefined);
    const group = addressGroup(address);
    const route = readRoute(request.url ?? "");
    const credentials = readSubprotocols(headers["sec-websocket-protocol"]);
    const refusal = this.#refusal(request, group, route, credentials);
    if (refusal !== undefined || !route || !credentials)
      return this.#refuseHttp(socket, refusal ?? "bad request");
    const id = this.#nextId++;
    this.#connections.set(id, group);
    this.#perAddress.set(group, (this.#perAddress.get(group) ?? 0) + 1);
    const release = () => this.release(id);
    socket.on("close", release);
    void this.#place(id, group, route, credentials).then((placed) => {
      if (socket.destroyed) return;
      socket.off("close", release);
      socket.off("error", onError);
      if ("end" in placed) return this.#refuse(id, request, socket, head, placed);
      const names = HANDSHAKE_HEADERS.map((name) => [name, headers[name] ?? ""] as const);
      const ticket: Ticket = {
        ...placed.ticket,
        headers: Object.fromEntries([...names, ["sec-websocket-protocol", SUBPROTOCOL]]) as Record<
          string,
          string
        >,
      };
      placed.host.accept(ticket, socket, head);
    });
  }

  /** Returns why a connection is refused at once. */
  #refusal(
    { method, headers }: IncomingMessage,
    group: string,
    route: Route | undefined,
    credentials: Credentials | undefined,
  ): Refusal | undefined {
    const { limits, origins, signal } = this.#options;
    if (this.#connections.size >= limits.connections) return "too many connections";
    if ((this.#perAddress.get(group) ?? 0) >= limits.connectionsPerAddress)
      return "too many connections from this address";
    if (!route || (route.kind === "meeting" && !signal)) return "no such address";
    // Browsers always send an origin. Other programs could claim any.
    const { origin } = headers;
    if (origins && origin !== undefined && !origins.includes(origin)) return "origin not allowed";
    if (method !== "GET" || headers.upgrade?.toLowerCase() !== "websocket" || !credentials)
      return "bad request";
    if (!this.#wrongCodes.allows(group, systemNow())) return "too many wrong codes";
    return undefined;
  }

  /** Finds the room, or a place for a new one. */
  async #place(
    id: number,
    group: string,
    { kind, room, watch }: Route,
    { token, jwt }: Credentials,
  ): Promise<{ readonly host: HostPort; readonly ticket: Omit<Ticket, "headers"> } | Objection> {
    const { limits } = this.#options;
    const now = systemNow();
    const wrong = (end: RoomEnd, reason: string) => {
      this.#wrongCodes.take(group, now);
      return { end, reason };
    };
    const isCode = room !== undefined && room !== "quick" && room !== "new";
    // A token of the room is as good: its holder was let in before. The room checks it, unless one only watches. Meetings have none.
    const hasToken = kind === "room" && isCode && token !== undefined && !watch;
    if (this.#checkJwt && !hasToken) {
      if (jwt === undefined) return wrong("not-allowed", "this server needs a signed token");
      const claims = await this.#checkJwt(jwt);
      if (!claims) return wrong("not-allowed", "the signed token is invalid or has expired");
      if (claims.room !== undefined && claims.room !== room)
        return wrong("not-allowed", "the signed token is for another room");
      // It must not take a seat.
      if (!this.#connections.has(id)) return { end: "idle", reason: "the connection was closed" };
    }
    if (room === undefined) return wrong("unknown-room", "no room has this code");
    if (watch && !isCode) return { end: "unknown-room", reason: "give the code of the room to watch" };
    const base = { id, kind, watch, token: isCode ? token : undefined };
    if (isCode) {
      const place = await this.directory.findSoon(room, kind);
      if (!place) return wrong("unknown-room", "no room has this code");
      return { host: place.host, ticket: { ...base, code: room, create: undefined } };
    }
    const isPublic = room === "quick";
    // If somebody else is faster, the host creates a room instead.
    const open = isPublic ? this.directory.takeOpen() : undefined;
    if (open && this.isDraining)
      return { host: open.host, ticket: { ...base, code: open.listing.code, create: undefined } };
    const code = this.directory.freshCode();
    if (open)
      return { host: open.host, ticket: { ...base, code: open.listing.code, create: { code, isPublic } } };
    if (this.isDraining) return RESTARTING;
    if (this.directory.size >= limits.rooms)
      return { end: "overloaded", reason: "the server has too many rooms" };
    const host = emptiest(this.#hosts().filter(({ overload }) => overload === undefined));
    if (!host) {
      const reason = this.#hosts()[0]?.overload ?? "no process can run it";
      return { end: "overloaded", reason: `the server takes no new rooms: ${reason}` };
    }
    if (!this.#newRooms.take(group, now))
      return { end: "overloaded", reason: "too many new rooms from this address: wait a minute" };
    return { host, ticket: { ...base, code, create: { code, isPublic } } };
  }

  #count(reason: string): void {
    this.refused[reason] = (this.refused[reason] ?? 0) + 1;
  }

  /** Logs a few per second: an attacker must not fill the disk. */
  #logRefusal(reason: string, end?: RoomEnd): void {
    if (this.#refusalLog.take(1, systemNow())) this.#log("info", "refused", { reason, ...(end && { end }) });
  }

  /** Refuses before the handshake: cheap, but browsers do not tell pages why. */
  #refuseHttp(socket: Duplex, refusal: Refusal): void {
    this.#count(refusal);
    this.#logRefusal(refusal);
    const text = `${refusal}\n`;
    socket.end(
      `HTTP/1.1 ${REFUSALS[refusal]} Refused\r\nConnection: close\r\nContent-Type: text/plain\r\nContent-Length: ${text.length}\r\n\r\n${text}`,
    );
    setTimeout(() => socket.destroy(), 1000).unref();
  }

  /** Completes the handshake to say why the client is refused. */
  #refuse(
    id: number,
    { headers }: IncomingMessage,
    socket: Duplex,
    head: Uint8Array,
    objection: Objection,
  ): void {
    const { end, reason } = objection;
    this.#count(end);
    this.#logRefusal(reason, end);
    const onOpen = (ws: ServerSocket) => refuseSocket(ws, objection);
    completeHandshake(this.#refuser, headers, socket, head, onOpen, () => this.release(id));
  }
}
