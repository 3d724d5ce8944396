import { axis, button, simulation, type InputValues } from "../src/sim/index.js";
import { bool, f64, layout } from "../src/state/index.js";
import { diceAt } from "./scene.js";
import { START, stepSpring } from "./spring.js";

const INPUT = { grab: button, to: axis(10) };

/** The spring of the article. A player can grab its end, pull it and release it. */
export const pulledSpring = simulation({
  name: "spring",
  version: 1,
  rate: 60,
  state: layout({ x: f64.hermite("v"), v: f64, grabbed: bool }),
  input: INPUT,
  effects: { release: { x: f64 } },
  init(world) {
    world.x = START;
  },
  step(world, [player], { dt, emit }) {
    world.grabbed = player.grab;
    if (player.grab) {
      world.v = (player.to * START - world.x) / dt;
      world.x = player.to * START;
      return;
    }
    if (player.released.grab) {
      world.v = 0;
      emit("release", { x: world.x });
    }
    stepSpring(world, dt);
  },
});

/** Leaves the spring alone for ten seconds, then pulls it now and then. */
export function pulledSpringScript(players: readonly InputValues<typeof INPUT>[], tick: number): void {
  const player = players[0]!;
  const dice = diceAt(1, tick, 150);
  player.grab = tick >= 600 && tick % 150 < 20 && dice.chance(0.7);
  player.to = 2 * dice.float() - 1;
}
