export { axis, button, InputField, int, type InputFields, type InputValues } from "./fields.js";
export { isDown, Packing, read, readNumber, write, type Slot } from "./packing.js";
export type { InputRequest, InputSource, StepPlace } from "./source.js";
