import { readReplay, type Replay } from "../../../src/replay/index.js";
import { Autosave } from "./autosave.js";
import type { Live } from "./live.js";
import { Offer } from "./offer.js";

/** The game that is played, kept in the browser; and the one before it, which can be gone on with. */
export class Kept {
  readonly offer: Offer;
  readonly #autosave = new Autosave();
  readonly #live: () => Live;
  readonly #onHide = () => this.keep();
  #before: Replay | undefined;

  constructor(live: () => Live, goOn: (before: Replay) => void) {
    this.#live = live;
    this.offer = new Offer(
      () => {
        this.offer.hide();
        if (this.#before) goOn(this.#before);
      },
      () => {
        this.#autosave.forget();
        this.offer.hide();
      },
    );
    addEventListener("pagehide", this.#onHide);
  }

  /** The game that was played last is now the one before: it is offered. */
  turn(): void {
    this.keep();
    const bytes = this.#autosave.turn();
    try {
      this.#before = bytes && readReplay(bytes);
    } catch {
      // Another version of the page wrote it.
      this.#before = undefined;
    }
    if (this.#before && this.#before.seconds > 0) this.offer.show(this.#before.seconds);
    else this.offer.hide();
  }

  /** Writes it down now, if anything was done in it; or now and then. */
  keep(): void {
    const live = this.#live();
    if (live.isPlayed) this.#autosave.write(live.bytes());
  }
  advance(seconds: number): void {
    const live = this.#live();
    if (live.isPlayed) this.#autosave.advance(seconds, () => live.bytes());
  }

  dispose(): void {
    this.keep();
    removeEventListener("pagehide", this.#onHide);
  }
}
