import { subjectsOf } from "../../../test/engines/subjects.js";
import { USUAL_ARGUMENTS } from "../../../test/math/usual-arguments.js";

/** The names of everything that engines are compared by. */
export const NAMES = Object.keys(subjectsOf());

/** Names that `Math` has too. */
export const MATH_NAMES = NAMES.filter((name) => name in Math).sort();

const isFunction = (name: string) => name in USUAL_ARGUMENTS;
const isRandom = (name: string) => name.startsWith("Random.");

/** All names, grouped by kind. */
export const GROUPS = [
  { id: "functions", name: "Functions", names: NAMES.filter(isFunction).sort() },
  { id: "random", name: "Random numbers", names: NAMES.filter(isRandom) },
  {
    id: "motion",
    name: "Springs, integrators, swarms",
    names: NAMES.filter((name) => !isFunction(name) && !isRandom(name)),
  },
] as const;
