import { requireNumber, requireType, requireWhole } from "../../errors/index.js";
import type { InputDevice } from "../device.js";
import { listen, onAway, onBack, targetOf } from "./listen.js";
import type { InputTarget } from "./target.js";

/** In the order of the standard gamepad. */
// prettier-ignore
const BUTTONS = [
  "a", "b", "x", "y", "l1", "r1", "l2", "r2", "select", "start", "l3", "r3", "up", "down", "left", "right", "home",
] as const;
/** Two a stick. */
const AXES = ["leftX", "leftY", "rightX", "rightY"] as const;

/** By their places on the standard gamepad: "a" is the lowest of four, "l1" above the trigger "l2". A stick's y goes down. */
export type PadControl = `pad ${(typeof BUTTONS)[number] | (typeof AXES)[number]}`;

/** Options of `gamepads`. */
export interface GamepadOptions {
  /** Only the pad of that number, from 0 on. Default: all of them, as if they were one. */
  readonly index?: number | undefined;
  /**
   * How far a stick must leave its middle to be felt, in any direction, from 0 to 0.9; from there on it goes evenly to 1.
   * Default 0.15: most old sticks rest within it.
   */
  readonly deadZone?: number | undefined;
  /** What has the gamepads and their events. Default: the window and its navigator. */
  readonly target?: (InputTarget & { readonly navigator?: PadSource }) | undefined;
}

/** What is read of a pad. Said so, as a program without a page has no types of one. */
interface Pad {
  readonly index: number;
  readonly connected: boolean;
  readonly timestamp: number;
  readonly axes: readonly number[];
  readonly buttons: readonly { readonly pressed: boolean; readonly value: number }[];
}
interface PadSource {
  getGamepads?(): readonly (Pad | null)[];
}

/**
 * Gamepads. They are asked once a frame, and stamp what they tell. All is released when one is unplugged, when the focus
 * goes, or the page is hidden. A browser tells of a pad only once a button of it was pressed;
 * one that has none to tell of, such as for a page that is not secure, tells nothing.
 */
export function gamepads(options: GamepadOptions = {}): InputDevice<PadControl> {
  requireType("gamepads: options", options, "object", "{ deadZone: 0.2 }");
  const { index, deadZone = 0.15 } = options;
  if (index !== undefined) requireWhole("gamepads: index", index, 0, 0);
  requireNumber("gamepads: deadZone", deadZone, 0, 0.9, 0.15);
  const target = targetOf("gamepads", options.target) as NonNullable<GamepadOptions["target"]>;
  const { navigator } = target;
  return {
    name: "gamepads",
    has: (control): control is PadControl => CONTROLS.some((of) => of.control === control),
    start(tell, wanted) {
      const controls = CONTROLS.filter(({ control }) => wanted.has(control)).map((of) => ({ of, value: 0 }));
      let isAway = false;
      const poll = () => {
        if (isAway || controls.length === 0 || !navigator?.getGamepads) return;
        const pads = navigator.getGamepads();
        for (const moved of controls) {
          let value = 0;
          let timestamp = -Infinity;
          // Of several pads, that which has it furthest from rest.
          for (let i = 0; i < pads.length; i++) {
            const pad = pads[i];
            if (!pad?.connected || (index !== undefined && pad.index !== index)) continue;
            const its = valueOf(pad, moved.of, deadZone);
            if (Math.abs(its) > Math.abs(value)) value = its;
            if (pad.timestamp > timestamp) timestamp = pad.timestamp;
          }
          if (value === moved.value) continue;
          moved.value = value;
          tell(moved.of.control, value, timestamp);
        }
      };
      const leave = (timestamp: number) => {
        isAway = true;
        for (const held of controls) {
          if (held.value !== 0) tell(held.of.control, 0, timestamp);
          held.value = 0;
        }
      };
      const ends = [
        listen(target, ["gamepadconnected", "gamepaddisconnected"], poll),
        onAway(target, leave),
        onBack(target, () => void (isAway = false)),
      ];
      return { poll, stop: () => ends.forEach((end) => end()) };
    },
  };
}

/** A button of that number; or an axis, with the other one of its stick. */
interface Place {
  readonly control: string;
  readonly button: number;
  readonly axis: number;
  readonly across: number;
}
const CONTROLS: readonly Place[] = [
  ...BUTTONS.map((name, button) => ({ control: `pad ${name}`, button, axis: -1, across: -1 })),
  ...AXES.map((name, axis) => ({ control: `pad ${name}`, button: -1, axis, across: axis ^ 1 })),
];

/** A pad says itself from where on a trigger is pressed: that may be before half of its way. */
const PRESSED = 0.51;

function valueOf(pad: Pad, { button, axis, across }: Place, deadZone: number): number {
  if (axis >= 0) return beyond(pad.axes[axis], pad.axes[across], deadZone);
  const its = pad.buttons[button];
  if (!its) return 0;
  return its.pressed ? Math.max(its.value, PRESSED) : its.value;
}

/** What is left of a coordinate of a stick without its dead zone, which is round. */
function beyond(along = 0, across = 0, deadZone: number): number {
  const length = Math.sqrt(along * along + across * across);
  if (!(length > deadZone)) return 0;
  return ((Math.min(1, length) - deadZone) / (1 - deadZone) / length) * along;
}
