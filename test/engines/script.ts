// What runs in every engine, as one script and unchanged: it answers questions. Plain ECMAScript, as shells have no more.
import { Digest } from "../math/digest.js";
import { SCENE_SUBJECTS } from "./scenes.js";
import { subjectsOf, type Subject } from "./subjects.js";

export interface Question {
  subject: string;
  /** How many numbers; fewer if the subject has no more. */
  count: number;
  /** From this one on, the numbers themselves and not their digests. */
  valuesFrom?: number;
  /** Functions that are the engine's own, of `Math`, in place of ours: to see that it is noticed. */
  fromMath?: string[];
}

/** What can be asked for. */
export const subjectOf = (name: string, fromMath?: readonly string[]): Subject =>
  SCENE_SUBJECTS[name] ?? subjectsOf(fromMath)[name]!;

/** Digests are given after each so many numbers: where two lists part is where results do. */
export const BLOCK = 1000;

/** Of all numbers up to the end of each block; or the bits of each number, as hexadecimal digits. */
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
