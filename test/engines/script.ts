// The script that runs unchanged in every engine, and answers questions. Plain ECMAScript, as shells have nothing else.
import { Digest } from "../math/digest.js";
import { SCENE_SUBJECTS } from "./scenes.js";
import { subjectsOf, type Subject } from "./subjects.js";

export interface Question {
  subject: string;
  /** How many numbers to compute; fewer if the subject has no more. */
  count: number;
  /** If set, return the numbers from this index on, instead of digests. */
  valuesFrom?: number;
  /** Functions to take from the engine's `Math` instead of ours, to test that the comparison notices. */
  fromMath?: string[];
}

/** Returns the subject of a name. */
export const subjectOf = (name: string, fromMath?: readonly string[]): Subject =>
  SCENE_SUBJECTS[name] ?? subjectsOf(fromMath)[name]!;

/** Numbers per digest. Where two lists of digests differ first is where the numbers do. */
export const BLOCK = 1000;

/** The digest of all numbers up to the end of each block; or the bits of each number, in hexadecimal. */
export type Answer = string[];

export function answer({ subject: name, count, valuesFrom, fromMath }: Question): Answer {
  const subject = subjectOf(name, fromMath);
  const { block = BLOCK } = subject;
  const next = subject.open();
  const digest = new Digest();
  const answers = [];
  for (let i = 0; i < Math.min(count, subject.most); i++) {
    const x = next(i);
    if (valuesFrom !== undefined) {
      if (i >= valuesFrom) answers.push(bitsOf(x));
    } else {
      digest.add(x);
      if ((i + 1) % block === 0) answers.push(digest.text());
    }
  }
  return answers;
}

const view = new DataView(new ArrayBuffer(8));

function bitsOf(x: number): string {
  if (x !== x) return "NaN";
  view.setFloat64(0, x);
  return [0, 4].map((at) => view.getUint32(at).toString(16).padStart(8, "0")).join("");
}
