import type { Duplex } from "node:stream";
import { newCode } from "./codes.js";
import type { HostStats } from "./host-stats.js";
import type { Listing, Ticket } from "./ticket.js";

/** Where rooms run: this process, or another one. */
export interface HostPort {
  /** Why it takes no new rooms; undefined if it does. */
  readonly overload: string | undefined;
  /** Rooms, meetings included. New ones are created where there are fewest. */
  readonly rooms: number;
  accept(ticket: Ticket, socket: Duplex, head: Uint8Array): void;
  stats(): HostStats;
}

/** Returns the one with the fewest rooms. */
export function emptiest<H extends HostPort>(hosts: Iterable<H>): H | undefined {
  let best: H | undefined;
  for (const host of hosts) if (!best || host.rooms < best.rooms) best = host;
  return best;
}

/** A room, and where it runs. */
export interface Place {
  readonly host: HostPort;
  listing: Listing;
}

/** All rooms of the server, and where they run. */
export class Directory {
  readonly #places = new Map<string, Place>();
  /** Rooms of a process that died, until another one continues them. */
  readonly #awaited = new Map<string, Promise<void>>();
  /** Codes of public rooms with a free seat. */
  readonly #open = new Set<string>();

  get size(): number {
    return this.#places.size;
  }

  find(code: string, kind: Ticket["kind"]): Place | undefined {
    const place = this.#places.get(code);
    return place?.listing.kind === kind ? place : undefined;
  }

  /** Those who ask for this room wait until `resumed` is settled. */
  waitFor(code: string, resumed: Promise<void>): void {
    const done = resumed
      .catch(() => {})
      .then(() => {
        if (this.#awaited.get(code) === done) this.#awaited.delete(code);
      });
    this.#awaited.set(code, done);
  }

  /** Finds a room, also one that is about to be continued. */
  async findSoon(code: string, kind: Ticket["kind"]): Promise<Place | undefined> {
    await this.#awaited.get(code);
    return this.find(code, kind);
  }

  /** A room was created, or has changed. */
  list(host: HostPort, listing: Listing): void {
    this.#places.set(listing.code, { host, listing });
    if (listing.isPublic && listing.free > 0) this.#open.add(listing.code);
    else this.#open.delete(listing.code);
  }

  unlist(host: HostPort, code: string): void {
    if (this.#places.get(code)?.host !== host) return;
    this.#places.delete(code);
    this.#open.delete(code);
  }

  /** Returns a public room with a free seat, and takes the seat until the room's host says otherwise. */
  takeOpen(): Place | undefined {
    for (const code of this.#open) {
      const place = this.#places.get(code)!;
      this.list(place.host, { ...place.listing, free: place.listing.free - 1 });
      return place;
    }
    return undefined;
  }

  /** Returns a code that no room has. */
  freshCode(): string {
    for (;;) {
      const code = newCode();
      if (!this.#places.has(code)) return code;
    }
  }

  /** Forgets the rooms of a host that is gone, and returns them. */
  dropHost(host: HostPort): Listing[] {
    const lost = [...this.#places.values()].filter((place) => place.host === host);
    for (const { listing } of lost) this.unlist(host, listing.code);
    return lost.map(({ listing }) => listing);
  }
}
