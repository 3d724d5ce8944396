import { measure } from "../loop/index.js";
import { syncTest, type AnySimulation, type Drive, type LocalSession } from "../sim/index.js";
import type { Call } from "./protocol.js";
import type { StepReport } from "./step-report.js";
import type { WorkerMoments } from "./worker-moments.js";

/** Does what the page asks for and waits for: goes to other states, and answers questions. */
export class WorkerCalls {
  readonly #game: AnySimulation;
  readonly #drive: Drive<LocalSession>;
  readonly #moments: WorkerMoments;
  readonly #report: StepReport;
  readonly #onLoad: () => void;

  /** `onLoad` is called after a load. */
  constructor(
    game: AnySimulation,
    driven: Drive<LocalSession>,
    moments: WorkerMoments,
    report: StepReport,
    onLoad: () => void,
  ) {
    this.#game = game;
    this.#drive = driven;
    this.#moments = moments;
    this.#report = report;
    this.#onLoad = onLoad;
  }

  /** Returns the answer. */
  run(call: Call): unknown {
    const { session, loop } = this.#drive;
    switch (call.name) {
      case "seek":
        return this.#leaveCourse(() => session.seek(call.tick));
      case "load":
        this.#leaveCourse(() => session.load(call.bytes));
        return this.#onLoad();
      case "rewind":
        session.rewind(call.speed);
        return this.#report.needState();
      case "endRewind":
        return this.#leaveCourse(() => session.endRewind());
      case "save":
        return session.bytes();
      case "hash":
        return { tick: session.tick, hash: session.hash() };
      case "stats":
        return measure(loop).toJSON();
      case "syncTest":
        return syncTest(this.#game, call.options);
    }
  }

  /** Goes to another state. */
  #leaveCourse(go: () => void): void {
    go();
    this.#moments.jumps++;
    this.#report.needState();
    this.#moments.jump();
  }
}
