import { expect, test } from "vitest";
import { layoutOf } from "../../../site/src/chapters/explosion/layout.js";
import { INTEGRATORS, isStable, RATES } from "../../../site/src/chapters/explosion/map.js";
import { Explosion, Part, ROOM } from "../../../site/src/chapters/explosion/model.js";

const SIZE = { width: 1200, height: 430 };

/** Returns how far from the middle the block of a cell was in the last half second of a round. */
function reach(isFixed: boolean, stiffness: number, row: number, column: number): number {
  const model = new Explosion(isFixed, stiffness, row, column);
  model.advance(1.99);
  const { track } = model;
  let most = 0;
  for (let frame = 0; frame < track.frames; frame++)
    if (track.timeOf(frame) > 1.5) most = Math.max(most, Math.abs(track.pictureOf(frame)[Part.places]!));
  return most;
}

test.each([500, 3000, 9000, 15_000])(
  "with a step per frame, every cell of the map behaves as its colour says, at %i N/m",
  (stiffness) => {
    for (const row of INTEGRATORS.keys())
      for (const column of RATES.keys()) {
        const cell = `${INTEGRATORS[row]!.name} at ${RATES[column]}`;
        const isCalm = reach(false, stiffness, row, column) < 0.2;
        expect(`${cell}: ${isCalm}`).toBe(`${cell}: ${isStable(row, column, stiffness, false)}`);
      }
  },
);

test("the border of the map is where theory says: semi-implicit Euler needs (c + √(c² + 4k)) / 4 steps per second", () => {
  // c = 10.5: 30 per second is enough up to a stiffness of 30 × (2 × 30 - 10.5) × 2.
  expect(isStable(1, 2, 2969, false)).toBe(true);
  expect(isStable(1, 2, 2971, false)).toBe(false);
});

test("with fixed steps, the display does not matter", () => {
  for (const row of [1, 2, 3])
    for (const column of RATES.keys()) expect(reach(true, 15_000, row, column)).toBeLessThan(0.01);
  for (const column of RATES.keys()) expect(reach(true, 15_000, 0, column)).toBeGreaterThan(ROOM);
});

test("at 240 steps per second, RK4 shows the exact motion, one step late", () => {
  const model = new Explosion(true, 500, 3, 5);
  model.advance(0.5);
  const { track } = model;
  for (let frame = 1; frame < track.frames; frame++)
    expect(track.shownOf(frame)).toBeCloseTo(track.truthOf(frame - 1), 5);
});

test("the arrow keys pick cells and stop at the border, and a link leads to the same cell and picture", () => {
  const model = new Explosion(false, 3000);
  model.advance(0.7);
  for (const code of ["ArrowDown", "ArrowDown", "ArrowDown", "ArrowLeft"])
    expect(model.key(code, true)).toBe(true);
  expect(model.key("KeyA", true)).toBe(false);
  expect([model.row, model.column]).toEqual([3, 1]);
  expect(model.picked).toMatchObject({ code: "rk4-20", text: "RK4 at 20 frames per second: stable." });
  model.advance(model.picked.since + 1);
  const linked = new Explosion(false, 3000);
  linked.choose("rk4-20");
  linked.advance(1);
  const last = ({ track }: Explosion) =>
    [...track.pictureOf(track.frames - 1)].map((part) => part.toFixed(6));
  expect(last(linked)).toEqual(last(model));
  linked.choose("rk9-20");
  linked.choose("rk4-21");
  expect(linked.picked.code).toBe("rk4-20");
});

test("a press on the map plays that cell, and a drag elsewhere pulls the block", () => {
  const model = new Explosion(false, 3000);
  model.advance(0.5);
  const { room, map } = layoutOf(SIZE);
  const press = (x: number, y: number, isDown: boolean) =>
    model.point(x / SIZE.width, y / SIZE.height, isDown, SIZE);
  press(map.x + map.width * 0.99, map.y + map.height * 0.99, true);
  press(map.x + map.width * 0.99, map.y + map.height * 0.99, false);
  expect([model.row, model.column]).toEqual([3, 5]);
  press(room.x + room.width * 0.71, room.y + room.height / 2, true);
  model.advance(0.6);
  const last = () => model.track.pictureOf(model.track.frames - 1);
  expect(last()[Part.places]).toBeCloseTo(0.5);
  expect(last()[Part.truth]).toBe(last()[Part.places]);
  press(room.x + room.width * 0.71, room.y + room.height / 2, false);
  model.advance(0.65);
  expect(last()[Part.places]).toBeLessThan(0.4);
});

test("another stiffness goes on from where the block is", () => {
  const model = new Explosion(true, 500);
  model.advance(0.1);
  const before = model.track.truthOf(model.track.frames - 1);
  model.setStiffness(600);
  model.advance(0.1 + 1 / 30 + 1e-9);
  expect(model.track.frames).toBe(4);
  expect(Math.abs(model.track.truthOf(3) - before)).toBeLessThan(0.16);
  expect(model.track.pictureOf(3)[Part.stiffness]).toBe(600);
});
