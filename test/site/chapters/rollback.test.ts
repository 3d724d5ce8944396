import { expect, test } from "vitest";
import { Part, TwoPhones } from "../../../site/src/chapters/rollback/model.js";

const stepsOf = (phones: TwoPhones): number => Number(phones.figures()[0]!.value);

/** Returns how far the own and the other player are from where they would be without a cable, on the first phone: the farthest ever. */
function farthestOf({ track }: TwoPhones): number[] {
  return [0, 1].map((seat) => {
    let farthest = 0;
    for (let frame = track.firstFrame; frame < track.frames; frame++) {
      const picture = track.pictureOf(frame);
      const of = (part: number) => [picture[part + 2 * seat]!, picture[part + 2 * seat + 1]!] as const;
      const [[x, y], [trueX, trueY]] = [of(Part.phones), of(Part.truth)];
      farthest = Math.max(farthest, Math.hypot(x - trueX, y - trueY));
    }
    return farthest;
  });
}

test.each([60, 250])("if each step waits, a step takes as long as a packet: %i ms", (lag) => {
  const phones = new TwoPhones(false, lag);
  phones.advance(4);
  // Messages are read in whole frames, so that a step may also take two frames more.
  expect(stepsOf(phones)).toBeGreaterThanOrEqual(Math.floor(1000 / (lag + 2000 / 60)));
  expect(stepsOf(phones)).toBeLessThanOrEqual(Math.ceil(1000 / lag) + 1);
  expect(phones.track.losses).toBeGreaterThan(4 * 60 * 0.4);
});

test.each([0, 250])("with rollback, a phone never waits: %i ms", (lag) => {
  const phones = new TwoPhones(true, lag);
  phones.advance(4);
  expect(Math.abs(stepsOf(phones) - 60)).toBeLessThanOrEqual(3);
  expect(phones.track.losses).toBeLessThan(4 * 60 * 0.05);
});

test("with rollback, phones are close to the game without a cable; if they wait, they are nowhere near", () => {
  const [rolling, waiting] = [new TwoPhones(true, 120), new TwoPhones(false, 120)];
  for (const phones of [rolling, waiting]) phones.advance(4);
  const [own, other] = farthestOf(rolling);
  expect(own).toBeLessThan(0.25);
  expect(other).toBeLessThan(0.5);
  expect(Math.max(...farthestOf(waiting))).toBeGreaterThan(1);
  expect(rolling.track.corrections).toBeGreaterThan(4);
  expect(waiting.track.corrections).toBe(0);
});

test("the lag can change at any time", () => {
  const phones = new TwoPhones(false, 250);
  phones.advance(2);
  expect(stepsOf(phones)).toBeLessThan(6);
  phones.changeLag(10);
  phones.advance(4);
  expect(stepsOf(phones)).toBeGreaterThan(25);
});
