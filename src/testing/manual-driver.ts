import { requireType } from "../errors/index.js";
import { display, StampDriver, type Display, type DisplayOptions, type Driver } from "../loop/index.js";
import { ManualFrames, type ManualTime } from "./manual-time.js";

/** A driver whose time a test controls. */
export interface ManualDriver extends Driver, ManualTime {}

/** A display whose time a test controls. */
export interface ManualDisplay extends Display, ManualTime {}

/** Creates a driver with manual time, which begins at `time` milliseconds. Timestamps are taken as they are. */
export function manualDriver(time = 0): ManualDriver {
  const frames = new ManualFrames("manualDriver", time);
  return withTime(new StampDriver(frames), frames);
}

/** Creates a display with manual time, which begins at `time` milliseconds: for tests and recorded timestamps. */
export function manualDisplay(options: Omit<DisplayOptions, "frames"> = {}, time = 0): ManualDisplay {
  requireType("manualDisplay: options", options, "object", "{ frameCap: 60 }");
  const frames = new ManualFrames("manualDisplay", time);
  return withTime(display({ ...options, frames }), frames);
}

/** Adds the methods of manual time to a driver. */
function withTime<D extends Driver>(driver: D, frames: ManualFrames): D & ManualTime {
  return Object.defineProperties(driver, {
    time: { get: () => frames.time },
    wait: { value: (seconds: number) => frames.wait(seconds) },
    play: { value: (timestamps: Iterable<number>) => frames.play(timestamps) },
    display: { value: (hertz: number, seconds: number) => frames.display(hertz, seconds) },
    spend: { value: (seconds: number) => frames.spend(seconds) },
  }) as D & ManualTime;
}
