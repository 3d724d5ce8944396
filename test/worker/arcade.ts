// A small game for tests of sessions in workers: it has buttons, an axis, effects, commands, random numbers and rows that come and go.
import { f64, i32, layout, table, u32 } from "../../src/state/index.js";
import { axis, button, fraction, simulation } from "../../src/sim/index.js";

const World = layout({
  x: f64.lerp,
  turn: f64.angle,
  presses: u32,
  releases: u32,
  /** The tick of the last press, and where in the step it was. */
  pressedIn: i32,
  pressedAt: f64,
  built: u32,
  noise: f64,
  sparks: table(40, { x: f64.lerp, vx: f64, life: i32 }),
});

/** A step that builds here throws. */
export const FAIL_AT = -12_345;

export const arcade = simulation({
  name: "arcade",
  version: 1,
  rate: 60,
  players: 1,
  state: World,
  input: { fire: button, tilt: axis(8), firedAt: fraction(8) },
  effects: { shot: { x: f64, number: u32 } },
  commands: { build: { x: f64 } },
  step(world, [player], { tick, dt, random, emit, commands }) {
    world.x += dt * (1 + player.tilt);
    world.turn += 0.1;
    world.noise = random.float();
    if (player.pressed.fire) {
      world.presses++;
      world.pressedIn = tick;
      world.pressedAt = player.firedAt;
      world.sparks.add({ x: world.x, vx: random.float(), life: 20 });
      emit("shot", { x: world.x, number: world.presses });
    }
    if (player.released.fire) world.releases++;
    for (const command of commands) {
      if (command.x === FAIL_AT) throw new Error("the player asked for it");
      world.built++;
      world.sparks.add({ x: command.x, vx: 0, life: 60 });
    }
    for (const spark of world.sparks) {
      spark.x += spark.vx * dt;
      if (--spark.life <= 0) world.sparks.remove(spark);
    }
  },
});
