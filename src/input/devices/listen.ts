import { badValue, misuse } from "../../errors/index.js";
import type { InputTarget } from "./target.js";

/** Returns the target, or the window by default. Throws if there is neither. */
export function targetOf(call: string, target: InputTarget | undefined): InputTarget {
  if (target === undefined && typeof window === "undefined")
    misuse(
      "unsupported",
      call,
      "there is no window to listen to",
      "Pass a target, or call latch.press(name) yourself",
    );
  const found: InputTarget = target === undefined ? window : target;
  if (typeof found?.addEventListener !== "function" || typeof found.removeEventListener !== "function")
    badValue(`${call}: target`, "a window, a document or an element", found, "window");
  return found;
}

/** Returns the window of a target. All events of its page pass through the window in the capture phase. */
export function viewOf(target: InputTarget): InputTarget {
  const { ownerDocument, defaultView } = target as { ownerDocument?: Document; defaultView?: Window };
  return ownerDocument?.defaultView ?? defaultView ?? target;
}

/** Listens to several types of events. Returns a function that removes the listeners. */
export function listen<E extends Event>(
  target: InputTarget,
  types: readonly string[],
  onEvent: (event: E) => void,
  options?: { readonly capture?: boolean },
): () => void {
  const listener = onEvent as (event: object) => void;
  for (const type of types) target.addEventListener(type, listener, options);
  return () => {
    for (const type of types) target.removeEventListener(type, listener, options);
  };
}

const LEAVE_EVENTS = ["blur", "pagehide", "visibilitychange"];
const RETURN_EVENTS = ["focus", "pageshow", "visibilitychange"];

const isHidden = (event: Event) => (event.target as Partial<Document> | null)?.visibilityState === "hidden";

/** Whether an event concerns the page or the target. A blur or focus of another element does not. */
function isRelevant({ type, target: origin }: Event, target: InputTarget): boolean {
  return (type !== "blur" && type !== "focus") || origin === target || origin === viewOf(target);
}

/**
 * Calls `onLeave` when the focus is lost, or the page is hidden or left: release events are lost from then on. Returns
 * a function that removes the listeners.
 */
export function whenLeft(target: InputTarget, onLeave: (timestamp: number) => void): () => void {
  const onEvent = (event: Event) => {
    if (isRelevant(event, target) && (event.type !== "visibilitychange" || isHidden(event)))
      onLeave(event.timeStamp);
  };
  // In the capture phase, as blur and focus do not bubble.
  return listen(viewOf(target), LEAVE_EVENTS, onEvent, { capture: true });
}

/**
 * Calls `onReturn` when the focus returns, or the page is shown again. Returns a function that removes the listeners.
 */
export function whenBack(target: InputTarget, onReturn: () => void): () => void {
  const onEvent = (event: Event) => {
    if (isRelevant(event, target) && (event.type !== "visibilitychange" || !isHidden(event))) onReturn();
  };
  return listen(viewOf(target), RETURN_EVENTS, onEvent, { capture: true });
}
