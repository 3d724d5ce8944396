import { misuse } from "../../../errors/index.js";
import type { Loop } from "../loop.js";
import { systemNow } from "../../../drivers/index.js";
import type { DriverNotice, FrameSource } from "./driver.js";

type Frame = (timestamp: number, discardElapsed?: boolean) => void;

/** Runs frames in a hidden page. Returns the function that ends them. */
export type Waking = (frame: Frame, loop: Loop, throttled: (reason: string) => void) => () => void;

/** Events after which the page may have been hidden, frozen, put into the back-forward cache, or shown again. */
const EVENTS = ["freeze", "resume", "pagehide", "pageshow", "visibilitychange"];

/** The frames of requestAnimationFrame, whose timestamps are the only clock. `wake` runs frames while the page is hidden. */
export function pageFrames(wake: Waking | undefined): FrameSource {
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
    if (isHidden === wasHidden) return;
    sleep();
    tell(isHidden ? "hidden" : "shown");
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
