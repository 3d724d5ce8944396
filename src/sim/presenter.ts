import { badValue, misuse, requireNumber } from "../errors/index.js";
import { LIVE, type Fields, type World } from "../state/index.js";
import { EffectQueue, type EffectMoment } from "./effect-queue.js";
import type { AnyEffect } from "./effects.js";
import type { Rewind } from "./rewind.js";
import type { Run } from "./run.js";

/**
 * What a session shows, and when it delivers effects:
 *
 * - `"interpolate"`: `view` blends the last two states.
 * - `"speculate"`: `view` takes a step ahead with the newest inputs, throws it away, and blends the current state and that
 *   one. One step less latency, for the cost of one step per frame.
 * - `"none"`: a headless session. There is no view, and effects are delivered as soon as their tick is confirmed.
 */
export type Present = "interpolate" | "speculate" | "none";

export const PRESENTS: readonly Present[] = ["interpolate", "speculate", "none"];

// The run's snapshots that belong to the presenter.
const PREVIOUS = 0;
const VIEW = 1;
const BEFORE = 2;
const AFTER = 3;

export interface PresenterOptions {
  readonly present?: Present | undefined;
  /** Calls the session's `effect` listeners. */
  readonly deliver: (effect: AnyEffect) => void;
  /** Says when each effect is delivered, by its name. Default: `"shown"` for all. */
  readonly when?: ((name: string) => EffectMoment) | undefined;
  /** Runs one step with the newest inputs, for `"speculate"`. Returns false if the session was disposed meanwhile. */
  readonly speculate?: () => boolean;
}

/** Makes the picture of a run: keeps the previous state, blends the view, and delivers effects once it shows their state. */
export class Presenter<S extends Fields = Fields> {
  /** Snapshots of the run that a presenter uses, from snapshot 0 on. */
  static readonly snapshots = 4;
  /** A snapshot that is free between calls of the presenter. */
  static readonly spare = BEFORE;

  readonly effects: EffectQueue;
  readonly present: Present;
  readonly #run: Run<S>;
  readonly #dt: number;
  readonly #options: PresenterOptions;
  /** The snapshot of the previous state. */
  #previous = PREVIOUS;
  /** The session stalled in its last `advance`. */
  #isStalled = false;

  constructor(call: string, run: Run<S>, dt: number, options: PresenterOptions) {
    const { present = "interpolate" } = options;
    if (!PRESENTS.includes(present))
      badValue(`${call}: present`, '"interpolate", "speculate" or "none"', present, '"speculate"');
    this.present = present;
    this.effects = new EffectQueue(dt, options.when);
    this.#run = run;
    this.#dt = dt;
    this.#options = options;
    this.restart();
  }

  /** Takes an effect that a step emits: pass it to `run.step`. */
  readonly emit = (effect: AnyEffect): void => this.effects.add(effect);

  /**
   * Keeps the current state as the previous one. Call it before each step whose result may be shown, resimulated ones included.
   * `saved` is a snapshot that holds the current state already, and will until the next call.
   */
  beforeStep(saved = PREVIOUS): void {
    if (saved === PREVIOUS) this.#run.state.save(PREVIOUS);
    this.#previous = saved;
    this.#isStalled = false;
  }

  /** Rolls back a step that threw: the run's state, but not its external state. */
  undoStep(): void {
    this.#run.state.load(this.#previous);
  }

  /** Shows the newest state until the next step, as the session stalled. The picture stands still without a jump. */
  stall(): void {
    this.#isStalled = true;
  }

  /** Shows the current state as it is, as no step led to it. */
  restart(): void {
    this.#previous = PREVIOUS;
    this.#run.state.save(PREVIOUS);
    this.#isStalled = false;
  }

  /** Delivers the effects of a headless session: those of all ticks before `confirmed`. */
  deliverHeadless(confirmed: number): void {
    if (this.present !== "none" || this.effects.isEmpty) return;
    // There is no picture in which effects could age.
    this.effects.deliver(confirmed, this.#options.deliver, Infinity, 0);
    this.effects.confirm(confirmed);
  }

  /** Blends the picture at `alpha`, and delivers the effects that it shows. Ticks before `confirmed` can no longer change. */
  view(alpha: number, confirmed: number): World<S> {
    this.#requireView(alpha);
    if (this.present === "speculate") this.#speculate(this.#isStalled ? 1 : alpha, confirmed);
    else this.#interpolate(alpha, confirmed);
    this.effects.confirm(confirmed);
    return this.#run.state.at(VIEW);
  }

  /** Blends the picture at `alpha` into one of the presenter's spare snapshots, without delivering effects. Not for `"speculate"`. */
  blendAside(slot: 0 | 1, alpha: number): World<S> {
    const { state, tick } = this.#run;
    const shown = this.#isStalled || state.tickOf(this.#previous) === tick ? 1 : alpha;
    // The other one is free only after a correction.
    const out = slot === 0 ? AFTER : BEFORE;
    state.blend(out, this.#previous, LIVE, shown, this.#dt);
    return state.at(out);
  }

  /** Takes a step with the newest inputs, keeps the state after it in a snapshot, and takes it back. Returns the snapshot; -1 if the session was disposed meanwhile. */
  speculateAside(): number {
    const run = this.#run;
    run.save(BEFORE);
    try {
      if (!this.#options.speculate?.()) return -1;
      run.state.save(AFTER);
    } finally {
      run.load(BEFORE);
    }
    return AFTER;
  }

  /** Blends the picture of a rewind at its last move into a snapshot. Returns the snapshot. */
  rewindAside(rewind: Rewind): number {
    rewind.blend(VIEW, BEFORE, 1, this.#dt);
    return VIEW;
  }

  /** Blends the picture of a rewind at `alpha`. Nothing happens for the first time there, so no effects are delivered. */
  viewRewind(rewind: Rewind, alpha: number): World<S> {
    this.#requireView(alpha);
    rewind.blend(VIEW, BEFORE, alpha, this.#dt);
    return this.#run.state.at(VIEW);
  }

  #requireView(alpha: number): void {
    requireNumber("Session.view: alpha", alpha, 0, 1, "loop.alpha");
    if (this.present === "none")
      misuse(
        "not-ready",
        "Session.view",
        'a session with present: "none" has no view',
        'Try present: "interpolate"',
      );
  }

  #interpolate(alpha: number, confirmed: number): void {
    const { state, tick } = this.#run;
    // Without a step between the two states, a Hermite curve would swing out and back.
    const shown = this.#isStalled || state.tickOf(this.#previous) === tick ? 1 : alpha;
    state.factors[0] = shown;
    state.factors[1] = this.#dt;
    state.blendByFactors(VIEW, this.#previous, LIVE);
    // Most frames have none, and must not allocate.
    if (!this.effects.isEmpty) this.effects.deliver(tick - 1 + shown, this.#options.deliver, confirmed);
  }

  /** Blends the current state and the next one, as it would be with the newest inputs. */
  #speculate(alpha: number, confirmed: number): void {
    const run = this.#run;
    if (this.speculateAside() < 0) return;
    run.state.blend(VIEW, BEFORE, AFTER, alpha, this.#dt);
    this.effects.deliver(run.tick, this.#options.deliver, confirmed, run.tick + alpha);
  }
}
