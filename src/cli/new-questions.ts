import { createInterface } from "node:readline/promises";
import type { Args } from "./args.js";
import { CliError, UsageError } from "./cli-error.js";
import { escaped } from "./escape.js";
import { anyOf, remark } from "./screen.js";

/** Something to choose, by an option or by a question. */
export interface Choice {
  readonly option: string;
  readonly question: string;
  /** The two values of the option, with what they mean. The first one is the default. */
  readonly answers: Readonly<Record<string, string>>;
}

/** What the options say; or the user, on a terminal; or the defaults. */
export async function chosen(args: Args, choices: readonly Choice[]): Promise<string[]> {
  const given = choices.map((choice) => optionOf(args, choice));
  if (!given.includes(undefined)) return given as string[];
  if (!process.stdin.isTTY || !process.stdout.isTTY)
    return given.map((value, i) => value ?? Object.keys(choices[i]!.answers)[0]!);
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  // Not `question`, which would lose lines that were typed ahead.
  const lines = terminal[Symbol.asyncIterator]();
  const values: string[] = [];
  try {
    for (const [i, choice] of choices.entries()) values.push(given[i] ?? (await ask(choice, lines)));
  } finally {
    terminal.close();
  }
  return values;
}

function optionOf(args: Args, { option, answers }: Choice): string | undefined {
  const text = args.text(option);
  if (text !== undefined && !Object.hasOwn(answers, text))
    throw new UsageError(`--${option} must be ${anyOf(Object.keys(answers))}, got ${text}.`);
  return text;
}

async function ask({ question, answers }: Choice, lines: AsyncIterator<string>): Promise<string> {
  const values = Object.keys(answers);
  const rows = Object.entries(answers).map(([value, meaning], i) => `  ${i + 1}  ${value}: ${meaning}`);
  for (;;) {
    process.stdout.write(`${question}\n${rows.join("\n")}\n1 or 2? (1) `);
    const { done, value } = await lines.next();
    // Ctrl-C or Ctrl-D.
    if (done === true) throw new CliError("new: cancelled. Nothing was written.");
    const answer = value.trim().toLowerCase();
    const chosenValue = answer === "" ? values[0]! : (values[Number(answer) - 1] ?? answer);
    if (values.includes(chosenValue)) return chosenValue;
    remark(`Please answer 1 or 2, got ${escaped(answer)}.`);
  }
}
