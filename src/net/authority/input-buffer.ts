import type { Packing } from "../../input/index.js";
import { InputLog } from "../../sim/input-log.js";
import type { BitReader } from "../bits.js";
import { InputRows, type RowSource } from "../input-rows.js";
import type { InputHead } from "./input-packet.js";
import { MAX_REPORTS, type ArrivalReport, type ServerHead } from "./tick-packet.js";

/** Ticks of a client's inputs that the server keeps. */
const CAPACITY = 1024;
/** Ticks that a client may be ahead of the server. */
export const MAX_AHEAD = 256;
/** Inputs that are older than this many ticks are forgotten. */
const MAX_AGE = 600;
/** Reports that wait to be sent. */
const MAX_WAITING = 8;

/** The inputs of one client, as they arrive. The server takes them out tick by tick, and never waits. */
export class InputBuffer {
  readonly #rows: InputRows;
  readonly #log: InputLog;
  readonly #width: number;
  readonly #source: RowSource;
  /** The first tick whose inputs count. */
  readonly from: number;
  /** The tick whose inputs each slot holds. There may be gaps, where the client jumped ahead. */
  readonly #ticks = new Float64Array(CAPACITY).fill(-1);
  /** The end of the newest inputs. */
  end: number;
  /** Ticks that were stepped without the client's input, and inputs that came after their tick. */
  missing = 0;
  late = 0;
  /** Inputs that came in time. */
  inTime = 0;
  readonly #reports: ArrivalReport[] = [];
  #reportsAdded = 0;
  #reportsTaken = 0;
  /** The tick from which rows are new. */
  #from = 0;

  constructor(packing: Packing, seats: readonly number[], from: number) {
    const log = new InputLog(seats.length, packing.words, CAPACITY);
    this.#width = packing.words;
    this.#log = log;
    this.#rows = new InputRows(
      packing,
      seats.map((_, index) => index),
    );
    this.#rows.from = this.from = from;
    this.end = from;
    this.#source = {
      readSeat: (tick, seat, out, at) => log.readPlayer(tick, seat, out, at),
    };
  }

  /**
   * Takes the rows of a packet, after its head. `next` is the tick that the server steps next, `untilNext` how many ticks it is until
   * then. Returns what is wrong with the packet, or undefined.
   */
  receive(reader: BitReader, head: InputHead, next: number, untilNext: number): string | undefined {
    const { first, end, isComplete } = head;
    if (end > next + MAX_AHEAD) return `inputs of tick ${end - 1}, but tick ${next} is next`;
    // Not an old packet, nor one that repeats what is known, nor one that is coded against a row that is not here, as one that was
    // overtaken by a new start.
    const isNews = end > this.end && first < end && (isComplete || this.#has(first - 1));
    const from = (this.#from = isNews ? Math.max(first, this.end) : end);
    // What a malformed packet writes is not read, as `end` stays what it is.
    if (isComplete) this.#rows.readFrom(reader, first, end, this.#take);
    else this.#rows.read(reader, first, end, isNews ? this.#source : undefined, this.#take);
    if (!reader.isAtEnd) return "malformed inputs";
    if (!isNews) return undefined;
    this.#count(from, end, next, untilNext);
    this.end = end;
    return undefined;
  }

  readonly #take = (tick: number, row: Uint32Array): void => {
    if (tick < this.#from) return;
    this.#ticks[tick % CAPACITY] = tick;
    for (let at = 0; at < row.length; at += this.#width)
      this.#log.writePlayer(tick, at / this.#width, row, at);
  };

  #count(first: number, end: number, next: number, untilNext: number): void {
    const late = Math.min(end, next) - first;
    if (late > 0) this.late += late;
    this.inTime += end - first - Math.max(0, late);
    const slot = this.#reportsAdded++ % MAX_WAITING;
    const report = (this.#reports[slot] ??= { first: 0, end: 0, early: 0.5 });
    report.first = first;
    report.end = end;
    report.early = end - 1 - next + untilNext;
    if (this.#reportsAdded - this.#reportsTaken > MAX_WAITING) this.#reportsTaken++;
  }

  /** Moves reports of when inputs came into a packet. */
  takeReports(head: ServerHead): void {
    head.reportCount = 0;
    while (head.reportCount < MAX_REPORTS && this.#reportsTaken < this.#reportsAdded) {
      const { first, end, early } = this.#reports[this.#reportsTaken++ % MAX_WAITING]!;
      head.addReport(first, end, early);
    }
  }

  /** Whether any input has arrived. */
  get hasBegun(): boolean {
    return this.end > this.from;
  }

  #has(tick: number): boolean {
    return this.#ticks[tick % CAPACITY] === tick;
  }

  /** Reads the newest inputs of the client that are not after `tick` into `out`. Returns their tick; -1 if none came lately. */
  readLast(tick: number, out: Uint32Array): number {
    for (let last = Math.min(tick, this.end - 1); last > tick - MAX_AGE && last >= 0; last--) {
      if (!this.#has(last)) continue;
      this.#log.read(last, out);
      return last;
    }
    return -1;
  }
}
