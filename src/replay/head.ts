// The first chunk: what the recording is of, as JSON, so that it can be read without this library.
import { axis, button, fraction, int, type InputFields } from "../input/fields.js";
import { Packing } from "../input/packing.js";
import { PROFILE } from "../math/index.js";
import { isLayoutFields } from "../state/describe-layout.js";
import type { LayoutFields } from "../state/index.js";
import { badValue } from "../errors/index.js";
import { exactRate, type ExactRate } from "../time/index.js";
import { chunkAt, chunkOf, isFault } from "./chunk.js";
import { CURE, FILE_HEAD, MAGIC, MOST_HEAD, VERSION } from "./format.js";

/** Whatever the caller likes to know of a recording, as JSON: players' names, the build, the date. */
export type ReplayMeta = { readonly [name: string]: unknown };

/** What a replay is of: known without reading what was done in it. */
export interface ReplayInfo {
  /** Of the simulation. */
  readonly name: string;
  readonly version: number;
  readonly rate: ExactRate;
  readonly players: number;
  /** How each player's inputs lie in words. */
  readonly packing: Packing;
  readonly fingerprint: string;
  /** The fields of the state with their types; undefined in older files. */
  readonly state: LayoutFields | undefined;
  /** Of the mathematics. */
  readonly profile: number;
  readonly seed: number | string;
  /** Ticks from a checkpoint to the next, and from a keyframe; 0 for none. */
  readonly checkpoints: number;
  readonly keyframes: number;
  readonly meta: ReplayMeta;
}

type Title = Omit<ReplayInfo, "packing" | "profile"> & { readonly packing: Packing };

/** Inputs as they were declared. */
export function fieldsOf({ slots }: Packing): (string | number)[][] {
  return slots.map(({ name, field: { kind, bits, base, max } }) =>
    kind === "button" ? [name, kind] : kind === "int" ? [name, kind, base, base + max] : [name, kind, bits],
  );
}

/** As it will be read; what would not be an object then is refused at once, while it can be mended. */
function metaOf(meta: ReplayMeta): ReplayMeta {
  let read: unknown;
  try {
    read = JSON.parse(JSON.stringify(meta) ?? "null");
  } catch (error) {
    badValue("record: meta", "what JSON can hold", (error as Error).message, "{ build: 17 }");
  }
  return isObject(read) ? read : badValue("record: meta", "an object, as JSON too", read, "{ build: 17 }");
}

/** Magic, version and the first chunk. */
export function headOf({ packing, ...title }: Title): Uint8Array {
  const meta = metaOf(title.meta);
  const all = { ...title, meta, profile: PROFILE, inputs: fieldsOf(packing) };
  let body = new TextEncoder().encode(JSON.stringify(all));
  // Leave out the fields of the state, which are only for messages.
  if (body.length > MOST_HEAD) body = new TextEncoder().encode(JSON.stringify({ ...all, state: undefined }));
  if (body.length > MOST_HEAD)
    badValue("record: meta", `of at most ${MOST_HEAD} bytes with all else`, body.length, "less of it");
  const chunk = chunkOf("HEAD", body);
  const bytes = new Uint8Array(FILE_HEAD + chunk.length);
  new DataView(bytes.buffer).setUint32(0, MAGIC, true);
  new DataView(bytes.buffer).setUint32(4, VERSION, true);
  bytes.set(chunk, FILE_HEAD);
  return bytes;
}

/** Reads them, and tells where the next chunk begins. */
export function readHead(call: string, bytes: Uint8Array): { info: ReplayInfo; end: number } {
  const subject = `${call}: bytes`;
  if (bytes.length < FILE_HEAD) badValue(subject, `at least ${FILE_HEAD} bytes`, bytes.length, CURE);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const [magic, version] = [view.getUint32(0, true), view.getUint32(4, true)];
  if (magic !== MAGIC) badValue(`${subject} 0 to 3`, "TWRP, as a replay has them", hex(magic), CURE);
  if (version < 1 || version > VERSION)
    badValue(`${subject} 4 to 7`, `a version up to ${VERSION}`, version, "a newer tickwise");
  const chunk = chunkAt(bytes, FILE_HEAD);
  if (isFault(chunk)) badValue(subject, "a replay with its first chunk whole", chunk.message, CURE);
  const at = `${subject} ${chunk.at}`;
  if (chunk.type !== "HEAD") badValue(at, "HEAD, the first chunk", chunk.type, CURE);
  if (chunk.to - chunk.from > MOST_HEAD)
    badValue(at, `HEAD with at most ${MOST_HEAD} bytes`, chunk.to - chunk.from, CURE);
  const info = infoOf(bytes.subarray(chunk.from, chunk.to));
  if (typeof info === "string")
    badValue(`${subject} ${chunk.from}`, "what a replay is of, as JSON", info, CURE);
  return { info, end: chunk.to };
}

/** What it is of; or what is wrong. */
function infoOf(body: Uint8Array): ReplayInfo | string {
  try {
    // A copy, as browsers refuse to decode shared memory.
    const json: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(new Uint8Array(body)));
    if (!isObject(json)) return "no object";
    const {
      name,
      version,
      rate,
      players,
      inputs,
      fingerprint,
      profile,
      seed,
      checkpoints,
      keyframes,
      meta,
      state,
    } = json as Record<string, unknown>;
    if (typeof name !== "string" || name === "" || name.length > 200) return "no name";
    if (!isWhole(version)) return "no version";
    if (!isWhole(players) || players < 1 || players > 64) return "no count of players";
    if (typeof fingerprint !== "string" || !/^[0-9a-f]{16}$/.test(fingerprint)) return "no fingerprint";
    if (!isWhole(profile)) return "no profile";
    if (typeof seed !== "string" && !Number.isSafeInteger(seed)) return "no seed";
    if (!isWhole(checkpoints) || !isWhole(keyframes)) return "no checkpoints and keyframes";
    if (!isObject(meta)) return "no meta";
    return {
      name,
      version,
      rate: exactRate("rate", rate as ExactRate),
      players,
      packing: packingOf(inputs as readonly (readonly unknown[])[]),
      fingerprint,
      state: isLayoutFields(state) ? state : undefined,
      profile,
      seed: seed as number | string,
      checkpoints,
      keyframes,
      meta,
    };
  } catch (error) {
    return (error as Error).message;
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
      throw new RangeError(`an input that is ${String(kind)}`);
    return [name, KINDS[kind]!(a as number, b as number)];
  });
  if (new Set(fields.map(([name]) => name)).size < fields.length) throw new RangeError("an input twice");
  return new Packing(Object.fromEntries(fields));
}

const isWhole = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
const isObject = (value: unknown): value is ReplayMeta =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const hex = (word: number) => `0x${word.toString(16).padStart(8, "0")}`;
