import { viewOf } from "./listen.js";
import type { InputTarget } from "./target.js";

/** Whether an event is on a target, or on something in it. */
export function isWithin(event: Event, target: InputTarget): boolean {
  return event.composedPath().includes(target as EventTarget);
}

/** Where an event is on a target: from -1 to 1, left to right and top to bottom. */
export function placeIn(
  target: InputTarget,
  { clientX, clientY }: { readonly clientX: number; readonly clientY: number },
): { x: number; y: number } {
  const { left, top, width, height } = boxOf(target);
  const at = (offset: number, length: number) =>
    length > 0 ? Math.max(-1, Math.min(1, (2 * offset) / length - 1)) : 0;
  return { x: at(clientX - left, width), y: at(clientY - top, height) };
}

function boxOf(target: InputTarget) {
  if ("getBoundingClientRect" in target) return (target as unknown as Element).getBoundingClientRect();
  const { innerWidth = 0, innerHeight = 0 } = viewOf(target) as Partial<Window>;
  return { left: 0, top: 0, width: innerWidth, height: innerHeight };
}
