import { LinkEnd } from "./link-end.js";
import type { Link } from "./link.js";
import { MessagePool } from "./message-pool.js";

/**
 * Creates the two ends of a link within one program. Both kinds of messages arrive at once, within `send`, and none is
 * lost. What a listener sends while a message is delivered arrives after it. `conditioned` makes a bad network of it.
 */
export function loopbackPair(): [Link, Link] {
  const wire = new Wire();
  const ends: [LoopbackEnd, LoopbackEnd] = [new LoopbackEnd(wire), new LoopbackEnd(wire)];
  ends[0].peer = ends[1];
  ends[1].peer = ends[0];
  return ends;
}

class LoopbackEnd extends LinkEnd {
  peer!: LoopbackEnd;
  readonly #wire: Wire;

  constructor(wire: Wire) {
    super("open");
    this.#wire = wire;
  }

  /** @internal */
  deliver(bytes: Uint8Array): void {
    this.received(bytes);
  }

  /** @internal */
  end(reason: string): void {
    this.closed(reason);
  }

  protected transmit(bytes: Uint8Array): void {
    this.#wire.carry(this.peer, bytes);
  }

  protected shut(reason: string): void {
    this.#wire.close(this.peer, reason);
  }
}

/** Carries messages of both directions in the order in which they were sent, one at a time. */
class Wire {
  readonly #pool = new MessagePool();
  /** Where messages go, and the messages, or the reason of a close. Kept when empty, as growing again would allocate. */
  readonly #targets: LoopbackEnd[] = [];
  readonly #messages: (Uint8Array | string)[] = [];
  #count = 0;
  #isBusy = false;

  carry(target: LoopbackEnd, bytes: Uint8Array): void {
    this.#put(target, this.#pool.copy(bytes));
  }

  close(target: LoopbackEnd, reason: string): void {
    this.#put(target, reason);
  }

  #put(target: LoopbackEnd, message: Uint8Array | string): void {
    this.#targets[this.#count] = target;
    this.#messages[this.#count++] = message;
    if (this.#isBusy) return;
    this.#isBusy = true;
    let failed: { readonly error: unknown } | undefined;
    for (let i = 0; i < this.#count; i++) {
      const next = this.#messages[i]!;
      try {
        if (typeof next === "string") this.#targets[i]!.end(next);
        else this.#targets[i]!.deliver(next);
      } catch (error) {
        // An error of a listener must not lose the messages after it.
        failed ??= { error };
      }
      if (typeof next !== "string") this.#pool.give(next);
    }
    this.#count = 0;
    this.#isBusy = false;
    if (failed) throw failed.error;
  }
}
