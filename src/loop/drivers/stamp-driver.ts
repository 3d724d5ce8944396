import { misuse, requireNumber } from "../../errors/index.js";
import { MAX_ELAPSED } from "../units.js";
import type { FrameInfo, Writable } from "../info.js";
import type { Loop } from "../loop.js";
import type { Driver, FrameSource } from "./driver.js";

/** If the clock goes back by less than this, in milliseconds, frames get no time until it catches up. Beyond it, the new time counts. */
const MAX_STEP_BACK = 250;
/** Maximum timestamp, in milliseconds. */
const MAX_TIMESTAMP = 1e15;

/** Drives a loop by frames that have timestamps: the time of a frame is the time between two of them, in milliseconds. */
export class StampDriver implements Driver {
  pageTimeOf?: (timestamp: number) => number;
  protected loop: Loop | undefined = undefined;
  /** The time of the last frame: its timestamp, or the one before if the clock stepped back. NaN before the first. */
  protected last = NaN;
  /** Time since the last frame: NaN for a first frame, negative if the clock went back. `pass` may change it. */
  protected elapsed = NaN;
  /** The frame's time on the loop's clock. */
  protected frameTime = 0;
  /** What the first frame took. The second one gets that much less time, as warming up is not game time. */
  private forgiven = 0;
  private ends: (() => void)[] = [];

  constructor(protected readonly source: FrameSource) {}

  now = (): number => this.source.now();

  start(loop: Loop): void {
    if (this.loop && this.loop !== loop)
      misuse("in-use", "Loop.start", "this driver already drives another loop", "Create one per loop");
    this.stop();
    this.loop = loop;
    this.begin(loop);
  }

  stop(loop = this.loop): void {
    // A loop that could not start because of another one must not stop that one.
    if (loop !== this.loop) return;
    for (const end of this.ends) end();
    this.ends = [];
    this.loop = undefined;
  }

  /** Attaches what the driver needs, and starts frames. */
  protected begin(loop: Loop): void {
    const restart = () => {
      this.last = NaN;
      // Until the next frame sets the clock.
      (loop.frame as Writable<FrameInfo>).timestamp = this.now();
    };
    restart();
    const end = this.source.begin((timestamp, discardElapsed) => {
      // Ignore a frame that was already under way when the driver stopped.
      if (this.loop) this.frame(timestamp, discardElapsed);
    }, loop);
    if (this.loop) this.ends.push(end, loop.on("reset", restart));
    else end();
  }

  /** Calls a function when the driver stops. */
  protected until(end: () => void): void {
    this.ends.push(end);
  }

  /** Runs a frame. The first one only sets the clock: loading and warming up are not game time. */
  protected frame(timestamp: number, discardElapsed = false): void {
    if (typeof timestamp !== "number" || !(Math.abs(timestamp) <= MAX_TIMESTAMP))
      requireNumber("Driver: timestamp", timestamp, -MAX_TIMESTAMP, MAX_TIMESTAMP, "performance.now()");
    if (discardElapsed) this.last = NaN;
    const elapsed = (this.elapsed = timestamp - this.last);
    if (!(elapsed <= 0 && elapsed >= -MAX_STEP_BACK)) this.last = timestamp;
    this.frameTime = this.last;
    this.pass();
    const isFirst = Number.isNaN(elapsed);
    const began = isFirst ? this.now() : 0;
    const passed = isFirst ? 0 : Math.max(0, this.elapsed - this.forgiven);
    this.forgiven = 0;
    this.loop?.advance(Math.min(passed / 1e3, MAX_ELAPSED), this.frameTime);
    if (isFirst) this.forgiven = Math.max(0, this.now() - began);
  }

  /** Decides how much time a frame gets, in `elapsed`, and its time on the loop's clock, in `frameTime`. */
  protected pass(): void {}
}
