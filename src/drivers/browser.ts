import { badValue, requireType } from "../errors/index.js";
import { driverOf, type Driver, type DriverHost, type DriverNotice, type OnFrame } from "./driver.js";
import { giveFrames } from "./schedule.js";
import { workerAlarm } from "./worker-alarm.js";

/** Options of `browserDriver`. */
export interface BrowserOptions {
  /**
   * What happens while the page is hidden. "pause": nothing, and nothing is owed on return. "run":
   * frames go on at the loop's rate, woken by a worker, as for a game that others play too.
   * Default "pause": what nobody sees should not cost a battery.
   */
  hidden?: "pause" | "run" | undefined;
}

/** Frames of the display, by requestAnimationFrame, with its own timestamps as the only clock while the page is shown. */
export function browserDriver(options: BrowserOptions = {}): Driver {
  requireType("browserDriver: options", options, "object", '{ hidden: "run" }');
  const { hidden = "pause" } = options;
  if (hidden !== "pause" && hidden !== "run")
    badValue("browserDriver: hidden", '"pause" or "run"', hidden, '"run"');
  return driverOf((frame, host) => {
    if (!hasDisplay())
      badValue(
        "browserDriver",
        "started where there is a display",
        "no requestAnimationFrame",
        "timerDriver()",
      );
    return watchDisplay(frame, host, hidden === "run" ? wakeHidden : undefined);
  }, "display");
}

export const hasDisplay = () => !!globalThis.requestAnimationFrame;

type Tell = (kind: DriverNotice["kind"], reason?: string) => void;

/** Gives frames to a page that is hidden; returns what ends it. */
type Waking = (frame: OnFrame, host: DriverHost, tell: Tell) => () => void;

const wakeHidden: Waking = (frame, host, tell) =>
  giveFrames(frame, host.rate, undefined, (ring) => workerAlarm(ring, (reason) => tell("throttled", reason)));

/** Events after which the page may have been hidden, frozen, kept for going back, or come to light again. */
const EVENTS = ["freeze", "resume", "pagehide", "pageshow", "visibilitychange"];

/**
 * Frames while the page is shown; returns what ends them. Those of a hidden page are given by what is
 * handed in, so that a program without need not ship it.
 */
export function watchDisplay(frame: OnFrame, host: DriverHost, wake?: Waking): () => void {
  // A worker may have frames, but it has no page.
  const page = globalThis.document as Document | undefined;
  const view = page?.defaultView;
  let isHidden = false;
  let isFrozen = false;
  let endWaking: (() => void) | undefined;

  // Not at once: whoever hears of it may stop what has not yet begun, or throw.
  const tell: Tell = (kind, reason = "") => queueMicrotask(() => host.tell({ kind, reason }));
  const onFrame = (timestamp: number, afresh?: boolean) => {
    // Before the frame, which may end it, or throw.
    request = requestAnimationFrame(onFrame);
    frame(timestamp, afresh);
  };
  const sleep = () => {
    // Not asked for while hidden: Firefox would still give frames, at 1, 2, 4, 8 s.
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
    // In a page that was put aside nothing would ring, and a worker might keep it from being put aside.
    else if (!isFrozen) endWaking = wake?.(frame, host, tell);
  };
  const onEvent = (event: Event) => {
    const { type, target } = event;
    // A game may well have elements with a "freeze" of their own.
    if (target !== page && target !== view) return;
    if (type !== "visibilitychange")
      // A page that goes for good, and is not kept, needs nothing more.
      isFrozen = type === "freeze" || (type === "pagehide" && (event as PageTransitionEvent).persisted);
    look();
  };

  // All of them reach the window, if only on the way to the document.
  for (const type of EVENTS) view?.addEventListener(type, onEvent, true);
  let request = requestAnimationFrame(onFrame);
  look();
  return () => {
    for (const type of EVENTS) view?.removeEventListener(type, onEvent, true);
    sleep();
  };
}
