// Checked by tsc alone: each line below a @ts-expect-error must be a type error.
import {
  explicitEulerColumns,
  rk4,
  rk4Columns,
  semiImplicitEuler,
  stableRate,
  velocityVerletColumns,
  type Acceleration,
  type MotionStep,
} from "../../src/integrate/index.js";
import { damp, random, spring, springAll, type Random } from "../../src/math/index.js";

// Valid calls and the types of their results.
const words = new Uint32Array(8);
const dice: Random = random(words).seed(7).seed("seven");
const loot: Random = dice.fork("loot", random(words, 4));
dice.fork(17, loot);
const suit: "hearts" | "spades" = dice.pick(["hearts", "spades"] as const);
const card: number = dice.pick(new Uint8Array(52));
const deck: Uint8Array = dice.shuffle(new Uint8Array(52));
const names: string[] = dice.shuffle(["a", "b"]);
const lucky: boolean = dice.chance(0.5);
const x: number = damp(0, dice.gaussian(10, 2), 5, 1 / 60);
const camera: { position: number; velocity: number; name: string } = spring(
  { position: 0, velocity: 0, name: "camera" },
  x,
  5,
  1 / 60,
);
const columns = [new Float32Array(3), new Float64Array(3)] as const;
springAll(columns[0], columns[1], columns[0], 5, 1 / 60);
const gravity: Acceleration = () => -9.81;
semiImplicitEuler(camera, gravity, 0, 1 / 60);
rk4({ position: 0, velocity: 0 }, (position, velocity, t) => t - position - velocity, 0, 1 / 60);
const step: MotionStep = velocityVerletColumns(3, (out, position) => {
  out[0] = -position[0]!;
});
step(columns[0], columns[1], 0, 1 / 60);
rk4Columns(3, (out, state, t) => void (out[0] = state[0]! * t))(columns[1], 0, 1 / 60);
const rate: number = stableRate("rk4", { stiffness: 10, damping: 1, mass: 2 });
stableRate("velocityVerlet", { frequency: rate, dampingRatio: 0.7 });

// Random.
// @ts-expect-error the words are unsigned
random(new Int32Array(4));
// @ts-expect-error the state lives in memory that the caller owns
random(7);
// @ts-expect-error a seed is a number or a text
random(words).seed(new Date());
// @ts-expect-error the child generator is missing
dice.fork("loot");
// @ts-expect-error the name comes first
dice.fork(loot, "loot");
// @ts-expect-error the upper bound is missing
dice.int(6);
// @ts-expect-error
dice.below("6");
// @ts-expect-error a readonly array cannot be shuffled
dice.shuffle([1, 2, 3] as readonly number[]);
// @ts-expect-error a string cannot be written
dice.shuffle("abc");
// @ts-expect-error a set has no indexes
dice.pick(new Set([1]));
// @ts-expect-error the words are not exposed
dice.words = words;
// @ts-expect-error
const inside: Uint32Array = dice.words;

// Damp and spring.
// @ts-expect-error without dt it would depend on the frame rate
damp(0, 1, 0.1);
// @ts-expect-error the velocity is missing
spring({ position: 0 }, 1, 5, 1 / 60);
// @ts-expect-error the spring writes to it
spring(Object.freeze({ position: 0, velocity: 0 }) as Readonly<Record<"position", number>>, 1, 5, 1 / 60);
// @ts-expect-error plain arrays would be slow
springAll([0], [0], [0], 5, 1 / 60);

// Integrators.
// @ts-expect-error the acceleration is a function
semiImplicitEuler(camera, -9.81, 0, 1 / 60);
// @ts-expect-error dt is missing
rk4(camera, gravity, 0);
// @ts-expect-error the acceleration returns a number
rk4(camera, () => "down", 0, 1 / 60);
// @ts-expect-error the count comes first
explicitEulerColumns(() => {}, 3);
// @ts-expect-error the velocities are missing
step(columns[0], 0, 1 / 60);
// @ts-expect-error the state is a single array
rk4Columns(3, () => {})(columns[0], columns[1], 0, 1 / 60);
// @ts-expect-error integer arrays would round
step(new Int32Array(3), columns[1], 0, 1 / 60);
// @ts-expect-error such a method is not known
stableRate("euler", { stiffness: 10 });
// @ts-expect-error the stiffness is missing
stableRate("rk4", { damping: 1 });
// @ts-expect-error a damping ratio belongs to a frequency
stableRate("rk4", { stiffness: 10, dampingRatio: 1 });

export { card, deck, inside, lucky, names, suit };
