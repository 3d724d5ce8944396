// Converts saved games of older versions of a simulation.
import { InputField, type InputKind } from "../input/fields.js";
import { bitsOf, Packing, read, writeBits, type Slot } from "../input/packing.js";
import { PROFILE } from "../math/index.js";
import { isLayoutFields, isLayoutRows } from "../state/describe-layout.js";
import {
  Layout,
  type Fields,
  type ListPart,
  type TablePart,
  type TrailPart,
  type Field,
  type Column,
} from "../state/index.js";
import { migrateState, type ConvertField, type FieldChanges } from "../state/migrate-state.js";
import { fieldsFrom } from "../state/rebuild-layout.js";
import {
  badValue,
  misuse,
  onBehalfOf,
  requireFunction,
  requireOptions,
  requireType,
  TickwiseError,
  unknownName,
} from "../errors/index.js";
import { joined, sectionsOf, titleFor, titleOf } from "./bytes.js";
import { columnsOf, rememberedFields, wordName, type InputColumns } from "./input-memory.js";
import { requireSimulation, titleText, type AnySimulation } from "./simulation.js";

/** The names of all fields, groups, tables and lists of a state: "hero.hp", "crates", "crates.x". */
export type FieldName<S> = string extends keyof S
  ? string
  : { [K in keyof S & string]: K | Inner<K, S[K]> }[keyof S & string];

type Inner<K extends string, P> =
  P extends Field<unknown, Column>
    ? never
    : P extends TablePart<infer R>
      ? `${K}.${FieldName<R>}`
      : P extends ListPart<infer E>
        ? E extends Field<unknown, Column>
          ? never
          : `${K}.${FieldName<E>}`
        : P extends TrailPart<infer F>
          ? `${K}.${FieldName<F>}`
          : `${K}.${FieldName<P>}`;

/** Options of `migrate`: everything that cannot be found by comparing names. */
export interface MigrateOptions<S extends Fields = Fields> {
  /**
   * For each new name, the old name of the field, group, table or list; or a function that returns the value of a field. In a
   * table or list, the function is called once per row. Fields that are not listed keep the value of the same name, or are 0. Old
   * fields without a new name are dropped.
   */
  readonly fields?: { readonly [K in FieldName<S>]?: string | ConvertField | undefined } | undefined;
  /**
   * The table that each id field refers to, by their new names. Needed only if there are several tables, and the new capacity of
   * one of them forces new ids; an error then asks for it.
   */
  readonly ids?: { readonly [K in FieldName<S>]?: FieldName<S> } | undefined;
  /** Returns the new bytes of each external state. `saved` is undefined if none were saved under its name. */
  readonly external?: { readonly [name: string]: (saved: Uint8Array | undefined) => Uint8Array } | undefined;
  /** The simulation or layout that saved the bytes, for bytes without a description, such as those of a replay. */
  readonly from?: AnySimulation | Layout<Fields> | undefined;
}

const OPTIONS = Object.keys({ fields: 1, ids: 1, external: 1, from: 1 } satisfies Record<
  keyof MigrateOptions,
  1
>);

const CALL = "migrate";

/**
 * Converts the bytes of a session of an older version of a simulation, so that this version can load them. Fields are matched by
 * name. Rows of tables keep their ids. The tick, the random generator and held buttons are kept. Current bytes are returned as
 * they are.
 */
