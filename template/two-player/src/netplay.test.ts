import { expectNetplay } from "tickwise/testing";
import { expect, test } from "vitest";
import { game } from "./game.ts";

test("both players see the same game on bad wifi", () => {
  // Half a minute with random inputs, in virtual time. Throws if two players ever have different states.
  const { rollbacks } = expectNetplay(game, { peers: 2, seconds: 30, network: "bad wifi", seed: 7 });
  expect(rollbacks).toBeGreaterThan(100);
});
