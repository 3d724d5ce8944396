import { refuse, requireType } from "../time/index.js";
import { driverOf, type Driver, type DriverHost, type DriverNotice, type OnFrame } from "./driver.js";
import { giveFrames, type Alarm } from "./schedule.js";
import { workerAlarm } from "./worker-alarm.js";

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
    refuse("browserDriver: hidden", '"pause" or "run"', hidden, '"run"');
  return displayDriver(hidden === "run" ? workerAlarm : undefined);
}

type WakingAlarm = (ring: () => void, onRefused: (reason: string) => void) => Alarm;

/** The same; with an alarm, it goes on while the page is hidden. Without, that code need not be shipped. */
export function displayDriver(makeAlarm?: WakingAlarm): Driver {
  return driverOf((frame, host) => watchDisplay(frame, host, makeAlarm), "display");
}

/** Events after which the page may have been hidden, frozen, kept for going back, or come to light again. */
const FREEZING = ["freeze", "pagehide"];
const EVENTS = [...FREEZING, "resume", "pageshow", "visibilitychange"];

function watchDisplay(frame: OnFrame, host: DriverHost, makeAlarm: WakingAlarm | undefined): () => void {
  if (typeof requestAnimationFrame !== "function")
    refuse("browserDriver", "started where there is a display", "no requestAnimationFrame", "timerDriver()");
  // A worker may have frames, but it has no page.
  const page = typeof document === "undefined" ? undefined : document;
  let isHidden: boolean | undefined;
  let isFrozen = false;
  let afresh = false;
  let request = 0;
  let endWaking = () => {};
  let isEnded = false;

  // Not at once: whoever hears of it may stop what has not yet begun, or throw.
  const tell = (kind: DriverNotice["kind"], reason = "") =>
    queueMicrotask(() => isEnded || host.tell({ kind, reason }));
  const onFrame = (timestamp: number) => {
    // Before the frame, which may end it, or throw.
    request = requestAnimationFrame(onFrame);
    const isFirst = afresh;
    afresh = false;
    frame(timestamp, isFirst);
  };
  const sleep = () => {
    // Not asked for while hidden: Firefox would still give frames, at 1, 2, 4, 8 s.
    cancelAnimationFrame(request);
    endWaking();
    endWaking = () => {};
  };
  const look = () => {
    const wasHidden = isHidden;
    isHidden = isFrozen || page?.hidden === true;
    if (isHidden === wasHidden) return;
    sleep();
    if (wasHidden !== undefined || isHidden) tell(isHidden ? "hidden" : "shown");
    if (!isHidden) request = requestAnimationFrame(onFrame);
    else if (!makeAlarm) afresh = true;
    // In a page that was put aside nothing would ring, and a worker might keep it from being put aside.
    else if (!isFrozen)
      endWaking = giveFrames(frame, host.rate, undefined, (ring) =>
        makeAlarm(ring, (reason) => tell("throttled", reason)),
      );
  };
  const onEvent = (event: Event) => {
    const { type, target } = event;
    // A game may well have elements with a "freeze" of their own.
    if (target !== page && target !== page!.defaultView) return;
    // A page that goes for good needs nothing more.
    if (type === "pagehide" && !(event as PageTransitionEvent).persisted) return;
    if (type !== "visibilitychange") isFrozen = FREEZING.includes(type);
    look();
  };

  // All of them reach the window, if only on the way to the document.
  for (const type of EVENTS) if (page) addEventListener(type, onEvent, true);
  look();
  return () => {
    for (const type of EVENTS) if (page) removeEventListener(type, onEvent, true);
    sleep();
    isEnded = true;
  };
}
