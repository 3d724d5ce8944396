import type { Packing } from "../../input/index.js";
import { nearest, type BitReader, type BitWriter } from "../bits.js";
import { InputRows, type RowSink, type RowSource } from "../input-rows.js";
import type { SeatLog } from "../seat-log.js";
import { MAX_ROWS, TICK_BITS } from "./input-packet.js";

/** Reports per packet, at most: as many as three bits can count. */
export const MAX_REPORTS = 7;
/** Parts of a tick in which earliness is reported. */
export const EARLY_PARTS = 16;
/** Most ticks that a report can be early or late. */
const MAX_EARLY = 2048;

/** When inputs came: those of the ticks from `first` to `end - 1` together, the last one `early` ticks before its step. */
export interface ArrivalReport {
  first: number;
  end: number;
  early: number;
}

/** What every packet of a server begins with. Reuse it. */
export class ServerHead {
  /** Whether a state follows, or the inputs of all seats. */
  hasState = false;
  /** The tick of the server: all ticks before it are certain. */
  tick = 0;
  /** The tick before which the server has the client's inputs. */
  inputEnd = 0;
  readonly reports: ArrivalReport[] = [];
  reportCount = 0;

  addReport(first: number, end: number, early: number): void {
    const report = (this.reports[this.reportCount++] ??= { first, end, early });
    report.first = first;
    report.end = end;
    report.early = early;
  }

  write(writer: BitWriter): void {
    const { tick, reports, reportCount } = this;
    writer.write(0, 1);
    writer.write(this.hasState ? 1 : 0, 1);
    writer.write(tick, TICK_BITS);
    writer.writeSigned(this.inputEnd - tick, 3);
    writer.write(reportCount, 3);
    // The newest first. Mostly it is of the newest inputs, and those before it follow each other and came at about the same moment.
    let next = this.inputEnd;
    let partsBefore = 0;
    for (let i = reportCount - 1; i >= 0; i--) {
      const { first, end, early } = reports[i]!;
      const isNewest = i === reportCount - 1;
      writer.writeSigned(next - end, 0);
      writer.writeGolomb(end - first - 1, 0);
      const parts = Math.round(Math.max(-MAX_EARLY, Math.min(MAX_EARLY, early)) * EARLY_PARTS);
      if (isNewest) partsBefore = this.#expectedParts(end);
      writer.writeSigned(parts - partsBefore, isNewest ? 3 : 2);
      next = first;
      partsBefore = parts;
    }
  }

  /** Returns how early the newest inputs came, if that was half a tick before the last step. */
  #expectedParts(end: number): number {
    return (end - this.tick) * EARLY_PARTS + EARLY_PARTS / 2;
  }

  /** Reads a head. Returns false unless it is well formed. `expected` is about the tick. */
  read(reader: BitReader, expected: number): boolean {
    if (reader.read(1) !== 0) return false;
    this.hasState = reader.read(1) === 1;
    this.tick = nearest(reader.read(TICK_BITS), TICK_BITS, expected);
    this.inputEnd = this.tick + reader.readSigned(3);
    this.reportCount = 0;
    const count = reader.read(3);
    for (let i = 0; i < count; i++) this.addReport(0, 0, 0.5);
    let next = this.inputEnd;
    let parts = 0;
    for (let i = count - 1; i >= 0; i--) {
      const report = this.reports[i]!;
      report.end = next - reader.readSigned(0);
      report.first = report.end - 1 - reader.readGolomb(0);
      if (i === count - 1) parts = this.#expectedParts(report.end);
      parts += reader.readSigned(i === count - 1 ? 3 : 2);
      report.early = parts / EARLY_PARTS;
      // Only a damaged packet has more.
      if (report.end - report.first > MAX_ROWS || Math.abs(report.early) > MAX_EARLY) return false;
      next = report.first;
    }
    return !reader.hasFailed && this.tick >= 0;
  }
}

const ignore = () => {};

