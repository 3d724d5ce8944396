import { expect, test } from "vitest";
import { Loop } from "../loop/index.js";
import { mountHud } from "./mount.js";

// test/browser/hud.test.ts tests it on a page.
test("throws without a document, and adds no listeners", () => {
  const loop = new Loop({ rate: 60 });
  loop.on = loop.use = () => expect.fail("added a listener");
  expect(() => mountHud(loop)).toThrow(
    "mountHud: there is no document. Use diagnose(loop) outside a browser.",
  );
});

test("rejects an unknown option and an extra argument", () => {
  const loop = new Loop({ rate: 60 });
  expect(() => mountHud(loop, { colapsed: true } as never)).toThrow(
    'mountHud: unknown option "colapsed". Did you mean "collapsed"?',
  );
  expect(() => Reflect.apply(mountHud, undefined, [loop, {}, {}])).toThrow(
    "mountHud: takes at most 2 arguments, got 3.",
  );
});
