import { realScheduler } from "../platform/index.js";
import { problemOf, requireFunction, requireOptions } from "../errors/index.js";
import { answerLink, offerLink, type DataChannelOptions, type Offer } from "./data-channel.js";
import type { Link } from "./link.js";
import { readLobbyText, type RoomEnd } from "./room-lobby.js";
import { endOfEvent, firstText, openRoomSocket, requireRoom, type RoomSocketOptions } from "./room-socket.js";
import type { SocketLike } from "./websocket.js";

/** Options of `meetPeers`. */
export interface MeetOptions extends Omit<RoomSocketOptions, "token" | "scheduler">, DataChannelOptions {
  /** `"new"`, or the code of a meeting. Default `"new"`. */
  readonly room?: string | undefined;
  /**
   * Called with a link to each peer, which is still connecting: `onLink: (link) => session.connect(link)`. Called again with a new link
   * if one closes before it has opened.
   */
  readonly onLink: (link: Link, peer: number) => void;
  /** Called if no connection to a peer can be made. Default: nothing. */
  readonly onFailure?: ((error: unknown, peer: number) => void) | undefined;
  /** Called once, when the connection to the server ends. Links to peers stay. */
  readonly onEnd?: ((reason: string, end: RoomEnd | undefined) => void) | undefined;
}

/** A meeting on a room server, through which peers exchange what they need to connect directly. */
export interface Meeting {
  /** The code that lets others in. */
  readonly code: string;
  /** The number of this peer in the meeting. The first one is 1. */
  readonly id: number;
  /** How many others are in the meeting. */
  readonly others: number;
  /** Leaves the meeting: nobody new can connect. Links to peers stay. */
  close(): void;
}

const OPTIONS = Object.keys({
  room: 1,
  onLink: 1,
  onFailure: 1,
  onEnd: 1,
  jwt: 1,
  webSocket: 1,
  timeout: 1,
  iceServers: 1,
  gatherTime: 1,
  rtc: 1,
  scheduler: 1,
} satisfies Record<keyof MeetOptions, 1>);

/**
 * Connects the peers of a game directly, over WebRTC: a room server carries their offers and answers. Everyone who has the code
 * joins the same meeting, and each pair of peers gets one link.
 *
 * Rejects as `joinRoom` does.
 */
export async function meetPeers(address: string, options: MeetOptions): Promise<Meeting> {
  requireOptions("meetPeers", options, OPTIONS, "{ onLink: (link) => session.connect(link) }");
  const { room = "new", onLink, onFailure, onEnd } = options;
  requireRoom("meetPeers: room", room);
  requireFunction("meetPeers: onLink", onLink, "(link) => session.connect(link)");
  if (onFailure !== undefined) requireFunction("meetPeers: onFailure", onFailure);
  if (onEnd !== undefined) requireFunction("meetPeers: onEnd", onEnd);
  const socket = openRoomSocket("meetPeers", address, `signal/${encodeURIComponent(room)}`, options);
  const meeting = new SignalledMeeting(socket.socket, options);
  meeting.begin(await firstText("meetPeers", socket, options, readMeeting));
  return meeting;
}

interface MeetingGreeting {
  readonly code: string;
  readonly id: number;
  readonly members: readonly number[];
}

const isId = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) > 0;

function readMeeting(data: unknown): MeetingGreeting | undefined {
  const { code, id, members } = readLobbyText(data) ?? {};
  const isValid = typeof code === "string" && isId(id) && Array.isArray(members) && members.every(isId);
  return isValid ? { code, id, members: members as number[] } : undefined;
}

/** How often a connection is tried, and milliseconds before the next attempt: more each time. */
const MAX_ATTEMPTS = 5;
const RETRY_AFTER = 250;

/** What peers send each other through the server. */
type Signal = { readonly offer: string } | { readonly answer: string };

class SignalledMeeting implements Meeting {
  #greeting!: MeetingGreeting;
  readonly #socket: SocketLike;
  readonly #options: MeetOptions;
  readonly #members = new Set<number>();
  /** Offers that wait for an answer, by peer. */
  readonly #offers = new Map<number, Offer>();
  /** How many offers of each peer were answered: each takes a connection, so a hostile peer gets no more than it may need. */
  readonly #answered = new Map<number, number>();

