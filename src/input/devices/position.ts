import { viewOf } from "./listen.js";
import type { InputTarget } from "./target.js";

/** Whether an event is on a target, or inside it. */
export function isWithin(event: Event, target: InputTarget): boolean {
  return event.composedPath().includes(target as EventTarget);
}

/** Returns the position of an event on a target: from -1 to 1, left to right and top to bottom. */
export function positionIn(
  target: InputTarget,
  { clientX, clientY }: { readonly clientX: number; readonly clientY: number },
): { x: number; y: number } {
  const { left, top, width, height } = boxOf(target);
  const normalized = (offset: number, length: number) =>
    length > 0 ? Math.max(-1, Math.min(1, (2 * offset) / length - 1)) : 0;
  return { x: normalized(clientX - left, width), y: normalized(clientY - top, height) };
}

function boxOf(target: InputTarget) {
  if ("getBoundingClientRect" in target) return (target as unknown as Element).getBoundingClientRect();
  const { innerWidth = 0, innerHeight = 0 } = viewOf(target) as Partial<Window>;
  return { left: 0, top: 0, width: innerWidth, height: innerHeight };
}
