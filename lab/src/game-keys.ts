import type { InputTarget } from "../../src/input/index.js";
import { isDialogOpen } from "./shortcuts/bind.js";

/** Whether the visitor plays with fingers. */
export const hasTouch = (): boolean => matchMedia("(pointer: coarse)").matches;

/** Wraps the window so that keys reach the game only while it is active, and no dialog is open. Key-up events bypass the wrapper. */
export function gameKeys(isActive: () => boolean): InputTarget & { readonly defaultView: Window } {
  const wrapped = new Map<unknown, (event: Event) => void>();
  return {
    defaultView: window,
    addEventListener(type, listener, options) {
      const own = (event: Event) => {
        if (isActive() && !isDialogOpen()) listener(event);
      };
      wrapped.set(listener, own);
      window.addEventListener(type, own, options);
    },
    removeEventListener(type, listener, options) {
      const own = wrapped.get(listener);
      if (own) window.removeEventListener(type, own, options);
    },
  };
}

/**
 * Keeps a mouse click from moving the focus, so that the keys still reach the game: a clicked button does not take the
 * focus, and a list drops it. Keyboard users keep theirs.
 */
export function returnFocusToGame(element: HTMLElement): void {
  let isByPointer = false;
  element.addEventListener("pointerdown", () => void (isByPointer = true), { capture: true });
  element.addEventListener("keydown", () => void (isByPointer = false), { capture: true });
  element.addEventListener("mousedown", (event) => {
    if (event.target instanceof Element && event.target.closest("button")) event.preventDefault();
  });
  element.addEventListener("change", ({ target }) => {
    if (isByPointer && target instanceof HTMLSelectElement) target.blur();
  });
}
