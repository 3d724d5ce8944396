// Saved games from older versions of a simulation.
import { InputField, type InputKind } from "../input/fields.js";
import { bitsOf, Packing, read, writeBits, type Slot } from "../input/packing.js";
import { PROFILE } from "../math/index.js";
import { isLayoutFields, isLayoutRows } from "../state/describe-layout.js";
import {
  Layout,
  type Fields,
  type ListPart,
  type TablePart,
  type Field,
  type Column,
} from "../state/index.js";
import { migrateState, type ConvertField, type FieldChanges } from "../state/migrate-state.js";
import { fieldsFrom } from "../state/rebuild-layout.js";
import { badValue, requireFunction, requireKnownOptions, requireType } from "../errors/index.js";
import { joined, sectionsOf, titleFor, titleOf } from "./bytes.js";
import { columnsOf, rememberedFields, wordName, type InputColumns } from "./input-memory.js";
import { requireSimulation, type AnySimulation } from "./simulation.js";

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
        : `${K}.${FieldName<P>}`;

/** How `migrate` finds what the names of two versions do not tell. */
export interface MigrateOptions<S extends Fields = Fields> {
  /**
   * By new names: the old name of a field, group, table or list that was renamed, or a function that returns the value of
   * a field, called once per row in a table or list. Fields that are not named here keep the value of the same name, or
   * are 0. Old fields that no new one takes are dropped.
   */
  readonly fields?: { readonly [K in FieldName<S>]?: string | ConvertField | undefined } | undefined;
  /**
   * Of which table a field of ids is, by their new names. Needed only if there are several tables, and one of them changed
   * its capacity in a way that rows must get new ids; the error says so.
   */
  readonly ids?: { readonly [K in FieldName<S>]?: FieldName<S> } | undefined;
  /** The bytes of each part of the external state, from those that were saved under its name; undefined if there are none. */
  readonly external?: { readonly [name: string]: (saved: Uint8Array | undefined) => Uint8Array } | undefined;
  /** What the bytes were saved with, for bytes that do not describe it: those of a replay, for example. */
  readonly from?: AnySimulation | Layout<Fields> | undefined;
}

const OPTIONS = Object.keys({ fields: 1, ids: 1, external: 1, from: 1 } satisfies Record<
  keyof MigrateOptions,
  1
>);

const CALL = "migrate: bytes";

/**
 * Turns the bytes that an older version of a simulation saved into bytes that this one loads. Fields are matched by name.
 * Rows of tables keep their ids; tick, chance and the state of inputs are kept. Current bytes are returned unchanged.
 */
export function migrate<S extends Fields>(
  simulation: AnySimulation<S>,
  bytes: Uint8Array,
  options: MigrateOptions<S> = {},
): Uint8Array {
  requireSimulation("migrate", simulation);
  requireType("migrate: options", options, "object", '{ fields: { health: "hp" } }');
  requireKnownOptions("migrate", options, OPTIONS);
  const { fields = {}, ids = {}, external = {}, from } = options;
  requireType("migrate: fields", fields, "object", '{ health: "hp" }');
  requireType("migrate: ids", ids, "object", '{ target: "crates" }');
  requireType("migrate: external", external, "object", "{ physics: (saved) => saved }");
  const [section, body, ...saved] = sectionsOf(bytes, CALL);
  const title = titleOf(section, CALL);
  const { name, version, fingerprint } = title;
  if (name !== simulation.name)
    badValue(
      "migrate: simulation",
      `${JSON.stringify(name)}, whose bytes these are`,
      simulation.name,
      "its own bytes",
    );
  if (fingerprint === simulation.fingerprint) return bytes;
  if (!(typeof version === "number" && version <= simulation.version))
    badValue(
      "migrate: version of bytes",
      `at most ${simulation.version}`,
      version,
      "a newer build of the game",
    );
  if (!body) badValue(CALL, "two or more sections", 1, "what Session.bytes() gave");

  const old = savedWith(title, simulation, from);
  const before = old.layout.allocate(0, { kernels: "js" });
  const after = (simulation.layout as Layout<Fields>).allocate(0, { kernels: "js" });
  before.loadBytes(body);
  migrateState(before, after, version, fields as FieldChanges, ids as Record<string, string>);
  copyInputs(old, columnsOf(before.beside), simulation, columnsOf(after.beside));
  const parts = externalOf(simulation, external, old.external, saved);
  return joined(titleFor(simulation), [after.bytes(), ...parts]);
}

