/**
 * Encodes states of a layout as small packets, each against a baseline that the other side has.
 *
 *     const codec = snapshotCodec(Game);                    // rounded as the fields' marks say, for viewers
 *     const codec = snapshotCodec(Game, { lossless: true }); // every bit, for clients that simulate
 *
 * A server makes one image per tick, and encodes it for each client, or once for all clients with the same baseline:
 *
 *     codec.read(state, LIVE, image);                        // state → image, with its tick
 *     const length = codec.encode(image, baseline, older, out);
 *
 * A client decodes it with the same two images, and keeps the result as a baseline for later packets:
 *
 *     if (codec.decode(bytes, tick, baseline, older, image)) codec.write(image, state, LIVE);
 *
 * `baseline` is undefined for a packet that needs none. `older` is a second image from before the baseline, to predict motion; it may
 * be undefined. The packet does not contain ticks: send those of the target, the baseline and the older image in its header.
 * To hide rows from a client, change a copy of the image: `removeRow`, `copyRow`.
 */
import { sizeOf } from "../../state/leaf-offsets.js";
import type { Layout, State } from "../../state/index.js";
import type { Kernel } from "./kernel.js";
import {
  AHEAD,
  AT,
  BASELINE,
  BEHIND,
  CENTRES,
  FULL,
  HEAD_BYTES,
  IS_DECODING,
  LIMIT,
  LIST,
  LISTS,
  LIST_END,
  OLDER,
  PROGRAM,
  TARGET,
} from "./kernel-memory.js";
import { CENTRE_BYTES, Models } from "./models.js";
import { programOf } from "./program.js";
import { leavesIn, wireFieldsOf, type WireFields, type WireSection } from "./wire-fields.js";
import { wireFingerprintOf } from "./wire-fingerprint.js";
import { IdWriter, readIds } from "./wire-ids.js";
import { WireImage } from "./wire-image.js";
import { kernelMemory } from "./wasm-kernel.js";
import { readColumn, writeColumn } from "./wire-values.js";

export interface SnapshotOptions {
  /** Sends every bit, whatever the marks of the fields say. Secret fields are never sent. */
  readonly lossless?: boolean;
  /**
   * Sends what a client needs to go on simulating, besides the world: the random generator, free rows and trails. Default: the
   * value of `lossless`.
   */
  readonly bookkeeping?: boolean;
  /**
   * Steps per second, as a fraction. Then positions that are rounded, and blended along their velocities (`f64.hermite("vx")`), are
   * predicted by these.
   */
  readonly rate?: readonly [number, number] | undefined;
  /** Which version of the inner loops to use. Both write the same bytes. Default: "auto", wasm where it is available. */
  readonly kernels?: "auto" | "wasm" | "js" | undefined;
}

/** Most images in the kernel's memory, and most words of all of them. */
const MAX_RESIDENT = 128;
const RESIDENT_WORDS = 1 << 20;

/** Most decisions of one word, and how many are collected before they are encoded. */
const DECISIONS = 40;
const LIST_DECISIONS = 4096;

/** Longest span of ticks that motion is predicted over. */
const MAX_TICKS = 1 << 20;

export class SnapshotCodec {
  /** Both ends of a link must have the same. It covers the layout, the marks of its fields, the options and the codec's version. */
  readonly fingerprint: string;
  /** The inner loops in use. */
  readonly kernels: "wasm" | "js";
  /** No packet is longer. */
  readonly maxBytes: number;
  /** The tables, lists and groups that are sent. */
  readonly sections: readonly WireSection[];
  readonly #fields: WireFields;
  readonly #ids: readonly IdWriter[];
  /** What a client sees as 0. */
  readonly #unsent: readonly { readonly offset: number; readonly bytes: number }[];
  readonly #kernel: Kernel;
  readonly #i32: Int32Array;
  readonly #u8: Uint8Array;
  readonly #starts: Uint16Array;
  readonly #models: Uint16Array;
  /** Whether the models are as a packet starts with them. */
  #isFresh = false;
  readonly #images: readonly Int32Array[];
  /** The first images lie in the kernel's memory. Others are copied there to be used. */
  #left: number;
  #nextImage: number;
  readonly #bytesFrom: number;

