import { badValue, misuse, requireType, unknownName } from "../errors/index.js";
import type { Column, Field } from "../state/index.js";
import { ByteCursor, codecOf, fieldOfKind, type CommandPart, type FieldCodec } from "./command-codec.js";
import type { CommandField } from "./command-fields.js";

/** The commands that players can issue, each with its fields. */
export interface CommandFields {
  readonly [name: string]: { readonly [field: string]: CommandPart };
}

/** The values of a command, as a step reads them. */
export type CommandValues<F> = {
  readonly [K in keyof F]: F[K] extends CommandField<infer V, infer _>
    ? V
    : F[K] extends Field<infer V, Column>
      ? V
      : never;
};

/** The values that a command is issued with. */
export type CommandArguments<F> = {
  readonly [K in keyof F]: F[K] extends CommandField<infer _, infer W>
    ? W
    : F[K] extends Field<infer V, Column>
      ? V
      : never;
};

/** Any command, where its fields do not matter. */
export interface AnyCommand {
  readonly name: string;
  readonly player: number;
  readonly [field: string]: unknown;
}

/** A command in a step, with the player who issued it: `{ name: "build", player: 1, x: 7, y: 3 }`. */
export type Command<C extends CommandFields> = string extends keyof C
  ? AnyCommand
  : {
      [K in keyof C & string]: { readonly name: K; readonly player: number } & CommandValues<C[K]>;
    }[keyof C & string];

/** Issues a command: `command("build", { x, y })`; or `command("vote")` if it has no fields. */
export type IssueCommand<C extends CommandFields> = <K extends keyof C & string>(
  name: K,
  ...values: {} extends C[K]
    ? [values?: CommandArguments<C[K]>, options?: CommandOptions]
    : [values: CommandArguments<C[K]>, options?: CommandOptions]
) => void;

/** Options of a command. */
export interface CommandOptions {
  /** The player who issues it. Default 0. */
  readonly player?: number | undefined;
}

/** An encoded command, and the player who issued it. It never changes. */
export interface PackedCommand {
  readonly player: number;
  readonly bytes: Uint8Array;
}

/** The commands of a step without any. All such steps share it, so that they allocate nothing. */
export const NO_COMMANDS: readonly PackedCommand[] = Object.freeze([]);

/** The same, decoded. */
const NONE: readonly AnyCommand[] = Object.freeze([]);

/** Most commands of all players in one step. */
export const MAX_COMMANDS = 1024;

/** Longest encoded command. */
const MAX_BYTES = 65_536;
/** Their numbers take one byte. */
const MAX_NAMES = 256;
const NAME = /^[\p{L}_][\p{L}\p{N}_]*$/u;
const RESERVED_NAMES = ["name", "player", "__proto__"];

/** Commands as plain values, for files: `[["build", ["x", "u16"]], ["chat", ["text", "text", 200]]]`. */
export type CommandDescription = readonly (readonly [string, ...(readonly (string | number)[])[]])[];

interface Declared {
  readonly name: string;
  readonly number: number;
  readonly fields: readonly (readonly [string, FieldCodec])[];
  readonly minBytes: number;
  readonly maxBytes: number;
}

/** Checks the declared commands, and encodes and decodes what players issue: the number of the command, then its fields. */
export class CommandSpec {
  /** The names of the commands, in order of declaration. */
  readonly names: readonly string[];
  /** Bytes of the longest command; 0 if none is declared. */
  readonly maxBytes: number;
  /** @internal The commands and their fields as text; "" if none is declared. Specs with equal titles can read each other's bytes. */
  readonly title: string;
  readonly #declared: readonly Declared[];

  /** @internal Use `simulation({ commands })`. */
  constructor(commands: CommandFields) {
    this.names = Object.keys(commands);
    if (this.names.length > MAX_NAMES)
      badValue(
        "simulation: commands",
        `at most ${MAX_NAMES} commands`,
        this.names.length,
        "one command with a field that says which",
      );
    this.#declared = this.names.map((name, number) => declare(name, number, commands[name]));
    this.maxBytes = this.#declared.reduce((max, { maxBytes }) => Math.max(max, maxBytes), 0);
    this.title = this.names.length > 0 ? JSON.stringify(this.description) : "";
  }

  /** @internal Rebuilds a spec from its description. Throws if that is not valid. */
  static from(description: CommandDescription): CommandSpec {
    const commands = description.map(
      ([name, ...fields]) =>
        [name, Object.fromEntries(fields.map(([field, ...kind]) => [field, fieldOfKind(kind)]))] as const,
    );
    const spec = new CommandSpec(Object.fromEntries(commands));
    // Names that look like indices are sorted, and equal ones are merged.
    if (spec.title !== JSON.stringify(description)) throw new Error("the commands cannot be declared");
    return spec;
  }

