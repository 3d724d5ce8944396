import { expect, test } from "vitest";
import { syncTest } from "tickwise/sim";
import { game } from "../../examples/bitecs/game.js";

test("the bitECS example comes out the same after every rollback", () => {
  expect(syncTest(game).message).toBe("");
});
