// The subjects that are compared between engines: named sequences of numbers.
import { swarm, swarmHash } from "../../scenes/swarm.js";
import * as math from "../../src/math/index.js";
import { functionsOf, type Call } from "../math/functions.js";
import { argumentsAt } from "./arguments.js";
import { CHANCE } from "./chance.js";
import { MOTION } from "./motion.js";
import type { Sequence } from "./sequence.js";

export interface Subject {
  open: Sequence;
  /** Describes a number of the sequence. */
  describe(index: number): string;
  /** The length of the sequence. */
  most: number;
  /** Numbers per digest. Default: BLOCK. */
  block?: number;
}

/** Returns all subjects. The functions named in `fromMath` are those of the engine's `Math`, not ours. */
export function subjectsOf(fromMath: readonly string[] = []): Record<string, Subject> {
  const subjects: Record<string, Subject> = {};
  for (const [name, ours] of Object.entries(functionsOf(math))) {
    const call = fromMath.includes(name) ? (Math as unknown as Record<string, Call>)[name]! : ours;
    subjects[name] = {
      open: () => (index) => call(...argumentsAt(name, index)),
      describe: (index) => callText(name, argumentsAt(name, index)),
      most: 1_000_000,
    };
  }
  for (const [name, open] of Object.entries({ ...CHANCE, ...MOTION }))
    subjects[name] = { open, describe: (index) => `${name}, number ${index}`, most: 200_000 };
  for (const seed of ["one", "two"])
    subjects[`swarm ${seed}`] = {
      open: hashes(seed),
      describe: (index) => `the swarm's hash, seed ${seed}, step ${index}`,
      most: 10_000,
    };
  return subjects;
}

/** Formats a call. Unlike String(), it keeps the sign of zero. */
export const callText = (name: string, given: readonly number[]) =>
  `${name}(${given.map((x) => (Object.is(x, -0) ? "-0" : String(x))).join(", ")})`;

const hashes =
  (seed: string): Sequence =>
  () => {
    const { memory, step } = swarm(seed);
    return (index) => {
      step(index, 1 / 60);
      return swarmHash(memory);
    };
  };
