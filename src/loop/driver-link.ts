import type { Driver, DriverNotice, OnFrame } from "../drivers/index.js";
import { misuse, requireNumber } from "../errors/index.js";
import type { DisplayClock, ExactRate } from "../time/index.js";

/** What a link needs of its loop. */
export interface LinkHost {
  /** Called for each frame, after `elapsed` is set. `display` is undefined if the frame tells nothing about a display. */
  onFrame(display: DisplayClock | undefined): void;
  onNotice(notice: DriverNotice): void;
  /** Throws if a frame cannot be run now. */
  requireIdle(call: string): void;
}

/** The link that each driver serves while it runs. */
const owners = new WeakMap<Driver, DriverLink>();

/** Listens to a loop's driver, and turns the driver's timestamps into elapsed time. All times are in milliseconds. */
export class DriverLink {
  driver: Driver | undefined;
  /** Estimates the refreshes of the display; only with display pacing. */
  display: DisplayClock | undefined = undefined;
  /** The last timestamp; NaN before the first. */
  timestamp: number;
  /** Time between the last two frames, by the display clock if there is one; NaN if unknown. */
  elapsed: number;
  /** A clock that steps back by less than this is waited for, so that no time is invented. One that leaps is followed. */
  maxStepBack: number;
  /** The last notice since the start, or that the loop was stopped. */
  notice: DriverNotice | { readonly kind: "stopped"; readonly reason: string } | undefined;
  /** What the driver calls while it is listened to. */
  private listener: OnFrame | undefined = undefined;

  constructor(
    driver: Driver | undefined,
    private readonly host: LinkHost,
  ) {
    this.driver = driver;
    // Fractions first: engines then store these fields as doubles and never allocate for them.
    this.timestamp = this.elapsed = this.maxStepBack = 0.5;
    this.timestamp = this.elapsed = NaN;
  }

  get running(): boolean {
    return !!this.listener;
  }

  /** Throws if another loop uses the driver. */
  requireFree(call: string, driver: Driver | undefined): void {
    if (driver && this.isForeign(driver))
      misuse("in-use", call, "this driver already drives another loop", "Create one per loop");
  }

  /** Starts the driver. Its first frame only sets the clock. */
  start(driver: Driver, rate: ExactRate): void {
    owners.set(driver, this);
    this.driver = driver;
    const listener: OnFrame = (timestamp, discardElapsed) => {
      // Ignore a driver that was stopped or replaced.
      if (this.listener === listener) this.receive(timestamp, discardElapsed);
    };
    this.listener = listener;
    this.notice = undefined;
    this.timestamp = NaN;
    driver.start(listener, {
      rate,
      tell: (notice) => {
        if (this.listener !== listener) return;
        this.notice = notice;
        this.host.onNotice(notice);
      },
    });
    // The loop was stopped, or its driver replaced, while the driver started.
    if (!this.listener || this.driver !== driver) this.release(driver);
  }

  /** Stops the driver. */
  stop(): void {
    this.listener = undefined;
    this.notice = { kind: "stopped", reason: "" };
    this.release(this.driver!);
  }

  /** Stops a driver, unless another loop uses it now. */
  release(driver: Driver): void {
    if (this.isForeign(driver)) return;
    owners.delete(driver);
    driver.stop();
  }

  private isForeign(driver: Driver): boolean {
    return (owners.get(driver) ?? this) !== this;
  }

  private receive(timestamp: number, discardElapsed: boolean | undefined): void {
    const { display } = this;
    this.host.requireIdle("Driver.frame");
    requireNumber("Driver: timestamp", timestamp, -1e15, 1e15, "performance.now()");
    // Fields, not conditional expressions: engines may allocate the result of one that is NaN or Infinity in one case.
    if (discardElapsed) this.timestamp = NaN;
    const elapsed = timestamp - this.timestamp;
    if (!(elapsed <= 0 && elapsed >= -this.maxStepBack)) this.timestamp = timestamp;
    this.elapsed = elapsed;
    if (!display || elapsed < 0) return this.host.onFrame(undefined);
    // The time before a first frame is unknown.
    display.elapsed = Infinity;
    if (elapsed >= 0) display.elapsed = elapsed;
    display.pass();
    if (elapsed >= 0) this.elapsed = display.elapsed;
    this.host.onFrame(display);
  }
}
