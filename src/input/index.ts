/**
 * Player inputs: from keyboard, pointer, touch and gamepads to the packed bits of each tick.
 *
 * @packageDocumentation
 */

export { bindInputs, type Bindings, type ControlsOf, type InputMapping } from "./bind.js";
export type { InputDevice, ReportControl } from "./device.js";
export { gamepads, type GamepadOptions, type PadControl } from "./devices/gamepads.js";
export { keyboard, type KeyboardOptions, type KeyControl } from "./devices/keyboard.js";
export { pointer, type PointerControl, type PointerOptions } from "./devices/pointer.js";
export type { InputTarget } from "./devices/target.js";
export { touch, type TouchControl, type TouchOptions, type TouchZone } from "./devices/touch.js";
export {
  axis,
  button,
  fraction,
  InputField,
  int,
  type AxisNames,
  type ButtonNames,
  type FractionNames,
  type InputFields,
  type InputKind,
  type InputValues,
  type ValueNames,
} from "./fields.js";
export { grace } from "./grace.js";
export { inputLatch, type InputLatch, type LatchOptions } from "./latch.js";
export { Packing, type Slot } from "./packing.js";
export type { InputRequest, InputSource, StepTiming } from "./source.js";
