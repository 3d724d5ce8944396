/**
 * Smooth drawing between two steps: views of objects and columns, and the blending functions they use.
 *
 * @packageDocumentation
 */

export { lerpAngle, lerpAngleAll } from "./angle.js";
export type { Numbers } from "./batch.js";
export { smoothColumns, type ColumnFields, type ColumnOptions } from "./columns.js";
export { contact, type ContactAt } from "./contact.js";
export { curve } from "./curve.js";
export { extrapolate } from "./extrapolation.js";
export { hermite, hermiteAll } from "./hermite.js";
export { angle, hold, rotation, scalar, teleportOnChange, vector2, vector3, type Kind } from "./kinds.js";
export { lerp, lerpAll } from "./lerp.js";
export { dispose } from "./listen.js";
export type { Extrapolation } from "./motion.js";
export { nlerp, slerp } from "./quat.js";
export { smooth, smoothAll } from "./smooth.js";
export { shift, type ShiftBy } from "./shift.js";
export { snap } from "./snap.js";
export { teleport } from "./teleport.js";
export type { SmoothFields, SmoothLoop, SmoothOptions, View } from "./types.js";
