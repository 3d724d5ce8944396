// The recording of Fiedler's cubes is what the scene gives, and it has what a bench of snapshots needs.
import { expect, test } from "vitest";
import {
  DENSE_FRAMES,
  FRAMES,
  IDLE_FRAME,
  VALUES,
  quantised,
  readRecording,
  writeFrame,
  writeRecording,
  type CubesFrame,
} from "../../scenes/cubes-recording.js";
import { CUBES, CubesLayout } from "../../scenes/cubes.js";
import { loadCubes } from "../shared/cubes.js";
import { FULL } from "../full.js";
import { cubesFrames } from "./record-cubes.js";

const frames = loadCubes();

/** Counts cubes that differ between two frames. */
function changesBetween(a: CubesFrame, b: CubesFrame): number {
  let count = 0;
  for (let cube = 0; cube < CUBES; cube++)
    for (let i = 0; i < VALUES; i++)
      if (a[cube * VALUES + i] !== b[cube * VALUES + i]) {
        count++;
        break;
      }
  return count;
}

// After a change of the scene, or with another version of Rapier, write it again: npm run cubes.
test("the scene gives the recorded frames", async () => {
  let n = 0;
  for await (const frame of cubesFrames(FULL ? FRAMES : 150)) {
    expect(changesBetween(frame, frames[n]!), `frame ${n}`).toBe(0);
    n++;
  }
}, 120_000);

test("the recording is dense, then idle", () => {
  expect(frames).toHaveLength(FRAMES);
  let sum = 0;
  for (let n = 6; n < DENSE_FRAMES; n++) sum += changesBetween(frames[n]!, frames[n - 6]!);
  expect(sum / (DENSE_FRAMES - 6)).toBeGreaterThan(50);
  for (let n = IDLE_FRAME; n < FRAMES; n++) expect(changesBetween(frames[n]!, frames[n - 6]!)).toBe(0);
  const moved = frames[DENSE_FRAMES]!.reduce((count, v, i) => count + (i % VALUES === 7 ? v : 0), 0);
  expect(moved).toBeGreaterThan(50);
});

test("values stay the same if they are quantised again", () => {
  const { cubes } = CubesLayout.allocate().world;
  for (let n = 0; n < FRAMES; n += FULL ? 1 : 10) {
    writeFrame(frames[n]!, cubes);
    expect(changesBetween(quantised(cubes), frames[n]!), `frame ${n}`).toBe(0);
  }
});

test("a recording is read as it was written", () => {
  const some = frames.slice(100, 160);
  const read = readRecording(writeRecording(some));
  expect(read).toHaveLength(some.length);
  for (const [n, frame] of some.entries()) expect(changesBetween(frame, read[n]!)).toBe(0);
});
