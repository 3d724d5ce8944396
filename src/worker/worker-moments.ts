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
  readonly #session: LocalSession;
  readonly #loop: Drive<LocalSession>["loop"];
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
    this.#publisher = publisher;
    this.#start = start;
    this.#now = now;
  }

  /** When the next step is due. */
  get nextDue(): number {
    const loop = this.#loop;
    if (loop.paused || loop.timeScale === 0) return Infinity;
    // State 0 is shown from the beginning, not only when the first step is due.
    return loop.tick > 0 ? loop.timestampOf(loop.tick) : loop.timestampOf(1) - this.#span;
  }

  /** How long a step takes at the current speed, in milliseconds. */
  get #span(): number {
    const { dt, timeScale, pace } = this.#loop;
    return (1000 * dt) / (timeScale * pace);
  }

  /** Publishes the state that the session begins with. */
  publishFirst(): void {
    this.#publish(0, LIVE, this.#now(), Infinity, 0, 1);
  }

  /** Publishes the state after a step of the loop. Returns its moment. */
  publishStep(): number {
    const session = this.#session;
    const moment = this.#loop.timestampOf(this.#loop.tick + 1);
    const { rewinding } = session;
    const snapshot = rewinding ? session.rewindAside() : LIVE;
    this.#publish(rewinding ? IS_REWINDING : 0, snapshot, -Infinity, moment, this.#span, 0);
    return moment;
  }

  /** Takes one more step with the newest inputs, publishes its state, and takes it back. `moment` is that of the state before. */
  publishAhead(moment: number): void {
    const next = this.#session.speculateAside();
    const span = this.#span;
    if (next >= 0) this.#publish(IS_SPECULATED, next, -Infinity, moment + span, span, 0);
  }

  /** Publishes the newest state again, as it will be shown at another moment than was thought. */
  revise(): void {
    const loop = this.#loop;
    // A hit-stop comes first: the picture stands still until then.
    this.#publish(IS_REVISION, LIVE, loop.frameEnd, this.nextDue, (1 - loop.alpha) * this.#span, loop.alpha);
  }

  /** Publishes the newest state as one that nothing leads to: the picture jumps there. */
  jump(): void {
    const since = this.#loop.frameEnd;
    this.#publish(IS_REVISION, LIVE, since, since, 0, 1);
  }

  #publish(flags: number, snapshot: number, since: number, moment: number, span: number, from: number): void {
    const { head } = this.#publisher;
    const session = this.#session;
    const { state } = session;
    const cursor = session.rewindCursor;
    head[HEAD_FLAGS] = flags;
    head[HEAD_START] = this.#start;
    head[HEAD_SINCE] = since;
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
