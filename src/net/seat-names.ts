import type { Member } from "./membership/roster.js";

/** Names that are kept, those of players that left included. */
const MAX_KEPT = 256;

/** Who had which seat, and from when on. */
export class SeatNames {
  readonly #sitters: { readonly seat: number; readonly from: number; readonly name: string }[] = [];

  add({ seats, from, name }: Member): void {
    for (const seat of seats) {
      this.#sitters.push({ seat, from, name });
      if (this.#sitters.length > MAX_KEPT) this.#sitters.shift();
    }
  }

  /** Returns the name of the peer that had a seat in a tick; "" for none. */
  at(seat: number, tick: number): string {
    let name = "";
    for (const sitter of this.#sitters) if (sitter.seat === seat && sitter.from <= tick) name = sitter.name;
    return name;
  }
}
