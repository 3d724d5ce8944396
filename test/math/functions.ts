export type Call = (...args: number[]) => number;

/** Other exports of tickwise/math, which have their own tests. */
const OTHERS = new Set(["PROFILE", "damp", "halfLife", "random", "spring", "springAll"]);

/** The functions of tickwise/math that replace those of Math. */
export function functionsOf(math: object): Record<string, Call> {
  return Object.fromEntries(Object.entries(math).filter(([name]) => !OTHERS.has(name)));
}
