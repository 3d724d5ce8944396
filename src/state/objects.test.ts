import { setFlagsFromString } from "node:v8";
import { expect, test } from "vitest";
import { f64, layout, list, table } from "./index.js";

setFlagsFromString("--allow-natives-syntax");
const isFast = new Function("object", "return %HasFastProperties(object)") as (object: object) => boolean;

test("V8 stores columns and parts as fast properties, not in a hash table", () => {
  const { world } = layout({
    balls: list(4, { x: f64, at: { y: f64 } }),
    crates: table(4, { x: f64, at: { y: f64 } }),
    player: { x: f64, trail: list(4, f64) },
  }).allocate();
  const parts = [world, world.balls, world.balls.at, world.crates, world.crates.at, world.player];
  expect(parts.map(isFast)).toEqual(parts.map(() => true));
});
