import { localSession, type AnySimulation, type StepTaken } from "../sim/index.js";
import { fieldsOfLayout } from "../state/describe-layout.js";
import type { Hash, Layout } from "../state/index.js";
import { badValue, requireFunction, requireNumber, requireType, requireWhole } from "../errors/index.js";
import { chunkOf, joined } from "./chunk.js";
import { headOf, type ReplayMeta } from "./head.js";
import { InputWriter } from "./input-writer.js";
import { deflated, keyframeChunk } from "./keyframe.js";
import { varints } from "./varint.js";

/** What can be recorded: any session that tells its steps as they are certain. */
export interface Recordable {
  readonly simulation: AnySimulation;
  readonly seed: number | string;
  readonly tick: number;
  hash(out?: [number, number]): Hash;
  bytes(): Uint8Array;
  on(event: "step", listener: (step: StepTaken) => void): () => void;
  on(event: "load", listener: (info: { readonly tick: number }) => void): () => void;
}

/** Options of `record`. */
export interface RecordOptions {
  /** Ticks from a checkpoint, a hash of 8 bytes, to the next. Default: a second of them. 0 for none. */
  readonly checkpoints?: number | undefined;
  /**
   * A hash of 4 bytes in every tick in place of the checkpoints: what differs is then known to the tick. It costs a hash
   * a tick. Default false.
   */
  readonly everyTick?: boolean | undefined;
  /** Seconds from a keyframe, a whole state, to the next: what a seek takes at most. Default 10. 0 for none. */
  readonly keyframes?: number | undefined;
  /** Players' names, the build, the date: anything that JSON can hold. */
  readonly meta?: ReplayMeta | undefined;
}

/** A chunk that is closed: the first and the last state that it is about. */
interface Entry {
  bytes: Uint8Array;
  readonly first: number;
  readonly last: number;
  readonly isBack: boolean;
}

/** Input chunks are closed after so many ticks, if no keyframe has closed them before. */
const CHUNK_TICKS = 600;
const MOST_HASHES = 600;
const HASH_BYTES = 8;
const TICK_HASH_BYTES = 4;

/** Records a session, from where it is. */
export class Recorder {
  readonly #session: Recordable;
  readonly #log: Entry[] = [];
  readonly #inputs: InputWriter;
  readonly #every: number;
  readonly #hashBytes: number;
  readonly #keyframes: number;
  readonly #hash: [number, number] = [0, 0];
  /** Hashes of the open chunk. */
  readonly #hashes: Uint8Array;
  readonly #hashView: DataView;
  #hashCount = 0;
  #firstHash = 0;
  #start = 0;
  #end = 0;
  /** Entries of the log that were taken. */
  #taken = 0;
  readonly #off: (() => void)[];
  #tail: Uint8Array[] | undefined;
  /** The tail was taken. */
  #isEnded = false;

  /** @internal Use `record`. */
  constructor(session: Recordable, options: RecordOptions) {
    const { simulation, seed } = session;
    const { rate } = simulation;
    const perSecond = rate[0] / rate[1];
    const { everyTick = false, keyframes = 10, meta = {} } = options;
    const { checkpoints = Math.max(1, Math.round(perSecond)) } = options;
    requireWhole("record: checkpoints", checkpoints, 0, 60);
    requireNumber("record: keyframes", keyframes, 0, 1e6, 10);
    requireType("record: everyTick", everyTick, "boolean", true);
    requireType("record: meta", meta, "object", "{ build: 17 }");
    if (Array.isArray(meta)) badValue("record: meta", "an object", meta, "{ build: 17 }");
    this.#session = session;
    this.#every = everyTick ? 1 : checkpoints;
    this.#hashBytes = everyTick ? TICK_HASH_BYTES : HASH_BYTES;
    this.#keyframes = keyframes > 0 ? Math.max(1, Math.round(keyframes * perSecond)) : 0;
    this.#inputs = new InputWriter(simulation.players * simulation.packing.words);
    this.#hashes = new Uint8Array(MOST_HASHES * this.#hashBytes);
    this.#hashView = new DataView(this.#hashes.buffer);
    const { name, version, players, packing, fingerprint } = simulation;
    const state = fieldsOfLayout(simulation.layout as Layout);
    const every = { checkpoints: this.#every, keyframes: this.#keyframes };
    this.#push(
      headOf({ name, version, rate, players, packing, fingerprint, state, seed, ...every, meta }),
      -1,
      -1,
    );
    if (isInitial(session)) this.#begin(0);
    else this.#restart();
    this.#off = [session.on("step", (step) => this.#onStep(step)), session.on("load", () => this.#restart())];
  }

  /** The first state that is recorded, and the last. */
  get first(): number {
    return this.#start;
  }
  get last(): number {
    return this.#end;
  }

