/** The damped spring of "Fix Your Timestep!": mass 1, released at 100 without velocity. */
export interface Spring {
  x: number;
  v: number;
}

export const START = 100;
const STIFFNESS = 10;
const DAMPING = 1;

export const spring = (): Spring => ({ x: START, v: 0 });

const pull = (x: number, v: number, damping: number) => -STIFFNESS * x - damping * v;

/** Velocity Verlet. Its second-order error is too small to hide errors of a loop. */
export function stepSpring(spring: Spring, dt: number, damping = DAMPING): void {
  const { x, v } = spring;
  const before = pull(x, v, damping);
  spring.x = x + v * dt + (before * dt * dt) / 2;
  const after = pull(spring.x, v + before * dt, damping);
  spring.v = v + ((before + after) / 2) * dt;
}

/** Returns the exact position after some seconds. */
export function exactSpring(seconds: number, damping = DAMPING): number {
  const decay = damping / 2;
  const turn = Math.sqrt(STIFFNESS - decay * decay);
  const angle = turn * seconds;
  return START * Math.exp(-decay * seconds) * (Math.cos(angle) + (decay / turn) * Math.sin(angle));
}
