import { requireSynchronous } from "../errors/index.js";
import type { ExactRate } from "../time/index.js";
import type { Accumulator } from "./accumulator.js";
import type { Attachments } from "./attachments.js";
import type { StepInfo, Writable } from "./info.js";
import type { Callbacks } from "./options.js";
import { BETWEEN_STEPS, DRAWING, IDLE, IN_STEP } from "./phase.js";
import type { Policy } from "./policy.js";
import { stepInProgress } from "./rate-in-step.js";
import { StepBudget } from "./step-budget.js";
import type { Tally } from "./tally.js";

// Copies in this module, as V8 looks up an imported binding at each use.
const [drawing, betweenSteps, inStep, current] = [DRAWING, BETWEEN_STEPS, IN_STEP, stepInProgress];

/** Runs steps, with their beats, systems and listeners. */
export class StepRunner {
  /** Number of the next step. */
  tick: number;
  /** Where in a frame the loop is: see `phase.ts`. */
  phase: number;
  /** Set by pause, stop, reset and hit-stop: the current frame runs no further step, or only after the hit-stop. */
  isInterrupted: boolean;
  /** The rate of the loop in whose step this one is advanced, if any. */
  outerRate: ExactRate | undefined;
  readonly budget = new StepBudget();
  readonly info: Writable<StepInfo>;

  constructor(
    private readonly callbacks: Callbacks & Pick<Required<Callbacks>, "step">,
    private readonly attached: Attachments,
  ) {
    this.tick = 0;
    this.phase = IDLE;
    this.isInterrupted = false;
    this.outerRate = undefined;
    // Fractions first: engines then store these fields as doubles and never allocate for them.
    this.info = { tick: 0, dt: 0.5, time: 0.5 };
  }

  get isIdle(): boolean {
    return this.phase === IDLE;
  }

  get isStepping(): boolean {
    return this.phase > DRAWING;
  }

  /** Starts again at tick 0. */
  restart(accumulator: Accumulator): void {
    this.tick = 0;
    this.info.dt = accumulator.timeOf(1);
    this.budget.restart();
  }

  /** Starts the steps of a frame. */
  enter(rate: ExactRate): void {
    this.phase = betweenSteps;
    this.outerRate = current.rate;
    current.rate = rate;
  }

  /** Ends the steps of a frame, which is then drawn. */
  leave(): void {
    current.rate = this.outerRate;
    this.phase = drawing;
  }

  /** Runs the steps that are due, as far as the policy allows. `done` of them have run already. */
  runDue(done: number, due: number, accumulator: Accumulator, policy: Policy, tally: Tally): void {
    const { budget } = this;
    const { maxSteps, budgetNs } = policy;
    const max = due < maxSteps ? due : maxSteps;
    if (!policy.timed) {
      for (let steps = done; steps < max && !this.isInterrupted; steps++) this.run(accumulator);
      return;
    }
    if (done === 0) {
      budget.start(budgetNs);
      tally.lap(0);
    }
    // At least one step, and further ones that are likely to fit the budget.
    for (let steps = done; steps < max && !this.isInterrupted && (steps === 0 || budget.hasRoom); steps++) {
      this.runTimed(accumulator, tally);
    }
  }

  /** Runs one step, and measures its cost. */
  runTimed(accumulator: Accumulator, tally: Tally): void {
    this.run(accumulator);
    tally.lap(1);
    this.budget.spend(tally.cost);
  }

  /** Runs one step. */
  run(accumulator: Accumulator): void {
    const { attached, info } = this;
    const { plan } = accumulator;
    info.tick = this.tick;
    info.time = accumulator.timeAt(this.tick);
    if (plan) plan.describe(info);
    if (attached.any) attached.events.beforeStep.call(info);
    this.phase = inStep;
    if (attached.any) attached.enterStep(info);
    const returned: unknown = this.callbacks.step(info);
    if (returned !== undefined) requireSynchronous("Loop: step", returned);
    this.end(accumulator);
  }

  /** Ends a step, after its callback. */
  end({ plan }: Accumulator): void {
    const { attached, info } = this;
    if (attached.any) attached.step(info);
    this.phase = betweenSteps;
    this.tick++;
    if (plan) plan.pass();
    if (attached.any) attached.events.afterStep.call(info);
  }
}
