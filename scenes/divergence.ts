// Clients of one game with different frame rates: how soon do their states differ?
import { balls, ballsScript } from "./balls.js";
import { playFrames, type Steps } from "./at-frame-rate.js";

export interface ClientOptions {
  readonly fps: number;
  readonly steps: Steps;
  /** When a client sees what players do: at its own frames; or each step sees the inputs of its tick. */
  readonly inputs: "by frame" | "by tick";
}

/** Steps of the script per second. Not the game's rate, so that inputs change at any time between two frames. */
const SCRIPT_RATE = 61.7;
const RATE = 60;

/** Plays the pile of balls, and returns the positions of all balls at `perSecond` moments of each second. */
function play({ fps, steps, inputs }: ClientOptions, seconds: number, perSecond: number): Float64Array[] {
  const { options } = balls;
  const state = balls.layout.allocate();
  const { world, random } = state;
  options.init!(world, { random, players: 1, external: {} });
  const player = { x: 0, y: 0, kick: false };
  const sample = (time: number) => ballsScript([player], Math.floor(time * SCRIPT_RATE));
  const moments: Float64Array[] = [];
  let done = 0;
  playFrames(
    { fps, seconds, steps },
    (dt, tick) => {
      if (inputs === "by tick") sample(tick / RATE);
      options.step(world, [player] as never, { dt, tick, random, emit: () => {} } as never);
      done += dt;
      // Frame lengths are rounded to nanoseconds.
      if (done < (moments.length + 1) / perSecond - 1e-6) return;
      const { x, y } = world.balls;
      moments.push(Float64Array.of(...x, ...y));
    },
    (time) => {
      if (inputs === "by frame") sample(time);
    },
  );
  return moments;
}

export interface Divergence {
  /** Seconds until any bit differs, and until a ball is 1 and 20 pixels elsewhere; undefined if that never happens. */
  readonly bit: number | undefined;
  readonly pixel: number | undefined;
  readonly ball: number | undefined;
  /** The share of compared moments at which the states differ. */
  readonly share: number;
}

/** Compares two clients of the same game, at the moments that both of them simulate. */
export function divergence(
  a: ClientOptions,
  b: ClientOptions,
  seconds: number,
  perSecond: number,
): Divergence {
  const [one, other] = [play(a, seconds, perSecond), play(b, seconds, perSecond)];
  const gaps = one.slice(0, other.length).map((moment, i) => gapOf(moment, other[i]!));
  if (gaps.length < seconds * perSecond - 1) throw new Error(`compared only ${gaps.length} moments`);
  const after = (isApart: (gap: number) => boolean) => {
    const index = gaps.findIndex(isApart);
    return index < 0 ? undefined : (index + 1) / perSecond;
  };
  return {
    bit: after((gap) => gap > 0),
    pixel: after((gap) => gap >= 1),
    ball: after((gap) => gap >= 20),
    share: gaps.filter((gap) => gap > 0).length / gaps.length,
  };
}

/** The largest distance of a ball. Positions of x come first, then those of y. */
function gapOf(a: Float64Array, b: Float64Array): number {
  const count = a.length / 2;
  let max = 0;
  for (let i = 0; i < count; i++) {
    const [dx, dy] = [a[i]! - b[i]!, a[i + count]! - b[i + count]!];
    max = Math.max(max, Math.sqrt(dx * dx + dy * dy));
  }
  return max;
}
