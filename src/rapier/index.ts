/**
 * A Rapier physics world as a part of a simulation, saved, loaded and hashed with it.
 *
 * @packageDocumentation
 */

export { rapier, type RapierOptions, type RapierState } from "./rapier.js";
export type { Rapier, RapierBody, RapierWorld } from "./types.js";