  #onStep({ tick, words }: StepTaken): void {
    if (tick !== this.#end) {
      if (tick < this.#start || tick > this.#end) return this.#restart();
      this.#goBack(tick);
    }
    this.#inputs.add(words);
    const end = (this.#end = tick + 1);
    if (this.#every > 0 && end % this.#every === 0) this.#check(end);
    const isKey = this.#keyframes > 0 && end % this.#keyframes === 0;
    if (isKey || this.#inputs.isFull || this.#inputs.ticks >= CHUNK_TICKS || this.#hashCount >= MOST_HASHES)
      this.#flush();
    if (!isKey) return;
    if (this.#every > 0 && end % this.#every !== 0) {
      // Each keyframe has a checkpoint of its own tick: players compare the two.
      this.#check(end);
      this.#flush();
    }
    this.#push(keyframeChunk("KEYF", end, this.#session.bytes()), end, end);
  }

  #check(tick: number): void {
    const hash = this.#session.hash(this.#hash);
    const at = this.#hashCount * this.#hashBytes;
    if (this.#hashCount++ === 0) this.#firstHash = tick;
    this.#hashView.setUint32(at, hash[0], true);
    if (this.#hashBytes === HASH_BYTES) this.#hashView.setUint32(at + 4, hash[1], true);
  }

  /** Closes what is open. */
  #flush(): void {
    const inputs = this.#inputs;
    if (inputs.ticks > 0) this.#push(chunkOf("INPT", ...inputs.body()), inputs.from + 1, this.#end);
    if (this.#hashCount > 0) {
      const head = [...varints(this.#firstHash, this.#every), this.#hashBytes];
      const hashes = this.#hashes.subarray(0, this.#hashCount * this.#hashBytes);
      const last = this.#firstHash + (this.#hashCount - 1) * this.#every;
      this.#push(chunkOf("CHEK", Uint8Array.from(head), hashes), this.#firstHash, last);
    }
    this.#begin(this.#end);
  }

  #begin(tick: number): void {
    this.#end = tick;
    this.#hashCount = 0;
    this.#inputs.begin(tick);
  }

  #push(bytes: Uint8Array, first: number, last: number, isBack = false): void {
    this.#log.push({ bytes, first, last, isBack });
  }

  /** The session went back: what was recorded from this tick on was another future. */
  #goBack(tick: number): void {
    this.#flush();
    const log = this.#log;
    // Also the mark of having gone back to here before: it is set again.
    while (log.length > this.#taken && (log.at(-1)!.first > tick || log.at(-1)!.isBack)) log.pop();
    if (log.some(({ last }) => last > tick)) this.#push(chunkOf("BACK", varints(tick)), tick, tick, true);
    this.#begin(tick);
  }

  /** The session is where nothing leads to from what was recorded: the recording begins anew. */
  #restart(): void {
    const { tick } = this.#session;
    this.#log.length = Math.max(1, this.#taken);
    this.#start = tick;
    this.#push(keyframeChunk("STRT", tick, this.#session.bytes()), -1, tick);
    this.#begin(tick);
  }

  /**
   * What was recorded since it was last taken, in whole chunks. All pieces one after the other are a file, also if the last
   * ones are missing: keep them as you get them, and a crash loses no more than what was not taken. The first one after
   * `stop` ends the file.
   */
  take(): Uint8Array<ArrayBuffer> {
    this.#flush();
    const parts = this.#log.slice(this.#taken).map(({ bytes }) => bytes);
    this.#taken = this.#log.length;
    if (this.#tail && !this.#isEnded) {
      parts.push(...this.#tail);
      this.#isEnded = true;
    }
    return joined(parts);
  }

  /** The file as it is now, with states as they are. The recording goes on. */
  bytes(): Uint8Array<ArrayBuffer> {
    return joined([...this.#whole().map(({ bytes }) => bytes), ...this.#ending()]);
  }

  /** The file as it is now, with states deflated where the platform can. The recording goes on. */
  async save(): Promise<Uint8Array<ArrayBuffer>> {
    const entries = this.#whole();
    const ending = this.#ending();
    // What was packed once stays so.
    for (const entry of entries) entry.bytes = await deflated(entry.bytes);
    const last = await Promise.all(ending.map(deflated));
    return joined([...entries.map(({ bytes }) => bytes), ...last]);
  }

  /** Records no more. */
  stop(): void {
    this.#tail ??= this.#ending();
    for (const off of this.#off) off();
  }

  #whole(): Entry[] {
    this.#flush();
    return [...this.#log];
  }

  /** What a whole file ends with: the last state and its hash, if the session is there, and how far it goes. */
  #ending(): Uint8Array[] {
    if (this.#tail) return this.#tail;
    const end = this.#end;
    const chunks: Uint8Array[] = [];
    try {
      if (this.#session.tick === end && end > this.#start) {
        // First: a session that cannot give its state may still give a hash, of something else.
        const bytes = this.#session.bytes();
        const [a, b] = this.#session.hash();
        if (this.#every > 0 && end % this.#every !== 0) {
          const head = [...varints(end, 1), HASH_BYTES];
          const hash = new DataView(new ArrayBuffer(HASH_BYTES));
          hash.setUint32(0, a, true);
          hash.setUint32(4, b, true);
          chunks.push(chunkOf("CHEK", Uint8Array.from(head), new Uint8Array(hash.buffer)));
        }
        if (this.#keyframes > 0 && end % this.#keyframes !== 0)
          chunks.push(keyframeChunk("KEYF", end, bytes));
      }
    } catch {
      // One that was disposed of, has failed or is within a step has no state to give. What was recorded is whole without it.
    }
    chunks.push(chunkOf("DONE", varints(end)));
    return chunks;
  }
}

/** Whether it is as the simulation makes it from the seed. */
function isInitial(session: Recordable): boolean {
  if (session.tick !== 0) return false;
  const fresh = localSession(session.simulation, { seed: session.seed });
  const isSame = fresh.hash().join() === session.hash().join();
  fresh.dispose();
  return isSame;
}

/** Records a session from here on: inputs, hashes and states, as `readReplay` reads them. */
export function record(session: Recordable, options: RecordOptions = {}): Recorder {
  requireType("record: session", session, "object", "localSession(game)");
  for (const method of ["hash", "bytes", "on"] as const)
    requireFunction(
      `record: session.${method}`,
      session[method],
      "session" in session ? "play(game).session" : "localSession(game)",
    );
  requireType("record: options", options, "object", "{}");
  return new Recorder(session, options);
}