export function migrate<S extends Fields>(
  simulation: AnySimulation<S>,
  bytes: Uint8Array,
  options: MigrateOptions<S> = {},
): Uint8Array {
  requireSimulation("migrate", simulation);
  requireOptions("migrate", options, OPTIONS, '{ fields: { health: "hp" } }');
  const { fields = {}, ids = {}, external = {}, from } = options;
  requireType("migrate: fields", fields, "object", '{ health: "hp" }');
  requireType("migrate: ids", ids, "object", '{ target: "crates" }');
  requireType("migrate: external", external, "object", "{ physics: (saved) => saved }");
  const [section, body, ...saved] = sectionsOf(bytes, CALL);
  const title = titleOf(section, CALL);
  const { name, version, fingerprint } = title;
  if (name !== simulation.name)
    misuse(
      "wrong-simulation",
      CALL,
      `the bytes belong to simulation ${JSON.stringify(name)}, not ${JSON.stringify(simulation.name)}`,
    );
  if (fingerprint === simulation.fingerprint) return bytes;
  if (!(typeof version === "number" && version <= simulation.version))
    misuse(
      "wrong-simulation",
      CALL,
      `the bytes are from version ${String(version)} of ${JSON.stringify(name)}, but this is version ${simulation.version}`,
      "Use a newer build of the game",
    );
  if (!body) misuse("corrupt-data", CALL, "the bytes hold no state", "Pass the result of Session.bytes()");

  const old = savedWith(title, simulation, from);
  const before = old.layout.allocate(0, { kernels: "js" });
  const after = (simulation.layout as Layout<Fields>).allocate(0, { kernels: "js" });
  onBehalfOf(CALL, ["State.loadBytes", "State"], () => before.loadBytes(body));
  migrateState(before, after, version, fields as FieldChanges, ids as Record<string, string>);
  copyInputs(old, columnsOf(before.beside), simulation, columnsOf(after.beside));
  const parts = externalOf(simulation, external, old.external, saved);
  return joined(titleFor(simulation), [after.bytes(), ...parts]);
}

/** The parts of the simulation that saved the bytes. */
interface SavedWith {
  readonly layout: Layout<Fields>;
  readonly packing: Packing;
  readonly players: number;
  /** The names of its external states; undefined if they are not known. */
  readonly external: readonly string[] | undefined;
}

/** Finds the layout of the saved state, the one with its fingerprint. */
function savedWith(
  title: Record<string, unknown>,
  simulation: AnySimulation,
  from: MigrateOptions["from"],
): SavedWith {
  const { name, version, fingerprint } = title;
  if (from !== undefined && !(from instanceof Layout)) {
    if (typeof from?.fingerprint !== "string" || typeof from.options?.step !== "function")
      badValue("migrate: from", "a simulation or a layout", from, "{ from: oldGame }");
    if (from.fingerprint !== fingerprint)
      misuse(
        "wrong-simulation",
        CALL,
        `\`from\` is not the simulation that saved the bytes (version ${String(version)}): its fingerprint is ${from.fingerprint}, not ${String(fingerprint)}`,
        "Pass the old simulation as it was",
      );
    const { layout, packing, players } = from;
    return { layout, packing, players, external: Object.keys(from.options.external ?? {}) };
  }
  const {
    rate = simulation.rate.join("/"),
    players = simulation.players,
    inputs = simulation.packing.title,
    profile = PROFILE,
    state,
    rows,
    outside,
    // Bytes with a description leave it out if there were none.
    commands = state === undefined ? simulation.commands.title : "",
    beats = state === undefined ? (simulation.beats ?? "") : "",
  } = title;
  const found = attempt(() => {
    const fields = from
      ? from.fields
      : isLayoutFields(state) && isLayoutRows(rows) && fieldsFrom(state, rows);
    const packing = packingFrom(String(inputs));
    if (!fields || !packing || typeof players !== "number") return undefined;
    const text = titleText(
      name,
      version,
      String(rate).split("/"),
      players,
      inputs,
      profile,
      String(commands),
      String(beats),
    );
    const layout = new Layout<Fields>(fields, rememberedFields(packing, players), text);
    const external = Array.isArray(outside) ? outside.map(String) : undefined;
    return layout.fingerprint === fingerprint ? { layout, packing, players, external } : undefined;
  });
  if (found) return found;
  if (from)
    misuse(
      "wrong-simulation",
      CALL,
      `\`from\` is not the layout that the bytes were saved with (version ${String(version)})`,
      "Pass the old simulation: { from: oldGame }",
    );
  return misuse(
    "not-ready",
    CALL,
    `the bytes do not describe their fields (version ${String(version)})`,
    "Pass the simulation that saved them: { from: oldGame }; or its layout, if only the state changed: { from: oldLayout }",
  );
}

