import { expect, test } from "vitest";
import { Part, PlayAtServer } from "../../../site/src/chapters/server/model.js";

/** Milliseconds from a key to its picture, and how far the own player is off. */
function figuresOf(predicts: boolean, lag: number): readonly [number, number] {
  const game = new PlayAtServer(predicts, lag);
  game.advance(2);
  const [late, off] = game.figures().map(({ value }) => parseFloat(value));
  return [late!, off!];
}

test("without prediction, a key takes a round trip more than without a network", () => {
  const [base] = figuresOf(false, 0);
  for (const lag of [100, 200]) {
    const [late, off] = figuresOf(false, lag);
    // The client sends its keys a moment early, in whole ticks.
    expect(Math.abs(late - (base + 2 * lag))).toBeLessThan(1000 / 60);
    expect(off).toBeGreaterThan(40);
  }
});

test.each([0, 100])("with prediction, the own player is where the server will put it: %i ms", (lag) => {
  const [late, off] = figuresOf(true, lag);
  expect(late).toBe(17);
  expect(off).toBeLessThanOrEqual(2);
});

/** Returns how far the other player is from where the server will put it, on average. */
function otherOff({ track }: PlayAtServer): number {
  let sum = 0;
  for (let frame = track.firstFrame; frame < track.frames; frame++) {
    const picture = track.pictureOf(frame);
    const [x, y] = [2, 3].map((i) => picture[Part.shown + i]! - picture[Part.truth + i]!);
    sum += Math.hypot(x!, y!);
  }
  return sum / (track.frames - track.firstFrame);
}

test("with prediction, wrong guesses are corrected", () => {
  const [predicted, arrived] = [new PlayAtServer(true, 100), new PlayAtServer(false, 100)];
  for (const game of [predicted, arrived]) game.advance(3);
  expect(predicted.track.corrections).toBeGreaterThan(3);
  expect(arrived.track.corrections).toBe(0);
  expect(otherOff(predicted)).toBeLessThan(otherOff(arrived) / 2);
});

test("the lag can change at any time", () => {
  const game = new PlayAtServer(false, 20);
  game.advance(1);
  game.changeLag(200);
  game.advance(6);
  expect(parseFloat(game.figures()[0]!.value)).toBeGreaterThan(400);
});
