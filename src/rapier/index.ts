export { rapier, type RapierOptions, type RapierOutside } from "./rapier.js";
export type { Rapier, RapierBody, RapierWorld } from "./types.js";
