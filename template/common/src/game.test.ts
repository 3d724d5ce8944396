import { record } from "tickwise/replay";
import { localSession } from "tickwise/sim";
import { expectDeterministic, expectReplay } from "tickwise/testing";
import { expect, test } from "vitest";
import { chase, game } from "./game.ts";

test("is deterministic", () => {
  // Random inputs; goes back and simulates again in every tick, and compares.
  expectDeterministic(game);
});

test("a recording leads to the same states again", () => {
  const session = localSession(game, {
    seed: "a clear night",
    inputs([first, second], { tick }) {
      first.x = tick % 90 < 45 ? 1 : -0.5;
      first.dash = tick % 60 === 0;
      second.y = tick % 70 < 35 ? -1 : 1;
    },
  });
  const recorder = record(session);
  for (let tick = 0; tick < 600; tick++) session.advance();
  expectReplay(game, recorder.bytes());
});

test("a ship that reaches the star catches it, and another one appears", () => {
  const session = localSession(game, {
    inputs([first]) {
      first.x = 1;
    },
  });
  const { ships, star } = session.world;
  const caught: number[] = [];
  session.on("effect", ({ seat }) => caught.push(seat));
  while (ships.stars[0] === 0 && session.tick < 600) session.advance();
  session.view(1); // effects are delivered when their state is shown
  expect(caught).toEqual([0]);
  expect([star.x, star.y]).not.toEqual([0, 0]);
});

test("the bot catches stars", () => {
  const session = localSession(game, {
    inputs([, second]) {
      Object.assign(second, chase(session.world, 1));
    },
  });
  for (let tick = 0; tick < 1800; tick++) session.advance();
  expect(session.world.ships.stars[1]).toBeGreaterThan(5);
});
