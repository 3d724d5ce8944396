import golden from "../../../test/engines/golden.json" with { type: "json" };
import { subjectsOf } from "../../../test/engines/subjects.js";
import { Digest } from "../../../test/math/digest.js";
import { MATH_NAMES } from "./groups.js";

const OURS = subjectsOf();
/** The engine's own functions with the same arguments. */
const THEIRS = subjectsOf(MATH_NAMES);
const RECORDED: Readonly<Record<string, Readonly<Record<string, string>>>> = golden;

/** Numbers computed before the clock is read again. */
const SLICE = 20;

/** The results of one subject in this engine: their digest, and how many differ from `Math`. */
export class Row {
  readonly name: string;
  /** Number of results in total, and so far. */
  readonly count: number;
  done = 0;
  /** Results for which `Math` has different bits; undefined if `Math` has no such function. */
  differing: number | undefined;
  /** The recorded digest of `count` results. */
  readonly recorded: string;
  readonly #digest = new Digest();
  readonly #ours: (index: number) => number;
  readonly #theirs: ((index: number) => number) | undefined;

  constructor(name: string, count: number) {
    const subject = OURS[name]!;
    this.name = name;
    this.count = Math.min(count, subject.most);
    this.recorded = RECORDED[name]![this.count]!;
    this.#ours = subject.open();
    if (!(name in Math)) return;
    this.#theirs = THEIRS[name]!.open();
    this.differing = 0;
  }

  get isDone(): boolean {
    return this.done === this.count;
  }

  /** This engine's digest; "" until all results are computed. */
  get digest(): string {
    return this.isDone ? this.#digest.text() : "";
  }

  /** Whether the digest matches the recorded one; undefined until it is known. */
  get isSame(): boolean | undefined {
    return this.isDone ? this.digest === this.recorded : undefined;
  }

  /** Share of the results so far that differ, from 0 to 1. */
  get share(): number {
    return this.done === 0 ? 0 : (this.differing ?? 0) / this.done;
  }

  advance(): void {
    const end = Math.min(this.count, this.done + SLICE);
    for (; this.done < end; this.done++) {
      const x = this.#ours(this.done);
      this.#digest.add(x);
      // Object.is: all NaNs are equal, 0 and -0 are not.
      if (this.#theirs && !Object.is(x, this.#theirs(this.done))) this.differing!++;
    }
  }
}
