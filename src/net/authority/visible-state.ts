import type { ReadonlyWorld, Fields } from "../../state/index.js";
import type { SnapshotCodec } from "../snapshot/snapshot-codec.js";
import type { WireSection } from "../snapshot/wire-fields.js";
import type { WireImage } from "../snapshot/wire-image.js";
import { ImageRing } from "./image-ring.js";
import type { ServerClient } from "./server-client.js";

/** Says which rows a client may see, and how important they are. */
export interface ViewRules {
  readonly visible:
    | ((world: ReadonlyWorld<Fields>, seats: readonly number[], table: string, row: number) => boolean)
    | undefined;
  readonly priority:
    | ((world: ReadonlyWorld<Fields>, seats: readonly number[], table: string, row: number) => number)
    | undefined;
}

/** Attempts to meet the budget, each with fewer rows. */
const ATTEMPTS = 6;
/** Bytes per row, before any were measured. */
const FIRST_ESTIMATE = 4;
/** A row that waits gains this much importance with each state, so that none waits forever. */
const LEAST_GAIN = 0.01;

/** What the server lets one client see of a state: rows that it may not see are missing, and rows that the budget has no room for are stale. */
export class VisibleState {
  readonly #codec: SnapshotCodec;
  readonly #rules: ViewRules;
  readonly #images: ImageRing;
  /** The rows of tables, numbered through: what each has waited for. */
  readonly #waited: Float64Array;
  readonly #firstRow = new Map<WireSection, number>();
  /** The rows that have changed, sorted by what they have waited for. */
  readonly #changed: number[] = [];
  #bytesPerRow = FIRST_ESTIMATE;
  /** What was sent last. */
  #last: WireImage | undefined;
  readonly bytes: Uint8Array;
  /** The baselines of the last state that was encoded; 0 for none. */
  baseline = 0;
  older = 0;

  constructor(codec: SnapshotCodec, rules: ViewRules) {
    let rows = 0;
    for (const section of codec.sections) {
      this.#firstRow.set(section, rows);
      if (section.table) rows += section.rows;
    }
    this.#codec = codec;
    this.#rules = rules;
    this.#images = new ImageRing(codec);
    this.#waited = new Float64Array(rows);
    this.bytes = new Uint8Array(codec.maxBytes);
  }

  /** Encodes what the client may see of a state, in at most `budget` bytes if that is possible. Returns the number of bytes. */
  encode(current: WireImage, world: unknown, { ack, olderAck, seats }: ServerClient, budget: number): number {
    const baseline = this.#images.find(ack);
    const older = baseline && this.#images.find(olderAck);
    this.baseline = baseline?.tick ?? 0;
    this.older = older?.tick ?? 0;
    const image = this.#images.next(baseline, older, this.#last);
    image.copy(current);
    // Nobody finds it before it was sent.
    image.tick = 0;
    this.#hide(image, world as ReadonlyWorld<Fields>, seats);
    const length = this.#encodeWithin(image, current.tick, baseline, older, budget, world, seats);
    image.tick = current.tick;
    return length;
  }

  #hide(image: WireImage, world: ReadonlyWorld<Fields>, seats: readonly number[]): void {
    const { visible } = this.#rules;
    if (!visible) return;
    for (const section of this.#codec.sections)
      if (section.table)
        for (let row = 0; row < section.rows; row++)
          if (image.isLive(section, row) && !visible(world, seats, section.path, row))
            this.#codec.removeRow(image, section, row);
  }

  #encodeWithin(
    image: WireImage,
    tick: number,
    baseline: WireImage | undefined,
    older: WireImage | undefined,
    budget: number,
    world: unknown,
    seats: readonly number[],
  ): number {
    const last = this.#last;
    this.#last = image;
    image.tick = tick;
    let length = this.#codec.encode(image, baseline, older, this.bytes);
    // The first state is sent as a whole.
    if (length <= budget || !baseline || !last) {
      this.#waited.fill(0);
      return length;
    }
    this.#weigh(image, last, world as ReadonlyWorld<Fields>, seats);
    const changed = this.#changed;
    // Rows that are under way are sent again until they are acknowledged, so they take room too.
    const underWay = this.#countUnderWay(last, baseline);
    let end = this.#endOf(last, baseline, Math.floor(budget / this.#bytesPerRow) - underWay);
    let kept = changed.length;
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      for (; kept > end; kept--) this.#makeStale(image, last, changed[kept - 1]!);
      length = this.#codec.encode(image, baseline, older, this.bytes);
      const sent = this.#countUnderWay(image, baseline);
      if (sent > 0) this.#bytesPerRow += (length / sent - this.#bytesPerRow) / 4;
      if (length <= budget || kept === 0) break;
      end = Math.floor((kept * budget * 0.9) / length);
    }
    for (let i = 0; i < kept; i++) this.#waited[changed[i]!] = 0;
    return length;
  }

  /** Counts the rows of an image that differ from the baseline. */
  #countUnderWay(image: WireImage, baseline: WireImage): number {
    let count = 0;
    for (const section of this.#codec.sections)
      if (section.table)
        for (let row = 0; row < section.rows; row++) if (!image.isSameRow(section, row, baseline)) count++;
    return count;
  }

  /** Returns how many of the changed rows to send: up to `room` that are not under way yet. Those under way between them cost nothing more. */
  #endOf(last: WireImage, baseline: WireImage, room: number): number {
    let left = Math.max(1, room);
    for (let i = 0; i < this.#changed.length; i++) {
      const section = this.#sectionOf(this.#changed[i]!);
      const row = this.#changed[i]! - this.#firstRow.get(section)!;
      if (last.isSameRow(section, row, baseline) && --left === 0) return i + 1;
    }
    return this.#changed.length;
  }

  #sectionOf(number: number): WireSection {
    let found = this.#codec.sections[0]!;
    for (const section of this.#codec.sections)
      if (section.table && this.#firstRow.get(section)! <= number) found = section;
    return found;
  }

  /** Lists the rows that differ from what was sent last, those that have waited longest and matter most first. */
  #weigh(image: WireImage, last: WireImage, world: ReadonlyWorld<Fields>, seats: readonly number[]): void {
    const { priority } = this.#rules;
    const changed = this.#changed;
    changed.length = 0;
    for (const section of this.#codec.sections) {
      if (!section.table) continue;
      const first = this.#firstRow.get(section)!;
      for (let row = 0; row < section.rows; row++) {
        // A row that is gone costs little: it goes at once.
        if (!image.isLive(section, row) || image.isSameRow(section, row, last)) continue;
        const gain = priority ? priority(world, seats, section.path, row) : 1;
        this.#waited[first + row]! += gain > LEAST_GAIN ? gain : LEAST_GAIN;
        changed.push(first + row);
      }
    }
    const waited = this.#waited;
    changed.sort((a, b) => waited[b]! - waited[a]! || a - b);
  }

  /** Leaves a row as it was sent last, until there is room. */
  #makeStale(image: WireImage, last: WireImage, number: number): void {
    const section = this.#sectionOf(number);
    const row = number - this.#firstRow.get(section)!;
    if (last.isLive(section, row)) image.copyRow(section, row, last);
    else this.#codec.removeRow(image, section, row);
  }
}
