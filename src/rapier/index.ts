/**
 * Makes a Rapier physics world a part of a simulation: it is saved, loaded and hashed with the state.
 *
 * @packageDocumentation
 */

export { rapier, type RapierOptions, type RapierState } from "./rapier.js";
export type { Rapier, RapierBody, RapierWorld } from "./types.js";
