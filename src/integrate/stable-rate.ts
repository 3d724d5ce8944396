import {
  badValue,
  requireArguments,
  requireKnownOptions,
  requireNumber,
  requireOptions,
  requireType,
} from "../errors/index.js";

/** The integrators, by name. Those for columns have the same limits. */
export type IntegratorName = "explicitEuler" | "semiImplicitEuler" | "velocityVerlet" | "rk4";

/** A spring by its forces: `force = -stiffness × position - damping × velocity`. */
export interface SpringForces {
  /** Force per unit of length. 0 for a body with nothing but drag. */
  readonly stiffness: number;
  /** Force per unit of speed. Default 0. */
  readonly damping?: number | undefined;
  /** Default 1. */
  readonly mass?: number | undefined;
  readonly frequency?: never;
  readonly dampingRatio?: never;
}

/** A spring by its swing, as many physics engines declare it. */
export interface SpringFrequency {
  /** Swings per second without damping. */
  readonly frequency: number;
  /** 1 returns as fast as possible without swinging. Default 0. */
  readonly dampingRatio?: number | undefined;
  readonly stiffness?: never;
  readonly damping?: never;
  readonly mass?: never;
}

const FORCES = ["stiffness", "damping", "mass"];
const FREQUENCY = ["frequency", "dampingRatio"];
const NAMES = '"explicitEuler", "semiImplicitEuler", "velocityVerlet" and "rk4"';
const MAX = 1e100;
/** 2π. */
const TURN = 6.283185307179586;

/**
 * Returns the steps per second above which an integrator keeps a spring stable. At lower rates the spring gains energy in every
 * step. `Infinity` if no rate is high enough: explicit Euler on a spring without damping.
 */
export function stableRate(integrator: IntegratorName, spring: SpringForces | SpringFrequency): number {
  requireArguments("stableRate", arguments.length, 2);
  if (!Object.hasOwn(LIMITS, integrator))
    badValue("stableRate: integrator", `one of ${NAMES}`, integrator, '"semiImplicitEuler"');
  requireType("stableRate: spring", spring, "object", "{ stiffness: 500, damping: 2 }");
  requireOptions("stableRate", spring, [...FORCES, ...FREQUENCY], "{ stiffness: 500 }");
  if (isFrequency(spring)) {
    requireOnly(spring, FREQUENCY);
    const { frequency, dampingRatio = 0 } = spring;
    requireNumber("stableRate: frequency", frequency, 0, MAX, 5);
    requireNumber("stableRate: dampingRatio", dampingRatio, 0, MAX, 0.7);
    const angular = TURN * frequency;
    return scaledLimit(integrator, angular, 2 * dampingRatio * angular);
  }
  requireOnly(spring, FORCES);
  const { stiffness, damping = 0, mass = 1 } = spring;
  requireNumber("stableRate: stiffness", stiffness, 0, MAX, 500);
  requireNumber("stableRate: damping", damping, 0, MAX, 2);
  requireNumber("stableRate: mass", mass, 1 / MAX, MAX, 1);
  return scaledLimit(integrator, Math.sqrt(stiffness / mass), damping / mass);
}

/** Whether the spring is declared by its frequency. An option that is undefined is like one that was left out. */
function isFrequency(spring: SpringForces | SpringFrequency): spring is SpringFrequency {
  const { frequency, dampingRatio, stiffness } = spring;
  if (frequency !== undefined || stiffness !== undefined) return frequency !== undefined;
  return "frequency" in spring || dampingRatio !== undefined;
}

/** Throws if the spring has options of the other kind. */
function requireOnly(spring: object, names: readonly string[]): void {
  const given = Object.entries(spring).filter(([, value]) => value !== undefined);
  requireKnownOptions("stableRate", Object.fromEntries(given), names);
}

/** 2³⁰⁰ and 2⁶⁰⁰. Beyond the first, squares could overflow. The other, a power of two, scales without rounding errors. */
const LARGE = 2.037035976334486e90;
const SCALE = 4.149515568880993e180;

/** Returns the limit of an integrator. It is proportional to `w` and `g`, so both can be scaled to a range without overflow. */
function scaledLimit(integrator: IntegratorName, w: number, g: number): number {
  const size = Math.max(w, g);
  const scale = size > LARGE ? 1 / SCALE : size < 1 / LARGE ? SCALE : 1;
  // Adding 0 turns -0 into 0.
  return LIMITS[integrator](w * scale + 0, g * scale + 0) / scale;
}

/**
 * The limit of each integrator for `x'' = -w² x - g x'`. A step multiplies position and velocity by a matrix. The spring is
 * stable while both eigenvalues are less than 1 in size; docs/integrators.md derives what follows.
 */
const LIMITS: Readonly<Record<IntegratorName, (w: number, g: number) => number>> = {
  // |1 + z| = 1 for the eigenvalue z of the spring: a complex one, or the larger of two real ones.
  explicitEuler: (w, g) => (g < 2 * w ? (w / g) * w : (g + Math.sqrt(g * g - 4 * w * w)) / 4),
  // An eigenvalue reaches -1 at (w dt)² + 2 g dt = 4.
  semiImplicitEuler: (w, g) => (g + Math.sqrt(g * g + 4 * w * w)) / 4,
  // An eigenvalue reaches -1 at (w dt)² + 2 g dt - (g dt)² = 4, or 1 at g dt = 2.
  velocityVerlet: (w, g) => (g < w ? (g + Math.sqrt(4 * w * w - 3 * g * g)) / 4 : g / 2),
  rk4(w, g) {
    if (w === 0 && g === 0) return 0;
    const isSwinging = g < 2 * w;
    const size = isSwinging ? w : (g + Math.sqrt(g * g - 4 * w * w)) / 2;
    return size / rk4Reach(isSwinging ? -g / (2 * w) : -1);
  },
};

/** Returns how large dt times an eigenvalue may be for RK4, given the cosine of its angle: 2√2 for 0, about 2.785 for -1. */
function rk4Reach(cosine: number): number {
  let [stable, unstable] = [2, 4];
  for (;;) {
    const middle = (stable + unstable) / 2;
    if (middle <= stable || middle >= unstable) return stable;
    if (rk4Growth(middle, cosine) <= 1) stable = middle;
    else unstable = middle;
  }
}

/** Returns |1 + z + z²/2 + z³/6 + z⁴/24|², which a step of RK4 multiplies the energy by, for z of this size and direction. */
function rk4Growth(size: number, cosine: number): number {
  const x = size * cosine;
  const y2 = size * size * (1 - cosine * cosine);
  // Horner's scheme, with the imaginary part divided by y.
  let [re, im] = [1, 0];
  for (let divisor = 4; divisor >= 1; divisor--)
    [re, im] = [1 + (x * re - y2 * im) / divisor, (x * im + re) / divisor];
  return re * re + y2 * im * im;
}
