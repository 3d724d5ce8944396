/** A reference loop in BigInt, written from the definitions. It is slow and simple, and shares no code with src. */
const BILLION = 1_000_000_000n;

export interface ModelPolicy {
  maxFrame: bigint;
  maxSteps: bigint | undefined;
  budget: bigint | undefined;
  catchUp: bigint;
}

const min = (a: bigint, b: bigint) => (a < b ? a : b);
const floorDiv = (a: bigint, b: bigint) => (a - (((a % b) + b) % b)) / b;
const roundDiv = (a: bigint, b: bigint) => floorDiv(2n * a + b, 2n * b);

export class Model {
  ticks = 0n;
  /** In units of 1 / numerator nanoseconds. With display pacing, from -1 (exclusive) to 0 steps. */
  overstep = 0n;
  /** How far the shown time is ahead of the strict clock: taken from the loop, but checked to add up. */
  lead = 0n;
  debt = 0n;
  lost = 0n;
  /** All scaled time received, less what a pause in a step discarded. */
  received = 0n;
  paused = false;
  policy: ModelPolicy = { maxFrame: BILLION / 4n, maxSteps: undefined, budget: undefined, catchUp: 0n };

  readonly unitsPerStep: bigint;
  readonly numerator: bigint;
  #scale = BILLION;
  #ramp: { from: bigint; to: bigint; length: bigint; at: bigint } | undefined;
  /** Billionths of nanoseconds that constant scales made of real time. */
  #scaled = 0n;
  #stepCost = 0n;

  constructor(
    numerator: number,
    denominator: number,
    readonly isDisplay = false,
  ) {
    this.numerator = BigInt(numerator);
    this.unitsPerStep = BILLION * BigInt(denominator);
    if (isDisplay) this.overstep = this.lead = -(this.unitsPerStep / 2n);
  }

  setPolicy(policy: Partial<ModelPolicy>): void {
    this.policy = { ...this.policy, ...policy };
    this.#settle(0n);
  }

  setScale(billionths: bigint, length: bigint): void {
    const from = this.currentScale();
    this.#scale = billionths;
    this.#ramp = length > 0n ? { from, to: billionths, length, at: 0n } : undefined;
  }

  currentScale(): bigint {
    const ramp = this.#ramp;
    return ramp ? ramp.from + roundDiv((ramp.to - ramp.from) * ramp.at, ramp.length) : this.#scale;
  }

  #atScale(real: bigint, scale: bigint): bigint {
    const before = this.#scaled / BILLION;
    this.#scaled += real * scale;
    return this.#scaled / BILLION - before;
  }

  #virtual(real: bigint): bigint {
    const ramp = this.#ramp;
    if (!ramp) return this.#atScale(real, this.#scale);
    const integral = (at: bigint) =>
      roundDiv(
        2n * ramp.length * ramp.from * at + (ramp.to - ramp.from) * at * at,
        2n * ramp.length * BILLION,
      );
    const at = min(ramp.at + real, ramp.length);
    const past = ramp.at + real - at;
    const virtual = integral(at) - integral(ramp.at);
    ramp.at = at;
    if (at < ramp.length) return virtual;
    this.#ramp = undefined;
    return virtual + this.#virtual(past);
  }

  /** Runs a frame, after which the lead is `lead`. `cost` is the cost of each step; the step `pauseAt` pauses the loop. */
  frame(real: bigint, cost: (tick: bigint) => bigint, pauseAt?: bigint, lead = 0n): bigint {
    if (real <= 0n || this.paused) real = real < 0n ? 0n : real;
    if (this.paused) return 0n;
    const { maxFrame, maxSteps, budget } = this.policy;
    const clamped = min(real, maxFrame);
    const virtual = this.#virtual(clamped);
    const scale = this.currentScale();
    const cut = this.#atScale(real - clamped, scale) * this.numerator;
    this.received += virtual * this.numerator + cut;

    const room = (maxFrame * scale) / BILLION - virtual;
    const paid = real > 0n && room > 0n ? min(this.debt, room * this.numerator) : 0n;
    this.debt -= paid;
    const time = this.overstep + virtual * this.numerator + paid + lead - this.lead;
    // Raw pacing runs the steps whose time has passed; display pacing runs steps until the time is reached.
    const due = this.isDisplay ? -floorDiv(-time, this.unitsPerStep) : time / this.unitsPerStep;
    this.overstep = time - due * this.unitsPerStep;
    this.lead = lead;

    let steps = 0n;
    let spent = 0n;
    while (steps < due && !this.paused && (maxSteps === undefined || steps < maxSteps)) {
      if (steps > 0n && budget !== undefined && spent + this.#stepCost > budget) break;
      const price = cost(this.ticks);
      spent += price;
      if (budget !== undefined)
        this.#stepCost = this.#stepCost > 0n ? (7n * this.#stepCost + price) / 8n : price;
      if (this.ticks === pauseAt) this.paused = true;
      this.ticks++;
      steps++;
    }
    const left = due - steps;
    if (this.paused) {
      const owed = min(left, paid / this.unitsPerStep);
      this.debt += owed * this.unitsPerStep;
      this.received -= (left - owed) * this.unitsPerStep;
      this.#settle(cut);
    } else this.#settle(cut + left * this.unitsPerStep);
    return steps;
  }

  runSteps(count: bigint): void {
    this.ticks += count;
    this.received += count * this.unitsPerStep;
  }

  #settle(surplus: bigint): void {
    const owed = this.debt + surplus;
    if (surplus === 0n && owed <= this.policy.catchUp * this.numerator) return;
    this.debt = min(owed, this.policy.catchUp * this.numerator);
    this.lost += owed - this.debt;
  }
}
