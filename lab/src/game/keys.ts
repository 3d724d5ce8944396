import type { InputTarget } from "../../../src/input/index.js";

/** The window, as the game's keyboard hears it: keys that are pressed while the game is played. That they go up is heard in any case. */
export function gameKeys(isPlayed: () => boolean): InputTarget & { readonly defaultView: Window } {
  const wrapped = new Map<unknown, (event: Event) => void>();
  return {
    defaultView: window,
    addEventListener(type, listener, options) {
      const own = (event: Event) => {
        if (isPlayed()) listener(event);
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
 * Who clicks goes on playing: a button that was clicked does not take the focus, nor does a list keep it. Who goes about by
 * the keyboard finds the focus where it was.
 */
export function keepKeysFree(element: HTMLElement): void {
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
