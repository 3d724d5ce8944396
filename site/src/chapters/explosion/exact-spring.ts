import { DAMPING } from "./map.js";

/** The exact motion of the spring. */
export class ExactSpring {
  #since = 0;
  #x = 0;
  #v = 0;
  #stiffness = 1;

  /** Lets the block go at a time. */
  release(time: number, x: number, v: number, stiffness: number): void {
    [this.#since, this.#x, this.#v, this.#stiffness] = [time, x, v, stiffness];
  }

  /** Continues with another spring. */
  change(time: number, stiffness: number): void {
    const [x, v] = this.at(time);
    this.release(time, x, v, stiffness);
  }

  /** Returns position and velocity. */
  at(time: number): readonly [number, number] {
    const seconds = time - this.#since;
    const decay = DAMPING / 2;
    const turn = Math.sqrt(this.#stiffness - decay * decay);
    const [cos, sin] = [Math.cos(turn * seconds), Math.sin(turn * seconds)];
    const side = (this.#v + decay * this.#x) / turn;
    const size = Math.exp(-decay * seconds);
    const x = size * (this.#x * cos + side * sin);
    return [x, size * turn * (side * cos - this.#x * sin) - decay * x];
  }
}
