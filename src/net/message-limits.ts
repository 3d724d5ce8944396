/** Messages per second that the other side may send on average, and at once. Sixty packets per second are usual. */
const MESSAGES_PER_SECOND = 1000;
const MESSAGE_BURST = 4000;
/** Messages to count before they are admitted together: most messages are cheaper than a look at the time and the limits. */
export const ADMIT_EVERY = 32;
/** Faults in a row after which the other side counts as hostile. Each second forgives one. */
const MAX_FAULTS = 30;

/** Limits how many messages, and how many bad ones, the other side of a link may send. */
export class MessageLimits {
  // Fractions, so that V8 keeps the fields as doubles and new values are not allocated.
  #allowance = MESSAGE_BURST + 0.5;
  #allowanceAt = -0.5;
  #faults = 0;
  #faultsAt = 0.5;

  /** Counts messages. Returns false if there were too many. */
  admit(messages: number, now: number): boolean {
    if (this.#allowanceAt >= 0) {
      const earned = ((now - this.#allowanceAt) * MESSAGES_PER_SECOND) / 1000;
      this.#allowance = Math.min(MESSAGE_BURST, this.#allowance + earned);
    }
    this.#allowanceAt = now;
    this.#allowance -= messages;
    return this.#allowance >= 0;
  }

  /** Counts a message that no honest program sends. Returns true if there were too many. */
  fault(now: number): boolean {
    const forgiven = Math.floor((now - this.#faultsAt) / 1000);
    if (forgiven > 0) {
      this.#faults = Math.max(0, this.#faults - forgiven);
      this.#faultsAt = now;
    }
    return ++this.#faults > MAX_FAULTS;
  }
}