  /** @internal Use `snapshotCodec`. */
  constructor(
    layout: Layout,
    { lossless = false, bookkeeping = lossless, rate, kernels = "auto" }: SnapshotOptions,
  ) {
    const fields = wireFieldsOf(layout, lossless, bookkeeping, rate && rate[1] / rate[0]);
    this.#fields = fields;
    this.sections = fields.sections;
    this.fingerprint = wireFingerprintOf(fields);
    this.#ids = fields.sections.flatMap((section) => (section.table ? [new IdWriter(section, fields)] : []));
    this.#unsent = unsentOf(fields);

    const models = new Models();
    const firstContext = HEAD_BYTES / 4;
    const program = programOf(fields, models, firstContext);
    this.#starts = models.starts();
    const { words } = fields;
    const programFrom = firstContext + this.#starts.length / 2;
    const imagesFrom = programFrom + program.length;
    const list = imagesFrom + 3 * words;
    const rowDecisions = DECISIONS * fields.sections.reduce((max, { stride }) => Math.max(max, stride), 0);
    const full = list + LIST_DECISIONS;
    this.#bytesFrom = 4 * (full + rowDecisions + LIST_DECISIONS);
    this.maxBytes = 1024 + 12 * words;
    const end = Math.ceil((this.#bytesFrom + this.maxBytes) / 4);
    this.#left = Math.min(MAX_RESIDENT, Math.floor(RESIDENT_WORDS / words));
    this.#nextImage = end;
    const { buffer, kernel, name } = kernelMemory(4 * (end + this.#left * words), kernels);
    this.kernels = name;
    this.#kernel = kernel;
    this.#i32 = new Int32Array(buffer);
    this.#u8 = new Uint8Array(buffer);
    this.#models = new Uint16Array(buffer, HEAD_BYTES, this.#starts.length);
    this.#i32.set(program, programFrom);
    this.#i32[PROGRAM] = programFrom;
    this.#i32[LIST] = list;
    this.#i32[FULL] = full;
    this.#u8.set(CENTRE_BYTES, CENTRES);
    this.#images = [0, 1, 2].map((i) =>
      this.#i32.subarray(imagesFrom + i * words, imagesFrom + (i + 1) * words),
    );
  }

  /** Returns an image of the zero state. Make as many as you need once, and reuse them. */
  image(): WireImage {
    if (this.#left === 0) return new WireImage(this.#fields);
    this.#left--;
    const { words } = this.#fields;
    const from = this.#nextImage;
    this.#nextImage += words;
    return new WireImage(this.#fields, this.#i32.subarray(from, from + words));
  }

  /** Makes an image of a state: the world, or one of its snapshots. */
  read(state: State, snapshot: number, image: WireImage): void {
    const { sections, layout, hasBookkeeping } = this.#fields;
    const { arrays } = state;
    const base = state.baseOf("SnapshotCodec.read", snapshot);
    image.tick = arrays.f64[(base + layout.own.tick.offset) / 8]!;
    for (let s = 0; s < sections.length; s++) {
      const section = sections[s]!;
      if (section.table) readIds(section, arrays, base, image.words, hasBookkeeping);
      for (let i = 0; i < section.columns.length; i++)
        readColumn(section, section.columns[i]!, arrays, base, image.words);
    }
  }

  /** Writes an image to a state: to the world, or to one of its snapshots. What is not sent becomes 0. */
  write(image: WireImage, state: State, snapshot: number): void {
    const { sections, layout } = this.#fields;
    const { arrays } = state;
    const base = state.baseOf("SnapshotCodec.write", snapshot);
    arrays.f64[(base + layout.own.tick.offset) / 8] = image.tick;
    for (let i = 0; i < this.#unsent.length; i++) {
      const { offset, bytes } = this.#unsent[i]!;
      arrays.u8.fill(0, base + offset, base + offset + bytes);
    }
    for (let s = 0; s < sections.length; s++) {
      const section = sections[s]!;
      for (let i = 0; i < section.columns.length; i++)
        writeColumn(section, section.columns[i]!, arrays, base, image.words);
    }
    // After the columns, as it repairs free rows.
    for (let i = 0; i < this.#ids.length; i++) this.#ids[i]!.write(arrays, base, image.words);
    state.detach(snapshot);
  }

  /** Removes a row of a table from an image, so that a client does not see it. */
  removeRow(image: WireImage, section: WireSection, row: number): void {
    image.removeRow(section, row, this.#fields.hasBookkeeping);
  }

  /**
   * Encodes an image. Writes to `out` from `at` on, and returns the number of bytes, or -1 if they do not fit. Few bytes, or none,
   * are written if nothing has changed.
   */
  encode(
    target: WireImage,
    baseline: WireImage | undefined,
    older: WireImage | undefined,
    out: Uint8Array,
    at = 0,
  ): number {
    this.#start(target.tick, baseline, older);
    this.#i32[TARGET] = this.#placeOf(target, 0);
    this.#i32[IS_DECODING] = 0;
    this.#i32[LIMIT] = this.#bytesFrom + Math.min(this.maxBytes, out.length - at);
    const end = this.#kernel.code();
    this.#restoreModels();
    if (end < 0) return -1;
    for (let i = this.#bytesFrom, to = at; i < end; i++, to++) out[to] = this.#u8[i]!;
    return end - this.#bytesFrom;
  }

  /**
   * Decodes an image with the baselines that it was encoded with. Returns false if the bytes are invalid; the image is then
   * undefined, and must not be used. Any bytes are safe.
   */
  decode(
    bytes: Uint8Array,
    tick: number,
    baseline: WireImage | undefined,
    older: WireImage | undefined,
    into: WireImage,
  ): boolean {
    if (bytes.length > this.maxBytes || into === baseline || into === older) return false;
    this.#start(tick, baseline, older);
    const isResident = into.words.buffer === this.#i32.buffer;
    const words = isResident ? into.words : this.#images[0]!;
    if (baseline) words.set(baseline.words);
    else words.fill(0);
    this.#i32[TARGET] = words.byteOffset / 4;
    this.#u8.set(bytes, this.#bytesFrom);
    this.#i32[IS_DECODING] = 1;
    this.#i32[LIMIT] = this.#bytesFrom + bytes.length;
    const end = this.#kernel.code();
    // Bytes that are left over are not ours.
    if (end !== this.#bytesFrom + bytes.length || !this.#isSeeded(words)) return false;
    if (!isResident) into.words.set(words);
    into.tick = tick;
    return true;
  }

  /** Returns where the words of an image are in the kernel's memory. Copies them there if necessary. */
  #placeOf(image: WireImage | undefined, copy: number): number {
    if (image && image.words.buffer === this.#i32.buffer) return image.words.byteOffset / 4;
    const words = this.#images[copy]!;
    if (image) words.set(image.words);
    else words.fill(0);
    return words.byteOffset / 4;
  }

  /** Whether the random generator is in a state that it can be in. It is the first section. */
  #isSeeded(words: Int32Array): boolean {
    if (!this.#fields.hasBookkeeping) return true;
    return (words[0]! | words[1]! | words[2]! | words[3]!) !== 0;
  }

  /** Undoes what an encoded packet has taught the models. They are large, and a small packet uses few of them. */
  #restoreModels(): void {
    const i32 = this.#i32;
    if (i32[LISTS] !== 1) return;
    const models = this.#models;
    const starts = this.#starts;
    const end = i32[LIST_END]!;
    for (let k = i32[LIST]!; k < end; k++) {
      const decision = i32[k]!;
      // Others are raw bits.
      if (decision < 0) continue;
      const at = (decision & ~1) - HEAD_BYTES / 2;
      models[at] = starts[at]!;
      models[at + 1] = starts[at + 1]!;
    }
    this.#isFresh = true;
  }

  #start(tick: number, baseline: WireImage | undefined, older: WireImage | undefined): void {
    const i32 = this.#i32;
    const ahead = baseline ? tick - baseline.tick : 0;
    const behind = baseline && older ? baseline.tick - older.tick : 0;
    const isUseful = ahead > 0 && behind > 0 && ahead < MAX_TICKS && behind < MAX_TICKS;
    if (!this.#isFresh) this.#models.set(this.#starts);
    this.#isFresh = false;
    i32[AT] = this.#bytesFrom;
    i32[BASELINE] = this.#placeOf(baseline, 1);
    i32[OLDER] = isUseful ? this.#placeOf(older, 2) : 0;
    i32[AHEAD] = ahead;
    i32[BEHIND] = behind;
  }
}

/** Returns the parts of the declared state that are not sent. The rest, such as the random generator, is left as it is. */
function unsentOf({ layout, sections }: WireFields): { offset: number; bytes: number }[] {
  const sent = new Set<object>(sections.flatMap(({ columns }) => columns.map(({ leaf }) => leaf)));
  for (const { table } of sections)
    if (table) Object.values(table.allocation).forEach((leaf) => sent.add(leaf as object));
  return leavesIn(layout.root)
    .filter((leaf) => !sent.has(leaf))
    .map((leaf) => ({ offset: leaf.offset, bytes: sizeOf(leaf) }));
}

const codecs = new WeakMap<Layout, Map<string, SnapshotCodec>>();

/** Returns the codec for the states of a layout. All sessions in a program share it: it keeps nothing between two calls. */
export function snapshotCodec(layout: Layout, options: SnapshotOptions = {}): SnapshotCodec {
  const { lossless = false, bookkeeping = lossless, rate, kernels = "auto" } = options;
  const key = `${lossless} ${bookkeeping} ${rate?.join()} ${kernels}`;
  let known = codecs.get(layout);
  if (!known) codecs.set(layout, (known = new Map()));
  let codec = known.get(key);
  if (!codec) known.set(key, (codec = new SnapshotCodec(layout, options)));
  return codec;
}
