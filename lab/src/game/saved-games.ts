import { readReplay, type Replay } from "../../../src/replay/index.js";
import { Autosave } from "./autosave.js";
import { ContinuePrompt } from "./continue-prompt.js";
import type { Live } from "./live.js";

/** Saves the current game in the browser, and offers to continue the previous one. */
export class SavedGames {
  readonly prompt: ContinuePrompt;
  readonly #autosave = new Autosave();
  readonly #live: () => Live;
  readonly #onHide = () => this.save();
  #previous: Replay | undefined;

  constructor(live: () => Live, onContinue: (previous: Replay) => void) {
    this.#live = live;
    this.prompt = new ContinuePrompt(
      () => {
        this.prompt.hide();
        if (this.#previous) onContinue(this.#previous);
      },
      () => {
        this.#autosave.deletePrevious();
        this.prompt.hide();
      },
    );
    addEventListener("pagehide", this.#onHide);
  }

  /** Makes the current game the previous one, and offers to continue it. */
  rotate(): void {
    this.save();
    const bytes = this.#autosave.rotate();
    try {
      this.#previous = bytes && readReplay(bytes);
    } catch {
      // Another version of the page wrote it.
      this.#previous = undefined;
    }
    if (this.#previous && this.#previous.seconds > 0) this.prompt.show(this.#previous.seconds);
    else this.prompt.hide();
  }

  /** Saves now, if the visitor has played. */
  save(): void {
    const live = this.#live();
    if (live.isPlayed) this.#autosave.write(live.bytes());
  }

  /** Saves every few seconds, if the visitor has played. */
  advance(seconds: number): void {
    const live = this.#live();
    if (live.isPlayed) this.#autosave.advance(seconds, () => live.bytes());
  }

  dispose(): void {
    this.save();
    removeEventListener("pagehide", this.#onHide);
  }
}
