import { requireNumber } from "../../errors/index.js";
import { MAX_SETTING } from "../units.js";
import type { RateInfo } from "../info.js";
import type { Loop } from "../loop.js";
import type { FrameTime, Part } from "../part.js";
import { onePerLoop } from "./one-per-loop.js";
import { speedOf } from "./timestamps.js";

/** Makes up for lost time in later frames: see `catchUp`. */
export interface CatchUp {
  /** Seconds of virtual time that are still owed. */
  readonly debt: number;
  /** Maximum seconds of debt. What a frame loses beyond that is lost for good. */
  max: number;
}

/**
 * Lets a loop make up for time that a frame could not simulate, up to `seconds` of it: later frames simulate up to
 * `maxFrameTime` each. Without it, such time is lost and the game slows down, which is less surprising than a fast-forward.
 */
export function catchUp(loop: Loop, seconds = 1): CatchUp {
  const part = partOf(loop);
  part.max = seconds;
  return part;
}

class DebtPart implements CatchUp, Part {
  readonly name = "catchUp";
  #owed = 0;
  #max = 0;

  constructor(private readonly loop: Loop) {}

  get debt(): number {
    return this.#owed / this.loop.kernel.second;
  }
  get max(): number {
    return this.#max;
  }
  set max(seconds: number) {
    requireNumber("catchUp: seconds", seconds, 0, MAX_SETTING, 0.5);
    this.#max = seconds;
  }

  get #maxUnits(): number {
    return Math.min(2 ** 51, Math.round(this.#max * this.loop.kernel.second));
  }

  repay(time: FrameTime): void {
    const { loop } = this;
    if (this.#owed === 0 || time.units === 0) return;
    const room = Math.round(loop.maxFrameTime * speedOf(loop) * loop.kernel.second) - time.units;
    const paid = Math.max(0, Math.min(this.#owed, room));
    this.#owed -= paid;
    time.units += paid;
  }

  lose(time: FrameTime): void {
    const taken = Math.max(0, Math.min(time.units, this.#maxUnits - this.#owed));
    this.#owed += taken;
    time.units -= taken;
  }

  rate({ units }: RateInfo): void {
    this.#owed = Math.round(this.#owed * units);
  }

  reset(): void {
    this.#owed = 0;
  }
}

const partOf = onePerLoop("catchUp", (loop) => {
  const part = new DebtPart(loop);
  loop.use(part);
  return part;
});
