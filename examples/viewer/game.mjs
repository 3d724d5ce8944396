// A pendulum. Both processes import it: one steps it, the other only needs to know its state.
import { sin } from "tickwise/math";
import { simulation } from "tickwise/sim";
import { f64, layout } from "tickwise/state";

export const game = simulation({
  name: "pendulum",
  version: 1,
  rate: 60,
  state: layout({ angle: f64.hermite("speed"), speed: f64 }),
  init(world) {
    world.angle = 1.2;
  },
  step(world, _, { dt }) {
    world.speed -= 9.81 * sin(world.angle) * dt;
    world.angle += world.speed * dt;
  },
});