/** What bytes were saved with. */
interface Saved {
  readonly layout: Layout<Fields>;
  readonly packing: Packing;
  readonly players: number;
  /** The names of its external state; undefined if they are not known. */
  readonly external: readonly string[] | undefined;
}

/** Finds the layout of the saved state: the one with its fingerprint. */
function savedWith(
  title: Record<string, unknown>,
  simulation: AnySimulation,
  from: MigrateOptions["from"],
): Saved {
  const { name, version, fingerprint } = title;
  if (from !== undefined && !(from instanceof Layout)) {
    requireSimulation("migrate: from", from);
    if (from.fingerprint !== fingerprint)
      badValue(
        "migrate: from",
        `the simulation that saved the bytes, ${String(fingerprint)}`,
        from.fingerprint,
        "its old code",
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
  } = title;
  const found = attempt(() => {
    const fields = from
      ? from.fields
      : isLayoutFields(state) && isLayoutRows(rows) && fieldsFrom(state, rows);
    const packing = packingFrom(String(inputs));
    if (!fields || !packing || typeof players !== "number") return undefined;
    // As `Simulation` makes it.
    const lines = [name, version, String(rate).split("/"), players, inputs, profile].join("\n");
    const layout = new Layout<Fields>(fields, rememberedFields(packing, players), lines);
    const external = Array.isArray(outside) ? outside.map(String) : undefined;
    return layout.fingerprint === fingerprint ? { layout, packing, players, external } : undefined;
  });
  if (found) return found;
  throw new RangeError(
    from
      ? `migrate: from is not the layout that the bytes were saved with (version ${String(version)}). Give the old simulation: { from: oldGame }.`
      : `migrate: the bytes do not describe their fields (version ${String(version)}). Give what saved them: { from: oldGame }, or { from: oldLayout } if only the state changed.`,
  );
}

/** A description that was changed, or is of another form, may be refused anywhere. */
function attempt<T>(find: () => T | undefined): T | undefined {
  try {
    return find();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** From `Packing.title`. */
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

/** What the state remembers of inputs, by their names. New inputs were not used before. */
function copyInputs(
  old: Saved,
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
  // A number that the new range does not have counts as not given.
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
    if (!own.includes(name))
      badValue(
        "migrate: a name in external",
        `one of ${own.join(", ") || "none, as there is no external state"}`,
        name,
        "to leave it out",
      );
  // Bytes that do not name their external state hold it in the order of declaration.
  const order = names ?? (saved.length === 0 ? [] : own);
  if (order.length !== saved.length && own.length > 0)
    badValue(
      CALL,
      `the external state of ${order.join(", ") || "nothing"}`,
      `${saved.length} parts`,
      "{ from: oldGame }",
    );
  return own.map((name) => {
    const convert = Object.hasOwn(external, name) ? external[name] : undefined;
    if (convert === undefined)
      throw new RangeError(
        `migrate: the external state "${name}" cannot be migrated by field. Give a function: { external: { ${name}: (saved) => … } }, which returns saved itself if its format did not change.`,
      );
    requireFunction(`migrate: external.${name}`, convert, "(saved) => saved");
    const at = order.indexOf(name);
    const bytes: unknown = convert(at < 0 ? undefined : saved[at]!.slice());
    if (!(bytes instanceof Uint8Array))
      badValue(
        `migrate: external.${name}`,
        "a function that returns a Uint8Array",
        bytes,
        "(saved) => saved",
      );
    return bytes;
  });
}
