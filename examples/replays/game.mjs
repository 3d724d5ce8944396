// A lunar lander. The replays in reports/ pin down its behaviour: see replays.test.mjs.
import { button, simulation } from "tickwise/sim";
import { bool, f64, layout, u32 } from "tickwise/state";

const GRAVITY = -3;
const THRUST = 8;
const FUEL = 6; // seconds
const SAFE_SPEED = 2; // metres per second

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
    if (world.speed > -SAFE_SPEED) world.landings += 1;
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
