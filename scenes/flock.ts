// A swarm whose functions are those of the engine or ours. It is chaotic: one bit soon decides where everybody is.

/** The functions that it uses: `Math`, or `tickwise/math`. */
export interface FlockMath {
  sin(x: number): number;
  cos(x: number): number;
  atan2(y: number, x: number): number;
  exp(x: number): number;
}

const COUNT = 64;
/** Metres per step, and radians per step. */
const SPEED = 0.014;
const TURN = 0.3;
const HOME = 0.12;
/** Waves per metre of what turns the leader. */
const WAVES = 9;

/** Agents that follow a leader, which wanders to the right. */
export function flock({ sin, cos, atan2, exp }: FlockMath) {
  const state = new Float64Array(3 * COUNT);
  const x = state.subarray(0, COUNT);
  const y = state.subarray(COUNT, 2 * COUNT);
  const heading = state.subarray(2 * COUNT);
  for (let i = 0; i < COUNT; i++) {
    x[i] = -0.5 - (i % 8) / 24;
    y[i] = ((i >> 3) - 3.5) / 24;
  }
  return {
    state,
    x,
    y,
    step(): void {
      let [sumX, sumY] = [0, 0];
      for (let i = 1; i < COUNT; i++) {
        sumX += x[i]!;
        sumY += y[i]!;
      }
      // Waves turn the leader, and where its followers are shifts the waves. It wants to go to the right, along y = 0.
      const wander = sin(WAVES * x[0]! + sumX / COUNT) * cos(WAVES * y[0]! + sumY / COUNT + 1);
      heading[0]! += TURN * wander + HOME * sin(atan2(-2 * y[0]!, 1) - heading[0]!);
      for (let i = 1; i < COUNT; i++) {
        const [dx, dy] = [x[0]! - x[i]!, y[0]! - y[i]!];
        heading[i]! += 0.12 * sin(atan2(dy, dx) - heading[i]! + 0.9 * sin(i));
      }
      for (let i = 0; i < COUNT; i++) {
        const [dx, dy] = [x[0]! - x[i]!, y[0]! - y[i]!];
        const speed = i === 0 ? SPEED : SPEED * (1.35 - 0.5 * exp(-40 * (dx * dx + dy * dy)));
        x[i]! += speed * cos(heading[i]!);
        y[i]! += speed * sin(heading[i]!);
      }
    },
  };
}

/** Returns a 32-bit hash of the state. */
export function flockHash({ state }: ReturnType<typeof flock>): number {
  const words = new Uint32Array(state.buffer);
  let hash = 0;
  for (const word of words) {
    hash = Math.imul(hash ^ word, 0x01000193);
    hash ^= hash >>> 15;
  }
  return hash >>> 0;
}