  /** @internal */
  get description(): CommandDescription {
    return this.#declared.map(({ name, fields }) => [
      name,
      ...fields.map(([field, { kind }]) => [field, ...kind]),
    ]);
  }

  /** Encodes a command. Errors name `call`. */
  encode(name: string, values: Readonly<Record<string, unknown>> = {}, call = "command"): Uint8Array {
    const declared = this.#declared.find((other) => other.name === name);
    if (!declared) unknownName(call, "command", name, this.names);
    const { fields, maxBytes, number } = declared;
    const names = fields.map(([field]) => field);
    requireType(`${call}: ${name}`, values, "object", `{ ${names.join(", ")} }`);
    for (const field of Object.keys(values))
      if (!names.includes(field)) unknownName(call, `field of command "${name}":`, field, names);
    const to = new ByteCursor(new Uint8Array(maxBytes));
    to.bytes[to.at++] = number;
    for (const [field, codec] of fields) codec.write(`${call}: ${name}.${field}`, values[field], to);
    return to.bytes.slice(0, to.at);
  }

  /** Whether the bytes are those of a command, exactly as `encode` writes it. Never throws. */
  isValid(bytes: Uint8Array): boolean {
    return this.#read(bytes, 0) !== undefined;
  }

  /** Decodes a command. Throws if the bytes are not valid: check those of strangers first. */
  decode(bytes: Uint8Array, player = 0): AnyCommand {
    return (
      this.#read(bytes, player) ??
      misuse("corrupt-data", "Simulation", "a command has invalid bytes", "Check them with isValid first")
    );
  }

  /** @internal Decodes the commands of a step, in order of the players, then of issue. */
  decodeAll(packed: readonly PackedCommand[]): readonly AnyCommand[] {
    if (packed.length === 0) return NONE;
    const commands = packed.map(({ bytes, player }) => this.decode(bytes, player));
    return Object.freeze(commands.sort((a, b) => a.player - b.player));
  }

  #read(bytes: Uint8Array, player: number): AnyCommand | undefined {
    const declared = bytes.length > 0 ? this.#declared[bytes[0]!] : undefined;
    if (!declared || bytes.length < declared.minBytes || bytes.length > declared.maxBytes) return undefined;
    const from = new ByteCursor(bytes);
    from.at = 1;
    const command: Record<string, unknown> & AnyCommand = { name: declared.name, player };
    for (const [field, codec] of declared.fields) {
      const value = codec.minBytes <= from.left ? codec.read(from) : undefined;
      if (value === undefined) return undefined;
      (command as Record<string, unknown>)[field] = value;
    }
    return from.left === 0 ? Object.freeze(command) : undefined;
  }
}

function declare(name: string, number: number, fields: CommandFields[string] | undefined): Declared {
  const subject = `simulation: commands.${name}`;
  if (!NAME.test(name)) badValue("simulation: a command's name", "letters, digits and _", name, '"build"');
  if (typeof fields !== "object" || fields === null)
    badValue(subject, "an object of fields", fields, "{ x: u16 }");
  const codecs = Object.entries(fields).map(([field, part]) => {
    if (!NAME.test(field) || RESERVED_NAMES.includes(field))
      badValue(
        `simulation: a field of commands.${name}`,
        `letters, digits and _, and not ${RESERVED_NAMES.join(", ")}`,
        field,
        '"x"',
      );
    return [field, codecOf(`${subject}.${field}`, part)] as const;
  });
  const minBytes = codecs.reduce((sum, [, codec]) => sum + codec.minBytes, 1);
  const maxBytes = codecs.reduce((sum, [, codec]) => sum + codec.maxBytes, 1);
  if (maxBytes > MAX_BYTES)
    badValue(subject, `at most ${MAX_BYTES} bytes long`, maxBytes, "shorter texts or lists");
  return { name, number, fields: codecs, minBytes, maxBytes };
}

/** Returns the commands in order of the players. Keeps the order of those of one player. */
export function inOrder(commands: readonly PackedCommand[]): readonly PackedCommand[] {
  return [...commands].sort((a, b) => a.player - b.player);
}

/** Throws unless the value is the number of a player. */
export function requirePlayer(subject: string, player: unknown, players: number): void {
  if (!(Number.isSafeInteger(player) && (player as number) >= 0 && (player as number) < players))
    badValue(subject, `a whole number from 0 to ${players - 1}`, player, 0);
}
