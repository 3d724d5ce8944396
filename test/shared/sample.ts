import { random } from "../../src/math/index.js";
import { FULL } from "../full.js";

/**
 * Returns some of the cases of a test, in their order: always the same ones. The full run gets all of them. Takes the cases that
 * `always` names too, such as those of a kind of their own.
 */
export function sampleOf<T>(cases: readonly T[], count: number, ...always: T[]): T[] {
  if (FULL) return [...cases];
  const chosen = new Set(always);
  for (const each of random(new Uint32Array(4))
    .seed("sample")
    .shuffle([...cases]))
    if (chosen.size < count) chosen.add(each);
  return cases.filter((each) => chosen.has(each));
}
