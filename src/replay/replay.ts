import { PROFILE } from "../math/index.js";
import { refuse } from "../time/index.js";
import { Changes, type InputChunk } from "./changes.js";
import { Checkpoints } from "./checkpoints.js";
import { chunkAt, fault, isFault, type Chunk, type Fault } from "./chunk.js";
import { CURE, MOST_CHUNK_TICKS } from "./format.js";
import { fieldsOf, readHead, type ReplayInfo } from "./head.js";
import { InputCursor } from "./input-cursor.js";
import { readKeyframe, unpack, type Keyframe } from "./keyframe.js";
import { ByteReader } from "./varint.js";

/** A recording that was read: what is whole of it. */
export class Replay {
  readonly info: ReplayInfo;
  /**
   * How the file ends: "done" is whole; "open" was never finished, as autosaved ones; "cut" ends within a chunk; "damaged"
   * has something else than was written, and what comes from there on is left out.
   */
  readonly ending: "done" | "open" | "cut" | "damaged";
  /** What is missing and from which byte on, in words; "" if nothing is. */
  readonly message: string;
  #start = 0;
  #end = 0;
  #startState: Keyframe | undefined;
  readonly #keyframes: Keyframe[] = [];
  readonly #chunks: InputChunk[] = [];
  readonly #bytes: Uint8Array;
  /** @internal */ readonly checkpoints = new Checkpoints();

  /** @internal Use `readReplay`. */
  constructor(bytes: Uint8Array) {
    const { info, end } = readHead("readReplay", bytes);
    this.info = info;
    // A copy: not slice, which a Buffer of Node has for something else.
    this.#bytes = new Uint8Array(bytes);
    const found = this.#readChunks(end);
    this.ending = typeof found === "string" ? found : found.kind;
    this.message =
      found === "done"
        ? ""
        : `${found === "open" ? "it was not finished" : found.message}; what was recorded up to tick ${this.#end} is there`;
  }

  /** The first state that was recorded, and the last. */
  get start(): number {
    return this.#start;
  }
  get end(): number {
    return this.#end;
  }
  /** How long it is. */
  get seconds(): number {
    const { rate } = this.info;
    return ((this.#end - this.#start) * rate[1]) / rate[0];
  }
  /** The states in it, in order of their ticks. */
  get keyframes(): readonly Keyframe[] {
    return this.#keyframes;
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
    return new InputCursor(this.#bytes, this.#chunks, this.#width);
  }

  /** @internal The last keyframe at a tick or before it. */
  keyframeBefore(tick: number): Keyframe | undefined {
    const frames = this.#keyframes;
    let low = 0;
    let high = frames.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (frames[middle]!.tick <= tick) low = middle + 1;
      else high = middle;
    }
    return frames[low - 1];
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
      if (isFault(chunk)) return chunk;
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
        return this.checkpoints.add(this.#bytes, chunk, this.#start, this.#end) ?? false;
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
    if (new ByteReader(this.#bytes, from, to).varint() === this.#end) return undefined;
    return fault("damaged", at, "DONE at another tick than the inputs end");
  }

  #addInputs({ at, from, to }: Chunk, changes: Changes): Fault | undefined {
    const reader = new ByteReader(this.#bytes, from, to);
    const first = reader.varint();
    const ticks = reader.varint();
    if (first < 0 || ticks < 1 || ticks > MOST_CHUNK_TICKS || !Number.isSafeInteger(first + ticks))
      return fault("damaged", at, `INPT without its first tick, or not with 1 to ${MOST_CHUNK_TICKS} ticks`);
    if (first !== this.#end)
      return fault("damaged", at, `INPT from tick ${first} on, where ${this.#end} is next`);
    const chunk = { from: first, to: first + ticks, at: reader.at, end: to };
    if (!changes.isSound(chunk))
      return fault("damaged", changes.at, "INPT with a change that cannot be read");
    this.#chunks.push(chunk);
    this.#end = chunk.to;
    return undefined;
  }

  #addState(chunk: Chunk): Fault | undefined {
    const frame = readKeyframe(this.#bytes, chunk);
    if (isFault(frame)) return frame;
    const { tick } = frame;
    if (chunk.type === "STRT") {
      // What was before does not lead here.
      this.#chunks.length = this.#keyframes.length = 0;
      this.checkpoints.cut(-1);
      this.#startState = frame;
      this.#start = this.#end = tick;
    } else if (tick <= (this.#keyframes.at(-1)?.tick ?? this.#start) || tick > this.#end)
      return fault("damaged", chunk.at, `KEYF of state ${tick}, which is not next`);
    else this.#keyframes.push(frame);
    return undefined;
  }

  #goBack({ at, from, to }: Chunk): Fault | undefined {
    const tick = new ByteReader(this.#bytes, from, to).varint();
    if (!(tick >= this.#start && tick <= this.#end))
      return fault("damaged", at, `BACK to tick ${tick}, which was not recorded`);
    const chunks = this.#chunks;
    while (chunks.length > 0 && chunks.at(-1)!.from >= tick) chunks.pop();
    if (chunks.length > 0) chunks.at(-1)!.to = tick;
    while (this.#keyframes.length > 0 && this.#keyframes.at(-1)!.tick > tick) this.#keyframes.pop();
    this.checkpoints.cut(tick);
    this.#end = tick;
    return undefined;
  }
}

/**
 * Reads a recording. What is no replay, or of a newer format, is refused; one that is cut off or damaged somewhere is read
 * up to there, and says so in `ending` and `message`.
 */
export function readReplay(bytes: Uint8Array): Replay {
  return new Replay(bytes);
}

/** What a recording is of, from its first bytes: what was done in it need not be there. */
export function readReplayInfo(bytes: Uint8Array): ReplayInfo {
  return readHead("readReplayInfo", bytes).info;
}

/** @internal A replay of this simulation, or an error that says what differs. */
export function requireReplay(
  call: string,
  replay: unknown,
  simulation: Pick<ReplayInfo, "name" | "version" | "rate" | "players" | "packing" | "fingerprint">,
): asserts replay is Replay {
  if (!(replay instanceof Replay)) refuse(`${call}: replay`, "a replay", replay, "readReplay(bytes)");
  const { info } = replay;
  const { name, version, rate, players, fingerprint } = simulation;
  const own = { name, version, rate, players, profile: PROFILE, fingerprint };
  for (const key of ["name", "version", "rate", "players", "profile", "fingerprint"] as const) {
    if (`${own[key]}` !== `${info[key]}`)
      refuse(
        `${call}: replay.${key}`,
        `${own[key]}`,
        info[key],
        "the build of the simulation that it was recorded with",
      );
  }
  // The fingerprint knows them, but a file may have that of another.
  const [inputs, recorded] = [simulation.packing, info.packing].map((packing) =>
    fieldsOf(packing).join(", "),
  );
  if (inputs !== recorded) refuse(`${call}: replay.inputs`, inputs!, recorded, CURE);
}
