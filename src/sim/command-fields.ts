import { badValue, requireArguments, requireWhole } from "../errors/index.js";
import { Field, type Column } from "../state/index.js";

/** Longest text, bytes or list of a command. */
const MAX_LENGTH = 65_535;

/** A field of a command whose size varies. `V` is the value that a step reads, `W` the value that a command is issued with. */
export class CommandField<V, W = V> {
  /** @internal Use `text`, `bytes` or `many`. */
  constructor(
    readonly kind: "text" | "bytes" | "many",
    /** Most bytes of a text or of bytes; most elements of a list. */
    readonly max: number,
    /** @internal What a list holds. */
    readonly element?: Field<number | boolean, Column>,
  ) {}
  /** Only for the compiler. */
  declare protected readonly value: V;
  declare protected readonly written: W;
}

/** Declares a text of at most `maxBytes` bytes. Letters of English take one byte, others up to four. A lone surrogate becomes U+FFFD. */
export function text(maxBytes: number): CommandField<string> {
  requireArguments("text", arguments.length, 1);
  requireLength("text: maxBytes", maxBytes, 200);
  return new CommandField("text", maxBytes);
}

/** Declares up to `max` bytes of your own format. */
export function bytes(max: number): CommandField<Uint8Array> {
  requireArguments("bytes", arguments.length, 1);
  requireLength("bytes: max", max, 256);
  return new CommandField("bytes", max);
}

/** Declares a list of up to `max` numbers of one kind: `many(100, u16)`. */
export function many<V extends number | boolean>(
  max: number,
  field: Field<V, Column>,
): CommandField<readonly V[], ArrayLike<V>> {
  requireArguments("many", arguments.length, 2);
  requireLength("many: max", max, 100);
  if (!(field instanceof Field)) badValue("many: field", "a field of a single number", field, "u16");
  return new CommandField("many", max, field as Field<number | boolean, Column>);
}

function requireLength(subject: string, max: number, fix: number): void {
  requireWhole(subject, max, 1, fix);
  if (max > MAX_LENGTH) badValue(subject, `at most ${MAX_LENGTH}`, max, fix);
}
