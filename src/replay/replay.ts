import { PROFILE } from "../math/index.js";
import type { AnySimulation } from "../sim/index.js";
import { fieldsOfLayout, layoutChanges } from "../state/describe-layout.js";
import type { Layout } from "../state/index.js";
import { badValue, misuse } from "../errors/index.js";
import { bytesOf, isBlob, type ReplayBlob, type ReplayBytes } from "./bytes.js";
import { Changes } from "./changes.js";
import { Checkpoints } from "./checkpoints.js";
import { chunkAt, fault, hasChunkAfter, isFault, type Chunk, type Fault } from "./chunk.js";
import { CHUNK_HEAD, FILE_HEAD, MAX_CHUNK_TICKS, MAX_HEAD } from "./format.js";
import { CommandCursor } from "./command-cursor.js";
import { EventChunks } from "./event-chunks.js";
import { addCommands, addSeats } from "./events.js";
import { fieldsOf, readHead, type ReplayInfo } from "./head.js";
import { InputChunks } from "./input-chunks.js";
import { InputCursor } from "./input-cursor.js";
import { readKeyframe, unpack, type Keyframe } from "./keyframe.js";
import { Keyframes } from "./keyframes.js";
import { SeatCursor, seatChanges, type SeatChange } from "./seats.js";
import { ByteReader } from "./varint.js";

/** A recording that was read, as far as its file is intact. */
export class Replay {
  readonly info: ReplayInfo;
  /**
   * How the file ends. "done": it is complete. "open": it was never finished, such as an autosave. "truncated": it ends within a
   * chunk. "damaged": a byte is not as it was written, and everything from there on is left out.
   */
  readonly ending: "done" | "open" | "truncated" | "damaged";
  /** Says what is missing, and from which byte on; "" if the file is complete. */
  readonly message: string;
  #start = 0;
  #startState: Keyframe | undefined;
  /** `keyframes`, created on demand. */
  #list: readonly Keyframe[] | undefined;
  readonly #bytes: Uint8Array;
  readonly #inputs: InputChunks;
  readonly #commands: EventChunks;
  readonly #seats: EventChunks;
  /** @internal */ readonly states: Keyframes;
  /** @internal */ readonly checkpoints: Checkpoints;

  /** @internal Use `readReplay`. Keeps `bytes`, which must not change. */
  constructor(bytes: Uint8Array, { info, end }: ReturnType<typeof readHead>) {
    this.info = info;
    this.#bytes = bytes;
    this.#inputs = new InputChunks(bytes);
    this.#commands = new EventChunks(bytes);
    this.#seats = new EventChunks(bytes);
    this.states = new Keyframes(bytes);
    this.checkpoints = new Checkpoints(bytes);
    const found = this.#readChunks(end);
    this.ending = typeof found === "string" ? found : found.kind;
    this.message =
      found === "done"
        ? ""
        : `${found === "open" ? "the recording was never finished" : found.message}; it is intact up to tick ${this.last}`;
  }

