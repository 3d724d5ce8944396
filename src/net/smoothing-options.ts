import { badValue, requireKnownOptions, requireNumber, requireOptions } from "../errors/index.js";

/** How the errors of one kind of field decay. Sizes are in the units of the field, radians for angles and rotations. */
export interface SmoothingRule {
  /** Errors up to this size decay by `smallDecay` per tick. */
  readonly small: number;
  /** Errors from this size on decay by `largeDecay` per tick. In between, the factor is interpolated. */
  readonly large: number;
  /** The part of a small error that is left after a tick. Default 0.95. */
  readonly smallDecay: number;
  /** The part of a large error that is left after a tick. Default 0.85. */
  readonly largeDecay: number;
  /** A row with a larger error jumps to its right place at once. */
  readonly teleport: number;
}

/** Options of `errorSmoothing`. */
export interface SmoothingOptions {
  /** For fields with `lerp` or `hermite`, vectors as a whole. Default `{ small: 0.25, large: 1, teleport: 100 }`. */
  readonly positions?: Partial<SmoothingRule> | undefined;
  /** For fields with `angle`. Default `{ small: 0.05, large: 0.5, teleport: Infinity }`. */
  readonly angles?: Partial<SmoothingRule> | undefined;
  /** For quaternions. Default as for angles. */
  readonly rotations?: Partial<SmoothingRule> | undefined;
}

/** The rules by kind of field. */
export type SmoothingRules = { readonly [K in keyof SmoothingOptions]-?: SmoothingRule };

const DECAYS = { smallDecay: 0.95, largeDecay: 0.85 };
/** In meters, as in most physics. With pixels, all visible errors are large ones. */
const POSITIONS: SmoothingRule = { small: 0.25, large: 1, ...DECAYS, teleport: 100 };
const TURNS: SmoothingRule = { small: 0.05, large: 0.5, ...DECAYS, teleport: Infinity };

const KINDS = Object.keys({ positions: 1, angles: 1, rotations: 1 } satisfies Record<
  keyof SmoothingOptions,
  1
>);
const NAMES = Object.keys(POSITIONS);

/** Fills in the defaults. Errors name `call`. */
export function smoothingRules(call: string, options: SmoothingOptions): SmoothingRules {
  requireOptions(call, options, KINDS, "{ positions: { teleport: 10 } }");
  const { positions, angles, rotations } = options;
  return {
    positions: ruleOf(call, "positions", positions, POSITIONS),
    angles: ruleOf(call, "angles", angles, TURNS),
    rotations: ruleOf(call, "rotations", rotations, TURNS),
  };
}

function ruleOf(
  call: string,
  kind: string,
  given: Partial<SmoothingRule> | undefined,
  defaults: SmoothingRule,
): SmoothingRule {
  if (given === undefined) return defaults;
  if (typeof given !== "object" || given === null)
    badValue(`${call}: ${kind}`, "an object", given, "{ teleport: 10 }");
  requireKnownOptions(call, given, NAMES, kind);
  const rule = { ...defaults };
  for (const name of NAMES as (keyof SmoothingRule)[]) {
    const value = given[name];
    if (value === undefined) continue;
    const isDecay = name === "smallDecay" || name === "largeDecay";
    const least = isDecay ? 0 : Number.MIN_VALUE;
    requireNumber(`${call}: ${kind}.${name}`, value, least, isDecay ? 1 : Infinity, defaults[name]);
    rule[name] = value;
  }
  // A single size that was given moves the other one, if it must.
  if (given.large === undefined && rule.large < rule.small) rule.large = rule.small;
  if (given.small === undefined && rule.small > rule.large) rule.small = rule.large;
  if (rule.small > rule.large)
    badValue(`${call}: ${kind}.small`, `at most large, which is ${rule.large}`, rule.small, rule.large);
  return rule;
}

/** Returns the part of an error of this size that is left after a tick. */
export function decayOf({ small, large, smallDecay, largeDecay }: SmoothingRule, size: number): number {
  if (size <= small) return smallDecay;
  if (size >= large) return largeDecay;
  return smallDecay + ((size - small) / (large - small)) * (largeDecay - smallDecay);
}
