import { flock, flockHash, type FlockMath } from "./flock.js";

/** Steps of a recording, steps between two positions in it, and between two hashes. */
export const FLOCK_STEPS = 2400;
export const FLOCK_EVERY = 6;
export const FLOCK_HASH_EVERY = 100;
/** The first agents, whose positions are recorded. */
export const FLOCK_SHOWN = 10;
/** Positions are whole numbers: millimetres. */
const FLOCK_UNITS = 1000;

/** What `npm run flock` writes about an engine. */
export interface FlockRecording {
  readonly engine: string;
  readonly version: string;
  /** The first step after which the state differs from V8's; 0 if none does. */
  readonly partedAt: number;
  /** x and y of each shown agent, as differences from the position before, for `readPositions`. */
  readonly positions: string;
  /** Hashes on `Math` and on `tickwise/math`. */
  readonly hashes: readonly number[];
  readonly exactHashes: readonly number[];
}

/** Plays the flock. Returns the hash after each step, and the positions. */
export function playFlock(math: FlockMath) {
  const swarm = flock(math);
  const { x, y } = swarm;
  const hashes: number[] = [];
  const positions: number[] = [];
  const last = new Float64Array(2 * FLOCK_SHOWN);
  const record = () => {
    for (let i = 0; i < 2 * FLOCK_SHOWN; i++) {
      const now = Math.round(FLOCK_UNITS * (i % 2 === 0 ? x : y)[i >> 1]!);
      positions.push(now - last[i]!);
      last[i] = now;
    }
  };
  record();
  for (let step = 1; step <= FLOCK_STEPS; step++) {
    swarm.step();
    hashes.push(flockHash(swarm));
    if (step % FLOCK_EVERY === 0) record();
  }
  return { hashes, positions };
}

/** Returns the positions of a recording in metres. */
export function readPositions(differences: string): Float64Array {
  const positions = Float64Array.from(differences.split(" "), Number);
  const size = 2 * FLOCK_SHOWN;
  for (let i = size; i < positions.length; i++) positions[i]! += positions[i - size]!;
  return positions.map((units) => units / FLOCK_UNITS);
}
