import { flock, flockHash } from "../../../../scenes/flock.js";
import {
  FLOCK_EVERY,
  FLOCK_HASH_EVERY,
  FLOCK_SHOWN,
  FLOCK_STEPS,
  readPositions,
  type FlockRecording,
} from "../../../../scenes/flock-recording.js";
import recordings from "./recordings.json" with { type: "json" };

/** Numbers of a state that are shown: x and y of some agents. The leader comes first. */
export const SHOWN = 2 * FLOCK_SHOWN;

/** What real engines did on their own `Math`: `npm run flock` recorded it. */
export const RECORDINGS: readonly FlockRecording[] = recordings;
const POSITIONS = RECORDINGS.map(({ positions }) => readPositions(positions));

/** Returns a coordinate in the recording of an engine after some steps. Between two that were recorded, it lies on a smooth curve. */
export function recorded(engine: number, step: number, coordinate: number): number {
  const positions = POSITIONS[engine]!;
  const from = Math.floor(step / FLOCK_EVERY);
  const t = (step % FLOCK_EVERY) / FLOCK_EVERY;
  const at = (index: number) =>
    positions[SHOWN * Math.min(positions.length / SHOWN - 1, Math.max(0, index)) + coordinate]!;
  const [a, b] = [at(from), at(from + 1)];
  if (t === 0) return a;
  // Catmull–Rom: the slopes are those between the neighbours.
  const [u, v] = [(b - at(from - 1)) / 2, (at(from + 2) - a) / 2];
  return a + t * (u + t * (3 * (b - a) - 2 * u - v + t * (2 * (a - b) + u + v)));
}

/** The largest distance between the leaders of two engines. */
export function leadersApart(step: number): number {
  let apart = 0;
  for (let a = 0; a < RECORDINGS.length; a++)
    for (let b = a + 1; b < RECORDINGS.length; b++) {
      const [dx, dy] = [0, 1].map((i) => recorded(a, step, i) - recorded(b, step, i)) as [number, number];
      apart = Math.max(apart, Math.sqrt(dx * dx + dy * dy));
    }
  return apart;
}

/** Metres from which on leaders can be told apart: some pixels. */
export const SEEN = 0.015;

/** The first recorded step in which the leaders of two engines can be told apart. */
export function firstSeenApart(): number {
  let step = 0;
  while (step < FLOCK_STEPS && leadersApart(step) <= SEEN) step += FLOCK_EVERY;
  return step;
}

let own: number | undefined;

/** The engine that this program runs in, by what its `Math` does; -1 if it was not recorded. */
export function ownEngine(): number {
  if (own !== undefined) return own;
  const swarm = flock(Math);
  for (let step = 0; step < FLOCK_HASH_EVERY; step++) swarm.step();
  const hash = flockHash(swarm);
  own = RECORDINGS.findIndex(({ hashes }) => hashes[0] === hash);
  return own;
}
