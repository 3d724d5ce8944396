import { arena, SEATS } from "../../../scenes/arena.js";
import type { InputSource } from "../../../src/input/index.js";
import { peerSession, type Link, type Offer } from "../../../src/net/index.js";
import { hashText } from "../../../src/state/index.js";
import type { Signalling } from "./signalling.js";
import { describeEnd, describePeerTo, describeRejection } from "./describe.js";

export interface PartyOptions {
  /** Whether this page hosts the game; else it joins one. */
  readonly isHost: boolean;
  /** Whether a host was reloaded, and its friends still hold the game. */
  readonly isBack: boolean;
  readonly name: string;
  readonly token: string;
  readonly inputs: InputSource;
  /** Called when a friend takes a seat. */
  onJoin(): void;
  /** Reads the time in milliseconds. */
  readonly now?: () => number;
}

/** A player, for the list. */
export interface Guest {
  readonly seat: number;
  readonly name: string;
  readonly who: "you" | "friend" | "bot";
  /** In milliseconds; undefined if unknown. */
  readonly roundTrip: number | undefined;
}

/** A state that all players agree on. */
export interface Checkpoint {
  readonly tick: number;
  readonly hash: string;
}

/** Ticks between two checkpoints. */
const CHECKPOINT_TICKS = 60;
/** How long a stall lasts before the page says so, in milliseconds. */
const LONG_STALL = 300;

/** A game with friends: the session, and the links to them. */
export class Party {
  readonly session;
  readonly isHost: boolean;
  /** The latest news, and whether it is a problem. */
  news = { text: "", isProblem: false };
  /** Whether an answer of this page waits to be pasted by the host, or a connection is under way. */
  isConnecting = false;
  /** The latest confirmed state at a full second: the same in all pages. */
  checkpoint: Checkpoint | undefined;
  #offer: Offer | undefined;
  readonly #links = new Set<Link>();
  readonly #now: () => number;
  #stall: { readonly since: number; readonly seats: readonly number[] } | undefined;

  constructor({ isHost, isBack, name, token, inputs, onJoin, now }: PartyOptions) {
    this.isHost = isHost;
    this.#now = now ?? (() => performance.now());
    this.session = peerSession(arena, {
      seats: isHost ? [0] : 1,
      name,
      token,
      inputs,
      // A host plays against bots until friends come. One that comes back waits for its old game.
      start: isBack ? 2 : 1,
      desync: "recover",
      // The page tells the players itself.
      warn: false,
      ...(now ? { now } : {}),
    });
    const { net } = this.session;
    this.session.on("confirmed", ({ tick, hash }) => {
      if ((tick + 1) % CHECKPOINT_TICKS === 0)
        this.checkpoint = { tick: tick + 1, hash: hashText(hash()).slice(0, 8) };
    });
    net.on("peer", (event) => {
      const isOwn = event.id === net.id;
      if (event.kind === "joined" && !isOwn) onJoin();
      const text = describePeerTo(event, isOwn);
      if (text) this.#tell(text, event.kind !== "joined" && event.kind !== "connected");
    });
    net.on("rejected", (rejection) => this.#tell(describeRejection(rejection), true));
    net.on("stall", ({ isStalled, seats }) => {
      this.#stall = isStalled ? { since: this.#now(), seats } : undefined;
    });
    net.on("desync", ({ stage, tick }) => {
      if (stage === "found")
        this.#tell(`The two copies of the game differed at tick ${tick}. The host's counts now.`, true);
    });
  }

  /** Whether any friend is connected. */
  get isConnected(): boolean {
    return [...this.#links].some(({ state }) => state === "open");
  }
  /** Whether the invitation waits for its answer. */
  get isInviting(): boolean {
    return this.#offer !== undefined;
  }
  /** Whether there is room for another friend. */
  get hasRoom(): boolean {
    return this.session.net.members.length < SEATS;
  }

  /** Forgets the latest news, as the visitor acts on it. */
  clearNews(): void {
    this.news = { text: "", isProblem: false };
  }

  /** Makes an offer for one friend. An older one that was not answered is void. */
  async invite(signalling: Signalling): Promise<string> {
    this.#offer?.link.close("replaced by a newer invitation");
    this.#offer = undefined;
    const offer = await signalling.offer();
    this.#offer = offer;
    return offer.offer;
  }

  /** Takes the answer of the friend, and connects. Throws if the text is no answer to the invitation. */
  async accept(answer: string): Promise<void> {
    const offer = this.#offer;
    if (!offer) throw new Error("There is no open invitation. Make a new one.");
    await offer.accept(answer);
    this.#offer = undefined;
    this.#add(offer.link);
  }

  /** Answers an offer. Returns the text for the host. Throws if it is no offer. */
  async join(offer: string, signalling: Signalling): Promise<string> {
    const { link, answer } = await signalling.answer(offer);
    for (const other of this.#links) if (other.state === "connecting") other.close("replaced");
    this.#add(link);
    return answer;
  }

  /** Says why the picture stands still; "" if it moves. */
  get banner(): string {
    const { session } = this;
    const { state, members } = session.net;
    if (state === "rejected") return "not in the game";
    if (state === "connecting") return this.isConnected ? "loading the game…" : "waiting for your friend…";
    if (state === "waiting") return "waiting for your friend…";
    if (state === "paused") return "paused";
    if (state === "watching") return "asking for a seat…";
    const stall = this.#stall;
    if (!stall || this.#now() - stall.since < LONG_STALL) return "";
    const names = members
      .filter(({ seats }) => seats.some((seat) => stall.seats.includes(seat)))
      .map(({ name }) => name || "a friend");
    return `waiting for ${names.join(" and ") || "others"}…`;
  }

  /** All seats, and who plays there. */
  get guests(): readonly Guest[] {
    const { net, seats } = this.session;
    return Array.from({ length: SEATS }, (_, seat) => {
      const member = net.members.find((one) => one.seats.includes(seat));
      const who = !member ? "bot" : seats.includes(seat) ? "you" : "friend";
      const peer = net.peers.find(({ id }) => id === member?.id);
      const roundTrip = who === "friend" && peer && peer.roundTrip > 0 ? peer.roundTrip : undefined;
      return { seat, name: member?.name ?? "", who, roundTrip };
    });
  }

  /** Closes all connections, without leaving: the seat is kept for this page. */
  hangUp(): void {
    this.#offer?.link.close("the page was closed");
    for (const link of this.#links) link.close("the page was closed");
  }

  dispose(): void {
    this.hangUp();
    this.session.dispose();
  }

  #add(link: Link): void {
    this.#links.add(link);
    this.isConnecting = link.state === "connecting";
    let wasOpen = link.state === "open";
    link.on("open", () => {
      wasOpen = true;
      this.isConnecting = false;
    });
    link.on("close", (reason) => {
      this.#links.delete(link);
      this.isConnecting = [...this.#links].some(({ state }) => state === "connecting");
      if (reason !== "replaced") this.#tell(describeEnd(reason, wasOpen, this.isHost), true);
    });
    this.session.connect(link);
  }

  #tell(text: string, isProblem: boolean): void {
    this.news = { text, isProblem };
  }
}
