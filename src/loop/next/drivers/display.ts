import { badValue, requireFunction, requireOptions, unknownName } from "../../../errors/index.js";
import type { Rate } from "../../../time/index.js";
import { DisplayClock } from "../display/display-clock.js";
import { Alignment } from "../display/alignment.js";
import { FrameCap, periodOf } from "../display/frame-cap.js";
import { MAX_WAIT, RateSearch } from "../display/rate-search.js";
import { ListenerList } from "../listener-list.js";
import type { Loop } from "../loop.js";
import type { Driver, FrameSource } from "./driver.js";
import { pageFrames, type Waking } from "./page-frames.js";
import { StampDriver } from "./stamp-driver.js";

/** Options of `display`. */
export interface DisplayOptions {
  /** Maximum frames drawn per second, or "half" the display's, to save battery. Steps still run on time. Default: no limit. */
  frameCap?: Rate | "half" | undefined;
  /**
   * What happens while the page is hidden. "pause": no frames, and the hidden time is never simulated. `runHidden()`: frames go
   * on, as an online game needs. Default "pause": a page that is not visible should not drain the battery.
   */
  hidden?: "pause" | Waking | undefined;
  /** Where frames and their timestamps come from. Default: requestAnimationFrame. */
  frames?: FrameSource | undefined;
}

/** A driver for the display. */
export interface Screen extends Driver {
  /** What is known about the display: its times are in milliseconds. */
  readonly refreshes: Pick<DisplayClock, "period" | "locked" | "refreshes" | "coarse">;
  /**
   * Finds the display's refresh rate in hertz, for a loop with a step per refresh: `new Loop({ rate: await screen.rate() })`.
   * Takes one to five seconds, in which the page can draw. 60 if it cannot be found, or if the page is hidden.
   */
  rate(): Promise<number>;
  /** Listens to changes of the display's rate, as if the window moves to another screen. Returns the function that removes the listener. */
  on(event: "rate", listener: (hertz: number) => void): () => void;
}

/**
 * Creates a driver for the display: a frame takes a whole number of refreshes, estimated from its timestamps, and steps keep phase
 * with them, so that frames show the newest state.
 */
export function display(options: DisplayOptions = {}): Screen {
  requireOptions(
    "display",
    options,
    Object.keys({ frameCap: 1, hidden: 1, frames: 1 } satisfies Record<keyof DisplayOptions, 1>),
    "{ frameCap: 60 }",
  );
  const { frameCap, hidden = "pause", frames } = options;
  if (frameCap !== undefined) periodOf(frameCap);
  if (hidden !== "pause" && typeof hidden !== "function")
    badValue("display: hidden", '"pause" or runHidden()', hidden, "runHidden()");
  if (frames) requireFunction("display: frames.begin", frames.begin);
  return new DisplayDriver(frames ?? pageFrames(hidden === "pause" ? undefined : hidden), frameCap);
}

class DisplayDriver extends StampDriver implements Screen {
  readonly refreshes = new DisplayClock();
  readonly #search = new RateSearch();
  readonly #found = new ListenerList<number>();
  readonly #cap: Rate | "half" | undefined;
  #alignment: Alignment | undefined;
  #endSearch: (() => void) | undefined;

  constructor(source: FrameSource, cap: Rate | "half" | undefined) {
    super(source);
    this.#cap = cap;
  }

  on(event: "rate", listener: (hertz: number) => void): () => void {
    if (event !== "rate") unknownName("Screen.on", "event", event, ["rate"]);
    requireFunction("Screen.on: listener", listener);
    return this.#found.add(listener);
  }

  rate(): Promise<number> {
    const search = this.#search;
    if (search.found > 0) return Promise.resolve(search.found);
    if (!this.loop) this.#endSearch ??= this.source.begin((timestamp) => this.frame(timestamp), undefined);
    return new Promise((resolve) => {
      // A hidden page has no frames.
      const timer = setTimeout(() => search.giveUp() && this.#found.call(search.found), MAX_WAIT);
      const off = this.on("rate", (hertz) => {
        clearTimeout(timer);
        off();
        this.#endSearch?.();
        this.#endSearch = undefined;
        resolve(hertz);
      });
    });
  }

  protected override begin(loop: Loop): void {
    this.#endSearch?.();
    this.#endSearch = undefined;
    this.#alignment = new Alignment(loop, this.refreshes);
    this.#alignment.hertz = this.#search.found;
    this.until(loop.use(this.#alignment));
    if (this.#cap !== undefined) this.until(loop.use(new FrameCap(loop, this.#cap)));
    super.begin(loop);
  }

  protected override advance(timestamp: number, elapsed: number): void {
    const clock = this.refreshes;
    // A clock that steps back says nothing about the display.
    if (!(elapsed < 0)) {
      // The time before a first frame is unknown.
      clock.timestamp = timestamp;
      clock.elapsed = elapsed >= 0 ? elapsed : Infinity;
      clock.pass();
      if (this.#search.take(clock)) this.#found.call(this.#search.found);
    }
    if (!this.loop) return;
    super.advance(timestamp, elapsed >= 0 ? clock.elapsed : elapsed);
  }
}
