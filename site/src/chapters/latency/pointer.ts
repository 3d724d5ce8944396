/** Seconds of a swing, and when it begins: the still picture shows the moment after the wall. */
const PERIOD = 1.8;
const OFFSET = 1.776;
/** Seconds without a pointer until the script goes on, and seconds in which it takes over. */
const IDLE = 3;
const TAKE_OVER = 0.6;

/** Swings from side to side, beyond the wall and back. */
export const scripted = (time: number): number =>
  0.59 - 0.33 * Math.cos((2 * Math.PI * (time + OFFSET)) / PERIOD);

/** The pointer, from 0 to 1 across the picture: the visitor's, or a scripted one while there is none. */
export class DragPointer {
  #place = NaN;
  #movedAt = -Infinity;

  move(place: number, time: number): void {
    this.#place = place;
    this.#movedAt = time;
  }

  at(time: number): number {
    const idle = time - this.#movedAt - IDLE;
    if (idle < 0) return this.#place;
    const target = scripted(time);
    if (idle >= TAKE_OVER) return target;
    return this.#place + (target - this.#place) * (idle / TAKE_OVER);
  }
}
