import { parseArgs } from "node:util";
import type { Command, Option } from "./command.js";
import { nearest } from "../errors/index.js";
import { UsageError } from "./cli-error.js";

/** The parsed arguments of a command. */
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
    return this.text(name) ?? wrong(`--${name} ${value} is required: ${why}.`);
  }

  /** The values of a list option; empty if it was not given. */
  list(name: string): readonly string[] {
    return (
      this.text(name)
        ?.split(",")
        .map((value) => value.trim()) ?? []
    );
  }

  /** The value of an option, as a whole number. */
  whole(name: string, min: number): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const number = /^\d+$/.test(text) ? Number(text) : NaN;
    if (Number.isSafeInteger(number) && number >= min) return number;
    return wrong(`--${name} must be a whole number, ${min} or more, got ${text}.`);
  }

  /** The value of an option in seconds, at most `max`. The default is within the range of timers. */
  seconds(name: string, fallback: number, max = 1e6): number {
    const text = this.text(name);
    if (text === undefined) return fallback;
    const number = /^\d*\.?\d+(e[+-]?\d+)?$/i.test(text) ? Number(text) : NaN;
    if (number > 0 && number <= max) return number;
    if (number > max) return wrong(`--${name} must be at most ${max} seconds, got ${text}.`);
    return wrong(`--${name} must be a positive number of seconds, got ${text}.`);
  }
}

function wrong(message: string): never {
  throw new UsageError(message);
}

function wrongOption(typed: string, names: readonly string[]): never {
  const other = nearest(typed.replace(/^-+/, ""), names);
  const all = names.map((name) => `--${name}`).join(", ");
  wrong(`unknown option ${typed}. ${other === undefined ? `Options: ${all}.` : `Did you mean --${other}?`}`);
}

const HELP = { about: "Show this help." };

/** Parses the arguments after the name of a command; undefined if they ask for help. */
export function readArgs(command: Command, argv: readonly string[]): Args | undefined {
  const options: Readonly<Record<string, Option>> = { ...command.options, help: HELP };
  const names = Object.keys(options);
  const { tokens } = parseArgs({
    args: [...argv],
    // Not strict, as our own errors are more helpful.
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
      // serve takes the game as an operand.
      if (name === "sim" && command.operands[2] === "game file")
        wrong(
          `unknown option --sim. Name the game file without it: ${value ?? argv[token.index + 1] ?? "game.js"}.`,
        );
      // After a single dash, each letter is its own token, but -sim was probably meant as one option.
      wrongOption(rawName.startsWith("--") ? rawName : argv[token.index]!.replace(/=.*/s, ""), names);
    }
    const option = options[name]!;
    const before = values.get(name);
    if (before !== undefined && !option.isList) wrong(`--${name} is given twice.`);
    if (option.value === undefined) {
      if (value !== undefined) wrong(`--${name} takes no value, got ${value}.`);
      values.set(name, true);
      continue;
    }
    // If the value looks like another option, the value is missing. But a seed may be negative.
    const isOption = !inlineValue && value !== undefined && /^-\D/.test(value);
    if (value === undefined || value === "" || isOption)
      wrong(`--${name} needs a value: --${name} ${option.value}.`);
    values.set(name, before === undefined ? value : `${before},${value}`);
  }
  const [min, max, what] = command.operands;
  if (operands.length > max)
    wrong(
      max === 0
        ? `unexpected argument ${operands[0]}.${"sim" in options && !values.has("sim") ? ` Did you mean --sim ${operands[0]}?` : ""}`
        : `expected ${max === 1 ? "one" : max} ${what}, got ${operands.length}: ${operands.join(" ")}.`,
    );
  if (operands.includes("")) wrong(`${what} is empty: "".`);
  if (operands.length < min)
    wrong(min === 1 ? `${what} is missing.` : `expected ${min} ${what}, got ${operands.length}.`);
  return new Args(values, operands);
}
