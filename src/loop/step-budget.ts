/** Keeps the steps of a frame within `stepBudget`, by what steps have cost recently. All times are in nanoseconds. */
export class StepBudget {
  /** What a step costs: a moving average over about eight steps; 0 before the first. */
  private cost: number;
  /** What a step cost before the current frame. */
  usual: number;
  /** What is left of the current frame's budget, and what was spent of it. */
  private left: number;
  spent: number;

  constructor() {
    // Fractions first: engines then store these fields as doubles and never allocate for them.
    this.cost = this.usual = this.left = this.spent = 0.5;
    this.cost = this.usual = this.spent = 0;
    this.left = Infinity;
  }

  /** Starts a frame. */
  start(budget: number): void {
    this.left = budget;
    this.spent = 0;
    this.usual = this.cost;
  }

  /** Records what a step cost, in milliseconds. */
  spend(milliseconds: number): void {
    if (this.left === Infinity) return;
    // Whole nanoseconds keep sums exact.
    const cost = Math.round(milliseconds * 1e6);
    this.left -= cost;
    this.spent += cost;
    this.cost = this.cost ? Math.floor((7 * this.cost + cost) / 8) : cost;
  }

  /** Whether another step is likely to fit. */
  get hasRoom(): boolean {
    return this.left >= this.cost;
  }

  /** How many of `steps` steps are likely to fit. */
  fitting(steps: number): number {
    return this.cost > 0 ? Math.min(steps, Math.floor(this.left / this.cost)) : steps;
  }

  /** Forgets what steps have cost. */
  restart(): void {
    this.cost = 0;
  }
}