  constructor(socket: SocketLike, options: MeetOptions) {
    this.#socket = socket;
    this.#options = options;
    socket.addEventListener("message", (event) => this.#receive((event as { data: unknown }).data));
    socket.addEventListener("close", (event) => {
      const { reason, end } = endOfEvent(event);
      for (const { link } of this.#offers.values()) link.close(reason);
      this.#offers.clear();
      if (this.#greeting) options.onEnd?.(reason, end);
    });
  }

  get code(): string {
    return this.#greeting.code;
  }
  get id(): number {
    return this.#greeting.id;
  }
  get others(): number {
    return this.#members.size;
  }

  close(): void {
    this.#socket.close(1000, "left the meeting");
  }

  /** Makes an offer to everyone who is there already. Those who come later make one to us. */
  begin(greeting: MeetingGreeting): void {
    this.#greeting = greeting;
    for (const peer of greeting.members) {
      this.#members.add(peer);
      void this.#offer(peer, 1);
    }
  }

  #receive(data: unknown): void {
    const { from, joined, left, data: signal } = readLobbyText(data) ?? {};
    if (isId(joined)) this.#members.add(joined);
    if (isId(left)) {
      this.#members.delete(left);
      this.#answered.delete(left);
    }
    if (!isId(from) || typeof signal !== "object" || signal === null) return;
    const { offer, answer } = signal as { offer?: unknown; answer?: unknown };
    if (typeof offer === "string") void this.#answer(from, offer);
    else if (typeof answer === "string") void this.#accept(from, answer);
  }

  /** Offers a connection, again and again if it closes before it has opened. */
  async #offer(peer: number, attempt: number): Promise<void> {
    try {
      const offer = await offerLink(this.#dataChannelOptions);
      const { link } = offer;
      this.#offers.set(peer, offer);
      let isOpen = false;
      link.on("open", () => (isOpen = true));
      link.on("close", (reason) => {
        if (this.#offers.get(peer) === offer) this.#offers.delete(peer);
        if (!isOpen) this.#retry(peer, attempt, reason);
      });
      this.#send(peer, { offer: offer.offer });
      this.#options.onLink(link, peer);
    } catch (error) {
      this.#options.onFailure?.(error, peer);
    }
  }

  #retry(peer: number, attempt: number, reason: string): void {
    const isOver = () => !this.#members.has(peer) || this.#socket.readyState !== 1;
    if (isOver()) return;
    if (attempt === MAX_ATTEMPTS) this.#options.onFailure?.(new Error(reason), peer);
    else
      (this.#options.scheduler ?? realScheduler).after(attempt * RETRY_AFTER, () => {
        if (!isOver()) void this.#offer(peer, attempt + 1);
      });
  }

  async #answer(peer: number, offer: string): Promise<void> {
    const answered = this.#answered.get(peer) ?? 0;
    if (!this.#members.has(peer) || answered >= MAX_ATTEMPTS) return;
    this.#answered.set(peer, answered + 1);
    try {
      const { link, answer } = await answerLink(offer, this.#dataChannelOptions);
      this.#send(peer, { answer });
      this.#options.onLink(link, peer);
    } catch (error) {
      this.#options.onFailure?.(error, peer);
    }
  }

  async #accept(peer: number, answer: string): Promise<void> {
    const offer = this.#offers.get(peer);
    this.#offers.delete(peer);
    try {
      await offer?.accept(answer);
    } catch (error) {
      // Another attempt may follow.
      offer!.link.close(problemOf(error));
    }
  }

  get #dataChannelOptions(): DataChannelOptions {
    const { iceServers, gatherTime, rtc, scheduler } = this.#options;
    return { iceServers, gatherTime, rtc, scheduler };
  }

  #send(to: number, data: Signal): void {
    // A socket takes texts too; a link needs only bytes.
    this.#socket.send(JSON.stringify({ to, data }) as never);
  }
}
