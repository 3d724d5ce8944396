import { badValue, misuse, requireOptions } from "../errors/index.js";
import { driverOf, type Driver, type DriverHost, type DriverNotice, type OnFrame } from "./driver.js";
import { runFrames } from "./schedule.js";
import { workerAlarm } from "./worker-alarm.js";

/** Options of `browserDriver`. */
export interface BrowserOptions {
  /**
   * What happens while the page is hidden. "pause": no frames, and the hidden time is never simulated. "run": frames go on
   * at the loop's rate, woken by a worker, as an online game needs.
   * Default "pause": a page that is not visible should not drain the battery.
   */
  hidden?: "pause" | "run" | undefined;
}

/** Creates a driver that runs the loop by requestAnimationFrame, and takes its timestamps as the only clock. */
export function browserDriver(options: BrowserOptions = {}): Driver {
  requireOptions(
    "browserDriver",
    options,
    Object.keys({ hidden: 1 } satisfies Record<keyof BrowserOptions, 1>),
    '{ hidden: "run" }',
  );
  const { hidden = "pause" } = options;
  if (hidden !== "pause" && hidden !== "run")
    badValue("browserDriver: hidden", '"pause" or "run"', hidden, '"run"');
  return driverOf((frame, host) => {
    if (!hasDisplay())
      misuse(
        "unsupported",
        "browserDriver",
        "requestAnimationFrame does not exist on this platform",
        "Use timerDriver()",
      );
    return watchDisplay(frame, host, hidden === "run" ? wakeHidden : undefined);
  }, "display");
}

export const hasDisplay = () => !!globalThis.requestAnimationFrame;

type Tell = (kind: DriverNotice["kind"], reason?: string) => void;

/** Runs frames in a hidden page. Returns the function that ends them. */
type Waking = (frame: OnFrame, host: DriverHost, tell: Tell) => () => void;

const wakeHidden: Waking = (frame, host, tell) =>
  runFrames(frame, host.rate, undefined, (ring) => workerAlarm(ring, (reason) => tell("throttled", reason)));

/** Events after which the page may have been hidden, frozen, put into the back-forward cache, or shown again. */
const EVENTS = ["freeze", "resume", "pagehide", "pageshow", "visibilitychange"];

/**
 * Runs frames while the page is visible. Returns the function that ends them. `wake` runs frames in a hidden page; it is
 * passed in, so that bundlers can drop it from programs that do not need it.
 */
export function watchDisplay(frame: OnFrame, host: DriverHost, wake?: Waking): () => void {
  // A worker may have requestAnimationFrame, but it has no page.
  const page = globalThis.document as Document | undefined;
  const view = page?.defaultView;
  let isHidden = false;
  let isFrozen = false;
  let endWaking: (() => void) | undefined;

  // Deferred: a listener may throw, or stop the driver before it has started.
  const tell: Tell = (kind, reason = "") => queueMicrotask(() => host.tell({ kind, reason }));
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
    if (isHidden === wasHidden) return;
    sleep();
    tell(isHidden ? "hidden" : "shown");
    if (!isHidden) request = requestAnimationFrame((timestamp) => onFrame(timestamp, !wake));
    // Not in a frozen page, where nothing runs, and a worker could keep it out of the back-forward cache.
    else if (!isFrozen) endWaking = wake?.(frame, host, tell);
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
