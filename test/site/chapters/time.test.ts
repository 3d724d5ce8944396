import { expect, test } from "vitest";
import { LEAP } from "../../../site/src/chapters/time/leap.js";
import { Leap, Part } from "../../../site/src/chapters/time/model.js";

/** The bottom of the pit is that of the level; its right wall is at 272, and the ground at 201. */
const GROUND = 201;

/** Plays some seconds of game time. Returns the last picture. */
function play(isFixed: boolean, speed: number, time: number): Float64Array {
  const leap = new Leap(isFixed, speed);
  leap.advance((time + 1 / 60) / speed);
  return leap.track.pictureOf(leap.track.frames - 1);
}

/** The largest distance from the path in a take. */
function worstOf(isFixed: boolean, speed: number): number {
  const { track } = played(isFixed, speed);
  let worst = 0;
  for (let frame = 0; frame < track.frames; frame++) {
    const picture = track.pictureOf(frame);
    worst = Math.max(
      worst,
      Math.hypot(picture[Part.x]! - picture[Part.truthX]!, picture[Part.y]! - picture[Part.truthY]!),
    );
  }
  return worst;
}

function played(isFixed: boolean, speed: number): Leap {
  const leap = new Leap(isFixed, speed);
  leap.advance(LEAP.end / Math.abs(speed) - 0.1);
  return leap;
}

test("at normal speed, the character lands behind the pit on both sides", () => {
  for (const isFixed of [false, true]) {
    const picture = play(isFixed, 1, 1);
    expect(picture[Part.x]).toBeGreaterThan(300);
    expect(picture[Part.y]).toBe(GROUND);
  }
  expect(worstOf(false, 1)).toBeLessThan(0.001);
});

test("with a scaled deltaTime, it falls: the counter of the late jump runs out four times as fast", () => {
  const picture = play(false, 0.25, 0.62);
  expect(picture[Part.x]).toBeLessThan(272);
  expect(picture[Part.y]).toBeGreaterThan(GROUND + 40);
});

test("a scaled deltaTime lowers the jump at twice the speed by more than a pixel", () => {
  expect(worstOf(false, 2)).toBeGreaterThan(1);
});

test("a negative deltaTime does not lead back", () => {
  expect(worstOf(false, -1)).toBeGreaterThan(100);
});

test.each([0.1, 0.25, 0.7, 1, 2, -0.25, -1])("at %f ×, a scaled clock shows the same path", (speed) => {
  // The picture is a blend of two steps; so is the path.
  expect(worstOf(true, speed)).toBeLessThan(1e-6);
});

test("a hit-stop in the air holds the picture, and the jump goes on where it stood", () => {
  const leap = new Leap(true, 1);
  leap.advance(0.55);
  leap.setSpeed(0);
  const { track } = leap;
  leap.advance(0.57);
  const held = track.pictureOf(track.frames - 1).slice(0, Part.frame);
  leap.advance(3);
  expect(track.pictureOf(track.frames - 1).slice(0, Part.frame)).toEqual(held);
  leap.setSpeed(1);
  leap.advance(3.5);
  const picture = track.pictureOf(track.frames - 1);
  expect(picture[Part.y]).toBe(GROUND);
  expect(picture[Part.x]).toBeCloseTo(picture[Part.truthX]!, 6);
});

test("the picture stays on the path when the wheel turns, forward and back", () => {
  const leap = new Leap(true, 0.3);
  const { track } = leap;
  [1, 2.6, 2.9, 3.3].forEach((time, i) => {
    leap.advance(time);
    leap.setSpeed([0.3, -0.7, 0.5, -0.1][i]!);
  });
  leap.advance(4);
  for (let frame = 0; frame < track.frames; frame++) {
    const picture = track.pictureOf(frame);
    expect(picture[Part.x]).toBeCloseTo(picture[Part.truthX]!, 6);
  }
});
