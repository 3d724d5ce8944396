// The first chunk: metadata as JSON, which other programs can read without this library.
import { axis, button, fraction, int, type InputFields } from "../input/fields.js";
import { Packing } from "../input/packing.js";
import { PROFILE } from "../math/index.js";
import { CommandSpec, type CommandDescription } from "../sim/commands.js";
import { MAX_PLAYERS } from "../sim/simulation.js";
import { isLayoutFields } from "../state/describe-layout.js";
import type { LayoutFields } from "../state/index.js";
import { badValue, isTickwiseError, misuse, problemOf, showBytes } from "../errors/index.js";
import { exactRate, type ExactRate } from "../loop/index.js";
import { chunkAt, chunkOf, isFault } from "./chunk.js";
import { FILE_HEAD, FIX, MAGIC, MAX_HEAD, SAVED_STATE, VERSION } from "./format.js";

/** Your own data about a recording, as JSON: the names of players, the build, the date. Stored as is; Tickwise never reads it. */
export type ReplayMeta = { readonly [name: string]: unknown };

/** The metadata of a replay, which `readReplayInfo` reads without the rest of the file. */
export interface ReplayInfo {
  /** The name of the simulation. */
  readonly name: string;
  readonly version: number;
  readonly rate: ExactRate;
  readonly players: number;
  /** How the inputs of a player are packed into words. */
  readonly packing: Packing;
  /** The commands; undefined if none are declared. */
  readonly commands: CommandSpec | undefined;
  readonly fingerprint: string;
  /** The fields of the state with their types; undefined in older files. */
  readonly state: LayoutFields | undefined;
  /** The version of Tickwise's mathematics. */
  readonly profile: number;
  readonly seed: number | string;
  /** Ticks between two checkpoints; 0 for none. */
  readonly checkpoints: number;
  /** Ticks between two keyframes; 0 for none. */
  readonly keyframes: number;
  readonly meta: ReplayMeta;
}

type Title = Omit<ReplayInfo, "packing" | "profile"> & { readonly packing: Packing };

/** Lists the declared inputs, as HEAD stores them. */
export function fieldsOf({ slots }: Packing): (string | number)[][] {
  return slots.map(({ name, field: { kind, bits, base, max } }) =>
    kind === "button" ? [name, kind] : kind === "int" ? [name, kind, base, base + max] : [name, kind, bits],
  );
}

/** Returns metadata as it will be read from the file. Throws now if it would not be an object then. */
function metaOf(meta: ReplayMeta): ReplayMeta {
  let read: unknown;
  try {
    read = JSON.parse(JSON.stringify(meta, requireJson) ?? "null");
  } catch (error) {
    if (isTickwiseError(error)) throw error;
    badValue("record: meta", "serializable as JSON", meta, "{ build: 17 }");
  }
  return isObject(read)
    ? read
    : badValue("record: meta", "an object that stays one as JSON", meta, "{ build: 17 }");
}

/** Passes values on to `JSON.stringify`, and throws for those that it would drop, or turn into null. */
function requireJson(this: unknown, name: string, value: unknown): unknown {
  if (
    typeof value === "function" ||
    typeof value === "symbol" ||
    (typeof value === "number" && !Number.isFinite(value))
  )
    badValue(`record: meta.${name}`, "a JSON value", value, "a number or a text");
  return value;
}

/** Encodes the magic, the version and the first chunk. */
export function headOf({ packing, commands, ...title }: Title): Uint8Array {
  const meta = metaOf(title.meta);
  const all = {
    ...title,
    meta,
    profile: PROFILE,
    inputs: fieldsOf(packing),
    commands: commands?.description,
  };
  let body = new TextEncoder().encode(JSON.stringify(all));
  // The fields of the state are only used in messages: leave them out if there is no room.
  if (body.length > MAX_HEAD) body = new TextEncoder().encode(JSON.stringify({ ...all, state: undefined }));
  if (body.length > MAX_HEAD)
    badValue("record: meta", `small enough for a header of ${MAX_HEAD} bytes`, body.length, "storing less");
  const chunk = chunkOf("HEAD", body);
  const bytes = new Uint8Array(FILE_HEAD + chunk.length);
  new DataView(bytes.buffer).setUint32(0, MAGIC, true);
  new DataView(bytes.buffer).setUint32(4, VERSION, true);
  bytes.set(chunk, FILE_HEAD);
  return bytes;
}

