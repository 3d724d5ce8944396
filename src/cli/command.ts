import type { Args } from "./args.js";

export interface Option {
  /** What its value is called in the help; a flag has none. */
  readonly value?: string;
  /** It may be given several times, and its values separated by commas. */
  readonly isList?: boolean;
  readonly about: string;
}

/** A command: what its page says, what it takes, and what it does. */
export interface Command {
  /** Such as "replay verify". */
  readonly name: string;
  /** What follows the name. */
  readonly usage: string;
  /** A line for the list of all. */
  readonly summary: string;
  /** Paragraphs. */
  readonly about: readonly string[];
  readonly options: Readonly<Record<string, Option>>;
  /** What it takes beside options: how many at least and at most. */
  readonly operands: readonly [least: number, most: number, name: string];
  readonly examples: readonly string[];
  /** Returns the exit status. */
  run(args: Args): Promise<number>;
}

/** Options that several commands have. */
export const SIM: Option = {
  value: "MODULE",
  about: "The file that exports the simulation: game.js, or game.js#name for an export by name.",
};
export const EXPORT: Option = {
  value: "NAME",
  about: "Which export it is. Default: the default export, or the only simulation there is.",
};
export const JSON_LINES: Option = {
  about: "Print each result as one line of JSON.",
};
export const TIMEOUT: Option = {
  value: "SECONDS",
  about: "Give up after so long. Default 300.",
};
export const DEFAULT_TIMEOUT = 300;
