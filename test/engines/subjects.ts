// What is compared between engines: numbers that follow one another, each a subject by a name.
import { swarm, swarmHash } from "../../scenes/swarm.js";
import * as math from "../../src/math/index.js";
import { functionsOf, type Call } from "../math/functions.js";
import { argumentsAt } from "./arguments.js";
import { CHANCE } from "./chance.js";
import { MOTION } from "./motion.js";
import type { Sequence } from "./sequence.js";

export interface Subject {
  open: Sequence;
  /** Of what a number is the result, in words. */
  tell(index: number): string;
  /** There are no more of them. */
  most: number;
  /** A digest is given after each so many; default BLOCK. */
  block?: number;
}

/** The subjects. Those functions that are named are the engine's own, of `Math`, in place of ours. */
export function subjectsOf(fromMath: readonly string[] = []): Record<string, Subject> {
  const subjects: Record<string, Subject> = {};
  for (const [name, ours] of Object.entries(functionsOf(math))) {
    const call = fromMath.includes(name) ? (Math as unknown as Record<string, Call>)[name]! : ours;
    subjects[name] = {
      open: () => (index) => call(...argumentsAt(name, index)),
      tell: (index) => told(name, argumentsAt(name, index)),
      most: 1_000_000,
    };
  }
  for (const [name, open] of Object.entries({ ...CHANCE, ...MOTION }))
    subjects[name] = { open, tell: (index) => `${name}, number ${index}`, most: 200_000 };
  for (const seed of ["one", "two"])
    subjects[`swarm ${seed}`] = {
      open: hashes(seed),
      tell: (index) => `the swarm's hash, seed ${seed}, step ${index}`,
      most: 10_000,
    };
  return subjects;
}

/** A call in words; as text, a zero would lose its sign. */
export const told = (name: string, given: readonly number[]) =>
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
