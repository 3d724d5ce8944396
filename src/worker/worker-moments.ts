import { timeScale, timestampOf, type Loop, type TimeScale } from "../loop/index.js";
import type { Drive, LocalSession } from "../sim/index.js";
import { LIVE } from "../state/index.js";
import type { Publisher } from "./publisher.js";
import {
  HEAD_JUMPS,
  HEAD_FIRST,
  HEAD_FLAGS,
  HEAD_FROM,
  HEAD_LAST,
  HEAD_MOMENT,
  HEAD_READY,
  HEAD_SINCE,
  HEAD_SPAN,
  HEAD_START,
  HEAD_TICK,
  HEAD_TIMELINE,
  IS_REVISION,
  IS_REWINDING,
  IS_SPECULATED,
} from "./state-head.js";

/** Publishes the states of a session, each with the moment that it stands for. */
export class WorkerMoments {
  /** How often the session has gone to another state: by a seek, a load, or the end of a rewind. */
  jumps = 0;
  /** From which moment on the newest states are shown: that of the last revision. */
  #since = -Infinity;
  /** The moment of the newest state. */
  #last = -Infinity;
  readonly #session: LocalSession;
  readonly #loop: Loop;
  readonly #scale: TimeScale;
  readonly #publisher: Publisher;
  readonly #start: number;
  readonly #now: () => number;

  constructor(
    { session, loop }: Drive<LocalSession>,
    publisher: Publisher,
    start: number,
    now: () => number,
  ) {
    this.#session = session;
    this.#loop = loop;
    this.#scale = timeScale(loop);
    this.#publisher = publisher;
    this.#start = start;
    this.#now = now;
  }

  /** When the next step is due. */
  get nextDue(): number {
    const loop = this.#loop;
    if (loop.paused || this.#scale.value === 0) return Infinity;
    // State 0 is shown from the beginning, not only when the first step is due.
    return loop.tick > 0 ? timestampOf(loop, loop.tick) : timestampOf(loop, 1) - this.#span;
  }

  /** How long a step takes at the current speed, in milliseconds. */
  get #span(): number {
    const { value, pace } = this.#scale;
    return (1000 * this.#loop.dt) / (value * pace);
  }

  /** Publishes the state that the session begins with. */
  publishFirst(): void {
    this.#publishNewest(0, Infinity, 0, 1);
  }

  /** Publishes the state after a step of the loop. Returns its moment. */
  publishStep(): number {
    const moment = timestampOf(this.#loop, this.#loop.tick);
    // A loop that makes up for lost time simulates the past again: the picture leaps to its newest state instead.
    const shown = this.#last < Infinity ? Math.max(this.#last, moment) : moment;
    this.#publishNewest(0, shown, this.#span, 0);
    return shown;
  }

  /** Takes one more step with the newest inputs, publishes its state, and takes it back. `moment` is that of the state before. */
  publishAhead(moment: number): void {
    const next = this.#session.speculateAside();
    const span = this.#span;
    if (next >= 0) this.#publish(IS_SPECULATED, next, moment + span, span, 0);
  }

  /** Publishes the newest state again, as it will be shown at another moment than was thought. */
  revise(): void {
    const { timestamp, alpha } = this.#loop.frame;
    this.#since = timestamp;
    // A hit-stop comes first: the picture stands still until then.
    this.#publishNewest(IS_REVISION, this.nextDue, (1 - alpha) * this.#span, alpha);
  }

  /** Publishes the newest state as one that nothing leads to: the picture jumps there. */
  jump(): void {
    this.#since = this.#loop.frame.timestamp;
    this.#publishNewest(IS_REVISION, this.#since, 0, 1);
  }

  #publishNewest(flags: number, moment: number, span: number, from: number): void {
    const session = this.#session;
    this.#last = moment;
    if (session.rewinding) this.#publish(flags | IS_REWINDING, session.rewindAside(), moment, span, from);
    else this.#publish(flags, LIVE, moment, span, from);
  }

  #publish(flags: number, snapshot: number, moment: number, span: number, from: number): void {
    const { head } = this.#publisher;
    const session = this.#session;
    const { state } = session;
    const cursor = session.rewindCursor;
    head[HEAD_FLAGS] = flags;
    head[HEAD_START] = this.#start;
    // States after a revision must not be shown before it: those that it replaces are still shown then.
    head[HEAD_SINCE] = this.#since;
    head[HEAD_MOMENT] = moment;
    head[HEAD_SPAN] = span;
    head[HEAD_FROM] = from;
    head[HEAD_TICK] = snapshot === LIVE ? state.tick : cursor >= 0 ? cursor : state.tickOf(snapshot);
    // What a rewind shows is not a state of the timeline.
    head[HEAD_TIMELINE] = cursor >= 0 ? NaN : state.timelineOf(snapshot);
    head[HEAD_JUMPS] = this.jumps;
    head[HEAD_FIRST] = session.first;
    head[HEAD_LAST] = session.last;
    head[HEAD_READY] = this.#now();
    this.#publisher.publish(state, snapshot);
  }
}
