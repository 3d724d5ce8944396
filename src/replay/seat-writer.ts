import { requireType } from "../errors/index.js";
import { EventWriter } from "./event-writer.js";
import type { SeatChange } from "./seats.js";

/** Longest recorded name, in characters. It is cut after that. */
const MAX_CHARACTERS = 64;

/** Writes an event for each seat that changes. At first, all are present and have no name. */
export class SeatWriter {
  readonly events = new EventWriter();
  /** Who sits where after the last tick. */
  readonly #absent: boolean[];
  readonly #names: string[];
  /** All changes, to know who sat where when the recording goes back. */
  #changes: SeatChange[] = [];

  constructor(players: number) {
    this.#absent = Array.from({ length: players }, () => false);
    this.#names = Array.from({ length: players }, () => "");
  }

  /** Adds the next tick. Sessions without absent seats or names may leave these out. */
  add(tick: number, absent: Uint8Array | undefined, names: readonly string[] | undefined): void {
    for (let seat = 0; seat < this.#absent.length; seat++) {
      const isAbsent = absent !== undefined && absent[seat] === 1;
      const name = names === undefined ? "" : (names[seat] ?? "");
      if (isAbsent !== this.#absent[seat] || name !== this.#names[seat])
        this.#change({ tick, seat, absent: isAbsent, name });
    }
  }

  #change(change: SeatChange): void {
    const { tick, seat, absent, name } = change;
    requireType(`record: session.seatNames[${seat}]`, name, "string", '"Ada"');
    this.#set(change);
    this.#changes.push(change);
    // Not within a surrogate pair.
    const shown = name.slice(0, MAX_CHARACTERS).replace(/[\ud800-\udbff]$/, "");
    this.events.add(tick, seat, new TextEncoder().encode(shown), absent);
  }

  #set({ seat, absent, name }: SeatChange): void {
    this.#absent[seat] = absent;
    this.#names[seat] = name;
  }

  /** Forgets the changes from a tick on. */
  goBack(tick: number): void {
    this.#changes = this.#changes.filter((change) => change.tick < tick);
    this.#absent.fill(false);
    this.#names.fill("");
    for (const change of this.#changes) this.#set(change);
  }
}
