/** A reference loop in BigInt, written from the definitions. It is slow and simple, and shares no code with src. */
const BILLION = 1_000_000_000n;

const min = (a: bigint, b: bigint) => (a < b ? a : b);
const max = (a: bigint, b: bigint) => (a > b ? a : b);
const roundDiv = (a: bigint, b: bigint) => (2n * a + b) / (2n * b);

/** What a step does to its loop. */
export type Deed = "pause" | "stop" | "reset" | "throw" | { readonly hitStop: bigint };

/** All times are in units of 1 / numerator nanoseconds. */
export class Model {
  tick = 0n;
  owed = 0n;
  debt = 0n;
  lost = 0n;
  /** Virtual time that was given, less what was discarded because the game was paused, frozen, stopped or reset. */
  given = 0n;
  /** Real time until the end of a hit-stop. */
  stopped = 0n;
  isPaused = false;
  maxFrame: bigint;
  maxSteps: bigint | undefined;
  maxDebt = 0n;
  /** Billionths. */
  scale = BILLION;
  readonly step: bigint;
  readonly numerator: bigint;
  #scaled = 0n;

  constructor(numerator: number, denominator: number) {
    this.numerator = BigInt(numerator);
    this.step = BILLION * BigInt(denominator);
    this.maxFrame = this.units(BILLION / 4n);
  }

  units(nanoseconds: bigint): bigint {
    return nanoseconds * this.numerator;
  }

  hitStop(units: bigint): void {
    this.stopped = max(this.stopped, units);
  }

  /** Turns real time into virtual time. Fractions of a unit are carried over. */
  #virtual(real: bigint): bigint {
    const held = min(this.stopped, real);
    this.stopped -= held;
    const before = this.#scaled / BILLION;
    this.#scaled += (real - held) * this.scale;
    return this.#scaled / BILLION - before;
  }

  /** Runs a frame of some nanoseconds. Step `at` does a deed. Returns the steps that it ran. */
  frame(nanoseconds: bigint, at: bigint, deed: Deed): bigint {
    if (this.isPaused) return 0n;
    const real = this.units(max(0n, nanoseconds));
    // Steps that are left over after an error count, too.
    const taken = min(real, max(0n, this.maxFrame - (this.owed - (this.owed % this.step))));
    const virtual = this.#virtual(taken);
    this.given += virtual;
    const speed = this.stopped > 0n ? 0n : this.scale;
    const room = roundDiv(this.maxFrame * speed, BILLION) - virtual;
    const paid = virtual > 0n && room > 0n ? min(this.debt, room) : 0n;
    this.debt -= paid;
    this.owed += virtual + paid;
    const cut = this.#virtual(real - taken);
    this.given += cut;
    this.#lose(cut);
    let steps = 0n;
    let isOver = false;
    let isReset = false;
    while (this.owed >= this.step && !isOver && steps !== this.maxSteps) {
      if (this.tick === at) {
        if (deed === "throw") return steps;
        isOver = true;
        if (deed === "pause") this.isPaused = true;
        else if (deed === "reset") isReset = true;
        else if (deed !== "stop") this.hitStop(deed.hitStop);
      }
      this.tick++;
      this.owed -= this.step;
      steps++;
    }
    const left = this.owed - (this.owed % this.step);
    this.owed -= left;
    if (isOver) this.given -= left;
    else this.#lose(left);
    if (isReset) this.reset();
    return steps;
  }

  #lose(units: bigint): void {
    const taken = min(units, max(0n, this.maxDebt - this.debt));
    this.debt += taken;
    this.lost += units - taken;
  }

  runSteps(count: bigint): void {
    this.tick += count;
    this.given += count * this.step;
  }

  reset(): void {
    this.tick = this.owed = this.debt = this.lost = this.given = this.stopped = this.#scaled = 0n;
  }

  /** Throws unless given = simulated + owed + debt + lost. */
  check(): void {
    if (this.given !== this.tick * this.step + this.owed + this.debt + this.lost) throw new Error("the law");
  }
}
