import golden from "../../../test/engines/golden.json" with { type: "json" };
import { subjectsOf } from "../../../test/engines/subjects.js";
import { Digest } from "../../../test/math/digest.js";
import { MATH_NAMES } from "./groups.js";

const OURS = subjectsOf();
/** The engine's own functions, with the same arguments. */
const THEIRS = subjectsOf(MATH_NAMES);
const RECORDED: Readonly<Record<string, Readonly<Record<string, string>>>> = golden;

/** So many numbers are computed before the clock is read again. */
const SLICE = 20;

/** The numbers of one subject, in this engine: their digest, and how many `Math` has otherwise. */
export class Row {
  readonly name: string;
  /** How many there will be, and how many there are. */
  readonly count: number;
  done = 0;
  /** How many results of the engine's own function have other bits; none if it has no such function. */
  differing: number | undefined;
  /** The digest of all that count, as it was recorded. */
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

  /** This engine's digest of all; empty until they are computed. */
  get digest(): string {
    return this.isDone ? this.#digest.text() : "";
  }

  /** Whether this engine has the recorded bits; undefined until it is known. */
  get isSame(): boolean | undefined {
    return this.isDone ? this.digest === this.recorded : undefined;
  }

  /** The part of results so far that differ, from 0 to 1. */
  get share(): number {
    return this.done === 0 ? 0 : (this.differing ?? 0) / this.done;
  }

  advance(): void {
    const end = Math.min(this.count, this.done + SLICE);
    for (; this.done < end; this.done++) {
      const x = this.#ours(this.done);
      this.#digest.add(x);
      // The bits of NaN are the engine's affair; those of the zeros are not.
      if (this.#theirs && !Object.is(x, this.#theirs(this.done))) this.differing!++;
    }
  }
}
