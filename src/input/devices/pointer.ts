import { requireArguments, requireOptions, requireType } from "../../errors/index.js";
import type { InputDevice } from "../device.js";
import { listen, whenLeft, targetOf, viewOf } from "./listen.js";
import { isWithin, positionIn } from "./position.js";
import type { InputTarget } from "./target.js";

/** In the bit order of `PointerEvent.buttons`. */
const BUTTONS = ["left", "right", "middle", "back", "forward"] as const;

/** Maps `PointerEvent.button` to its bit in `PointerEvent.buttons`. */
const BITS = [1, 4, 2, 8, 16];

/**
 * A mouse button, where a pen or the first finger is "left"; or the position, from -1 to 1, left to right and top to
 * bottom.
 */
export type PointerControl = `pointer ${(typeof BUTTONS)[number] | "x" | "y"}`;

const NAMES = new Set<string>([...BUTTONS, "x", "y"].map((name) => `pointer ${name}`));

/** Options of `pointer`. */
export interface PointerOptions {
  /**
   * Whether to prevent the page's default action for presses on the target, such as the context menu or text selection.
   * To keep a finger from scrolling, style the target with `touch-action: none`. Default: false.
   */
  readonly preventDefault?: boolean | undefined;
}

const OPTIONS = Object.keys({ preventDefault: 1 } satisfies Record<keyof PointerOptions, 1>);

/**
 * Reads the mouse, pen or first finger on an element, or on the window by default. A button that was pressed on the
 * element is held until it is released anywhere. Releases everything when the focus is lost or the page is hidden.
 */
export function pointer(target?: InputTarget, options: PointerOptions = {}): InputDevice<PointerControl> {
  requireArguments("pointer", arguments.length, 2);
  const eventTarget = targetOf("pointer", target);
  requireOptions("pointer", options, OPTIONS, "{ preventDefault: true }");
  const { preventDefault = false } = options;
  requireType("pointer: preventDefault", preventDefault, "boolean", true);
  return {
    name: "pointer",
    has: (control): control is PointerControl => NAMES.has(control),
    start(report, wanted) {
      /** A bit mask of the held buttons. */
      let held = 0;
      const hold = (buttons: number, timestamp: number) => {
        const changed = held ^ buttons;
        held = buttons;
        for (let i = 0; i < BUTTONS.length; i++)
          if (changed & (1 << i)) report(`pointer ${BUTTONS[i]!}`, (buttons >> i) & 1, timestamp);
      };
      const onPointer = (event: PointerEvent) => {
        if (!event.isPrimary) return;
        const { button, buttons, type, timeStamp } = event;
        const isHere = isWithin(event, eventTarget);
        // Only the first button sends pointerdown; further ones send pointermove. Ignore buttons that were pressed
        // elsewhere, or that were released here because the focus was lost.
        const pressed = isHere && button >= 0 ? (BITS[button] ?? 0) : 0;
        hold(type === "pointercancel" ? 0 : buttons & (held | pressed), timeStamp);
        if ((isHere || held) && (wanted.has("pointer x") || wanted.has("pointer y"))) {
          const { x, y } = positionIn(eventTarget, event);
          report("pointer x", x, timeStamp);
          report("pointer y", y, timeStamp);
        }
      };
      const prevent = (event: Event) => {
        if (isWithin(event, eventTarget)) event.preventDefault();
      };
      const view = viewOf(eventTarget);
      const removers = [
        listen(view, ["pointerdown", "pointermove", "pointerup", "pointercancel"], onPointer, {
          capture: true,
        }),
        whenLeft(eventTarget, (timestamp) => hold(0, timestamp)),
      ];
      if (preventDefault)
        removers.push(listen(view, ["pointerdown", "contextmenu"], prevent, { capture: true }));
      return { stop: () => removers.forEach((remove) => remove()) };
    },
  };
}
