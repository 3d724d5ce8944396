import { subjectsOf } from "../../../test/engines/subjects.js";
import { USUAL_ARGUMENTS } from "../../../test/math/usual-arguments.js";

/** All that the engines were compared by. */
export const NAMES = Object.keys(subjectsOf());

/** Those that have a function of `Math` beside them. */
export const MATH_NAMES = NAMES.filter((name) => name in Math).sort();

const isFunction = (name: string) => name in USUAL_ARGUMENTS;
const isChance = (name: string) => name.startsWith("Random.");

/** All names, by what they are. */
export const GROUPS = [
  { id: "functions", name: "Functions", names: NAMES.filter(isFunction).sort() },
  { id: "chance", name: "Random numbers", names: NAMES.filter(isChance) },
  {
    id: "motion",
    name: "Springs, integrators, swarms",
    names: NAMES.filter((name) => !isFunction(name) && !isChance(name)),
  },
] as const;
