import { misuse } from "../../../errors/index.js";
import type { Loop } from "../loop.js";
import type { Driver, FrameSource } from "./driver.js";
import { FrameClock } from "./frame-clock.js";

/** Drives a loop by frames that have timestamps: the time of a frame is the time between two of them. */
export class StampDriver implements Driver {
  readonly pageTimeOf?: (timestamp: number) => number;
  protected readonly clock = new FrameClock();
  protected loop: Loop | undefined = undefined;
  private ends: (() => void)[] = [];

  constructor(protected readonly source: FrameSource) {
    if (source.pageTimeOf) this.pageTimeOf = (timestamp) => source.pageTimeOf!(timestamp);
  }

  now(): number {
    return this.source.now();
  }

  start(loop: Loop): void {
    if (this.loop && this.loop !== loop)
      misuse("in-use", "Loop.start", "this driver already drives another loop", "Create one per loop");
    this.stop();
    this.loop = loop;
    this.begin(loop);
  }

  stop(): void {
    for (const end of this.ends) end();
    this.ends = [];
    this.loop = undefined;
  }

  /** Attaches what the driver needs, and starts frames. */
  protected begin(loop: Loop): void {
    this.clock.restart();
    const end = this.source.begin((timestamp, discardElapsed) => {
      // Ignore a frame that was already under way when the driver stopped.
      if (this.loop) this.frame(timestamp, discardElapsed);
    }, loop);
    if (this.loop)
      this.ends.push(
        end,
        loop.on("reset", () => this.clock.restart()),
      );
    else end();
  }

  /** Calls a function when the driver stops. */
  protected until(end: () => void): void {
    this.ends.push(end);
  }

  protected frame(timestamp: number, discardElapsed = false): void {
    const { clock } = this;
    if (discardElapsed) clock.restart();
    clock.take(timestamp);
    this.advance(timestamp, clock.elapsed);
  }

  /** Runs a frame, `elapsed` milliseconds after the last one. */
  protected advance(timestamp: number, elapsed: number): void {
    const { clock, loop } = this;
    const { isFirst } = clock;
    const began = isFirst ? this.now() : 0;
    loop!.advance(clock.secondsOf(elapsed), timestamp);
    // Loading and warming up are not game time.
    if (isFirst) clock.forgive(this.now() - began);
  }
}
