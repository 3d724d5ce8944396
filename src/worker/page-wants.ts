import type { RecordingNeeds } from "../sim/session.js";
import type { ToWorker, Wants } from "./protocol.js";

/** What the page listens to. Tells the worker each change, so that it sends nothing else. */
export class PageWants {
  #wants: Wants = { effects: false, confirmed: false, hashEvery: 0, bytesEvery: 0, needsState: false };
  readonly #post: (message: ToWorker) => void;

  /** `post` sends a message, if the worker has begun. */
  constructor(post: (message: ToWorker) => void) {
    this.#post = post;
  }

  get current(): Wants {
    return this.#wants;
  }

  addEffects(): void {
    if (!this.#wants.effects) this.#change({ effects: true });
  }

  addConfirmed(): void {
    if (!this.#wants.confirmed) this.#change({ confirmed: true });
  }

  /** Nobody listens to confirmed ticks any more. */
  removeConfirmed(): void {
    this.#change({ confirmed: false, hashEvery: 0, bytesEvery: 0 });
  }

  /** Adds what one more recorder needs. */
  addRecording({ hashEvery, bytesEvery }: RecordingNeeds): void {
    this.#change({
      confirmed: true,
      hashEvery: commonDivisor(this.#wants.hashEvery, hashEvery),
      bytesEvery: commonDivisor(this.#wants.bytesEvery, bytesEvery),
      needsState: true,
    });
  }

  #change(change: Partial<Wants>): void {
    const wants = { ...this.#wants, ...change };
    // One message says that a state is needed.
    this.#wants = { ...wants, needsState: false };
    this.#post({ kind: "wants", wants });
  }
}

/** Returns what both are multiples of. 0 stands for none. */
function commonDivisor(a: number, b: number): number {
  return b === 0 ? a : commonDivisor(b, a % b);
}
