// Every replay in reports/ is a test: drop a bug report there. Run `node --test examples/replays/replays.test.mjs`.
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { expectDeterministic, expectReplay } from "tickwise/testing";
import { game } from "./game.mjs";

const folder = new URL("reports/", import.meta.url);
for (const name of readdirSync(folder))
  test(`${name} plays as recorded`, () => {
    expectReplay(game, readFileSync(new URL(name, folder)));
  });

test("the lander is deterministic for any input", () => {
  expectDeterministic(game);
});
