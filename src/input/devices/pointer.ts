import { requireType } from "../../errors/index.js";
import type { InputDevice } from "../device.js";
import { listen, onAway, targetOf, viewOf } from "./listen.js";
import { isWithin, placeIn } from "./place.js";
import type { InputTarget } from "./target.js";

/** In the order of the bits of `PointerEvent.buttons`. */
const BUTTONS = ["left", "right", "middle", "back", "forward"] as const;

/** The bit of each number of `PointerEvent.button`. */
const BITS = [1, 4, 2, 8, 16];

/** A button of a mouse; a pen and the first finger are "left". And where it is: from -1 to 1, left to right, top to bottom. */
export type PointerControl = `pointer ${(typeof BUTTONS)[number] | "x" | "y"}`;

const NAMES = new Set<string>([...BUTTONS, "x", "y"].map((name) => `pointer ${name}`));

/** Options of `pointer`. */
export interface PointerOptions {
  /**
   * Whether the page does nothing of its own with what is pressed on the target: no menu, no selection. That a finger
   * scrolls is for its style to forbid: `touch-action: none`. Default false.
   */
  readonly preventDefault?: boolean | undefined;
}

/**
 * Mouse, pen or first finger on an element, or on the window by default. What was pressed on it is held until it is let go,
 * wherever that is; all is released when the focus goes, or the page is hidden.
 */
export function pointer(target?: InputTarget, options: PointerOptions = {}): InputDevice<PointerControl> {
  const place = targetOf("pointer", target);
  requireType("pointer: options", options, "object", "{ preventDefault: true }");
  const { preventDefault = false } = options;
  requireType("pointer: preventDefault", preventDefault, "boolean", true);
  return {
    name: "pointer",
    has: (control): control is PointerControl => NAMES.has(control),
    start(tell, wanted) {
      /** Bits of the buttons that are held. */
      let held = 0;
      const hold = (buttons: number, timestamp: number) => {
        const changed = held ^ buttons;
        held = buttons;
        for (let i = 0; i < BUTTONS.length; i++)
          if (changed & (1 << i)) tell(`pointer ${BUTTONS[i]!}`, (buttons >> i) & 1, timestamp);
      };
      const onPointer = (event: PointerEvent) => {
        if (!event.isPrimary) return;
        const { button, buttons, type, timeStamp } = event;
        const isHere = isWithin(event, place);
        // Only the first button that goes down is told as such; the others are told as moves. What is down and was not
        // pressed here, or was released as the focus went, stays out.
        const pressed = isHere && button >= 0 ? (BITS[button] ?? 0) : 0;
        hold(type === "pointercancel" ? 0 : buttons & (held | pressed), timeStamp);
        if ((isHere || held) && (wanted.has("pointer x") || wanted.has("pointer y"))) {
          const { x, y } = placeIn(place, event);
          tell("pointer x", x, timeStamp);
          tell("pointer y", y, timeStamp);
        }
      };
      const prevent = (event: Event) => {
        if (isWithin(event, place)) event.preventDefault();
      };
      const view = viewOf(place);
      const ends = [
        listen(view, ["pointerdown", "pointermove", "pointerup", "pointercancel"], onPointer, {
          capture: true,
        }),
        onAway(place, (timestamp) => hold(0, timestamp)),
      ];
      if (preventDefault) ends.push(listen(view, ["pointerdown", "contextmenu"], prevent, { capture: true }));
      return { stop: () => ends.forEach((end) => end()) };
    },
  };
}
