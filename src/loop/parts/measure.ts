import { requireArguments, requireFunction } from "../../errors/index.js";
import type { DisplayClock } from "../display/display-clock.js";
import { displayOf } from "../display/display-of.js";
import { RefreshCount } from "../display/refresh-count.js";
import { systemNow } from "../../platform/index.js";
import type { DriverNotice } from "../drivers/driver.js";
import type { FrameInfo } from "../info.js";
import type { Loop } from "../loop.js";
import type { FrameTime, Part } from "../part.js";
import { Figures, Sum, Tally } from "./figures.js";
import { tableOf, type FiguresData } from "./figures-text.js";
import { Monitors, type MonitorValue } from "./monitors.js";
import { onePerLoop } from "./one-per-loop.js";

/** The figures of a loop as plain data: totals, recent figures, and what its monitors show. */
export type MeasurementsData = FiguresData & {
  readonly recent: FiguresData;
  readonly monitors: Readonly<Record<string, MonitorValue>>;
};

/** Measurements of a loop: totals since `measure` was called or the last reset, and recent figures. */
export class Measurements extends Figures {
  /** The same figures over the last 128 to 256 frames. */
  readonly recent: Figures;
  readonly #monitors = new Monitors();
  readonly #notice: () => DriverNotice | undefined;

  /** @internal Created by `measure`. */
  constructor(tally: () => Tally, dt: () => number, notice: () => DriverNotice | undefined) {
    super(tally, dt, false);
    this.recent = new Figures(tally, dt, true);
    this.#notice = notice;
  }

  /** What the driver noticed last, since the loop was started and measured. */
  get notice(): DriverNotice | undefined {
    return this.#notice();
  }

  /**
   * Shows a figure of your own with the others: in the HUD, in the table and in the JSON. `read` is called only when one of them is
   * made. Returns the function that removes the monitor.
   */
  monitor(name: string, read: () => MonitorValue): () => void {
    requireArguments("Measurements.monitor", arguments.length, 2);
    return this.#monitors.add(name, read);
  }

  /** What the monitors show now, by name. */
  get monitors(): Record<string, MonitorValue> {
    return this.#monitors.values;
  }

  /** Returns all figures as plain data, for `JSON.stringify`. */
  override toJSON(): MeasurementsData {
    return { ...super.toJSON(), recent: this.recent.toJSON(), monitors: this.monitors };
  }

  /** Returns a table of all figures, total and recent, and of the monitors. */
  override toString(): string {
    return tableOf({ all: this, recent: this.recent }, this.monitors);
  }
}

/** Measures a loop: frames, steps, their cost, lost time, and how evenly the picture moves. */
export function measure(loop: Loop, now?: () => number): Measurements {
  const meter = meterOf(loop);
  if (now !== undefined) {
    requireFunction("measure: now", now, "() => performance.now()");
    meter.now = now;
  }
  return meter.figures;
}

/** Counts what a loop does. */
class Meter implements Part {
  readonly name = "measure";
  readonly figures: Measurements;
  now: () => number;
  #tally = new Tally();
  /** The last reading of the clock. */
  #reading = 0;
  /** The simulated time, including what is owed, at the last frame. */
  #progress = 0;
  /** The time that the last drawn frame showed; NaN before the first. And refreshes of frames that were not drawn since. */
  #shown = NaN;
  #undrawn = 0;
  #forced = 0;
  #refreshes = 0;
  readonly #count = new RefreshCount();
  #isOverloaded = false;
  #notice: DriverNotice | undefined;

  constructor(private readonly loop: Loop) {
    this.now = () => (loop.driver ? loop.driver.now() : systemNow());
    this.figures = new Measurements(
      () => this.#tally,
      () => loop.dt,
      () => this.#notice,
    );
    // It may be attached inside a step.
    this.#reading = this.now();
    this.#progress = this.#now;
  }

  /** The simulated time, including what is owed. */
  get #now(): number {
    const { owed, lead, second } = this.loop.kernel;
    return this.loop.time + (owed - lead) / second;
  }

  get #display(): DisplayClock | undefined {
    return displayOf(this.loop)?.info as DisplayClock | undefined;
  }

  start(): void {
    this.#notice = undefined;
  }

  driver(notice: DriverNotice): void {
    this.#notice = notice;
  }

  reset(): void {
    this.#tally = new Tally();
    this.#shown = NaN;
    this.#progress = this.#now;
  }

  rate({ lost }: { readonly lost: number }): void {
    this.#progress -= lost;
  }

  force(): void {
    this.#forced = 1;
    this.#lap(-1);
  }

  align(): void {
    this.#lap(-1);
  }

  afterStep(): void {
    this.#lap(Sum.stepCost);
  }

  lost({ units }: FrameTime): void {
    this.#tally.sums[Sum.lost]! += units / this.loop.kernel.second;
    this.#isOverloaded = true;
  }

  frame({ realDelta, steps }: FrameInfo): void {
    const { sums } = this.#tally;
    const progress = this.#now;
    sums[Sum.steps]! += steps;
    sums[Sum.real]! += realDelta;
    if (this.#isOverloaded) sums[Sum.overloads]!++;
    this.#isOverloaded = false;
    if (!this.#forced) sums[Sum.moved]! += progress - this.#progress;
    if (realDelta === 0 && !this.#forced) sums[Sum.withoutTime]!++;
    this.#progress = progress;
    const display = this.#forced ? undefined : this.#display;
    if (display) this.#count.take(display);
    this.#refreshes = display ? this.#count.covered : 0;
    this.#undrawn += this.#refreshes;
    this.#forced = 0;
    this.#tally.count(steps);
    this.#lap(-1);
  }

  beforeRender(info: FrameInfo): void {
    this.#see(info);
    this.#shown = info.shownTime;
    this.#undrawn = 0;
  }

  afterRender(): void {
    this.#lap(Sum.renderCost);
  }

  /** Compares how far the picture moves with how far it should. */
  #see({ delta, realDelta, shownTime, steps }: FrameInfo): void {
    const display = this.#display;
    const refreshes = this.#undrawn;
    if (!display || this.#refreshes === 0 || !(delta > 0) || Number.isNaN(this.#shown)) return;
    // Time that the clamp cut off has no virtual time.
    const real = Math.min(realDelta, this.loop.maxFrameTime);
    const period = display.locked ? this.#count.period / 1e3 : realDelta / refreshes;
    /** Virtual seconds, and steps, that one refresh should show. */
    const ideal = period * (delta / real);
    const ratio = ideal / this.loop.dt;
    const whole = Math.round(ratio);
    const isRegular =
      display.refreshes === 0 || steps === whole * refreshes || !(Math.abs(ratio / whole - 1) < 0.02);
    if (!isRegular) this.#tally.sums[Sum.irregular]!++;
    this.#tally.see((shownTime - this.#shown) / ideal, refreshes);
  }

  /** Reads the clock. The time since the last reading is a cost, if `index` says of what. */
  #lap(index: number): void {
    const now = this.now();
    const cost = now - this.#reading;
    this.#reading = now;
    if (index < 0) return;
    const { sums } = this.#tally;
    // Ignore a clock that leaps.
    if (cost > 0 && cost < 1e7) sums[index]! += cost / 1e3;
    sums[index + 1]!++;
  }
}

const meterOf = onePerLoop("measure", (loop) => {
  const meter = new Meter(loop);
  loop.use(meter);
  return meter;
});
