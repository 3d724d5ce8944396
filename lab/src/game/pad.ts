import { make } from "../dom.js";

/** Touch zones: left, top, right, bottom, from 0 to 1. The gap between right and jump rewinds. */
export const ZONES = {
  left: [0, 0, 0.26, 1],
  right: [0.26, 0, 0.52, 1],
  jump: [0.72, 0, 1, 1],
} as const;

/** Touch buttons, shown on touch screens: left, right, rewind and jump, side by side. */
export class Pad {
  readonly element = make("div", "pad");

  constructor(rewind: (isRewinding: boolean) => void) {
    // Every action also has a key.
    this.element.ariaHidden = "true";
    const back = make("span", "", "↺");
    this.element.append(make("span", "", "◀"), make("span", "", "▶"), back, make("span", "", "Jump"));
    back.addEventListener("pointerdown", (event) => {
      back.setPointerCapture(event.pointerId);
      rewind(true);
    });
    for (const end of ["pointerup", "pointercancel"]) back.addEventListener(end, () => rewind(false));
    // A long press must not open the context menu.
    this.element.addEventListener("contextmenu", (event) => event.preventDefault());
  }
}
