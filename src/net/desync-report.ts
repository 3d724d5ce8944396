// The report of a desync as a file (*.twd): "TWDR", the format version, then chunks as in a replay: INFO in JSON, STAT and REPL for
// the states and replays of both sides, DONE.
import { badValue, misuse, showBytes } from "../errors/index.js";
import { chunkAt, chunkOf, isFault, joined, type Chunk } from "../replay/chunk.js";
import type { Difference } from "../state/index.js";

const MAGIC = 0x52445754;
const VERSION = 1;
const HEAD = 8;
/** Longest INFO chunk, in bytes. */
const MAX_INFO = 2 ** 20;
/** Longest text about a side, in characters. */
const MAX_TEXT = 1000;
const CALL = "readReport";
const FIX = "Use the file exactly as it was written";

/** What is known about one side of a desync. */
export interface ReportSide {
  /** What ran the game, such as the user agent of a browser or the version of Node. */
  readonly engine: string;
  /** The build of the game, as its own text. */
  readonly build: string;
  /** State `tick`, as `session.bytes()` returns it. */
  readonly state?: Uint8Array | undefined;
  /** The recording of its confirmed ticks. */
  readonly replay?: Uint8Array | undefined;
}

/** The report of a desync. `a` is the side that wrote it, `b` its peer. */
export interface DesyncReport {
  readonly simulation: { readonly name: string; readonly version: number; readonly fingerprint: string };
  /** The first state that differs, among those that both held. */
  readonly tick: number;
  /** The last state before it that was equal, if it was still held. */
  readonly after: number | undefined;
  /** The values that differ, of both sides. */
  readonly fields: readonly Difference[];
  /** Whether more fields differ. */
  readonly more: boolean;
  /** The names of external states that differ. */
  readonly external: readonly string[];
  /** The seats whose inputs differ. */
  readonly seats: readonly number[];
  readonly a: ReportSide;
  readonly b: ReportSide;
  /** State `after`, in which both sides agreed. */
  readonly common?: Uint8Array | undefined;
}

/** The owners of STAT and REPL chunks, by their first byte. */
const OWNERS = ["a", "b", "common"] as const;
type Owner = (typeof OWNERS)[number];

/** Returns a report as the bytes of a file. `readReport` reads it, and `npx tickwise desync` explains it. */
export function writeReport(report: DesyncReport): Uint8Array<ArrayBuffer> {
  const { simulation, tick, after, fields, more, external, seats, a, b, common } = report;
  const { name, version, fingerprint } = simulation;
  const textsOf = ({ engine, build }: ReportSide) => ({
    engine: engine.slice(0, MAX_TEXT),
    build: build.slice(0, MAX_TEXT),
  });
  const info = {
    simulation: { name, version, fingerprint },
    tick,
    after,
    fields: fields.map(({ path, a: own, b: theirs }) => [path, jsonOf(own), jsonOf(theirs)]),
    more,
    external,
    seats,
    a: textsOf(a),
    b: textsOf(b),
  };
  const head = new Uint8Array(HEAD);
  new DataView(head.buffer).setUint32(0, MAGIC, true);
  new DataView(head.buffer).setUint32(4, VERSION, true);
  const part = (type: string, owner: Owner, bytes: Uint8Array | undefined) =>
    bytes ? [chunkOf(type, Uint8Array.of(OWNERS.indexOf(owner)), bytes)] : [];
  return joined([
    head,
    chunkOf("INFO", new TextEncoder().encode(JSON.stringify(info))),
    ...part("STAT", "common", common),
    ...part("STAT", "a", a.state),
    ...part("STAT", "b", b.state),
    ...part("REPL", "a", a.replay),
    ...part("REPL", "b", b.replay),
    chunkOf("DONE"),
  ]);
}

/** Reads the report of a desync. Throws if the file is damaged, is something else, or has a newer format. */
export function readReport(file: ArrayBufferView | ArrayBufferLike): DesyncReport {
  const bytes = bytesOf(file);
  requireHead(bytes);
  let info: Info | undefined;
  const parts: { [key in `${"STAT" | "REPL"} ${Owner}`]?: Uint8Array } = {};
  for (let at = HEAD; ;) {
    const chunk = chunkAt(bytes, at);
    if (isFault(chunk)) return corrupt(chunk.message);
    if (chunk.type === "DONE") break;
    if (chunk.type === "INFO") info = readInfo(bytes, chunk);
    else if (chunk.type === "STAT" || chunk.type === "REPL") {
      const owner = OWNERS[bytes[chunk.from]!];
      if (chunk.from === chunk.to || !owner) corrupt(`byte ${at}: ${chunk.type} chunk of an unknown side`);
      parts[`${chunk.type} ${owner}`] = bytes.slice(chunk.from + 1, chunk.to);
    }
    at = chunk.to;
  }
  if (!info) return corrupt("it has no INFO chunk");
  return {
    ...info,
    a: { ...info.a, state: parts["STAT a"], replay: parts["REPL a"] },
    b: { ...info.b, state: parts["STAT b"], replay: parts["REPL b"] },
    common: parts["STAT common"],
  };
}

