import { badValue } from "../../errors/index.js";
import type { InputTarget } from "./target.js";

/** The target, or else the window, or an error where there is neither. */
export function targetOf(call: string, target: InputTarget | undefined): InputTarget {
  if (target === undefined && typeof window === "undefined")
    badValue(call, "called where there is a page, or with a target", "no window", "latch.press(name)");
  const found: InputTarget = target === undefined ? window : target;
  if (typeof found?.addEventListener !== "function" || typeof found.removeEventListener !== "function")
    badValue(`${call}: target`, "a window, a document or an element", found, "window");
  return found;
}

/** The window that a target is in: events on their way anywhere pass it. */
export function viewOf(target: InputTarget): InputTarget {
  const { ownerDocument, defaultView } = target as { ownerDocument?: Document; defaultView?: Window };
  return ownerDocument?.defaultView ?? defaultView ?? target;
}

/** Listens to several kinds of events; returns what ends it. */
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

const AWAY = ["blur", "pagehide", "visibilitychange"];
const BACK = ["focus", "pageshow", "visibilitychange"];

const isHidden = (event: Event) => (event.target as Partial<Document> | null)?.visibilityState === "hidden";

/** Whether it is about the page or the target, and not about some element of the page that lost the focus. */
function isOurs({ type, target: of }: Event, target: InputTarget): boolean {
  return (type !== "blur" && type !== "focus") || of === target || of === viewOf(target);
}

/** Calls when what is held is no longer seen: the focus goes, or the page is hidden or left. Returns what ends it. */
export function onAway(target: InputTarget, leave: (timestamp: number) => void): () => void {
  const onEvent = (event: Event) => {
    if (isOurs(event, target) && (event.type !== "visibilitychange" || isHidden(event)))
      leave(event.timeStamp);
  };
  // On the way down, as those of an element and of the document come by, but do not come back.
  return listen(viewOf(target), AWAY, onEvent, { capture: true });
}

/** Calls when it may be seen again. Returns what ends it. */
export function onBack(target: InputTarget, enter: () => void): () => void {
  const onEvent = (event: Event) => {
    if (isOurs(event, target) && (event.type !== "visibilitychange" || !isHidden(event))) enter();
  };
  return listen(viewOf(target), BACK, onEvent, { capture: true });
}
