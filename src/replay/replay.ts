import { PROFILE } from "../math/index.js";
import type { AnySimulation } from "../sim/index.js";
import { changedLayout } from "../sim/bytes.js";
import { fieldsOfLayout, layoutChanges } from "../state/describe-layout.js";
import type { Layout } from "../state/index.js";
import { badValue } from "../errors/index.js";
import { bytesOf, isBlob, refuseKind, type ReplayBlob, type ReplayBytes } from "./bytes.js";
import { Changes } from "./changes.js";
import { Checkpoints } from "./checkpoints.js";
import { chunkAt, fault, hasChunkAfter, isFault, type Chunk, type Fault } from "./chunk.js";
import { CHUNK_HEAD, FILE_HEAD, MOST_CHUNK_TICKS, MOST_HEAD } from "./format.js";
import { fieldsOf, readHead, type ReplayInfo } from "./head.js";
import { InputChunks } from "./input-chunks.js";
import { InputCursor } from "./input-cursor.js";
import { readKeyframe, unpack, type Keyframe } from "./keyframe.js";
import { Keyframes } from "./keyframes.js";
import { ByteReader } from "./varint.js";

/** A recording that was read: what is whole of it. */
export class Replay {
  readonly info: ReplayInfo;
  /**
   * How the file ends. "done": it is complete. "open": it was never finished, such as an autosave. "cut": it is truncated within
   * a chunk. "damaged": a byte is not as it was written, and everything from there on is left out.
   */
  readonly ending: "done" | "open" | "cut" | "damaged";
  /** What is missing and from which byte on, in words; "" if nothing is. */
  readonly message: string;
  #start = 0;
  #startState: Keyframe | undefined;
  /** `keyframes`, made on demand. */
  #list: readonly Keyframe[] | undefined;
  readonly #bytes: Uint8Array;
  readonly #inputs: InputChunks;
  /** @internal */ readonly states: Keyframes;
  /** @internal */ readonly checkpoints: Checkpoints;

  /** @internal Use `readReplay`. Keeps `bytes`, which must not change. */
  constructor(bytes: Uint8Array, { info, end }: ReturnType<typeof readHead>) {
    this.info = info;
    this.#bytes = bytes;
    this.#inputs = new InputChunks(bytes);
    this.states = new Keyframes(bytes);
    this.checkpoints = new Checkpoints(bytes);
    const found = this.#readChunks(end);
    this.ending = typeof found === "string" ? found : found.kind;
    this.message =
      found === "done"
        ? ""
        : `${found === "open" ? "it was not finished" : found.message}; what was recorded up to tick ${this.last} is there`;
  }

