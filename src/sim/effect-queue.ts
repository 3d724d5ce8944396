import type { AnyEffect } from "./effects.js";

/** What becomes of an effect. */
interface Entry {
  readonly effect: AnyEffect;
  shown: boolean;
  /** It has not happened again yet, where its tick is simulated anew. */
  doubted: boolean;
}

/** More are not kept: a session that nobody looks at would grow for ever. */
const MOST = 10_000;

/**
 * Effects between the step that emits them and the frame that shows its state. Ticks that were only predicted may be
 * simulated anew: what happens again is told once, what does not is withdrawn, or reported if it was shown.
 */
export class EffectQueue {
  #entries: Entry[] = [];
  /** No entry is of a later tick. Where nobody looks there are many entries, and most steps have nothing to do with them. */
  #newest = -1;
  #hasDoubts = false;
  /** Effects that were never told, as there were too many. */
  lost = 0;

  add(effect: AnyEffect): void {
    const again =
      this.#hasDoubts && this.#entries.find((entry) => entry.doubted && isSame(entry.effect, effect));
    if (again) {
      again.doubted = false;
      return;
    }
    this.#newest = Math.max(this.#newest, effect.tick);
    if (this.#entries.length >= MOST) {
      this.#entries.shift();
      this.lost++;
    }
    this.#entries.push({ effect, shown: false, doubted: false });
  }

  /** Tells those of the ticks whose states have been shown: tick n by the time that state n + 1 is. */
  show(state: number, tell: (effect: AnyEffect) => void): void {
    if (this.#entries.length === 0) return;
    // A listener may do anything with the session, so that it is found out first.
    const due = this.#entries.filter(
      ({ effect, shown, doubted }) => !shown && !doubted && effect.tick + 1 <= state,
    );
    for (const entry of due.sort((a, b) => a.effect.tick - b.effect.tick)) {
      if (entry.shown) continue;
      // Not before its turn: where a listener throws, those behind it are told by the next frame.
      entry.shown = true;
      tell(entry.effect);
    }
  }

  /** Ticks before this one stand: what has been shown of them is forgotten. */
  confirm(tick: number): void {
    if (this.#entries.length > 0)
      this.#entries = this.#entries.filter(({ effect, shown }) => !(shown && effect.tick < tick));
  }

  /** From this tick on, another future: what was not shown will not be. */
  rewind(tick: number): void {
    if (this.#newest < tick) return;
    this.#newest = tick - 1;
    this.#entries = this.#entries.filter(({ effect }) => effect.tick < tick);
  }

  /** These ticks are about to be simulated anew, as predictions were wrong. */
  doubt(tick: number): void {
    this.#hasDoubts = true;
    for (const entry of this.#entries) if (entry.effect.tick >= tick) entry.doubted = true;
  }

  /** They have been: what did not happen again is withdrawn; what was shown of it is reported. */
  settle(tell: (effect: AnyEffect) => void): void {
    this.#hasDoubts = false;
    const gone = this.#entries.filter(({ doubted }) => doubted);
    this.#entries = this.#entries.filter(({ doubted }) => !doubted);
    for (const { effect, shown } of gone) if (shown) tell(effect);
  }
}

function isSame(a: AnyEffect, b: AnyEffect): boolean {
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => Object.is(a[name], b[name]));
}
