import type { InputTarget } from "../../../src/input/index.js";

/**
 * The window, as the game's keyboard hears it: keys that are pressed while the game is played, and are not meant for a
 * button that has the focus. That they go up is heard in any case.
 */
export function gameKeys(isPlayed: () => boolean): InputTarget & { readonly defaultView: Window } {
  const wrapped = new Map<unknown, (event: Event) => void>();
  return {
    defaultView: window,
    addEventListener(type, listener, options) {
      const own = (event: Event) => {
        if (isPlayed() && isForGame(event as KeyboardEvent)) listener(event);
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

/** A keyboard passes over fields and lists by itself; but space also presses the button that has the focus. */
function isForGame(event: KeyboardEvent): boolean {
  // The path, as the overlay's button lies in a shadow root.
  const [target] = event.composedPath();
  return event.code !== "Space" || !(target instanceof HTMLElement && target.matches("button, summary"));
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
