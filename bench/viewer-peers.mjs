// How others draw what a server sends. Both take the same snapshots: `{ time, x, y }`, with the time of the server in milliseconds.
import { SnapshotInterpolation } from "@geckos.io/snapshot-interpolation";

/** geckos: its buffer of three send intervals, and its own correction of the clock. */
export class Geckos {
  #interpolation;
  #number = 0;

  constructor(snapshotsPerSecond) {
    this.#interpolation = new SnapshotInterpolation(snapshotsPerSecond);
  }

  /** Its clock is a static function. */
  static setClock(now) {
    SnapshotInterpolation.Now = now;
  }

  take({ time, x, y }) {
    this.#interpolation.snapshot.add({ id: String(this.#number++), time, state: [{ id: "0", x, y }] });
  }

  /** Returns undefined if there is nothing to draw: the picture stays as it is. */
  draw() {
    return this.#interpolation.calcInterpolation("x y")?.state[0];
  }
}

/** Colyseus has no interpolation of its own. Its tutorials move an object by a fifth of the way to the newest state in each frame. */
export class Colyseus {
  #newest;
  #shown;

  take({ x, y }) {
    this.#newest = { x, y };
    this.#shown ??= { x, y };
  }

  draw() {
    if (!this.#shown) return undefined;
    this.#shown.x += (this.#newest.x - this.#shown.x) * 0.2;
    this.#shown.y += (this.#newest.y - this.#shown.y) * 0.2;
    return this.#shown;
  }
}
