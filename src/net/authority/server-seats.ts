import type { RejectCode } from "../messages.js";
import type { KeptSeats } from "./handover.js";
import type { Join } from "./messages.js";
import type { ServerClient } from "./server-client.js";

/** Who has which seat, and who may come back to one. */
export class ServerSeats {
  /** By seat: the client that plays it, the server itself, or nobody. */
  readonly owners: (ServerClient | "server" | undefined)[];
  readonly #keepMs: number;
  /** The seats of clients that are gone, by token. */
  readonly #kept = new Map<string, { readonly seats: readonly number[]; readonly until: number }>();

  constructor(players: number, own: readonly number[], keepMs: number) {
    this.owners = Array.from({ length: players }, (_, seat) => (own.includes(seat) ? "server" : undefined));
    this.#keepMs = keepMs;
  }

  /** Chooses seats for a client. Returns why there are none. */
  choose({ seats, count, token }: Join, now: number): readonly number[] | RejectCode {
    this.#forget(now);
    const kept = this.#kept.get(token)?.seats;
    if (kept && (seats.length === 0 ? kept.length === count : String(seats) === String(kept))) return kept;
    const others = this.#keptFor(token);
    const isFree = (seat: number) => this.owners[seat] === undefined && !others.has(seat);
    if (seats.length > 0) return seats.every(isFree) ? seats : "seat taken";
    const free: number[] = [];
    for (let seat = 0; seat < this.owners.length && free.length < count; seat++)
      if (isFree(seat)) free.push(seat);
    return free.length >= count ? free : "game full";
  }

  take(client: ServerClient): void {
    this.#kept.delete(client.token);
    for (const seat of client.seats) this.owners[seat] = client;
  }

  /** Frees the seats of a client. `isKept`: it may come back to them. */
  release({ seats, token }: ServerClient, isKept: boolean, now: number): void {
    if (seats.length === 0) return;
    for (const seat of seats) this.owners[seat] = undefined;
    this.#forget(now);
    if (isKept && this.#keepMs > 0) this.#kept.set(token, { seats, until: now + this.#keepMs });
  }

  /** Keeps seats for clients of a server that is gone. */
  keep(kept: readonly KeptSeats[], now: number): void {
    for (const [token, seats] of kept)
      if (seats.every((seat) => this.owners[seat] === undefined))
        this.#kept.set(token, { seats, until: now + this.#keepMs });
  }

  /** Whose seats another server must keep, if it continues this game. */
  get tokens(): readonly KeptSeats[] {
    const present = new Set(this.owners.filter((owner) => typeof owner === "object"));
    return [
      ...[...present].map(({ token, seats }) => [token, seats] as const),
      ...[...this.#kept].map(([token, { seats }]) => [token, seats] as const),
    ];
  }

  /** Returns the seats that are kept for others. */
  #keptFor(token: string): ReadonlySet<number> {
    const kept = new Set<number>();
    for (const [other, { seats }] of this.#kept)
      if (other !== token) for (const seat of seats) kept.add(seat);
    return kept;
  }

  /** A seat is kept for one client only, so there are never more entries than seats. */
  #forget(now: number): void {
    for (const [token, { seats, until }] of this.#kept)
      if (until <= now || seats.some((seat) => this.owners[seat] !== undefined)) this.#kept.delete(token);
  }
}
