import { NO_COMMANDS, type PackedCommand } from "../sim/commands.js";
import { EventReader, type EventChunks } from "./event-chunks.js";

/** Reads the commands tick by tick. Moving forward is cheap; moving back reads a chunk again from its beginning. */
export class CommandCursor {
  readonly #bytes: Uint8Array;
  readonly #chunks: EventChunks;
  #event: EventReader | undefined;
  /** The tick of the next command of the open chunk; Infinity after the last one. */
  #next = Infinity;
  /** The first tick of the next chunk, and the first tick whose commands were not read yet. */
  #until = -1;
  #after = 0;
  #limit = 0;

  constructor(bytes: Uint8Array, chunks: EventChunks) {
    this.#bytes = bytes;
    this.#chunks = chunks;
  }

  /** Returns the commands of a recorded tick. */
  at(tick: number): readonly PackedCommand[] {
    if (this.#chunks.length === 0) return NO_COMMANDS;
    this.#seek(tick);
    this.#after = tick + 1;
    if (this.#next > tick) return NO_COMMANDS;
    const commands: PackedCommand[] = [];
    for (; this.#next === tick; this.#advance()) {
      const { seat, from, to } = this.#event!;
      commands.push({ player: seat, bytes: this.#bytes.slice(from, to) });
    }
    return commands;
  }

  /** The first tick from `tick` on that has commands; Infinity if there is none. */
  from(tick: number): number {
    this.#seek(tick);
    this.#after = tick;
    return Math.min(this.#next, this.#until);
  }

  #seek(tick: number): void {
    if (tick < this.#after || tick >= this.#until) this.#open(this.#chunks.indexOf(tick));
    while (this.#next < tick) this.#advance();
  }

  #open(index: number): void {
    this.#until = this.#chunks.firstOf(index + 1);
    this.#event = index < 0 ? undefined : new EventReader(this.#chunks.readerOf(index));
    this.#limit = index < 0 ? 0 : this.#chunks.limitOf(index);
    this.#advance();
  }

  #advance(): void {
    const event = this.#event;
    this.#next = event !== undefined && event.next() && event.tick < this.#limit ? event.tick : Infinity;
  }
}
