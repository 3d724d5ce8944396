import { expect, test } from "vitest";
import { syncTest } from "tickwise/sim";
import { game } from "../../examples/bitecs/game.js";

test("the bitECS example comes out the same after every rollback", () => {
  // Long enough to find an order that depends on the past: unsorted queries show at tick 651.
  expect(syncTest(game, { ticks: 2000 }).message).toBe("");
});
