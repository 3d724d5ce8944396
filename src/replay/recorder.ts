import { localSession, type ConfirmedTick, type Session } from "../sim/index.js";
import { fieldsOfLayout } from "../state/describe-layout.js";
import type { Layout } from "../state/index.js";
import {
  badValue,
  isPromise,
  isTickwiseError,
  misuse,
  requireFunction,
  requireNumber,
  requireOptions,
  requireType,
  requireWhole,
} from "../errors/index.js";
import { NO_COMMANDS } from "../sim/commands.js";
import { chunkOf, joined } from "./chunk.js";
import { EventWriter } from "./event-writer.js";
import { headOf, type ReplayMeta } from "./head.js";
import { InputWriter } from "./input-writer.js";
import { deflated, keyframeChunk } from "./keyframe.js";
import { SeatWriter } from "./seat-writer.js";
import { varints } from "./varint.js";

/** What can be recorded: any session, of which only confirmed ticks are. */
export type Recordable = Pick<
  Session<unknown>,
  "simulation" | "seed" | "tick" | "confirmed" | "seatNames" | "notRecordable" | "hash" | "bytes"
> & {
  on(event: "confirmed", listener: (confirmed: ConfirmedTick) => void): () => void;
  on(event: "load", listener: (info: { readonly tick: number }) => void): () => void;
};

/** Options of `record`. */
export interface RecordOptions {
  /** Seconds between two checkpoints, which are hashes of 8 bytes; rounded to whole ticks. Default 1. 0 for none. */
  readonly checkpoints?: number | undefined;
  /**
   * Stores a hash of 4 bytes for every tick instead of the checkpoints, so that a divergence is known to the tick. Costs one
   * hash per tick. Default false.
   */
  readonly everyTick?: boolean | undefined;
  /** Seconds between two keyframes, which are whole states; rounded to whole ticks. A seek resimulates at most this. Default 10. 0 for none. */
  readonly keyframes?: number | undefined;
  /** Players' names, the build, the date: anything that JSON can hold. */
  readonly meta?: ReplayMeta | undefined;
  /**
   * Whether the recorder keeps what `take` has returned, for `bytes` and `save`. Set it to false for a server that runs for days and
   * stores each piece: those two then throw. Default true.
   */
  readonly keep?: boolean | undefined;
}

const OPTIONS = Object.keys({
  checkpoints: 1,
  everyTick: 1,
  keyframes: 1,
  meta: 1,
  keep: 1,
} satisfies Record<keyof RecordOptions, 1>);

/** A finished chunk, with the first and the last state that it describes. */
interface Entry {
  bytes: Uint8Array;
  readonly first: number;
  readonly last: number;
  readonly isBack: boolean;
}

/** An input chunk ends after this many ticks, or at a keyframe. */
const CHUNK_TICKS = 600;
const MAX_HASHES = 600;
const HASH_BYTES = 8;
const TICK_HASH_BYTES = 4;

/** Records the confirmed ticks of a session, from its current state on. */
export class Recorder {
  readonly #session: Recordable;
  readonly #log: Entry[] = [];
  readonly #inputs: InputWriter;
  readonly #commands = new EventWriter();
  readonly #seats: SeatWriter;
  /** Words of the inputs of all players. */
  readonly #width: number;
  /** The session can go to any tick. Others confirm every tick, until they load. */
  readonly #canSeek: boolean;
  /** Ticks between two checkpoints, and between two keyframes; 0 for none. */
  readonly #every: number;
  readonly #keyframes: number;
  readonly #hashBytes: number;
  readonly #hash: [number, number] = [0, 0];
  /** Hashes of the open chunk. */
  readonly #hashes: Uint8Array;
  readonly #hashView: DataView;
  #hashCount = 0;
  #firstHash = 0;
  #first = 0;
  #last = 0;
  /** The session's state is a prediction: the recording begins with the next confirmed one. */
  #isWaiting = false;
  /** How many entries of the log `take` has returned. */
  #taken = 0;
  /** Whether those stay in the log; if not, whether there were any, and the last state that they describe. */
  readonly #keeps: boolean;
  #isForgotten = false;
  #forgottenTo = -1;
  readonly #off: (() => void)[];
  #tail: Uint8Array[] | undefined;
  #isTailTaken = false;

