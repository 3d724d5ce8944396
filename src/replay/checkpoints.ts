import { fault, type Chunk, type Fault } from "./chunk.js";
import { NumberList } from "./number-list.js";
import { ByteReader } from "./varint.js";

/**
 * The hashes of states, in order of their ticks. They stay in the bytes of the file: only the offset, the first tick and a count
 * are kept for each chunk.
 */
export class Checkpoints {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  /** For each chunk: its first tick, the offset of its body, and the number of checkpoints up to its end. */
  readonly #firsts = new NumberList();
  readonly #offsets = new NumberList();
  readonly #counts = new NumberList();
  /** The tick of the last checkpoint; -1 if there is none. */
  #last = -1;
  /** The open chunk: its index (-1 for none); the index and tick of its first hash; the interval, size and offset of its hashes. */
  #chunk = -1;
  #start = 0;
  #first = 0;
  #every = 1;
  #width = 8;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  get count(): number {
    return this.#countOf(this.#counts.length);
  }

  /** The ticks of all checkpoints, as a new array. */
  get ticks(): number[] {
    return Array.from({ length: this.count }, (_, i) => this.tickOf(i));
  }

  /** Adds the hashes of a chunk. None may be of a state before `start` or after `end`. */
  add({ at, from, to }: Chunk, start: number, end: number): Fault | undefined {
    const reader = new ByteReader(this.#bytes, from, to);
    const first = reader.varint();
    const every = reader.varint();
    const width = reader.byte();
    if (first < 0 || every < 1 || (width !== 4 && width !== 8) || reader.left % width !== 0)
      return fault("damaged", at, "CHEK chunk with an invalid header or a partial hash");
    const count = reader.left / width;
    const last = first + (count - 1) * every;
    if (first <= (this.#last < 0 ? start - 1 : this.#last) || !(last <= end))
      return fault("damaged", at, "CHEK chunk with states out of order, or beyond the inputs");
    if (count === 0) return undefined;
    this.#counts.push(this.count + count);
    this.#firsts.push(first);
    this.#offsets.push(from);
    this.#last = last;
    return undefined;
  }

  /** Drops the checkpoints of states after `tick`. */
  dropAfter(tick: number): void {
    const chunks = this.#firsts.countUpTo(tick);
    for (const list of [this.#firsts, this.#offsets, this.#counts]) list.truncate(chunks);
    this.#chunk = -1;
    this.#last = -1;
    if (chunks === 0) return;
    this.#open(chunks - 1);
    const max = Math.floor((tick - this.#first) / this.#every) + 1;
    const count = Math.min(this.count - this.#start, max);
    this.#counts.setLast(this.#start + count);
    this.#last = this.#first + (count - 1) * this.#every;
  }

  /** The tick of a checkpoint; NaN if there is no such checkpoint. */
  tickOf(index: number): number {
    return this.#find(index) ? this.#first + (index - this.#start) * this.#every : NaN;
  }

  /** The two words of a hash. The second is -1 if only 4 bytes were recorded. */
  wordsOf(index: number): readonly [number, number] {
    this.#find(index);
    const at = this.#at + (index - this.#start) * this.#width;
    return [this.#view.getUint32(at, true), this.#width === 8 ? this.#view.getUint32(at + 4, true) : -1];
  }

  /** Whether a hash equals that of a checkpoint. */
  agrees(index: number, hash: readonly [number, number]): boolean {
    this.#find(index);
    const at = this.#at + (index - this.#start) * this.#width;
    return (
      this.#view.getUint32(at, true) === hash[0] &&
      (this.#width === 4 || this.#view.getUint32(at + 4, true) === hash[1])
    );
  }

  /** The index of the first checkpoint at a tick or after it. */
  from(tick: number): number {
    const chunk = this.#firsts.countUpTo(tick) - 1;
    if (chunk < 0) return 0;
    this.#open(chunk);
    const index = this.#start + Math.ceil((tick - this.#first) / this.#every);
    return Math.min(index, this.#countOf(chunk + 1));
  }

  /** The index of the checkpoint of a tick; -1 if there is none. */
  indexOf(tick: number): number {
    const index = this.from(tick);
    return this.tickOf(index) === tick ? index : -1;
  }

  /** The number of checkpoints in the first `chunks` chunks. */
  #countOf(chunks: number): number {
    return chunks > 0 ? this.#counts.at(chunks - 1) : 0;
  }

  /** Opens the chunk of a checkpoint; false if there is no such checkpoint. */
  #find(index: number): boolean {
    if (!(index >= 0 && index < this.count)) return false;
    if (this.#chunk < 0 || index < this.#start || index >= this.#counts.at(this.#chunk))
      this.#open(this.#counts.countUpTo(index));
    return true;
  }

  #open(chunk: number): void {
    if (chunk === this.#chunk) return;
    this.#chunk = chunk;
    const reader = new ByteReader(this.#bytes, this.#offsets.at(chunk), this.#bytes.length);
    this.#first = reader.varint();
    this.#every = reader.varint();
    this.#width = reader.byte();
    this.#at = reader.at;
    this.#start = this.#countOf(chunk);
  }
}
