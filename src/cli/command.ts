import type { Args } from "./args.js";

export interface Option {
  /** The name of its value in the help; a flag has none. */
  readonly value?: string;
  /** Whether it may be given several times, or with several values separated by commas. */
  readonly isList?: boolean;
  readonly about: string;
}

/** A command, with its help. */
export interface Command {
  /** Such as "replay verify". */
  readonly name: string;
  /** The arguments, after the name. */
  readonly usage: string;
  /** One line, for the list of commands. */
  readonly summary: string;
  /** Paragraphs. */
  readonly about: readonly string[];
  readonly options: Readonly<Record<string, Option>>;
  /** The number of arguments besides options, and their name. */
  readonly operands: readonly [min: number, max: number, name: string];
  readonly examples: readonly string[];
  /** Returns the exit status. */
  run(args: Args): Promise<number>;
}

/** Options of several commands. */
export const SIM: Option = {
  value: "MODULE",
  about: "The file that exports the simulation: game.js, or game.js#name for an export by name.",
};
export const EXPORT: Option = {
  value: "NAME",
  about: "The export to use. Default: the default export, or the only simulation.",
};
export const JSON_LINES: Option = {
  about: "Print each result as one line of JSON.",
};
export const TIMEOUT: Option = {
  value: "SECONDS",
  about: "Give up after this many seconds. Default: 300.",
};
export const DEFAULT_TIMEOUT = 300;
