/** A reference loop in BigInt, written from the definitions. It is slow and simple, and shares no code with src. */
const BILLION = 1_000_000_000n;

const min = (a: bigint, b: bigint) => (a < b ? a : b);

/** All times are in units of 1 / numerator nanoseconds. */
export class Model {
  tick = 0n;
  owed = 0n;
  debt = 0n;
  lost = 0n;
  /** Virtual time that was given; less what a pause inside a step discarded. */
  given = 0n;
  isPaused = false;
  maxFrame: bigint;
  maxSteps: bigint | undefined;
  maxDebt = 0n;
  scale = BILLION;
  readonly step: bigint;
  readonly numerator: bigint;
  #scaled = 0n;

  constructor(numerator: number, denominator: number) {
    this.numerator = BigInt(numerator);
    this.step = BILLION * BigInt(denominator);
    this.maxFrame = (BILLION / 4n) * this.numerator;
  }

  /** Scales real time. Fractions of a unit are carried over. */
  #virtual(real: bigint): bigint {
    const before = this.#scaled / BILLION;
    this.#scaled += real * this.scale;
    return this.#scaled / BILLION - before;
  }

  /** Runs a frame of some nanoseconds. The step `pauseAt` pauses the loop. */
  frame(nanoseconds: bigint, pauseAt: bigint): void {
    if (nanoseconds <= 0n || this.isPaused) return;
    const real = nanoseconds * this.numerator;
    const taken = min(real, this.maxFrame);
    const virtual = this.#virtual(taken);
    this.given += virtual;
    const room = (this.maxFrame * this.scale) / BILLION - virtual;
    const paid = virtual > 0n && room > 0n ? min(this.debt, room) : 0n;
    this.debt -= paid;
    this.owed += virtual + paid;
    let steps = 0n;
    for (; this.owed >= this.step && !this.isPaused && steps !== this.maxSteps; steps++) {
      if (this.tick === pauseAt) this.isPaused = true;
      this.tick++;
      this.owed -= this.step;
    }
    const left = this.owed - (this.owed % this.step);
    this.owed -= left;
    if (this.isPaused) this.given -= left;
    else this.#lose(left);
    const cut = this.#virtual(real - taken);
    this.given += cut;
    this.#lose(cut);
  }

  #lose(units: bigint): void {
    const room = this.maxDebt - this.debt;
    const taken = room > 0n ? min(units, room) : 0n;
    this.debt += taken;
    this.lost += units - taken;
  }

  runSteps(count: bigint): void {
    this.tick += count;
    this.given += count * this.step;
  }

  /** Throws unless given = simulated + owed + debt + lost. */
  check(): void {
    if (this.given !== this.tick * this.step + this.owed + this.debt + this.lost) throw new Error("the law");
  }
}
