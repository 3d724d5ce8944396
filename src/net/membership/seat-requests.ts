import type { SeatRequest } from "../messages.js";
import type { PeerCore } from "../peer-core.js";
import type { Member } from "./roster.js";

/** Most members without a relay, and with one, which is a member too. For more players, `serverSession` with `down: "lockstep"` is made. */
const MAX_MESH = 8;
const MAX_STAR = 65;
/** Milliseconds for which a request for seats is remembered. The peer repeats it. */
const REQUEST_AGE = 3000;
const MAX_REQUESTS = 64;

/** What requests for seats need besides the core. */
export interface SeatRequestOptions {
  /** Milliseconds for which the seat of a dropped member is kept for it. */
  readonly keepSeat: number;
  /** Tells a peer that its request for seats was turned down. */
  refuse(request: SeatRequest, code: "seat taken" | "game full"): void;
}

/** Who wants seats, and who gets them. Seats of members that were dropped are kept for them for a while. */
export class SeatRequests {
  readonly #core: PeerCore;
  readonly #options: SeatRequestOptions;
  readonly #requests = new Map<number, { readonly request: SeatRequest; readonly at: number }>();
  readonly #kept = new Map<number, { readonly id: number; readonly until: number }>();

  constructor(core: PeerCore, options: SeatRequestOptions) {
    this.#core = core;
    this.#options = options;
  }

  get areThereAny(): boolean {
    return this.#requests.size > 0;
  }

  add(request: SeatRequest, now: number): void {
    if (this.#requests.size < MAX_REQUESTS || this.#requests.has(request.id))
      this.#requests.set(request.id, { request, at: now });
  }

  /** Forgets requests that were not repeated. */
  dropOld(now: number): void {
    if (this.#requests.size === 0) return;
    for (const [id, { at }] of this.#requests) if (now - at > REQUEST_AGE) this.#requests.delete(id);
  }

  /** A peer has got its seats. */
  onJoined({ id, seats }: Member): void {
    this.#requests.delete(id);
    for (const seat of seats) this.#kept.delete(seat);
  }

  /** Keeps a seat for a member that was dropped. */
  keep(seat: number, id: number, now: number): void {
    this.#kept.set(seat, { id, until: now + this.#options.keepSeat });
  }

  /** Returns those that join the remaining members, with inputs from a tick on. Turns down those that cannot. */
  joining(remaining: readonly Member[], from: number, now: number): Member[] {
    const joining: Member[] = [];
    const taken = new Set(remaining.flatMap(({ seats }) => seats));
    for (const { request } of this.#requests.values()) {
      const { id, name } = request;
      const seats = this.#seatsFor(request, now);
      if (!seats || remaining.length + joining.length >= this.#room || seats.some((seat) => taken.has(seat)))
        continue;
      for (const seat of seats) taken.add(seat);
      // Not before the inputs of the last owners of these seats end.
      const first = Math.max(from, ...seats.map((seat) => this.#core.members.absentFrom[seat]!));
      joining.push({ id, name, seats, from: first });
    }
    return joining;
  }

  /** The most members. In a mesh of more, peers would send too much: then a relay is needed. */
  get #room(): number {
    return this.#core.members.roster.members[0]!.seats.length > 0 ? MAX_MESH : MAX_STAR;
  }

  /** Returns the seats that a request gets, or undefined. Turns down what cannot be granted. */
  #seatsFor(request: SeatRequest, now: number): readonly number[] | undefined {
    const { id, seats, count } = request;
    const { members } = this.#core;
    const { owners, roster } = members;
    // It sits already; or it came back before anyone noticed that it was gone.
    if (members.streamOf(id)) return undefined;
    const isFree = (seat: number): boolean => {
      const kept = this.#kept.get(seat);
      return !owners[seat] && !(kept && kept.id !== id && kept.until > now);
    };
    const all = owners.map((_, seat) => seat);
    const kept = all.filter((seat) => isFree(seat) && this.#kept.get(seat)?.id === id);
    const free = [...kept, ...all.filter((seat) => isFree(seat) && !kept.includes(seat))];
    const granted = seats.length > 0 ? seats.filter(isFree) : free.slice(0, count);
    const hasRoom = roster.members.length < this.#room;
    if (hasRoom && granted.length === Math.max(seats.length, count) && granted.length > 0)
      return [...granted].sort((a, b) => a - b);
    this.#requests.delete(id);
    const isFull = !hasRoom || owners.every((owner) => owner !== undefined);
    this.#options.refuse(request, isFull ? "game full" : "seat taken");
    return undefined;
  }
}
