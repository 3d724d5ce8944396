import { Lane } from "./lane.js";
import type { DeterminismSettings } from "./settings.js";

/** The hashes of one state in both lanes. */
export interface Compared {
  readonly tick: number;
  readonly left: string;
  readonly right: string;
}

/** As many as the ribbon of a wide page shows. */
const MAX_COMPARED = 480;

/** Runs the same scene twice, with the same inputs, on two displays. */
export class Pair {
  readonly lanes: readonly [Lane, Lane];
  /** The latest states that both lanes have reached, newest last. */
  readonly latest: Compared[] = [];
  /** States compared so far, and how many of them differ. */
  compared = 0;
  differing = 0;
  /** The first state that differs; -1 if none does. */
  firstDifference = -1;
  now = 0;

  constructor({ scene, fault, left, right }: DeterminismSettings) {
    this.lanes = [new Lane(scene, fault, left, 1), new Lane(scene, fault, right, 2)];
    this.#compare();
  }

  /** Advances both lanes to this time. */
  advanceTo(seconds: number): void {
    this.now = seconds;
    for (const lane of this.lanes) lane.advanceTo(seconds);
    this.#compare();
  }

  /** Advances until at least one more state can be compared; a slow display runs several steps per frame. */
  advanceToNextState(): void {
    const { compared } = this;
    const [left, right] = this.lanes;
    while (this.compared === compared) this.advanceTo(Math.min(left.display.due, right.display.due));
  }

  dispose(): void {
    for (const lane of this.lanes) lane.dispose();
  }

  #compare(): void {
    const [a, b] = this.lanes;
    for (let tick = this.compared; ; tick = this.compared) {
      const [left, right] = [a.hashes.get(tick), b.hashes.get(tick)];
      if (left === undefined || right === undefined) return;
      a.hashes.delete(tick);
      b.hashes.delete(tick);
      this.compared++;
      if (left !== right) {
        this.differing++;
        if (this.firstDifference < 0) this.firstDifference = tick;
      }
      this.latest.push({ tick, left, right });
      if (this.latest.length > MAX_COMPARED) this.latest.shift();
    }
  }
}
