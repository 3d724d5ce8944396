import { expect, test } from "vitest";
import { WALL, WALL_WIDTH } from "../../../scenes/bullet-wall.js";
import { tunnelling } from "../../../scenes/tunnelling.js";
import { Part, Volleys } from "../../../site/src/chapters/tunnelling/model.js";

const SECONDS = 140;

/** Returns the share of bullets that fly through the wall. */
function passedShare(isFixed: boolean, fps: number): number {
  const model = new Volleys(isFixed, fps);
  model.advance(SECONDS - 0.1);
  const [passed, fired] = model.figures()[2]!.value.split(" of ").map(Number);
  expect(fired).toBe(300);
  return passed! / fired!;
}

test.each([15, 20, 30, 60])("as many bullets fly through the wall as in the scene, at %i fps", (fps) => {
  expect(passedShare(false, fps)).toBeCloseTo(tunnelling({ fps, steps: "variable" }).missed, 1);
});

test("at 15 fps, a bullet lands every 66.7 px: 1 - 32 / 66.7 fly through", () => {
  expect(Math.abs(passedShare(false, 15) - 0.52)).toBeLessThan(0.01);
});

test.each([10, 15, 37, 60, 120])("with a sweep, all bullets stop exactly at the wall, at %i fps", (fps) => {
  const model = new Volleys(true, fps);
  model.advance(1.35);
  for (const { x } of model.bullets) expect(x).toBe(WALL);
  expect(passedShare(true, fps)).toBe(0);
});

test("the still picture shows bullets on both sides of the wall that were never in it", () => {
  const model = new Volleys(false, 15);
  model.advance(2.5);
  const { track } = model;
  const last = track.pictureOf(track.frames - 1);
  const back = WALL + WALL_WIDTH;
  const through = [0, 1, 2].filter((lane) => last[Part.bullets + lane]! > back);
  expect(through).toHaveLength(2);
  for (const lane of through)
    for (let frame = last[Part.first]!; frame < track.frames; frame++) {
      const x = track.pictureOf(frame)[Part.bullets + lane]!;
      expect(x < WALL || x > back).toBe(true);
    }
});