function corrupt(problem: string): never {
  misuse("corrupt-data", CALL, problem, FIX);
}

/** Returns the same memory as a Uint8Array: a Node Buffer has another `slice`. */
function bytesOf(file: unknown): Uint8Array {
  if (ArrayBuffer.isView(file)) return new Uint8Array(file.buffer, file.byteOffset, file.byteLength);
  if (typeof (file as ArrayBuffer | undefined)?.byteLength === "number")
    return new Uint8Array(file as ArrayBuffer);
  return badValue(`${CALL}: file`, "the bytes of a report", file, "await readFile(path)");
}

function requireHead(bytes: Uint8Array): void {
  if (bytes.length < HEAD) corrupt(`not a desync report: only ${bytes.length} bytes long`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (view.getUint32(0, true) !== MAGIC)
    corrupt(`not a desync report: it begins with ${showBytes(bytes.subarray(0, 4))}, not with "TWDR"`);
  const version = view.getUint32(4, true);
  if (version < 1) corrupt(`byte 4: invalid format version ${version}`);
  if (version > VERSION)
    misuse(
      "unsupported",
      CALL,
      `the file has format version ${version}, but this version of Tickwise reads only up to ${VERSION}`,
      "Update tickwise",
    );
}

type Info = Omit<DesyncReport, "common">;

function readInfo(bytes: Uint8Array, { at, from, to }: Chunk): Info {
  if (to - from > MAX_INFO) corrupt(`byte ${at}: INFO chunk longer than ${MAX_INFO} bytes`);
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes.slice(from, to)));
  } catch {
    // Reported below.
  }
  return infoOf(json) ?? corrupt(`byte ${from}: invalid INFO`);
}

/** Checks what was read; undefined if it is not what `writeReport` writes. */
function infoOf(json: unknown): Info | undefined {
  if (!isObject(json)) return undefined;
  const { simulation, tick, after, more, external, seats } = json;
  const [a, b] = [sideOf(json["a"]), sideOf(json["b"])];
  const fields = Array.isArray(json["fields"]) ? json["fields"].map(differenceOf) : undefined;
  if (!isObject(simulation) || !a || !b || !fields?.every((field) => field !== undefined)) return undefined;
  const { name, version, fingerprint } = simulation;
  if (typeof name !== "string" || !isWhole(version) || typeof fingerprint !== "string") return undefined;
  if (!isWhole(tick) || !(after === undefined || (isWhole(after) && after < tick))) return undefined;
  if (typeof more !== "boolean" || !isListOf(external, isText) || !isListOf(seats, isWhole)) return undefined;
  return { simulation: { name, version, fingerprint }, tick, after, fields, more, external, seats, a, b };
}

function sideOf(value: unknown): ReportSide | undefined {
  if (!isObject(value)) return undefined;
  const { engine, build } = value;
  return isText(engine) && isText(build) ? { engine, build } : undefined;
}

function differenceOf(value: unknown): Difference | undefined {
  if (!Array.isArray(value) || value.length !== 3 || !isText(value[0])) return undefined;
  const [a, b] = [valueOf(value[1]), valueOf(value[2])];
  return a === undefined || b === undefined ? undefined : { path: value[0], a, b };
}

/** Numbers that JSON lacks: `["NaN"]`. Texts alone are the names of choices. */
const ODD = new Map(["NaN", "Infinity", "-Infinity", "-0"].map((text) => [text, Number(text)]));

const jsonOf = (value: Difference["a"]) =>
  typeof value === "number" && (!Number.isFinite(value) || Object.is(value, -0))
    ? [Object.is(value, -0) ? "-0" : `${value}`]
    : value;

function valueOf(json: unknown): Difference["a"] | undefined {
  if (Array.isArray(json)) return isText(json[0]) ? ODD.get(json[0]) : undefined;
  return typeof json === "number" || typeof json === "boolean" || isText(json) ? json : undefined;
}

const isText = (value: unknown): value is string => typeof value === "string";
const isWhole = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
const isListOf = <T>(value: unknown, is: (item: unknown) => item is T): value is T[] =>
  Array.isArray(value) && value.every(is);
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
