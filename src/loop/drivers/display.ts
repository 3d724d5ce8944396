import { badValue, misuse, requireFunction, requireOptions, unknownName } from "../../errors/index.js";
import { systemNow } from "../../platform/index.js";
import type { Rate } from "../rate.js";
import { DisplayClock } from "../display/display-clock.js";
import { Alignment } from "../display/alignment.js";
import { FrameCap, periodOf } from "../display/frame-cap.js";
import { MAX_WAIT, RateSearch } from "../display/rate-search.js";
import { call } from "../frames.js";
import { ListenerList } from "../listener-list.js";
import type { Loop } from "../loop.js";
import type { Clock, Driver, DriverNotice, FrameSource } from "./driver.js";
import { StampDriver } from "./stamp-driver.js";

type Frame = Parameters<FrameSource["begin"]>[0];

/** Runs frames in a hidden page. Returns the function that ends them. */
export type Waking = (frame: Frame, loop: Loop, throttled: (reason: string) => void) => () => void;

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
  /** What the game's time follows, such as `audioTime(context)` of `tickwise/audio`. Default: the timestamps of the frames. */
  clock?: Clock | undefined;
}

/** What is known about a display: its times are in milliseconds. */
export type DisplayInfo = Pick<DisplayClock, "period" | "locked" | "refreshes" | "coarse">;

/** A driver for the display. */
export interface Display extends Driver {
  /** What is known about the display. */
  readonly info: DisplayInfo;
  /** The options that it was created with. */
  readonly options: DisplayOptions;
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
export function display(options: DisplayOptions = {}): Display {
  requireOptions(
    "display",
    options,
    Object.keys({ frameCap: 1, hidden: 1, frames: 1, clock: 1 } satisfies Record<keyof DisplayOptions, 1>),
    "{ frameCap: 60 }",
  );
  const { frameCap, hidden = "pause", frames, clock } = options;
  if (frameCap !== undefined) periodOf(frameCap);
  if (hidden !== "pause" && typeof hidden !== "function")
    badValue("display: hidden", '"pause" or runHidden()', hidden, "runHidden()");
  for (const name of ["begin", "now"] as const)
    if (frames !== undefined) requireFunction(`display: frames.${name}`, frames?.[name]);
  for (const name of ["advance", "at", "pageTimeOf"] as const)
    if (clock !== undefined) requireFunction(`display: clock.${name}`, clock?.[name]);
  return new DisplayDriver(frames ?? pageFrames(hidden === "pause" ? undefined : hidden), options);
}

class DisplayDriver extends StampDriver implements Display {
  readonly info = new DisplayClock();
  /** Created by the first `rate()` or `on`. */
  #search: RateSearch | undefined;
  readonly #found = new ListenerList<number>();
  #alignment: Alignment | undefined;
  #endSearch: (() => void) | undefined;
  /** The last frame's time by `options.clock`. */
  #heard = 0;

  constructor(
    source: FrameSource,
    readonly options: DisplayOptions,
  ) {
    super(source);
    const { clock } = options;
    if (!clock) return;
    this.now = () => clock.at(source.now());
    this.pageTimeOf = (time) => clock.pageTimeOf(time);
  }

  on(event: "rate", listener: (hertz: number) => void): () => void {
    if (event !== "rate") unknownName("Display.on", "event", event, ["rate"]);
    requireFunction("Display.on: listener", listener);
    this.#search ??= new RateSearch();
    return this.#found.add(listener);
  }

