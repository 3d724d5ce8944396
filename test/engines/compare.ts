// Finds where two places part, down to the bits of one number.
import type { Place } from "./places.js";
import { BLOCK, subjectOf, type Answer, type Question } from "./script.js";

/** For each question whose digests are not those of the reference, in words, the first number that differs. */
export async function differences(
  reference: Place,
  expected: Answer[],
  place: Place,
  questions: Question[],
): Promise<string[]> {
  const answers = await place.ask(questions);
  const told = [];
  for (const [i, question] of questions.entries()) {
    const digests = answers[i] ?? [];
    // It may have been asked for fewer; but what it was asked for, it has to give.
    const asked = Math.min(Math.floor(question.count / blockOf(question)), expected[i]!.length);
    if (asked === 0 || digests.length !== asked)
      throw new Error(`${place.name} gave ${digests.length} digests of ${question.subject}, not ${asked}.`);
    const block = digests.findIndex((digest, at) => digest !== expected[i]![at]);
    if (block >= 0) told.push(await firstDifference(reference, place, question, block));
  }
  return told;
}

const blockOf = ({ subject }: Question): number => subjectOf(subject).block ?? BLOCK;

async function firstDifference(
  reference: Place,
  place: Place,
  question: Question,
  block: number,
): Promise<string> {
  const { subject } = question;
  const each = blockOf(question);
  const ask = { ...question, valuesFrom: block * each, count: (block + 1) * each };
  const [[theirs], [ours]] = await Promise.all([place.ask([ask]), reference.ask([ask])]);
  const differing = theirs!.flatMap((bits, i) => (bits === ours![i] ? [] : [i]));
  const first = differing[0];
  // Then it is not even the same twice.
  if (first === undefined) return `${subject}: ${place.name} does not repeat its results in block ${block}`;
  const index = block * each + first;
  return (
    `${subjectOf(subject).tell(index)}: ${place.name} ${theirs![first]}, ${reference.name} ${ours![first]}` +
    ` (argument ${index}; ${differing.length} of ${each} differ from ${block * each} on)`
  );
}
