export type Call = (...args: number[]) => number;

/** What else tickwise/math has: what is made of its functions, and has tests of its own. */
const OTHERS = new Set(["PROFILE", "damp", "halfLife", "random", "spring", "springAll"]);

/** The functions of tickwise/math that stand in for those of Math. */
export function functionsOf(math: object): Record<string, Call> {
  return Object.fromEntries(Object.entries(math).filter(([name]) => !OTHERS.has(name)));
}
