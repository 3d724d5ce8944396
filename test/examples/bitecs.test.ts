import { expect, test } from "vitest";
import { syncTest } from "tickwise/sim";
import { game } from "../../examples/bitecs/game.js";

test("the bitECS example passes the sync test", () => {
  // Long enough to detect an order that depends on history: unsorted queries diverge at tick 651.
  expect(syncTest(game, { ticks: 2000 }).message).toBe("");
});
