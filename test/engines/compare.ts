// Finds the first number in which two runtimes differ.
import type { Runtime } from "./runtimes.js";
import { BLOCK, subjectOf, type Answer, type Question } from "./script.js";

/** Describes the first number that differs, for each question whose digests differ from the reference. */
export async function differences(
  reference: Runtime,
  expected: Answer[],
  runtime: Runtime,
  questions: Question[],
): Promise<string[]> {
  const answers = await runtime.ask(questions);
  const found = [];
  for (const [i, question] of questions.entries()) {
    const digests = answers[i] ?? [];
    // It may be asked for fewer numbers than the reference, but must return as many as it is asked for.
    const asked = Math.min(Math.floor(question.count / blockOf(question)), expected[i]!.length);
    if (asked === 0 || digests.length !== asked)
      throw new Error(`${runtime.name} gave ${digests.length} digests of ${question.subject}, not ${asked}.`);
    const block = digests.findIndex((digest, at) => digest !== expected[i]![at]);
    if (block >= 0) found.push(await firstDifference(reference, runtime, question, block));
  }
  return found;
}

const blockOf = ({ subject }: Question): number => subjectOf(subject).block ?? BLOCK;

async function firstDifference(
  reference: Runtime,
  runtime: Runtime,
  question: Question,
  block: number,
): Promise<string> {
  const { subject } = question;
  const each = blockOf(question);
  const ask = { ...question, valuesFrom: block * each, count: (block + 1) * each };
  const [[theirs], [ours]] = await Promise.all([runtime.ask([ask]), reference.ask([ask])]);
  const differing = theirs!.flatMap((bits, i) => (bits === ours![i] ? [] : [i]));
  const first = differing[0];
  // The second answer agreed, so the engine does not even repeat itself.
  if (first === undefined) return `${subject}: ${runtime.name} does not repeat its results in block ${block}`;
  const index = block * each + first;
  return (
    `${subjectOf(subject).describe(index)}: ${runtime.name} ${theirs![first]}, ${reference.name} ${ours![first]}` +
    ` (argument ${index}; ${differing.length} of ${each} differ from ${block * each} on)`
  );
}
