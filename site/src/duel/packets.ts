import type { ConditionedLink } from "tickwise/net";

/** The packets on one direction of the cable. */
export class Packets {
  readonly #link: ConditionedLink;
  /** When the latest packets were sent, newest first. */
  readonly #sentAt: number[] = [];
  readonly #count: number;
  #sent: number;

  constructor(link: ConditionedLink, count: number) {
    this.#link = link;
    this.#count = count;
    this.#sent = link.fates.sent;
  }

  /** Writes how far each packet has come, 0 to 1; -1 for none. `time` and `lag` are in seconds. */
  write(to: Float64Array, at: number, time: number, lag: number): void {
    const { sent } = this.#link.fates;
    for (; this.#sent < sent; this.#sent++) this.#sentAt.unshift(time);
    this.#sentAt.length = Math.min(this.#sentAt.length, this.#count);
    for (let i = 0; i < this.#count; i++) {
      const age = time - (this.#sentAt[i] ?? -Infinity);
      to[at + i] = age < lag ? age / lag : -1;
    }
  }
}
