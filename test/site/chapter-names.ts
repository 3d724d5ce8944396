// What the code of the chapters leaves out: the names that users have already. Chapters without an entry need none.

const DRAW = "declare function draw(x: number): void;";
const STEP_AND_DRAW = `declare function step(dt: number): void;
declare function draw(): void;`;
/** A game with a button and two axes, as the code of most chapters has one. */
const GAME = `import { axis as anAxis, button as aButton, simulation as aSimulation } from "tickwise/sim";
import { f64 as anF64, layout as aLayout } from "tickwise/state";
const game = aSimulation({
  name: "game",
  version: 1,
  rate: 60,
  state: aLayout({ x: anF64.lerp }),
  input: { fire: aButton, x: anAxis(8), y: anAxis(8) },
  step(world, [player]) {
    world.x += player.x;
  },
});
declare function draw(world: { readonly x: number }): void;`;

const TWO_PLAYERS = `${GAME.replace("version: 1,", "version: 1,\n  players: 2,")}
declare const link: import("tickwise/net").Link;`;

/** By the name of a file: a chapter, or a side of it. */
export const NAMES: Readonly<Record<string, string>> = {
  start: DRAW,
  speed: `const runner = { x: 0 };\n${DRAW}`,
  explosion: `const block = { position: 0.16, velocity: 0 };\n${DRAW}`,
  tunnelling: `const bullet = { x: 0, speed: 1000 };
const wall = { min: 640, max: 672 };
declare function hit(it: typeof bullet): void;
${DRAW}`,
  spiral: STEP_AND_DRAW,
  "spiral broken": "const dt = 0.02;",
  stutter: `const disc = { x: 0 };\ndeclare function swing(time: number): number;\n${DRAW}`,
  latency: `const WALL = 0.8;
declare function mouse(players: readonly { x: number }[]): void;
declare function draw(world: { readonly x: number }): void;`,
  "even-frames": `declare function step(): void;\ndeclare function draw(): void;`,
  "lost-input": GAME,
  rates: `declare function stepPhysics(): void;
declare function sendState(): void;
declare function think(): void;`,
  "time broken": `declare const world: { x: number };
declare function update(world: { x: number }, deltaTime: number): void;
declare function draw(world: { readonly x: number }): void;`,
  "time fixed": `${GAME}\ndeclare function inputs(players: readonly { x: number }[]): void;`,
  determinism: `import { f64, layout, list } from "tickwise/state";
const Table = layout({ pucks: list(5, { x: f64.lerp, vx: f64 }) });
declare function moveAndBounce(x: Float64Array, vx: Float64Array, i: number, dt: number): boolean;`,
  engines: `interface Agent { x: number; y: number; heading: number }
const SPEED = 0.014;`,
  "replay fixed": `${GAME}\ndeclare function inputs(players: readonly { x: number }[]): void;`,
  rollback: `${TWO_PLAYERS}\ndeclare function keys(players: readonly { x: number }[]): void;`,
  server: TWO_PLAYERS,
  "server broken": "declare const socket: WebSocket;",
  "server fixed": "declare const keys: { x: number; y: number };",
  "thread broken": `import { f64, layout } from "tickwise/state";
const state = layout({ x: f64.lerp });
declare function swing(world: { x: number }): void;
declare function draw(world: { readonly x: number }): void;`,
  "thread fixed": GAME,
};
