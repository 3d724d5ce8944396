import type { Scene } from "../../scenes/index.js";
import { random } from "../../src/math/index.js";
import { DISTURBANCES, type Disturbance } from "./disturbances.js";
import { Runner } from "./runner.js";

/** Seconds of history. */
const HISTORY = 4;
/** Most ticks between two disturbances. */
const MAX_INTERVAL = 240;

export interface SoakResult {
  /** The first difference; undefined if the runs are equal. */
  readonly fault: string | undefined;
  readonly ticks: number;
  /** Ticks that were simulated again or discarded. */
  readonly again: number;
  /** How often each disturbance occurred. */
  readonly disturbances: Readonly<Record<string, number>>;
  readonly hash: string;
}

/**
 * Compares two runs of a scene: a straight one, and one that is randomly rolled back, sent into other futures, saved, loaded,
 * rewound and moved to new memory. After each disturbance, both must be in the same state.
 */
export function soak(
  scene: Scene,
  ticks: number,
  seed: number | string,
  watch: (tick: number) => void = () => {},
): SoakResult {
  const straight = new Runner(scene);
  const other = new Runner(scene, HISTORY);
  const dice = random(new Uint32Array(4)).seed(seed);
  const names = Object.keys(DISTURBANCES) as Disturbance[];
  const counts = Object.fromEntries(names.map((name) => [name, 0]));
  let fault: string | undefined;
  while (straight.tick < ticks && fault === undefined) {
    const to = Math.min(ticks, straight.tick + 1 + dice.below(MAX_INTERVAL));
    straight.goTo(to);
    other.goTo(to);
    const name = dice.pick(names);
    counts[name]! += 1;
    DISTURBANCES[name](other, dice);
    other.goTo(to);
    if (other.hash() !== straight.hash())
      fault = `After ${name}, state ${to} is ${other.hash()}; in the straight run, it is ${straight.hash()}.`;
    watch(to);
  }
  const { tick } = straight;
  const result = {
    fault,
    ticks: tick,
    again: other.steps - tick,
    disturbances: counts,
    hash: straight.hash(),
  };
  straight.dispose();
  other.dispose();
  return result;
}