  rate(): Promise<number> {
    const search = (this.#search ??= new RateSearch());
    if (search.found > 0) return Promise.resolve(search.found);
    return new Promise((resolve) => {
      if (!this.loop) this.#endSearch ??= this.source.begin((timestamp) => this.frame(timestamp), undefined);
      // A hidden page has no frames.
      const timer = setTimeout(() => search.giveUp() && call(this.#found, search.found), MAX_WAIT);
      const off = this.on("rate", (hertz) => {
        off();
        clearTimeout(timer);
        this.#endSearch?.();
        this.#endSearch = undefined;
        resolve(hertz);
      });
    });
  }

  protected override begin(loop: Loop): void {
    this.#endSearch?.();
    this.#endSearch = undefined;
    this.#alignment = new Alignment(loop, this.info);
    // Refreshes are the clock only if there is no other.
    if (!this.options.clock) this.#alignment.hertz = this.#search?.found ?? 0;
    this.until(loop.use(this.#alignment));
    const { frameCap } = this.options;
    if (frameCap !== undefined) this.until(loop.use(new FrameCap(loop, frameCap)));
    super.begin(loop);
  }

  protected override pass(): void {
    const { info, elapsed, last } = this;
    const { clock } = this.options;
    // A clock that steps back says nothing about the display.
    if (!(elapsed < 0)) {
      info.timestamp = last;
      // The time before a first frame is unknown.
      info.elapsed = elapsed >= 0 ? elapsed : Infinity;
      info.pass();
      if (this.#search?.take(info)) call(this.#found, this.#search.found);
      this.elapsed = info.elapsed;
    }
    if (!clock || !this.loop) return;
    // From the time that is passed on: timestamps may be noisy, and the clock may stand still.
    this.frameTime = elapsed < 0 ? this.#heard : clock.advance(last + info.ahead, this.source.now());
    if (!(elapsed < 0)) this.elapsed = this.frameTime - this.#heard;
    this.#heard = this.frameTime;
  }
}

/** Events after which the page may have been hidden, frozen, put into the back-forward cache, or shown again. */
const EVENTS = ["freeze", "resume", "pagehide", "pageshow", "visibilitychange"];

/** The frames of requestAnimationFrame, whose timestamps are the only clock. `wake` runs frames while the page is hidden. */
function pageFrames(wake: Waking | undefined): FrameSource {
  return {
    now: systemNow,
    begin(frame, loop) {
      if (!globalThis.requestAnimationFrame)
        misuse(
          "unsupported",
          "display",
          "requestAnimationFrame does not exist on this platform",
          "Use timer(), or nodeTimer() of tickwise/node",
        );
      return watchPage(frame, loop, wake);
    },
  };
}

function watchPage(frame: Frame, loop: Loop | undefined, wake: Waking | undefined): () => void {
  // A worker may have requestAnimationFrame, but it has no page.
  const page = globalThis.document as Document | undefined;
  const view = page?.defaultView;
  let isHidden = false;
  let isFrozen = false;
  let endWaking: (() => void) | undefined;

  // Deferred: a listener may throw, or stop the driver before it has started.
  const tell = (kind: DriverNotice["kind"], reason = "") =>
    queueMicrotask(() => loop?.running && loop.emit("driver", { kind, reason }));
  const onFrame = (timestamp: number, discardElapsed?: boolean) => {
    // Before the frame, which may stop the driver or throw.
    request = requestAnimationFrame(onFrame);
    frame(timestamp, discardElapsed);
  };
  const sleep = () => {
    // Firefox calls back in hidden pages too, after 1, 2, 4, 8 s.
    cancelAnimationFrame(request);
    endWaking?.();
    endWaking = undefined;
  };
  const look = () => {
    const wasHidden = isHidden;
    isHidden = isFrozen || !!page?.hidden;
    // A hidden page may freeze, or thaw.
    if (!isHidden && !wasHidden) return;
    sleep();
    if (isHidden !== wasHidden) tell(isHidden ? "hidden" : "shown");
    if (!isHidden) request = requestAnimationFrame((timestamp) => onFrame(timestamp, !wake));
    // Not in a frozen page, where nothing runs, and a worker could keep it out of the back-forward cache.
    else if (!isFrozen && loop) endWaking = wake?.(frame, loop, (reason) => tell("throttled", reason));
  };
  const onEvent = (event: Event) => {
    const { type, target } = event;
    // Ignore events of elements, which may have a "freeze" event of their own.
    if (target !== page && target !== view) return;
    if (type !== "visibilitychange")
      // A page that is not kept in the back-forward cache is closed for good.
      isFrozen = type === "freeze" || (type === "pagehide" && (event as PageTransitionEvent).persisted);
    look();
  };

  // Capturing listeners of the window see all of them.
  for (const type of EVENTS) view?.addEventListener(type, onEvent, true);
  let request = requestAnimationFrame(onFrame);
  look();
  return () => {
    for (const type of EVENTS) view?.removeEventListener(type, onEvent, true);
    sleep();
  };
}
