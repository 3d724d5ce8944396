// Checked by tsc only: which inputs a session may write, and that a step may not.
import { axis, button, int, localSession, simulation } from "../../src/sim/index.js";
import { layout, u32 } from "../../src/state/index.js";

const game = simulation({
  name: "types",
  version: 1,
  rate: 60,
  players: 2,
  state: layout({ score: u32 }),
  input: { fire: button, aim: axis(8), weapon: int(1, 4) },
  step(world, [one, two]) {
    world.score += one.held.fire + two.aim + one.weapon;
    // @ts-expect-error a step cannot write inputs
    one.fire = true;
    // @ts-expect-error only buttons have `pressed`
    void one.pressed.aim;
  },
});

localSession(game, {
  inputs([one]) {
    one!.fire = true;
    one!.aim = -0.5;
    one!.weapon = 2;
    // @ts-expect-error a button is a boolean
    one!.fire = 1;
    // @ts-expect-error no such input
    one!.jump = true;
  },
});