  /** @internal Use `record`. */
  constructor(session: Recordable, options: RecordOptions) {
    const { simulation, seed } = session;
    const { rate, players, packing } = simulation;
    const { everyTick = false, checkpoints = 1, keyframes = 10, meta = {}, keep = true } = options;
    requireNumber("record: checkpoints", checkpoints, 0, 1e6, 1);
    requireNumber("record: keyframes", keyframes, 0, 1e6, 10);
    requireType("record: everyTick", everyTick, "boolean", true);
    requireType("record: keep", keep, "boolean", false);
    requireType("record: meta", meta, "object", "{ build: 17 }");
    if (Array.isArray(meta) || isPromise(meta)) badValue("record: meta", "an object", meta, "{ build: 17 }");
    const ticksOf = (seconds: number) =>
      seconds > 0 ? Math.max(1, Math.round((seconds * rate[0]) / rate[1])) : 0;
    this.#session = session;
    this.#keeps = keep;
    this.#every = everyTick ? 1 : ticksOf(checkpoints);
    this.#keyframes = ticksOf(keyframes);
    this.#hashBytes = everyTick ? TICK_HASH_BYTES : HASH_BYTES;
    this.#width = players * packing.words;
    this.#canSeek = typeof (session as { readonly seek?: unknown }).seek === "function";
    this.#inputs = new InputWriter(this.#width);
    this.#seats = new SeatWriter(players);
    this.#hashes = new Uint8Array(MAX_HASHES * this.#hashBytes);
    this.#hashView = new DataView(this.#hashes.buffer);
    const { name, version, fingerprint } = simulation;
    const commands = simulation.commands.title === "" ? undefined : simulation.commands;
    const state = fieldsOfLayout(simulation.layout as Layout);
    const every = { checkpoints: this.#every, keyframes: this.#keyframes };
    this.#push(
      headOf({ name, version, rate, players, packing, commands, fingerprint, state, seed, ...every, meta }),
      -1,
      -1,
    );
    const isLater = this.#prepare();
    if (isInitial(session)) this.#begin(0);
    else if (isLater) this.#isWaiting = true;
    else this.#restartFromSession();
    this.#off = [
      session.on("confirmed", (confirmed) => this.#onConfirmed(confirmed)),
      session.on("load", () => {
        if (this.#prepare()) this.#isWaiting = true;
        else this.#restartFromSession();
      }),
    ];
  }

  /** Tells a session that simulates elsewhere which states are stored. Returns whether to wait for the next confirmed one. */
  #prepare(): boolean {
    const session = this.#session as Recordable & Pick<Session<unknown>, "prepareRecording">;
    return session.prepareRecording?.({ hashEvery: this.#every, bytesEvery: this.#keyframes }) === true;
  }

  /** The first recorded state. */
  get first(): number {
    return this.#first;
  }
  /** The last recorded state. */
  get last(): number {
    return this.#last;
  }

  #onConfirmed(confirmed: ConfirmedTick): void {
    const { tick, words } = confirmed;
    if (!(words instanceof Uint32Array && words.length === this.#width)) this.#rejectWords(words);
    if (this.#isWaiting) return this.#restartAfter(confirmed);
    if (tick !== this.#last) {
      requireWhole("record: the tick of the session's confirmed event", tick, 0, this.#last);
      if (tick > this.#last && !this.#canSeek) this.#rejectGap(tick);
      if (tick < this.#first || tick > this.#last) return this.#restartAfter(confirmed);
      this.#goBack(tick);
    }
    this.#seats.add(tick, confirmed.absent, this.#session.seatNames);
    this.#addCommands(confirmed);
    this.#inputs.add(words);
    const last = (this.#last = tick + 1);
    const isCheckpoint = this.#every > 0 && last % this.#every === 0;
    const isKeyframe = this.#keyframes > 0 && last % this.#keyframes === 0;
    if (isCheckpoint) this.#check(confirmed);
    if (
      isKeyframe ||
      this.#inputs.isFull ||
      this.#commands.isFull ||
      this.#inputs.ticks >= CHUNK_TICKS ||
      this.#hashCount >= MAX_HASHES
    )
      this.#flush();
    if (!isKeyframe) return;
    if (this.#every > 0 && !isCheckpoint) {
      // Each keyframe has a checkpoint of its own tick: replay players compare the two.
      this.#check(confirmed);
      this.#flush();
    }
    this.#push(keyframeChunk("KEYF", last, stateOf(confirmed)), last, last);
  }

  #addCommands({ tick, commands = NO_COMMANDS }: ConfirmedTick): void {
    const { commands: spec, players } = this.#session.simulation;
    for (const command of commands) {
      const { player, bytes } = command;
      const isValid = Number.isSafeInteger(player) && player >= 0 && player < players && spec.isValid(bytes);
      if (!isValid)
        badValue(
          "record: the commands of the session's confirmed event",
          "commands of the simulation",
          command,
          "the commands that the step was given",
        );
      this.#commands.add(tick, player, bytes);
    }
  }

  #rejectWords(words: unknown): never {
    const part = "record: the words of the session's confirmed event";
    const fix = "the packed inputs of all players";
    if (words instanceof Uint32Array) badValue(`${part}, their length`, `${this.#width}`, words.length, fix);
    return badValue(part, `a Uint32Array of length ${this.#width}`, words, fix);
  }

  #rejectGap(tick: number): never {
    return misuse(
      "not-ready",
      "record",
      `the session confirmed tick ${tick} after tick ${this.#last - 1}, so the inputs between them are missing`,
      "Emit confirmed once for every tick, in order, or load when the session jumps",
    );
  }

  /** Begins again with the state after a confirmed tick. */
  #restartAfter(confirmed: ConfirmedTick): void {
    this.#restart(confirmed.tick + 1, stateOf(confirmed));
  }

  #check(confirmed: ConfirmedTick): void {
    const hash = confirmed.hash(this.#hash);
    const at = this.#hashCount * this.#hashBytes;
    if (this.#hashCount++ === 0) this.#firstHash = confirmed.tick + 1;
    this.#hashView.setUint32(at, hash[0], true);
    if (this.#hashBytes === HASH_BYTES) this.#hashView.setUint32(at + 4, hash[1], true);
  }

  /** Ends the open chunks. */
  #flush(): void {
    const inputs = this.#inputs;
    if (inputs.ticks > 0) {
      const first = inputs.from + 1;
      // Before the inputs of their ticks: a truncated file must not have these without those.
      for (const [type, events] of [
        ["SEAT", this.#seats.events],
        ["CMDS", this.#commands],
      ] as const)
        if (!events.isEmpty) this.#push(chunkOf(type, events.body()), first, this.#last);
      this.#push(chunkOf("INPT", ...inputs.body()), first, this.#last);
    }
    if (this.#hashCount > 0) {
      const head = [...varints(this.#firstHash, this.#every), this.#hashBytes];
      const hashes = this.#hashes.subarray(0, this.#hashCount * this.#hashBytes);
      const last = this.#firstHash + (this.#hashCount - 1) * this.#every;
      this.#push(chunkOf("CHEK", Uint8Array.from(head), hashes), this.#firstHash, last);
    }
    this.#begin(this.#last);
  }

  #begin(tick: number): void {
    this.#last = tick;
    this.#hashCount = 0;
    this.#inputs.begin(tick);
    this.#commands.begin();
    this.#seats.events.begin();
  }

  #push(bytes: Uint8Array, first: number, last: number, isBack = false): void {
    this.#log.push({ bytes, first, last, isBack });
  }

  /** Drops the ticks from `tick` on, as the session went back and took another course. */
  #goBack(tick: number): void {
    this.#flush();
    const log = this.#log;
    // Also an earlier BACK chunk to here, which is written again.
    while (log.length > this.#taken && (log.at(-1)!.first > tick || log.at(-1)!.isBack)) log.pop();
    if (this.#forgottenTo > tick || log.some(({ last }) => last > tick))
      this.#push(chunkOf("BACK", varints(tick)), tick, tick, true);
    this.#seats.goBack(tick);
    this.#begin(tick);
  }

  /** Begins again with the session's state, which does not follow from the recording; or with the next confirmed one. */
  #restartFromSession(): void {
    const { tick, confirmed } = this.#session;
    this.#isWaiting = confirmed < tick;
    if (!this.#isWaiting) this.#restart(tick, stateOf(this.#session));
  }

  #restart(tick: number, state: Uint8Array): void {
    this.#isWaiting = false;
    // The head stays, unless it was taken.
    this.#log.length = Math.max(this.#isForgotten ? 0 : 1, this.#taken);
    this.#first = tick;
    this.#push(keyframeChunk("STRT", tick, state), -1, tick);
    this.#seats.goBack(0);
    this.#begin(tick);
  }

  /**
   * Returns what was recorded since the last `take`, in whole chunks. All pieces in a row are a file, even if the last ones
   * are missing. Store each piece at once, and a crash loses only what was not taken. The first piece after `stop` ends the
   * file.
   */
  take(): Uint8Array<ArrayBuffer> {
    this.#requireTicks();
    this.#flush();
    const parts = this.#log.slice(this.#taken).map(({ bytes }) => bytes);
    this.#taken = this.#log.length;
    if (!this.#keeps) this.#forget();
    if (this.#tail && !this.#isTailTaken) {
      parts.push(...this.#tail);
      this.#isTailTaken = true;
    }
    return joined(parts);
  }

  #forget(): void {
    for (const { last } of this.#log) this.#forgottenTo = Math.max(this.#forgottenTo, last);
    this.#log.length = this.#taken = 0;
    this.#isForgotten = true;
  }

  /** Returns the file so far, with uncompressed states. The recording continues. */
  bytes(): Uint8Array<ArrayBuffer> {
    return joined([...this.#whole().map(({ bytes }) => bytes), ...this.#ending()]);
  }

  /** Returns the file so far, with states deflated where the platform can. The recording continues. */
  async save(): Promise<Uint8Array<ArrayBuffer>> {
    const entries = this.#whole();
    const ending = this.#ending();
    // A chunk that is deflated already stays as it is.
    for (const entry of entries) entry.bytes = await deflated(entry.bytes);
    const last = await Promise.all(ending.map(deflated));
    return joined([...entries.map(({ bytes }) => bytes), ...last]);
  }

  /** Stops recording. */
  stop(): void {
    for (const off of this.#off) off();
    this.#tail ??= this.#ending();
  }

  /** A client learns only when the server lets it in that it gets no inputs. */
  #requireTicks(): void {
    if (this.#first === this.#last) requireRecordable(this.#session);
  }

  #whole(): Entry[] {
    if (this.#isForgotten)
      misuse(
        "unsupported",
        "Recorder",
        "the recording has `keep: false`, so only its pieces are there",
        "Join what take() returned, or record with keep: true",
      );
    this.#requireTicks();
    this.#flush();
    return [...this.#log];
  }

  /** Returns the end of a finished file: the last state and its hash, if the session is still there, and the last tick. */
  #ending(): Uint8Array[] {
    if (this.#tail) return this.#tail;
    const end = this.#last;
    const chunks: Uint8Array[] = [];
    try {
      if (this.#session.tick === end && this.#session.confirmed === end && end > this.#first) {
        // Bytes first: a session that failed throws here, but may still return a hash.
        const bytes = stateOf(this.#session);
        const [a, b] = this.#session.hash();
        // A keyframe of this tick was recorded with its checkpoint.
        const isKeyframe = this.#keyframes > 0 && end % this.#keyframes === 0;
        if (this.#every > 0 && end % this.#every !== 0 && !isKeyframe) {
          const head = [...varints(end, 1), HASH_BYTES];
          const hash = new DataView(new ArrayBuffer(HASH_BYTES));
          hash.setUint32(0, a, true);
          hash.setUint32(4, b, true);
          chunks.push(chunkOf("CHEK", Uint8Array.from(head), new Uint8Array(hash.buffer)));
        }
        if (this.#keyframes > 0 && !isKeyframe) chunks.push(keyframeChunk("KEYF", end, bytes));
      }
    } catch (error) {
      if (isTickwiseError(error) && error.code === "bad-value") throw error;
      // The session is disposed, failed or in a step. The recording is complete without its last state.
    }
    chunks.push(chunkOf("DONE", varints(end)));
    return chunks;
  }
}

/** Returns the bytes of a state. Throws for a session that has none: the file could not be played. */
function stateOf(source: { bytes(): Uint8Array }): Uint8Array {
  const bytes = source.bytes();
  const fix = "the whole state as bytes";
  if (!(bytes instanceof Uint8Array))
    badValue("record: the result of session.bytes", "a Uint8Array", bytes, fix);
  if (bytes.length === 0) badValue("record: the length of session.bytes()", "1 or more", 0, fix);
  return bytes;
}

/** Whether the session is in the state that the simulation creates from the seed. */
function isInitial(session: Recordable): boolean {
  if (session.tick !== 0) return false;
  const fresh = localSession(session.simulation, { seed: session.seed });
  try {
    return fresh.hash().join() === session.hash().join();
  } finally {
    fresh.dispose();
  }
}

/** Records a session from its current state on: inputs, hashes and states. `readReplay` reads the file. */
export function record(session: Recordable, options: RecordOptions = {}): Recorder {
  const isObject = typeof session === "object" && session !== null;
  const fix = isObject && "session" in session ? "play(game).session" : "localSession(game)";
  if (!isObject || typeof session.on !== "function") badValue("record: session", "a session", session, fix);
  for (const method of ["hash", "bytes"] as const)
    requireFunction(`record: session.${method}`, session[method], fix);
  requireType("record: session.simulation", session.simulation, "object", fix);
  requireOptions("record", options, OPTIONS);
  requireRecordable(session);
  return new Recorder(session, options);
}

function requireRecordable({ notRecordable }: Recordable): void {
  if (notRecordable !== undefined)
    misuse("unsupported", "record", notRecordable, "Record the server's session");
}