/** Returns undefined if the search throws, as it does in many places for a description that was altered. */
function attempt<T>(find: () => T | undefined): T | undefined {
  try {
    return find();
  } catch (error) {
    if (error instanceof TickwiseError || error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Parses `Packing.title`. */
function packingFrom(title: string): Packing | undefined {
  const fields: Record<string, InputField<boolean> | InputField<number>> = {};
  for (const [, name, kind, bits, base] of title.matchAll(
    /([^,:@]+):(button|axis|int|fraction)(\d+),(-?\d+)@\d+\.\d+/g,
  ))
    fields[name!] = new InputField<number>(
      kind as InputKind,
      Number(bits),
      Number(base),
      2 ** Number(bits) - 1,
    );
  const packing = new Packing(fields);
  return packing.title === title ? packing : undefined;
}

/** Copies the remembered inputs by name. New inputs start released. */
function copyInputs(
  old: SavedWith,
  from: InputColumns,
  { packing, players }: AnySimulation,
  to: InputColumns,
): void {
  for (const slot of (packing as Packing).slots) {
    const source = old.packing.slots.find(({ name }) => name === slot.name);
    if (source?.field.kind !== slot.field.kind) continue;
    for (let player = 0; player < Math.min(players, old.players); player++) {
      copyInput(source, wordsOf(old.packing, from, player), slot, to, player);
      if (slot.field.kind === "button") to.held[slot.name]![player] = from.held[slot.name]![player]!;
    }
  }
}

const wordsOf = ({ words }: Packing, { before }: InputColumns, player: number) =>
  Array.from({ length: words }, (_, word) => before[wordName(word)]![player]!);

function copyInput(
  source: Slot,
  words: readonly number[],
  slot: Slot,
  to: InputColumns,
  player: number,
): void {
  const value = read(source, words, 0);
  const { kind, base, max } = slot.field;
  // Drop a number outside the new range.
  if (kind === "int" && !((value as number) >= base && (value as number) <= base + max)) return;
  const word = new Uint32Array(1);
  const column = to.before[wordName(slot.word)]!;
  word[0] = column[player]!;
  writeBits({ ...slot, word: 0 }, word, 0, bitsOf(slot, value));
  column[player] = word[0]!;
}

function externalOf(
  simulation: AnySimulation,
  external: NonNullable<MigrateOptions["external"]>,
  names: readonly string[] | undefined,
  saved: readonly Uint8Array[],
): Uint8Array[] {
  const own = Object.keys(simulation.options.external ?? {});
  for (const name of Object.keys(external))
    if (!own.includes(name)) unknownName(CALL, "external state", name, own);
  // Without names, the saved parts are in order of declaration.
  const order = names ?? (saved.length === 0 ? [] : own);
  if (order.length !== saved.length && own.length > 0)
    misuse(
      "wrong-simulation",
      CALL,
      `the number of external states differs: ${saved.length} in the bytes, ${order.length} in the simulation`,
      "Pass the simulation that saved them: { from: oldGame }",
    );
  return own.map((name) => {
    const convert = Object.hasOwn(external, name) ? external[name] : undefined;
    if (convert === undefined)
      misuse(
        "not-ready",
        CALL,
        `the external state "${name}" cannot be migrated by field`,
        `Pass a function, which returns \`saved\` if the format did not change: { external: { ${name}: (saved) => saved } }`,
      );
    requireFunction(`migrate: external.${name}`, convert, "(saved) => saved");
    const at = order.indexOf(name);
    const bytes: unknown = convert(at < 0 ? undefined : saved[at]!.slice());
    if (!(bytes instanceof Uint8Array))
      badValue(`migrate: the result of external.${name}`, "a Uint8Array", bytes, "(saved) => saved");
    return bytes;
  });
}
