// Compile-time tests: the line after each @ts-expect-error must not compile.
import { Quaternion, Vector3 } from "three";
import {
  angle,
  teleportOnChange,
  contact,
  curve,
  dispose,
  extrapolate,
  hold,
  lerpAll,
  scalar,
  rotation,
  shift,
  slerp,
  smooth,
  smoothAll,
  smoothColumns,
  teleport,
  vector2,
  vector3,
  type View,
} from "../../src/blend/index.js";
import { every, Loop } from "../../src/index.js";

const loop = new Loop({ rate: 60 });
const ship = {
  x: 0,
  heading: 0,
  frame: "idle" as "idle" | "run",
  place: { x: 0, y: 0, z: 0 },
  local: [0, 0],
  turn: new Quaternion(),
  home: new Vector3(),
};

// Valid calls, and the types of views.
const shown = smooth(loop, ship, {
  x: scalar,
  heading: angle,
  frame: hold,
  place: vector3,
  local: vector2,
  turn: rotation,
  home: vector3,
});
const x: number = shown.x;
const frame: "idle" | "run" = shown.frame;
const place: { readonly x: number; readonly y: number; readonly z: number } = shown.place;
const second: number | undefined = shown.local[1];
new Quaternion().copy(shown.turn);
new Vector3().copy(shown.home);
const list: readonly { readonly x: number }[] = smoothAll(loop, [ship], { x: scalar, turn: rotation.nlerp });
smoothAll(loop, () => [ship], { x: scalar, frame: teleportOnChange }, { ahead: extrapolate(0.5) });
const columns = { x: new Float64Array(9), turn: new Float32Array(36), id: new Uint32Array(9), alive: 3 };
const drawn = smoothColumns(
  loop,
  columns,
  { x: scalar, turn: rotation, id: teleportOnChange },
  { count: () => columns.alive },
);
const turns: Float32Array = drawn.turn;
teleport(ship);
teleport(columns, 3);
shift(ship, { x: 5, place: { x: 1 }, local: [1, 2] });
dispose(shown);
// Curves, contacts and beats.
const body = { x: 0, vx: 0, place: [0, 0], speed: { x: 0, y: 0 }, heading: 0, spin: 0, name: "" };
const arc = smooth(loop, body, {
  x: curve(scalar, "vx"),
  place: curve(vector2, "speed"),
  heading: curve(angle),
});
const arcX: number = arc.x;
const arcY: number | undefined = arc.place[1];
const shots = { x: new Float64Array(9), vx: new Float32Array(9), id: new Uint8Array(9) };
const arcs: Float64Array = smoothColumns(loop, shots, { x: curve(scalar, "vx") }).x;
contact(body, 0.5, { x: 0, place: { y: 0 } });
contact(shots, 0.5, { x: 0 }, 3);
const beat = every(loop, 20, () => {});
smooth(beat, body, { x: scalar });
smoothAll(beat, [body], { x: scalar }, { ahead: extrapolate(1) });
smoothColumns(beat, shots, { x: scalar });
// @ts-expect-error misspelt
smooth(loop, body, { x: curve(scalar, "vX") });
// @ts-expect-error a name is not a velocity
smooth(loop, body, { x: curve(scalar, "name") });
// @ts-expect-error a number is not the velocity of a vector
smoothAll(loop, [body], { place: curve(vector2, "vx") });
// @ts-expect-error misspelt
smoothColumns(loop, shots, { x: curve(scalar, "v") });
// @ts-expect-error integers are not velocities
smoothColumns(loop, shots, { x: curve(scalar, "id") });
// @ts-expect-error rotations have no curves
curve(rotation);
// @ts-expect-error held values have no curves
curve(hold);
// @ts-expect-error a velocity is the name of a field
curve(scalar, 1);
// @ts-expect-error no such field
contact(body, 0.5, { y: 0 });
// @ts-expect-error the fraction is missing
contact(body, { x: 0 });

interface Ball {
  y: number;
}
const viewOf = (ball: Ball): View<Ball, { y: typeof scalar }> => smooth(loop, ball, { y: scalar });

// Fields.
// @ts-expect-error misspelt
smooth(loop, ship, { x: scalar, headng: angle });
// @ts-expect-error misspelt
smoothAll(loop, [ship], { X: scalar });
// @ts-expect-error misspelt
smoothColumns(loop, columns, { turns: rotation });
// @ts-expect-error a string is not a number
smooth(loop, ship, { frame: scalar });
// @ts-expect-error a vector is not a number
smooth(loop, ship, { place: scalar });
// @ts-expect-error a number is not a vector
smooth(loop, ship, { x: vector2 });
// @ts-expect-error a vector has no w
smooth(loop, ship, { place: rotation });
// @ts-expect-error the name of a kind is not a kind
smooth(loop, ship, { x: "number" });
// @ts-expect-error integers can only be held
smoothColumns(loop, columns, { id: scalar });
// @ts-expect-error not among the fields
const hidden: number = shown.y;
// @ts-expect-error views are read-only
shown.x = 1;
// @ts-expect-error views are read-only
shown.place.x = 1;

// Calls.
// @ts-expect-error a loop comes first
smooth(ship, { x: scalar });
// @ts-expect-error misspelt
smooth(loop, ship, { x: scalar }, { ahed: extrapolate(1) });
// @ts-expect-error a number is not an extrapolation
smooth(loop, ship, { x: scalar }, { ahead: 1 });
// @ts-expect-error count is an option of smoothColumns
smooth(loop, ship, { x: scalar }, { count: () => 1 });
// @ts-expect-error an object is not a list
smoothAll(loop, ship, { x: scalar });
// @ts-expect-error no such field
shift(ship, { z: 5 });
// @ts-expect-error a string
shift(ship, { x: "5" });
// @ts-expect-error a number
teleport(5);
// @ts-expect-error plain arrays are not accepted
lerpAll([0], [0], [1], 0.5);
// @ts-expect-error current is missing
slerp(new Float64Array(4), new Float64Array(4), 0.5);

export { arcs, arcX, arcY, drawn, frame, hidden, list, place, second, turns, viewOf, x };