  /** The first state that was recorded, and the last. */
  get first(): number {
    return this.#start;
  }
  get last(): number {
    return this.#inputs.end;
  }
  /** How long it is. */
  get seconds(): number {
    const { rate } = this.info;
    return ((this.last - this.#start) * rate[1]) / rate[0];
  }
  /** The states in it, in order of their ticks. */
  get keyframes(): readonly Keyframe[] {
    this.#list ??= Array.from({ length: this.states.length }, (_, i) => this.states.at(i)!);
    return this.#list;
  }
  /** @internal The state that it begins with, if that is not the initial one. */
  get startState(): Keyframe | undefined {
    return this.#startState;
  }

  /** @internal The bytes of a state. */
  stateOf(keyframe: Keyframe, size?: number): Uint8Array {
    return unpack(this.#bytes, keyframe, size);
  }

  /** @internal What players did. */
  inputs(): InputCursor {
    return new InputCursor(this.#bytes, this.#inputs, this.#width);
  }

  get #width(): number {
    return this.info.players * this.info.packing.words;
  }

  /** Takes in chunk after chunk, up to the end or to what cannot be read. */
  #readChunks(from: number): "done" | "open" | Fault {
    const bytes = this.#bytes;
    const changes = new Changes(bytes, this.#width);
    let isDone = false;
    for (let at = from; at < bytes.length;) {
      const chunk = chunkAt(bytes, at);
      if (isFault(chunk))
        return chunk.kind === "cut" && hasChunkAfter(bytes, at)
          ? fault("damaged", at, "a chunk whose length is wrong")
          : chunk;
      const found = this.#readChunk(chunk, changes);
      if (typeof found === "object") return found;
      isDone = found ?? isDone;
      at = chunk.to;
    }
    return isDone ? "done" : "open";
  }

  /** Whether the recording was finished with this chunk; nothing, if it is of a type that is not known. */
  #readChunk(chunk: Chunk, changes: Changes): boolean | Fault | undefined {
    switch (chunk.type) {
      case "INPT":
        return this.#addInputs(chunk, changes) ?? false;
      case "CHEK":
        return this.checkpoints.add(chunk, this.#start, this.last) ?? false;
      case "KEYF":
      case "STRT":
        return this.#addState(chunk) ?? false;
      case "BACK":
        return this.#goBack(chunk) ?? false;
      case "DONE":
        return this.#finish(chunk) ?? true;
      default:
        return undefined;
    }
  }

  #finish({ at, from, to }: Chunk): Fault | undefined {
    if (new ByteReader(this.#bytes, from, to).varint() === this.last) return undefined;
    return fault("damaged", at, "DONE at another tick than the inputs end");
  }

  #addInputs(body: Chunk, changes: Changes): Fault | undefined {
    const { at, from, to } = body;
    const reader = new ByteReader(this.#bytes, from, to);
    const first = reader.varint();
    const ticks = reader.varint();
    if (first < 0 || ticks < 1 || ticks > MOST_CHUNK_TICKS || !Number.isSafeInteger(first + ticks))
      return fault("damaged", at, `INPT without its first tick, or not with 1 to ${MOST_CHUNK_TICKS} ticks`);
    if (first !== this.last)
      return fault("damaged", at, `INPT from tick ${first} on, where ${this.last} is next`);
    if (!changes.isSound({ from: first, to: first + ticks, at: reader.at, end: to }))
      return fault("damaged", changes.at, "INPT with a change that cannot be read");
    this.#inputs.add(body, first + ticks);
    return undefined;
  }

  #addState(chunk: Chunk): Fault | undefined {
    const frame = readKeyframe(this.#bytes, chunk);
    if (isFault(frame)) return frame;
    const { tick } = frame;
    if (chunk.type === "STRT") {
      // What was before does not lead here.
      this.#inputs.cut(-1);
      this.states.cut(-1);
      this.checkpoints.cut(-1);
      this.#startState = frame;
      this.#start = this.#inputs.end = tick;
    } else if (tick <= (this.states.last ?? this.#start) || tick > this.last)
      return fault("damaged", chunk.at, `KEYF of state ${tick}, which is not next`);
    else this.states.add(tick, chunk);
    return undefined;
  }

  #goBack({ at, from, to }: Chunk): Fault | undefined {
    const tick = new ByteReader(this.#bytes, from, to).varint();
    if (!(tick >= this.#start && tick <= this.last))
      return fault("damaged", at, `BACK to tick ${tick}, which was not recorded`);
    this.#inputs.cut(tick);
    this.states.cut(tick);
    this.checkpoints.cut(tick);
    return undefined;
  }
}

/** As many bytes of a recording contain all of its metadata. */
const MOST_INFO = FILE_HEAD + CHUNK_HEAD + MOST_HEAD;

/**
 * Reads a recording. For a Blob (or a File), returns a promise. Throws if it is not a replay, or of a newer format. A truncated
 * or damaged file is read as far as possible: see `ending` and `message`.
 */
export function readReplay(blob: ReplayBlob): Promise<Replay>;
// The last overload is the one that inference uses, where the function is passed as a value.
export function readReplay(bytes: ReplayBytes): Replay;
export function readReplay(file: ReplayBytes | ReplayBlob): Replay | Promise<Replay> {
  if (isBlob(file))
    return file.arrayBuffer().then((buffer) => {
      const own = new Uint8Array(buffer);
      return new Replay(own, readHead("readReplay", own));
    });
  const bytes = bytesOf("readReplay", file);
  const head = readHead("readReplay", bytes);
  // A copy, as the caller may change theirs. Not slice(), which does not copy a Node Buffer.
  return new Replay(new Uint8Array(bytes), head);
}

/** Reads the metadata of a recording from its first bytes; the rest need not be there. For a Blob, returns a promise. */
export function readReplayInfo(blob: ReplayBlob): Promise<ReplayInfo>;
// The last overload is the one that inference uses, where the function is passed as a value.
export function readReplayInfo(bytes: ReplayBytes): ReplayInfo;
export function readReplayInfo(file: ReplayBytes | ReplayBlob): ReplayInfo | Promise<ReplayInfo> {
  if (isBlob(file))
    return file
      .slice(0, MOST_INFO)
      .arrayBuffer()
      .then((buffer) => readHead("readReplayInfo", new Uint8Array(buffer)).info);
  return readHead("readReplayInfo", bytesOf("readReplayInfo", file)).info;
}

/** @internal Throws an error that says what was passed, if it is not a result of `readReplay`. */
export function requireRead(call: string, replay: unknown): asserts replay is Replay {
  if (!(replay instanceof Replay))
    refuseKind(
      `${call}: replay`,
      "a replay",
      replay,
      isBlob(replay) ? "await readReplay(blob)" : "readReplay(bytes)",
    );
}

const BUILD = "the build of the simulation that it was recorded with";

/** @internal A replay of this simulation, or an error that says what differs. */
export function requireReplay(
  call: string,
  replay: unknown,
  simulation: Pick<
    AnySimulation,
    "name" | "version" | "rate" | "players" | "packing" | "fingerprint" | "layout"
  >,
): asserts replay is Replay {
  requireRead(call, replay);
  const { info } = replay;
  const { name, version, rate, players, fingerprint } = simulation;
  const own = { name, version, rate, players, profile: PROFILE };
  for (const key of ["name", "version", "rate", "players", "profile"] as const) {
    if (`${own[key]}` !== `${info[key]}`) badValue(`${call}: replay.${key}`, `${own[key]}`, info[key], BUILD);
  }
  const [inputs, recorded] = [simulation.packing, info.packing].map((packing) =>
    fieldsOf(packing).join(", "),
  );
  if (inputs !== recorded) badValue(`${call}: replay.inputs`, inputs!, recorded, BUILD);
  if (fingerprint === info.fingerprint) return;
  const changes = info.state && layoutChanges(info.state, fieldsOfLayout(simulation.layout as Layout));
  if (changes) throw changedLayout(call, name, version, changes);
  badValue(`${call}: replay.fingerprint`, fingerprint, info.fingerprint, BUILD);
}
