import { decodeText } from "../sim/utf8.js";
import { EventReader, type EventChunks } from "./event-chunks.js";

/** A seat that changed: somebody came, left or took over. */
export interface SeatChange {
  /** The first step that sees the change. */
  readonly tick: number;
  readonly seat: number;
  /** Whether the seat is absent from this step on. */
  readonly absent: boolean;
  /** The name of who sits there; "" if unknown. */
  readonly name: string;
}

/** Lists the changes of seats before tick `end`. */
export function* seatChanges(
  bytes: Uint8Array,
  chunks: EventChunks,
  end: number,
): Generator<SeatChange, void> {
  for (let index = 0; index < chunks.length; index++) {
    const event = new EventReader(chunks.readerOf(index));
    const limit = Math.min(end, chunks.limitOf(index));
    while (event.next() && event.tick < limit) {
      const { tick, seat, isFlagged, from, to } = event;
      const name = decodeText(bytes.slice(from, to)) ?? "";
      yield { tick, seat, absent: isFlagged, name };
    }
  }
}

/** Reads who sits where, tick by tick. Moving forward is cheap; moving back reads all changes again. */
export class SeatCursor {
  /** One per player: 1 if the seat is absent. */
  readonly absent: Uint8Array;
  #names: readonly string[];
  readonly #all: () => Iterator<SeatChange, void>;
  #changes: Iterator<SeatChange, void>;
  #next: SeatChange | undefined;
  #tick = -1;

  constructor(players: number, all: () => Iterator<SeatChange, void>) {
    this.absent = new Uint8Array(players);
    this.#names = Array.from({ length: players }, () => "");
    this.#all = all;
    this.#changes = all();
    this.#next = this.#changes.next().value ?? undefined;
  }

  /** The names of who sits in the seats. It is another list after a change. */
  get names(): readonly string[] {
    return this.#names;
  }

  /** Sets `absent` and `names` to those of the step of a tick. */
  seek(tick: number): void {
    if (tick < this.#tick) {
      this.absent.fill(0);
      this.#names = this.#names.map(() => "");
      this.#changes = this.#all();
      this.#advance();
    }
    this.#tick = tick;
    for (let change = this.#next; change && change.tick <= tick; change = this.#advance()) {
      const { seat, absent, name } = change;
      this.absent[seat] = absent ? 1 : 0;
      if (name !== this.#names[seat])
        this.#names = this.#names.map((old, other) => (other === seat ? name : old));
    }
  }

  #advance(): SeatChange | undefined {
    return (this.#next = this.#changes.next().value ?? undefined);
  }
}
