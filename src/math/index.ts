/**
 * Math functions and random numbers that return the same bits on every engine.
 *
 * @packageDocumentation
 */

export { acos } from "./acos.js";
export { acosh } from "./acosh.js";
export { cosDegrees, cosTurns, sinDegrees, sinTurns, toDegrees, toRadians } from "./angles.js";
export { asin } from "./asin.js";
export { asinh } from "./asinh.js";
export { atan } from "./atan.js";
export { atan2 } from "./atan2.js";
export { atanh } from "./atanh.js";
export { cbrt } from "./cbrt.js";
export { cos } from "./cos.js";
export { cosh } from "./cosh.js";
export { damp, halfLife } from "./damp.js";
export { exp } from "./exp.js";
export { expm1 } from "./expm1.js";
export { hypot } from "./hypot.js";
export { log } from "./log.js";
export { log10 } from "./log10.js";
export { log1p } from "./log1p.js";
export { log2 } from "./log2.js";
export { pow } from "./pow.js";
export { PROFILE } from "./profile.js";
export { random, type Random } from "./random.js";
export { sin } from "./sin.js";
export { sinh } from "./sinh.js";
export { spring, springAll } from "./spring.js";
export { tan } from "./tan.js";
export { tanh } from "./tanh.js";
