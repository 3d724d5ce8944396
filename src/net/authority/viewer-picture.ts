import type { Fields, State, World } from "../../state/index.js";
import { ErrorSmoother } from "../error-smoothing.js";
import type { SmoothingOptions } from "../smoothing-options.js";
import { MAX_EXTRAPOLATION } from "./jitter-buffer.js";
import { extrapolate } from "./viewer-extrapolation.js";

/** States that wait to be shown. If there are more, some between the others are left out. */
const SLOTS = 32;
/** What is shown, the state up to which it is extrapolated, and the picture as it would be without the newest states. */
const VIEW = SLOTS;
const AHEAD = SLOTS + 1;
const BEFORE = SLOTS + 2;

/** The states that a viewer has, and the picture of a moment between two of them. Times are in milliseconds. */
export class ViewerPicture<S extends Fields = Fields> {
  static readonly snapshots = SLOTS + 3;
  readonly #state: State<S>;
  readonly #smoother: ErrorSmoother<S> | undefined;
  /** The slots in use, in order of time, and the free ones. */
  readonly #slots: number[] = [];
  readonly #free = Array.from({ length: SLOTS }, (_, slot) => slot);
  readonly #times = new Float64Array(SLOTS);
  /** The slot that the last picture was extrapolated from; -1 if it was not. */
  #aheadOf = -1;

  constructor(state: State<S>, smoothing: SmoothingOptions | false) {
    this.#state = state;
    if (smoothing !== false) this.#smoother = new ErrorSmoother(state.layout, smoothing);
  }

  /** States that wait to be shown, or are shown. */
  get count(): number {
    return this.#slots.length;
  }

  /** Returns the snapshot to write the next state to. It must be newer than all others. */
  add(time: number): number {
    const slots = this.#slots;
    if (this.#free.length === 0) this.#leaveOut();
    const slot = this.#free.pop()!;
    slots.push(slot);
    this.#times[slot] = time;
    return slot;
  }

  /** Frees the slot whose neighbours are closest to each other. Those at the ends are needed. */
  #leaveOut(): void {
    const slots = this.#slots;
    const times = this.#times;
    let best = 2;
    for (let i = 2; i < slots.length - 1; i++) {
      const gap = times[slots[i + 1]!]! - times[slots[i - 1]!]!;
      if (gap < times[slots[best + 1]!]! - times[slots[best - 1]!]!) best = i;
    }
    this.#drop(best);
  }

  #drop(index: number): void {
    const slot = this.#slots[index]!;
    this.#slots.copyWithin(index, index + 1);
    this.#slots.length--;
    this.#free.push(slot);
  }

  /** Forgets all states. The next picture shows what is right at once. */
  clear(): void {
    while (this.#slots.length > 0) this.#drop(0);
    this.#aheadOf = -1;
    this.#smoother?.clear();
  }

  /** Draws a moment. `ticks` have passed since the last picture, which stays if there is no state. */
  draw(time: number, ticks: number): World<S> {
    const slots = this.#slots;
    const times = this.#times;
    const view = this.#state.at(VIEW);
    if (slots.length === 0) return view;
    const wasAheadOf = this.#aheadOf;
    const newest = slots[slots.length - 1]!;
    const hasNews = wasAheadOf >= 0 && wasAheadOf !== newest;
    // What would be shown, had nothing arrived.
    if (hasNews) this.#blendAhead(BEFORE, wasAheadOf, time);
    while (slots.length > 2 && times[slots[1]!]! <= time) this.#drop(0);
    if (time > times[newest]!) this.#drawAhead(newest, time);
    else this.#drawBetween(time);
    this.#smooth(view, hasNews, ticks);
    return view;
  }

  #smooth(view: World<S>, hasNews: boolean, ticks: number): void {
    const smoother = this.#smoother;
    if (!smoother) return;
    smoother.advance(ticks);
    if (hasNews) smoother.corrected(this.#state.at(BEFORE) as never, view as never);
    smoother.apply(view as never);
  }

  #drawBetween(time: number): void {
    const slots = this.#slots;
    const times = this.#times;
    this.#aheadOf = -1;
    let i = 0;
    while (i < slots.length - 2 && times[slots[i + 1]!]! <= time) i++;
    const from = slots[i]!;
    const to = slots[i + 1] ?? from;
    const span = times[to]! - times[from]!;
    const alpha = span > 0 ? Math.max(0, Math.min(1, (time - times[from]!) / span)) : 0;
    this.#state.blend(VIEW, from, to, alpha, span / 1000);
  }

  #drawAhead(newest: number, time: number): void {
    const slots = this.#slots;
    const times = this.#times;
    if (this.#aheadOf !== newest) {
      this.#aheadOf = newest;
      const before = slots[slots.length - 2] ?? newest;
      const apart = (times[newest]! - times[before]!) / 1000;
      extrapolate(this.#state as never, before, newest, AHEAD, apart, MAX_EXTRAPOLATION / 1000);
    }
    this.#blendAhead(VIEW, newest, time);
  }

  #blendAhead(out: number, from: number, time: number): void {
    const alpha = Math.min(1, (time - this.#times[from]!) / MAX_EXTRAPOLATION);
    this.#state.blend(out, from, AHEAD, alpha, MAX_EXTRAPOLATION / 1000);
  }
}
