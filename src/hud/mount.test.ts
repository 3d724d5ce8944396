import { expect, test } from "vitest";
import { Loop } from "../loop/index.js";
import { mountHud } from "./mount.js";

// What it does on a page, test/browser/hud.test.ts tells.
test("where there is no page, it says so, and listens to nothing", () => {
  const loop = new Loop({ rate: 60 });
  loop.on = () => expect.fail("it listens");
  expect(() => mountHud(loop)).toThrow(
    'mountHud must be called where there is a page, got "no document". Try diagnose(loop).',
  );
});
