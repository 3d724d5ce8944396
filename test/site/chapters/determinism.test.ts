import { expect, test } from "vitest";
import { GAME, SECOND, STATES, TwoMachines } from "../../../site/src/chapters/determinism/model.js";
import { COUNT, HEIGHT, RADIUS, WIDTH } from "../../../site/src/chapters/determinism/pucks.js";

function play(isFixed: boolean, percent: number, seconds: number) {
  const model = new TwoMachines(isFixed, percent);
  model.advance(seconds);
  const { track } = model;
  const picture = track.pictureOf(track.frames - 1);
  const states = picture[STATES]!;
  const differing = Array.from({ length: states }, (_, i) => i).filter(
    (state) => model.hashOf(0, state) !== model.hashOf(1, state),
  );
  return { model, picture, states, differing };
}

test("with Math.random, all states differ from the first bounce on", () => {
  const { model, picture, states, differing } = play(false, 20, 4);
  const [first] = differing;
  expect(first).toBeGreaterThan(5);
  expect(first).toBeLessThan(60);
  expect(differing).toHaveLength(states - first!);
  expect(model.figures()[0]).toMatchObject({ value: `since tick ${first}`, isGood: false });
  // By now, collisions have made it visible: more than the size of a puck.
  const apart = Array.from({ length: 2 * COUNT }, (_, i) => Math.abs(picture[i]! - picture[SECOND + i]!));
  expect(Math.max(...apart)).toBeGreaterThan(2 * RADIUS);
});

test.each([0, 20, 100])("with the random generator of the state, no bit differs at %i %%", (percent) => {
  const { model, picture, states, differing } = play(true, percent, GAME - 0.1);
  expect(states).toBe(60 * (GAME - 0.1) + 1);
  expect(differing).toEqual([]);
  expect([...picture.subarray(0, SECOND)]).toEqual([...picture.subarray(SECOND, STATES)]);
  expect(model.figures()[0]).toMatchObject({ value: "never", isGood: true });
});

test("without roughness, nothing is random", () => {
  expect(play(false, 0, 4).differing).toEqual([]);
});

test("the pucks stay on the table, and both machines begin again with each game", () => {
  const { model, picture } = play(false, 100, GAME - 0.1);
  for (let i = 0; i < 2 * SECOND; i += 2) {
    expect(picture[i]).toBeGreaterThan(0);
    expect(picture[i]).toBeLessThan(WIDTH);
    expect(picture[i + 1]).toBeGreaterThan(0);
    expect(picture[i + 1]).toBeLessThan(HEIGHT);
  }
  model.advance(GAME + 0.1);
  expect(model.figures()[0]).toMatchObject({ value: "never" });
});
