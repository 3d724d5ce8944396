import { NO_COMMANDS, type PackedCommand } from "../sim/commands.js";
import { InputLog } from "../sim/input-log.js";
import type { AnySimulation } from "../sim/index.js";

/** How many ticks of inputs a session keeps. A peer that is further behind gets a snapshot. */
export const LOG_TICKS = 2048;

/** Stands for every seat in `SeatLog.setCommands`. */
export const ALL_SEATS: readonly number[] = [];

/** Keeps what all seats do, by tick, for the last ticks: inputs, whether the seat is absent, commands. */
export class SeatLog {
  readonly #players: number;
  readonly #ticks: number;
  readonly #inputs: InputLog;
  readonly #absent: Uint8Array;
  /** Ticks with commands, those of each tick sorted by seat. Few ticks have any. */
  readonly #commands = new Map<number, PackedCommand[]>();

  /** Keeps the last `ticks` ticks. */
  constructor({ players, packing }: AnySimulation, ticks = LOG_TICKS) {
    this.#players = players;
    this.#ticks = ticks;
    this.#inputs = new InputLog(players, packing.words, ticks);
    this.#absent = new Uint8Array(players * ticks);
  }

  /** Reads the inputs of one seat into `out`, from `at` on. */
  readSeat(tick: number, seat: number, out: Uint32Array, at: number): void {
    this.#inputs.readPlayer(tick, seat, out, at);
  }

  /** Writes the inputs of one seat, which lie in `words` from `at` on. Returns whether they differ from the old ones. */
  writeSeat(tick: number, seat: number, words: Uint32Array, at: number): boolean {
    return this.#inputs.writePlayer(tick, seat, words, at);
  }

  /** Whether the inputs of a seat are those in `words`, from `at` on. */
  isSeat(tick: number, seat: number, words: Uint32Array, at: number): boolean {
    return this.#inputs.isPlayer(tick, seat, words, at);
  }

  /** Reads the inputs of all seats, and which are absent. */
  read(tick: number, words: Uint32Array, absent: Uint8Array): void {
    this.#inputs.read(tick, words);
    const from = (tick % this.#ticks) * this.#players;
    for (let seat = 0; seat < this.#players; seat++) absent[seat] = this.#absent[from + seat]!;
  }

  /** Writes the inputs of all seats, and which are absent. */
  write(tick: number, words: Uint32Array, absent: Uint8Array): void {
    this.#inputs.write(tick, words);
    this.#absent.set(absent, (tick % this.#ticks) * this.#players);
  }

  isAbsent(tick: number, seat: number): boolean {
    return this.#absent[(tick % this.#ticks) * this.#players + seat] === 1;
  }

  /** Writes whether a seat is absent. Returns whether that is a change. */
  setAbsent(tick: number, seat: number, isAbsent: boolean): boolean {
    const at = (tick % this.#ticks) * this.#players + seat;
    const isChanged = (this.#absent[at] === 1) !== isAbsent;
    this.#absent[at] = isAbsent ? 1 : 0;
    return isChanged;
  }

  /** The commands of all seats in a tick. */
  commands(tick: number): readonly PackedCommand[] {
    return this.#commands.size === 0 ? NO_COMMANDS : (this.#commands.get(tick) ?? NO_COMMANDS);
  }

  hasCommands(tick: number, seats: readonly number[]): boolean {
    const commands = this.#commands.get(tick);
    return commands !== undefined && commands.some(({ player }) => seats.includes(player));
  }

  /** Whether any tick has commands. */
  get isCommanded(): boolean {
    return this.#commands.size > 0;
  }

  /** Sets the commands of some seats in a tick. Returns whether the tick had other ones. */
  setCommands(tick: number, seats: readonly number[], commands: readonly PackedCommand[]): boolean {
    const old = this.#commands.get(tick);
    if (!old && commands.length === 0) return false;
    const others = seats === ALL_SEATS ? [] : (old ?? []).filter(({ player }) => !seats.includes(player));
    const isChanged = commands.length > 0 || others.length < (old?.length ?? 0);
    // A stable sort: the commands of one seat stay in order.
    const all = [...others, ...commands].sort((a, b) => a.player - b.player);
    if (all.length > 0) this.#commands.set(tick, all);
    else this.#commands.delete(tick);
    return isChanged;
  }

  /** Forgets the commands before a tick. Inputs are overwritten when the log comes round. */
  dropBefore(tick: number): void {
    if (this.#commands.size === 0) return;
    for (const held of this.#commands.keys()) if (held < tick) this.#commands.delete(held);
  }

  /** Forgets all. */
  clear(): void {
    this.#commands.clear();
    this.#absent.fill(0);
  }
}
