import { parseArgs } from "node:util";
import type { Command, Option } from "./command.js";
import { nearest } from "../errors/index.js";
import { UsageError } from "./cli-error.js";

/** What a command was given. */
export class Args {
  readonly operands: readonly string[];
  readonly #values: ReadonlyMap<string, string | true>;

  constructor(values: ReadonlyMap<string, string | true>, operands: readonly string[]) {
    this.#values = values;
    this.operands = operands;
  }

  has(name: string): boolean {
    return this.#values.has(name);
  }

  text(name: string): string | undefined {
    const value = this.#values.get(name);
    return value === true ? undefined : value;
  }

  required(name: string, value: string, why: string): string {
    return this.text(name) ?? wrong(`--${name} ${value} is missing: ${why}.`);
  }

  /** The values of an option that is a list; none if it is not given. */
  list(name: string): readonly string[] {
    return (
      this.text(name)
        ?.split(",")
        .map((value) => value.trim()) ?? []
    );
  }

  /** A whole number. */
  whole(name: string, least: number): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const number = /^\d+$/.test(text) ? Number(text) : NaN;
    if (Number.isSafeInteger(number) && number >= least) return number;
    return wrong(`--${name} must be a whole number, ${least} or more, got ${text}.`);
  }

  /** A time, as timers can wait for it. */
  seconds(name: string, usual: number): number {
    const text = this.text(name);
    const number = text === undefined ? usual : /^\d*\.?\d+$/.test(text) ? Number(text) : NaN;
    if (number > 0 && number <= 1e6) return number;
    return wrong(`--${name} must be a number of seconds, more than 0, got ${text}.`);
  }
}

function wrong(message: string): never {
  throw new UsageError(message);
}

const HELP = { about: "Show this page." };

/** Reads what follows a command's name; undefined if its page is asked for. */
export function readArgs(command: Command, argv: readonly string[]): Args | undefined {
  const options: Readonly<Record<string, Option>> = { ...command.options, help: HELP };
  const names = Object.keys(options);
  const { tokens } = parseArgs({
    args: [...argv],
    // Not strict: it would tell less of what was wrong, and what to do.
    strict: false,
    tokens: true,
    allowPositionals: true,
    options: Object.fromEntries(
      Object.entries(options).map(([name, option]) => [
        name,
        { type: "value" in option ? "string" : "boolean", ...(name === "help" ? { short: "h" } : {}) },
      ]),
    ),
  });
  if (tokens.some((token) => token.kind === "option" && token.name === "help")) return undefined;
  const values = new Map<string, string | true>();
  const operands: string[] = [];
  for (const token of tokens) {
    if (token.kind === "positional") operands.push(token.value);
    if (token.kind !== "option") continue;
    const { name, rawName, value, inlineValue } = token;
    if (!Object.hasOwn(options, name)) {
      // After a single dash, each letter is a token of its own: -sim is meant as one.
      const said = rawName.startsWith("--") ? rawName : argv[token.index]!.replace(/=.*/s, "");
      const other = nearest(said.replace(/^-+/, ""), names);
      wrong(
        `there is no option ${said}${other === undefined ? ` here; there are ${names.map((option) => `--${option}`).join(", ")}.` : `. Did you mean --${other}?`}`,
      );
    }
    const option = options[name]!;
    const before = values.get(name);
    if (before !== undefined && !option.isList) wrong(`--${name} is given twice.`);
    if (option.value === undefined) {
      if (value !== undefined) wrong(`--${name} takes no value, got ${value}.`);
      values.set(name, true);
      continue;
    }
    // What looks like an option is one that was forgotten a value before; but a seed may be negative.
    const isOption = !inlineValue && value !== undefined && /^-\D/.test(value);
    if (value === undefined || value === "" || isOption)
      wrong(`--${name} needs a value: --${name} ${option.value}.`);
    values.set(name, before === undefined ? value : `${before},${value}`);
  }
  const [least, most, what] = command.operands;
  if (operands.length > most)
    wrong(
      most === 0
        ? `it takes nothing but options, got ${operands[0]}.${"sim" in options && !values.has("sim") ? ` Did you mean --sim ${operands[0]}?` : ""}`
        : `it takes ${most === 1 ? "one" : most} ${what}, got ${operands.length}: ${operands.join(" ")}.`,
    );
  if (operands.length < least)
    wrong(least === 1 ? `a ${what} is missing.` : `it takes ${least} ${what}, got ${operands.length}.`);
  return new Args(values, operands);
}
