import {
  explicitEuler,
  rk4,
  semiImplicitEuler,
  stableRate,
  velocityVerlet,
  type IntegratorName,
} from "tickwise/integrate";

/** Newtons per metre per second. The block weighs 1 kg. */
export const DAMPING = 10.5;
/** Steps per second of the fixed side. */
export const FIXED_RATE = 240;

/** The rows of the map. */
export const INTEGRATORS = [
  { name: "explicitEuler", label: "Explicit Euler", step: explicitEuler },
  { name: "semiImplicitEuler", label: "Semi-implicit", step: semiImplicitEuler },
  { name: "velocityVerlet", label: "Verlet", step: velocityVerlet },
  { name: "rk4", label: "RK4", step: rk4 },
] as const satisfies readonly { readonly name: IntegratorName; readonly label: string; step: unknown }[];

/** The columns of the map: frames per second. */
export const RATES = [15, 20, 30, 60, 120, 240] as const;

/** Returns the steps per second above which an integrator is stable. */
export const neededRate = (row: number, stiffness: number): number =>
  stableRate(INTEGRATORS[row]!.name, { stiffness, damping: DAMPING });

/** Returns the steps per second of a column. */
export const rateOf = (column: number, isFixed: boolean): number => (isFixed ? FIXED_RATE : RATES[column]!);

/** Whether the spring of a cell stays in one piece. */
export const isStable = (row: number, column: number, stiffness: number, isFixed: boolean): boolean =>
  rateOf(column, isFixed) > neededRate(row, stiffness);
