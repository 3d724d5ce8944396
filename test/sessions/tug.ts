// A small game for two players whose predictions fail often: each press moves a player, and two presses in one tick collide. A
// command makes a player jump.
import { random } from "../../src/math/index.js";
import { NO_COMMANDS, type PackedCommand } from "../../src/sim/commands.js";
import { button, simulation } from "../../src/sim/index.js";
import { f64, layout, list, u32 } from "../../src/state/index.js";

/** What happened, without the age of an effect in the picture. */
export const effectText = (effect: object) => JSON.stringify({ ...effect, age: undefined });

export const tug = simulation({
  name: "tug",
  version: 1,
  rate: 60,
  players: 2,
  state: layout({ clock: f64.lerp, collisions: u32, x: list(2, f64.lerp) }),
  input: { push: button },
  commands: { jump: { by: u32 } },
  effects: { collision: { at: f64 }, push: { player: u32 }, jump: { player: u32, by: u32 } },
  step(world, inputs, { commands, emit }) {
    // One unit per tick, so that a test can read the shown time off the picture.
    world.clock += 1;
    inputs.forEach(({ push, pressed }, player) => {
      if (push) world.x[player]! += player === 0 ? 1 : -1;
      if (pressed.push) emit("push", { player });
    });
    for (const { player, by } of commands) {
      world.x[player]! += by;
      emit("jump", { player, by });
    }
    if (inputs[0].push && inputs[1].push) {
      world.collisions += 1;
      emit("collision", { at: world.x[0]! });
    }
  },
});

/** Whether a player pushes in a tick: random, but held for several ticks. */
export function script(seed: string, ticks = 2000): (player: number, tick: number) => number {
  const dice = random(new Uint32Array(4)).seed(seed);
  const words = [0, 1].map(() => {
    let isDown = 0;
    return Array.from({ length: ticks }, () => (isDown = dice.chance(0.15) ? 1 - isDown : isDown));
  });
  return (player, tick) => words[player]![tick] ?? 0;
}

/** Nobody does anything in the first ticks: whoever joins a server cannot do anything yet. */
export const QUIET = 20;

/** The command of a player in a tick: a jump now and then. */
export function jumpsOf(player: number, tick: number): readonly PackedCommand[] {
  const dice = random(new Uint32Array(4)).seed(2 * tick + player);
  return tick >= QUIET && dice.chance(0.1)
    ? [{ player, bytes: tug.commands.encode("jump", { by: tick }) }]
    : NO_COMMANDS;
}
