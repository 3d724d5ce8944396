import { expect, test } from "vitest";
import { Replays, tilesOff, VIEWS } from "../../../site/src/chapters/replay/model.js";
import { makeRecording } from "../../../site/src/chapters/replay/recording.js";
import { ViewPart, VIEW_SIZE } from "../../../site/src/chapters/replay/view.js";

/** Returns the views of the last frame. */
function viewsOf({ track }: Replays): readonly Float64Array[] {
  const picture = track.pictureOf(track.frames - 1);
  return Array.from({ length: VIEWS }, (_, i) => picture.subarray(i * VIEW_SIZE, (i + 1) * VIEW_SIZE));
}

test.each([10, 15, 59, 144])("by tick, every frame has the recorded bits, at %i, 60 and 240 fps", (fps) => {
  const replays = new Replays(true, fps);
  replays.advance(7);
  expect(replays.figures().map(({ value }) => value)).toEqual(["same bits", "same bits", "same bits"]);
  const { track } = replays;
  let [frames, same, farthest] = [0, 0, 0];
  for (let frame = track.firstFrame; frame < track.frames; frame++)
    for (let i = 0; i < VIEWS; i++) {
      const view = track.pictureOf(frame).subarray(i * VIEW_SIZE, (i + 1) * VIEW_SIZE);
      frames++;
      same += view[ViewPart.isSame]!;
      farthest = Math.max(farthest, tilesOff(view));
    }
  expect(same).toBe(frames);
  expect(farthest).toBeLessThan(1e-9);
});

test("by time, all displays end elsewhere, also the one with the frame rate of the recording", () => {
  const replays = new Replays(false, 15);
  replays.advance(2.5);
  // The first one has fallen into the pit, and is back at the flag.
  expect(tilesOff(viewsOf(replays)[0]!)).toBeGreaterThan(10);
  replays.advance(7);
  for (const view of viewsOf(replays)) {
    expect(view[ViewPart.isSame]).toBe(0);
    expect(tilesOff(view)).toBeGreaterThan(10);
  }
});

test("keys change within the frame before their tick", () => {
  const { keys, replay } = makeRecording();
  expect(keys.length).toBeGreaterThan(20);
  const times = keys.map(({ time }) => time);
  expect(times).toEqual([...times].sort((a, b) => a - b));
  expect(times.at(-1)).toBeLessThan(replay.seconds);
});

test("the recording plays again after its end", () => {
  const replays = new Replays(true, 15);
  replays.advance(8.3);
  for (const view of viewsOf(replays)) expect(view[ViewPart.seconds]).toBeLessThan(0.2);
});
