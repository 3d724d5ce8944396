import { expect, test } from "vitest";
import { FINISH, Race } from "../../../site/src/chapters/speed/model.js";

const metresOf = (isFixed: boolean, fps: number): number[] => {
  const race = new Race(isFixed, fps);
  race.advance(2);
  return race.figures().map(({ value }) => parseFloat(value));
};

test("with a step per frame, the faster display has the faster game", () => {
  // 0.05 m per frame, at 30, 144 and 60 frames per second.
  expect(metresOf(false, 144)).toEqual([3, 14.4, 6]);
  expect(metresOf(false, 60)).toEqual([3, 6, 6]);
});

test.each([15, 30, 60, 144, 240])("with fixed steps, both runners have run as far, at %i fps", (fps) => {
  for (const metres of metresOf(true, fps)) expect(Math.abs(metres - 6)).toBeLessThanOrEqual(0.2);
});

test("each race begins at the start", () => {
  const race = new Race(false, 144);
  race.advance(5.01);
  const { track } = race;
  expect(track.shownOf(track.frames - 1)).toBeLessThan(1);
  expect(track.shownOf(track.frames - 10)).toBe(FINISH);
});
