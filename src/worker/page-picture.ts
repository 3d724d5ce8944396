import type { Fields } from "../state/index.js";
import type { ClockOffset } from "./clock-offset.js";
import { FrameTime } from "./frame-time.js";
import type { PageStates } from "./page-states.js";
import type { ShownTime } from "./shown-time.js";
import {
  HEAD_FLAGS,
  HEAD_MOMENT,
  HEAD_NUMBER,
  HEAD_READY,
  HEAD_SPAN,
  IS_REVISION,
  IS_SPECULATED,
} from "./state-head.js";

/** Decides which moment the page shows, from how late the states were, and blends it. */
export class PagePicture<S extends Fields> {
  readonly shown: ShownTime;
  readonly #frameTime = new FrameTime();
  readonly #now: () => number;
  readonly #isSpeculating: boolean;
  /** The time of a frame on its way through the parts, the time since the last one, and when the clock was read. */
  readonly #at = new Float64Array(3);
  /** The number of the newest state whose lag was taken. In an array, as a field would allocate each new number. */
  readonly #seen = new Float64Array([-1]);

  constructor(shown: ShownTime, now: () => number, isSpeculating: boolean) {
    this.shown = shown;
    this.#now = now;
    this.#isSpeculating = isSpeculating;
  }

  /** Reads the clock. Returns where the time is: as a number, it would be allocated. */
  readClock(): Float64Array {
    this.#at[0] = this.#at[READ_AT] = this.#now();
    return this.#at;
  }

  /** Looks how late all new states were. */
  takeLags({ ring, shared }: PageStates<S>, clock: ClockOffset): void {
    const seen = this.#seen[0]!;
    let newest = seen;
    for (let slot = 0; slot < ring.slots; slot++) {
      const version = ring.version(slot);
      const number = ring.read(slot, HEAD_NUMBER);
      if (version === 0 || version & 1 || !(number > seen)) continue;
      const flags = ring.read(slot, HEAD_FLAGS);
      const ready = ring.read(slot, HEAD_READY);
      const lag = ready - (ring.read(slot, HEAD_MOMENT) - ring.read(slot, HEAD_SPAN));
      // The worker has taken the slot meanwhile.
      if (ring.version(slot) !== version) continue;
      newest = Math.max(newest, number);
      // Only then, as reading the clock allocates.
      if (shared && ready - this.#at[READ_AT]! > clock.least) clock.isPast(ready, this.#now());
      // If the worker steps ahead, those states are needed first.
      const isNeeded = (flags & IS_SPECULATED) !== 0 || !this.#isSpeculating;
      if ((flags & IS_REVISION) === 0 && isNeeded && lag > -Infinity) this.shown.add(lag);
    }
    this.#seen[0] = newest;
  }

  /** Blends the picture, at the time that was read last. `elapsed[0]` is the even time since the last frame. Returns whether it starved. */
  draw(states: PageStates<S>, clock: ClockOffset, elapsed: Float64Array): boolean {
    const at = this.#at;
    at[1] = elapsed[0]!;
    elapsed[0] = NaN;
    this.#frameTime.correct(at);
    at[0]! += clock.value;
    this.shown.advance(at);
    return !states.draw(at);
  }

  /** Begins again, as another worker simulates. */
  restart(): void {
    this.#seen[0] = -1;
    this.shown.restart();
  }
}

const READ_AT = 2;
