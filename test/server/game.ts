import { axis, simulation } from "../../src/sim/index.js";
import { f64, i32, layout, list } from "../../src/state/index.js";

/** Players who run, and counters that say how long each has been pressing. */
export const runnersOf = (version: number) =>
  simulation({
    name: "runners",
    version,
    rate: 60,
    players: 2,
    state: layout({ x: list(2, f64.lerp), moved: list(2, i32) }),
    input: { move: axis(2) },
    step(world, inputs, { dt }) {
      inputs.forEach(({ move }, seat) => {
        world.x[seat]! += 4 * move * dt;
        if (move !== 0) world.moved[seat]!++;
      });
    },
  });
export const runners = runnersOf(1);

/** Whether a client is stepping: it runs in the same process as the server. */
export const stepping = { isClient: false };

/** A game in which a player who turns left makes the server's step hang, or throw. */
export const fragile = (fault: "hang" | "throw") =>
  simulation({
    name: "fragile",
    version: 1,
    rate: 60,
    players: 2,
    state: layout({ x: f64 }),
    input: { move: axis(2) },
    step(world, inputs, { tick }) {
      for (const { move } of inputs) {
        world.x += move;
        if (move >= 0 || stepping.isClient) continue;
        if (fault === "throw") throw new Error(`fell in tick ${tick}`);
        for (;;) world.x++;
      }
    },
  });
