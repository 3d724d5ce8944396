import { requireArguments, requireNumber, requireOptions, requireWhole } from "../../errors/index.js";
import type { InputDevice } from "../device.js";
import { listen, whenLeft, whenBack, targetOf } from "./listen.js";
import type { InputTarget } from "./target.js";

/** In the order of the standard gamepad mapping. */
// prettier-ignore
const BUTTONS = [
  "a", "b", "x", "y", "l1", "r1", "l2", "r2", "select", "start", "l3", "r3", "up", "down", "left", "right", "home",
] as const;
/** Two per stick. */
const AXES = ["leftX", "leftY", "rightX", "rightY"] as const;

/**
 * A control by its position on the standard gamepad: "a" is the lowest of the four face buttons, "l1" is above the
 * trigger "l2". A stick's y points down.
 */
export type PadControl = `pad ${(typeof BUTTONS)[number] | (typeof AXES)[number]}`;

/** Options of `gamepads`. */
export interface GamepadOptions {
  /** Reads only the pad with this index. Default: all pads, merged into one. */
  readonly index?: number | undefined;
  /**
   * Radius around the centre within which a stick reads 0, from 0 to 0.9. Beyond it, values rise evenly from 0 to 1.
   * Default: 0.15, as even worn sticks mostly rest within that.
   */
  readonly deadZone?: number | undefined;
  /** The object that has `navigator.getGamepads` and receives the gamepad events. Default: the window. */
  readonly target?: (InputTarget & { readonly navigator?: PadSource }) | undefined;
}

/** The used part of `Gamepad`. Declared here, as a program without the DOM library has no type for it. */
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

const OPTIONS = Object.keys({ index: 1, deadZone: 1, target: 1 } satisfies Record<keyof GamepadOptions, 1>);

/**
 * Reads gamepads, once per frame, with the timestamps of the pads. Releases everything when a pad is unplugged, the
 * focus is lost or the page is hidden. A browser shows a pad only after one of its buttons was pressed, and shows none
 * to a page that is not secure.
 */
export function gamepads(options: GamepadOptions = {}): InputDevice<PadControl> {
  requireArguments("gamepads", arguments.length, 1);
  requireOptions("gamepads", options, OPTIONS, "{ deadZone: 0.2 }");
  const { index, deadZone = 0.15 } = options;
  if (index !== undefined) requireWhole("gamepads: index", index, 0, 0);
  requireNumber("gamepads: deadZone", deadZone, 0, 0.9, 0.15);
  const target = targetOf("gamepads", options.target) as NonNullable<GamepadOptions["target"]>;
  const { navigator } = target;
  return {
    name: "gamepads",
    has: (control): control is PadControl => CONTROLS.some((source) => source.control === control),
    start(report, wanted) {
      const controls = CONTROLS.filter(({ control }) => wanted.has(control)).map((source) => ({
        source,
        value: 0,
      }));
      let isAway = false;
      const poll = () => {
        if (isAway || controls.length === 0 || !navigator?.getGamepads) return;
        const pads = navigator.getGamepads();
        for (const control of controls) {
          let value = 0;
          let timestamp = -Infinity;
          // If there are several pads, take the value furthest from rest.
          for (let i = 0; i < pads.length; i++) {
            const pad = pads[i];
            if (!pad?.connected || (index !== undefined && pad.index !== index)) continue;
            const padValue = valueOf(pad, control.source, deadZone);
            if (Math.abs(padValue) > Math.abs(value)) value = padValue;
            if (pad.timestamp > timestamp) timestamp = pad.timestamp;
          }
          if (value === control.value) continue;
          control.value = value;
          report(control.source.control, value, timestamp);
        }
      };
      const leave = (timestamp: number) => {
        isAway = true;
        for (const held of controls) {
          if (held.value !== 0) report(held.source.control, 0, timestamp);
          held.value = 0;
        }
      };
      const removers = [
        listen(target, ["gamepadconnected", "gamepaddisconnected"], poll),
        whenLeft(target, leave),
        whenBack(target, () => void (isAway = false)),
      ];
      return { poll, stop: () => removers.forEach((remove) => remove()) };
    },
  };
}

/**
 * Where a control is found on a pad: the index of a button, or of an axis and of the other axis of its stick. -1: none.
 */
interface ControlSource {
  readonly control: string;
  readonly button: number;
  readonly axis: number;
  readonly across: number;
}
const CONTROLS: readonly ControlSource[] = [
  ...BUTTONS.map((name, button) => ({ control: `pad ${name}`, button, axis: -1, across: -1 })),
  ...AXES.map((name, axis) => ({ control: `pad ${name}`, button: -1, axis, across: axis ^ 1 })),
];

/**
 * Minimum value of a pressed button: just enough to press a mapped button, as a pad may report a trigger as pressed
 * earlier.
 */
const MIN_PRESSED = 0.51;

function valueOf(pad: Pad, { button, axis, across }: ControlSource, deadZone: number): number {
  if (axis >= 0) return withoutDeadZone(pad.axes[axis], pad.axes[across], deadZone);
  const state = pad.buttons[button];
  if (!state) return 0;
  return state.pressed ? Math.max(state.value, MIN_PRESSED) : state.value;
}

/** Returns one coordinate of a stick, rescaled so that it is 0 at the edge of the round dead zone. */
function withoutDeadZone(along = 0, across = 0, deadZone: number): number {
  const length = Math.sqrt(along * along + across * across);
  if (!(length > deadZone)) return 0;
  return ((Math.min(1, length) - deadZone) / (1 - deadZone) / length) * along;
}