/** What all seats do, by tick: their inputs, and one more word that says whether the seat is absent. */
export class SeatRows implements RowSink {
  readonly #rows: InputRows;
  readonly #log: SeatLog;
  readonly #words: number;
  readonly #source: RowSource;
  /** The ticks whose rows are written to the log, and what to call for those that changed. */
  #from = 0;
  #to = 0;
  #changed: (tick: number) => void = ignore;

  constructor({ slots, words }: Packing, players: number, log: SeatLog) {
    const seats = Array.from({ length: players }, (_, seat) => seat);
    const absent = { word: words, shift: 0, field: { bits: 1 } };
    this.#words = words;
    this.#log = log;
    this.#rows = new InputRows({ slots: [...slots, absent], words: words + 1 }, seats);
    this.#source = {
      readSeat(tick, seat, out, at) {
        log.readSeat(tick, seat, out, at);
        out[at + words] = log.isAbsent(tick, seat) ? 1 : 0;
      },
    };
  }

  /** Reads the row of a tick, which the next ones are coded against: all words of a seat, then whether it is absent. */
  readRow(tick: number, row: Uint32Array): void {
    const width = this.#words + 1;
    if (tick < 0) row.fill(0);
    else for (let at = 0; at < row.length; at += width) this.#source.readSeat(tick, at / width, row, at);
  }

  /** Writes the row of a tick into the log. */
  writeRow(tick: number, row: Uint32Array): void {
    this.#from = tick;
    this.#to = tick + 1;
    this.#changed = ignore;
    this.takeRow(tick, row);
  }

  write(writer: BitWriter, first: number, end: number): void {
    this.#rows.write(writer, this.#source, first, end);
  }

  /** Checks the code of rows, without using them. */
  check(reader: BitReader, first: number, end: number): void {
    this.#rows.read(reader, first, end);
  }

  /** Reads rows, writes those of the ticks from `from` to `to - 1` into the log, and passes the ticks that changed to `changed`. */
  read(
    reader: BitReader,
    first: number,
    end: number,
    from: number,
    to: number,
    changed: (tick: number) => void,
  ): void {
    this.#from = from;
    this.#to = to;
    this.#changed = changed;
    this.#rows.read(reader, first, end, this.#source, this);
  }

  /** Called while rows are read. */
  takeRow(tick: number, row: Uint32Array): void {
    if (tick < this.#from || tick >= this.#to) return;
    const width = this.#words + 1;
    let isChanged = false;
    for (let seat = 0; seat * width < row.length; seat++) {
      const at = seat * width;
      if (this.#log.writeSeat(tick, seat, row, at)) isChanged = true;
      if (this.#log.setAbsent(tick, seat, row[at + this.#words] === 1)) isChanged = true;
    }
    if (isChanged) this.#changed(tick);
  }
}

/** Writes which of the ticks from `first` to `end - 1` have commands. */
export function writeCommandTicks(writer: BitWriter, log: SeatLog, first: number, end: number): void {
  let count = 0;
  if (log.isCommanded) for (let tick = first; tick < end; tick++) if (log.commands(tick).length > 0) count++;
  writer.write(count > 0 ? 1 : 0, 1);
  if (count === 0) return;
  writer.writeGolomb(count - 1, 0);
  for (let tick = first, last = first; tick < end; tick++)
    if (log.commands(tick).length > 0) {
      writer.writeGolomb(tick - last, 1);
      last = tick + 1;
    }
}

/** Reads what `writeCommandTicks` wrote. Returns false unless it is well formed. */
export function readCommandTicks(reader: BitReader, first: number, end: number, ticks: number[]): boolean {
  ticks.length = 0;
  if (reader.read(1) === 0) return !reader.hasFailed;
  for (let count = reader.readGolomb(0) + 1, tick = first; count > 0; count--, tick++) {
    tick += reader.readGolomb(1);
    if (tick >= end || reader.hasFailed) return false;
    ticks.push(tick);
  }
  return true;
}