/** Reads the metadata. Also returns the offset of the next chunk. */
export function readHead(call: string, bytes: Uint8Array): { info: ReplayInfo; end: number } {
  const fail: (problem: string) => never = (problem) => misuse("corrupt-data", call, problem, FIX);
  if (bytes.length === 0) fail("the file is empty");
  if (bytes.length < FILE_HEAD) fail(`not a replay: only ${bytes.length} bytes long`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const [magic, version] = [view.getUint32(0, true), view.getUint32(4, true)];
  if (magic === SAVED_STATE)
    misuse("corrupt-data", call, "this is a saved state, not a replay", "Use session.load(bytes)");
  if (magic !== MAGIC)
    fail(`not a replay: it begins with ${showBytes(bytes.subarray(0, 4))}, not with "TWRP"`);
  if (version < 1) fail(`byte 4: invalid format version ${version}`);
  if (version > VERSION)
    misuse(
      "unsupported",
      call,
      `the file has format version ${version}, but this version of Tickwise reads only up to ${VERSION}`,
      "Update tickwise",
    );
  const chunk = chunkAt(bytes, FILE_HEAD);
  if (isFault(chunk)) fail(chunk.message);
  if (chunk.type !== "HEAD")
    fail(`byte ${chunk.at}: the first chunk must be HEAD, got ${JSON.stringify(chunk.type)}`);
  if (chunk.to - chunk.from > MAX_HEAD) fail(`byte ${chunk.at}: HEAD chunk longer than ${MAX_HEAD} bytes`);
  const info = infoOf(bytes.subarray(chunk.from, chunk.to));
  if (typeof info === "string") fail(`byte ${chunk.from}: invalid metadata: ${info}`);
  return { info, end: chunk.to };
}

/** Parses the metadata; or returns what is wrong with it. */
function infoOf(body: Uint8Array): ReplayInfo | string {
  try {
    // A copy, as browsers do not decode shared memory.
    const json: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(new Uint8Array(body)));
    if (!isObject(json)) return "not an object";
    const {
      name,
      version,
      rate,
      players,
      inputs,
      commands,
      fingerprint,
      profile,
      seed,
      checkpoints,
      keyframes,
      meta,
      state,
    } = json as Record<string, unknown>;
    if (typeof name !== "string" || name === "" || name.length > 200) return "invalid name";
    if (!isWhole(version)) return "invalid version";
    if (!isWhole(players) || players < 1 || players > MAX_PLAYERS) return "invalid number of players";
    if (typeof fingerprint !== "string" || !/^[0-9a-f]{16}$/.test(fingerprint)) return "invalid fingerprint";
    if (!isWhole(profile)) return "invalid profile";
    if (typeof seed !== "string" && !Number.isSafeInteger(seed)) return "invalid seed";
    if (!isWhole(checkpoints) || !isWhole(keyframes)) return "invalid interval of checkpoints or keyframes";
    if (!isObject(meta)) return "invalid meta";
    return {
      name,
      version,
      rate: exactRate("rate", rate as ExactRate),
      players,
      packing: packingOf(inputs as readonly (readonly unknown[])[]),
      commands: commands === undefined ? undefined : CommandSpec.from(commands as CommandDescription),
      fingerprint,
      state: isLayoutFields(state) ? state : undefined,
      profile,
      seed: seed as number | string,
      checkpoints,
      keyframes,
      meta,
    };
  } catch (error) {
    return problemOf(error);
  }
}

const KINDS: Record<string, (a: number, b: number) => InputFields[string]> = {
  button: () => button,
  axis: (bits) => axis(bits),
  int,
  fraction: (bits) => fraction(bits),
};

function packingOf(inputs: readonly (readonly unknown[])[]): Packing {
  const fields = inputs.map(([name, kind, a, b]): [string, InputFields[string]] => {
    if (typeof name !== "string" || typeof kind !== "string" || !Object.hasOwn(KINDS, kind))
      throw new Error(`an input of unknown kind ${JSON.stringify(kind)}`);
    return [name, KINDS[kind]!(a as number, b as number)];
  });
  if (new Set(fields.map(([name]) => name)).size < fields.length)
    throw new Error("two inputs with the same name");
  return new Packing(Object.fromEntries(fields));
}

const isWhole = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
const isObject = (value: unknown): value is ReplayMeta =>
  typeof value === "object" && value !== null && !Array.isArray(value);