  /** The first recorded state. */
  get first(): number {
    return this.#start;
  }
  /** The last recorded state. */
  get last(): number {
    return this.#inputs.end;
  }
  /** The length of the recording, in seconds. */
  get seconds(): number {
    const { rate } = this.info;
    return ((this.last - this.#start) * rate[1]) / rate[0];
  }
  /** The recorded states, in order of their ticks. */
  get keyframes(): readonly Keyframe[] {
    this.#list ??= Array.from({ length: this.states.length }, (_, i) => this.states.at(i)!);
    return this.#list;
  }
  /** The seats that changed, in order of their ticks: who came, left or took over. Empty if nobody did, and no names are known. */
  get seats(): readonly SeatChange[] {
    return [...this.#seatChanges()];
  }
  /** @internal The state that the recording begins with, unless that is the initial state of the simulation. */
  get startState(): Keyframe | undefined {
    return this.#startState;
  }

  /** @internal Returns the snapshot of a keyframe. */
  stateOf(keyframe: Keyframe, size?: number): Uint8Array {
    return unpack(this.#bytes, keyframe, size);
  }

  /** @internal Returns a new cursor over the inputs. */
  inputs(): InputCursor {
    return new InputCursor(this.#bytes, this.#inputs, this.#width);
  }

  /** @internal Returns a new cursor over the commands. */
  commands(): CommandCursor {
    return new CommandCursor(this.#bytes, this.#commands);
  }

  /** @internal Returns a new cursor over the seats. */
  seatCursor(): SeatCursor {
    return new SeatCursor(this.info.players, () => this.#seatChanges());
  }

  #seatChanges(): Generator<SeatChange, void> {
    return seatChanges(this.#bytes, this.#seats, this.last);
  }

  get #width(): number {
    return this.info.players * this.info.packing.words;
  }

  /** Reads chunk after chunk, up to the end or the first fault. */
  #readChunks(from: number): "done" | "open" | Fault {
    const bytes = this.#bytes;
    const changes = new Changes(bytes, this.#width);
    let isDone = false;
    for (let at = from; at < bytes.length;) {
      const chunk = chunkAt(bytes, at);
      if (isFault(chunk))
        return chunk.kind === "truncated" && hasChunkAfter(bytes, at)
          ? fault("damaged", at, "a chunk has a wrong length")
          : chunk;
      const found = this.#readChunk(chunk, changes);
      if (typeof found === "object") return found;
      isDone = found ?? isDone;
      at = chunk.to;
    }
    return isDone ? "done" : "open";
  }

  /** Returns whether this chunk ends the recording; undefined for a chunk of an unknown type, which is skipped. */
  #readChunk(chunk: Chunk, changes: Changes): boolean | Fault | undefined {
    switch (chunk.type) {
      case "INPT":
        return this.#addInputs(chunk, changes) ?? false;
      case "CMDS": {
        const { players, commands } = this.info;
        return addCommands(this.#bytes, chunk, this.#commands, this.last, players, commands) ?? false;
      }
      case "SEAT":
        return addSeats(this.#bytes, chunk, this.#seats, this.last, this.info.players) ?? false;
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
    return fault("damaged", at, "DONE chunk at another tick than the last input");
  }

  #addInputs(body: Chunk, changes: Changes): Fault | undefined {
    const { at, from, to } = body;
    const reader = new ByteReader(this.#bytes, from, to);
    const first = reader.varint();
    const ticks = reader.varint();
    if (first < 0 || ticks < 1 || ticks > MAX_CHUNK_TICKS || !Number.isSafeInteger(first + ticks))
      return fault("damaged", at, `INPT chunk without a first tick, or not of 1 to ${MAX_CHUNK_TICKS} ticks`);
    if (first !== this.last)
      return fault("damaged", at, `INPT chunk from tick ${first} on, expected ${this.last}`);
    if (!changes.areValid({ from: first, to: first + ticks, at: reader.at, end: to }))
      return fault("damaged", changes.at, "INPT chunk with an invalid change");
    this.#inputs.add(body, first + ticks);
    return undefined;
  }

  #addState(chunk: Chunk): Fault | undefined {
    const frame = readKeyframe(this.#bytes, chunk);
    if (isFault(frame)) return frame;
    const { tick } = frame;
    if (chunk.type === "STRT") {
      // Nothing before it leads to this state.
      this.#inputs.dropFrom(-1);
      this.#commands.dropFrom(-1);
      this.#seats.dropFrom(-1);
      this.states.dropAfter(-1);
      this.checkpoints.dropAfter(-1);
      this.#startState = frame;
      this.#start = this.#inputs.end = tick;
    } else if (tick <= (this.states.last ?? this.#start) || tick > this.last)
      return fault(
        "damaged",
        chunk.at,
        `KEYF chunk of state ${tick}, which is out of order or beyond the inputs`,
      );
    else this.states.add(tick, chunk);
    return undefined;
  }

  #goBack({ at, from, to }: Chunk): Fault | undefined {
    const tick = new ByteReader(this.#bytes, from, to).varint();
    if (!(tick >= this.#start && tick <= this.last))
      return fault("damaged", at, `BACK chunk to tick ${tick}, which was not recorded`);
    this.#inputs.dropFrom(tick);
    this.#commands.dropFrom(tick);
    this.#seats.dropFrom(tick);
    this.states.dropAfter(tick);
    this.checkpoints.dropAfter(tick);
    return undefined;
  }
}

/** Metadata ends within the first `MAX_INFO` bytes of a file. */
const MAX_INFO = FILE_HEAD + CHUNK_HEAD + MAX_HEAD;

/**
 * Reads a recording. For a Blob or a File, returns a promise. Throws if the file is not a replay, or has a newer format. A
 * truncated or damaged file is read as far as possible: see `ending` and `message`.
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

/** Reads only the metadata of a recording, from its first 66 kB. For a Blob or a File, returns a promise. */
export function readReplayInfo(blob: ReplayBlob): Promise<ReplayInfo>;
// The last overload is the one that inference uses, where the function is passed as a value.
export function readReplayInfo(bytes: ReplayBytes): ReplayInfo;
export function readReplayInfo(file: ReplayBytes | ReplayBlob): ReplayInfo | Promise<ReplayInfo> {
  if (isBlob(file))
    return file
      .slice(0, MAX_INFO)
      .arrayBuffer()
      .then((buffer) => readHead("readReplayInfo", new Uint8Array(buffer)).info);
  return readHead("readReplayInfo", bytesOf("readReplayInfo", file)).info;
}

/** @internal Throws unless the value is a result of `readReplay`. */
export function requireRead(call: string, replay: unknown): asserts replay is Replay {
  if (!(replay instanceof Replay))
    badValue(
      `${call}: replay`,
      "a replay",
      replay,
      isBlob(replay) ? "await readReplay(blob)" : "readReplay(bytes)",
    );
}

/** @internal Throws unless the value is a replay of this simulation. */
export function requireReplay(
  call: string,
  replay: unknown,
  simulation: AnySimulation,
): asserts replay is Replay {
  if (typeof simulation?.fingerprint !== "string")
    badValue(
      `${call}: simulation`,
      "a simulation",
      simulation,
      "simulation({ name, version, rate, state, step })",
    );
  requireRead(call, replay);
  const recorded = partsOf(replay.info, replay.info.profile);
  const own = partsOf(simulation, PROFILE);
  for (const part of Object.keys(own) as (keyof typeof own)[])
    if (recorded[part] !== own[part])
      misuse(
        "wrong-simulation",
        call,
        `the recording and the simulation differ in ${part}: ${recorded[part]} ≠ ${own[part]}`,
        "Use the build that it was recorded with",
      );
  const { name, version, fingerprint, layout } = simulation;
  const { info } = replay;
  if (fingerprint === info.fingerprint) return;
  const changes = info.state && layoutChanges(info.state, fieldsOfLayout(layout as Layout));
  misuse(
    "wrong-simulation",
    call,
    changes
      ? `the layout of ${JSON.stringify(name)} changed, but not its version, ${version}: ${changes}`
      : `the recording and the simulation differ in fingerprint: ${info.fingerprint} ≠ ${fingerprint}`,
    "Use the build that it was recorded with, and increase the version whenever the layout changes",
  );
}

/** Lists what must be equal for a replay to fit a simulation, except the layout of the state. */
const partsOf = (
  {
    name,
    version,
    rate,
    players,
    packing,
    commands,
  }: Pick<ReplayInfo, "name" | "version" | "rate" | "players" | "packing" | "commands">,
  profile: number,
) => ({
  name: JSON.stringify(name),
  version: `${version}`,
  rate: rate.join("/"),
  players: `${players}`,
  profile: `${profile}`,
  inputs: fieldsOf(packing).join(", "),
  commands: commands?.title || "none",
});
