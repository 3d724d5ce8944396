// A lander: hold the thrust, or fall. What it does is fixed by the replays in reports/: see replays.test.mjs.
import { button, simulation } from "tickwise/sim";
import { bool, f64, layout, u32 } from "tickwise/state";

const GRAVITY = -3;
const THRUST = 8;
const FUEL = 6; // seconds
const SOFT = 2; // metres a second

export const game = simulation({
  name: "lander",
  version: 1,
  rate: 30,
  state: layout({ height: f64.lerp, speed: f64, fuel: f64, landings: u32, crashes: u32, burning: bool }),
  input: { thrust: button },
  init(world) {
    start(world);
  },
  step(world, [player], { dt, random }) {
    world.burning = player.thrust && world.fuel > 0;
    if (world.burning) world.fuel -= dt;
    const gust = random.gaussian(0, 0.3);
    world.speed += (GRAVITY + gust + (world.burning ? THRUST : 0)) * dt;
    world.height += world.speed * dt;
    if (world.height > 0) return;
    if (world.speed > -SOFT) world.landings += 1;
    else world.crashes += 1;
    start(world);
  },
});

/** @param {{ height: number; speed: number; fuel: number }} world */
function start(world) {
  world.height = 50;
  world.speed = 0;
  world.fuel = FUEL;
}
