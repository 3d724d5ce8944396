// Measures the cost of blending a thousand objects with x, y and an angle, or a quaternion, over a plain copy of the result.
import { Quaternion } from "three";
import { Loop } from "../dist/index.js";
import * as blend from "../dist/blend/index.js";
import { bytesPerCall } from "./heap.mjs";
import { compare, interleave, rounded, spread } from "./rounds.mjs";

const THINGS = 1000;
const FRAMES = 100;
/** Enough calls that the measurement's own allocations are less than half a byte per call. */
const CALLS = 10_000;
const ROUNDS = { warmUp: 30, rounds: 61 };
// Different arrays in turn, as in a game: engines must not treat them as constants.
const WORLDS = 4;

/** A class: a literal with just the names of the fields shares its hidden class with theirs, which are no doubles. */
class Ship {
  constructor(i) {
    this.x = i + 0.5;
    this.y = i / 3;
    this.heading = 0.1;
    this.speed = 0.5;
  }
}

const { scalar, angle, rotation, curve, extrapolate } = blend;
const STRAIGHT = { x: scalar, y: scalar, heading: angle };
const GIVEN = { ...STRAIGHT, x: curve(scalar, "speed"), y: curve(scalar, "speed") };
const DERIVED = { ...STRAIGHT, x: curve(scalar), y: curve(scalar) };
// The text in the array makes the engine store the numbers as heap objects, so that passing them allocates nothing.
const alphas = [...Array.from({ length: FRAMES }, (_, i) => (i + 0.5) / FRAMES), "end"];

// The speed of objects changes, so that curves are curved. In an array, as a call may allocate its result.
const speeds = Float64Array.from({ length: 50 }, (_, i) => 0.25 + 0.1 * Math.sin((i * Math.PI) / 25));

const arena = { buffer: new ArrayBuffer(2e6), used: 0 };
const columns = worlds(() => ({ out: row(3), previous: row(3), current: row(3) }));
const quats = worlds(() => ({ out: row(4), previous: unit(row(4), 0), current: unit(row(4), 0.3) }));

const contenders = {
  copy: frames(columns, ({ out, current }) => out.set(current)),
  lerpAll: frames(columns, ({ out, previous, current }, t) => blend.lerpAll(out, previous, current, t)),
  lerpAngleAll: frames(columns, ({ out, previous, current }, t) =>
    blend.lerpAngleAll(out, previous, current, t),
  ),
  copyQuats: frames(quats, ({ out, current }) => out.set(current)),
  nlerp: frames(quats, ({ out, previous, current }, t) => blend.nlerp(out, previous, current, t)),
  slerp: frames(quats, ({ out, previous, current }, t) => blend.slerp(out, previous, current, t)),
  threeSlerp: frames(quats, ({ out, previous, current }, t) => {
    for (let i = 0; i < out.length; i += 4) Quaternion.slerpFlat(out, i, previous, i, current, i, t);
  }),
  // A frame with one step: storing both states, and filling the views.
  smoothColumns: looped(() => smoothRows(STRAIGHT)),
  smoothAll: looped(() => smoothObjects(STRAIGHT)),
  smoothAllAtRest: looped(() => smoothObjects(STRAIGHT, false)),
  smoothAllQuats: looped(() => {
    const list = Array.from({ length: THINGS }, (_, i) => ({
      turn: { x: 0, y: 0, z: Math.sin(i), w: Math.cos(i) },
    }));
    const move = () => {
      for (let i = 0; i < THINGS; i++) {
        const { turn } = list[i];
        const { z, w } = turn;
        turn.z = 0.8 * z + 0.6 * w;
        turn.w = 0.8 * w - 0.6 * z;
      }
    };
    return { move, smooth: (loop) => blend.smoothAll(loop, list, { turn: rotation }) };
  }),
  // The same as smoothAll and smoothColumns, drawn ahead or along curves.
  smoothAllAhead: looped(() => smoothObjects(STRAIGHT, true, { ahead: extrapolate(1) })),
  smoothAllCurves: looped(() => smoothObjects(GIVEN)),
  smoothAllDerived: looped(() => smoothObjects(DERIVED)),
  smoothColumnsAhead: looped(() => smoothRows(STRAIGHT, { ahead: extrapolate(1) })),
  smoothColumnsCurves: looped(() => smoothRows(GIVEN)),
  smoothColumnsDerived: looped(() => smoothRows(DERIVED)),
};

const entries = Object.entries(contenders).map(([name, run]) => ({
  name,
  run: () => run(FRAMES),
  frames: run,
}));
const times = Object.fromEntries(interleave(entries, ROUNDS).map((list, i) => [entries[i].name, list]));
const rows = {};
for (const { name, frames: run } of entries) {
  const base = /quat|lerp$/i.test(name) && name !== "copy" ? "copyQuats" : "copy";
  rows[name] = {
    "ns per object": rounded((spread(times[name]).median * 1e6) / FRAMES / THINGS, 1),
    "over a copy": rounded(compare(times[name], times[base]).median, 1),
    "bytes per frame": rounded(await bytesPerCall(run, CALLS), 0),
  };
}
console.log(`${THINGS} things: medians of ${ROUNDS.rounds} rounds`);
console.table(rows);
if (process.argv.includes("--json")) {
  const overCopy = Object.fromEntries(
    Object.entries(rows).map(([name, figures]) => [name, figures["over a copy"]]),
  );
  const bytes = Object.entries(rows)
    .filter(([name]) => name.startsWith("smooth"))
    .map(([, figures]) => figures["bytes per frame"]);
  const over = (name, base) => rounded(compare(times[name], times[base]).median);
  // What drawing ahead and along curves costs over straight lines.
  const overStraight = {
    ahead: over("smoothAllAhead", "smoothAll"),
    curves: over("smoothAllCurves", "smoothAll"),
    derived: over("smoothAllDerived", "smoothAll"),
    columnsAhead: over("smoothColumnsAhead", "smoothColumns"),
    columnsCurves: over("smoothColumnsCurves", "smoothColumns"),
    columnsDerived: over("smoothColumnsDerived", "smoothColumns"),
  };
  const vsThreeSlerp = rounded(compare(times.slerp, times.threeSlerp).median);
  console.log(
    JSON.stringify({
      bench: "blend",
      bytesPerFrame: Math.max(...bytes),
      vsThreeSlerp,
      overCopy,
      overStraight,
    }),
  );
}

function worlds(create) {
  return Array.from({ length: WORLDS }, create);
}

/** In one buffer, aligned to 64 bytes: otherwise a plain copy is sometimes five times as slow. */
function row(width) {
  const numbers = new Float64Array(arena.buffer, arena.used, THINGS * width);
  arena.used += Math.ceil(numbers.byteLength / 64) * 64;
  for (let i = 0; i < numbers.length; i++) numbers[i] = Math.sin(i * width) * 10;
  return numbers;
}

/** Adds to numbers and normalizes them as quaternions. */
function unit(numbers, added) {
  for (let i = 0; i < numbers.length; i += 4) {
    for (let k = i; k < i + 4; k++) numbers[k] += added;
    const length = Math.hypot(...numbers.subarray(i, i + 4));
    for (let k = i; k < i + 4; k++) numbers[k] /= length;
  }
  return numbers;
}

function frames(worlds, draw) {
  return (count) => {
    for (let i = 0; i < count; i++) draw(worlds[i % WORLDS], alphas[i % FRAMES]);
  };
}

function smoothObjects(fields, isMoving = true, options = {}) {
  const list = Array.from({ length: THINGS }, (_, i) => new Ship(i));
  const move = ({ tick }) => {
    if (!isMoving) return;
    const speed = speeds[tick % speeds.length];
    for (let i = 0; i < THINGS; i++) {
      list[i].speed = 64 * speed;
      list[i].x += speed;
      list[i].heading += 0.01;
    }
  };
  return { move, smooth: (loop) => blend.smoothAll(loop, list, fields, options) };
}

function smoothRows(fields, options = {}) {
  const world = { x: row(1), y: row(1), heading: row(1), speed: row(1) };
  const move = ({ tick }) => {
    const speed = speeds[tick % speeds.length];
    for (let i = 0; i < THINGS; i++) {
      world.speed[i] = 64 * speed;
      world.x[i] += speed;
      world.heading[i] += 0.01;
    }
  };
  return { move, smooth: (loop) => blend.smoothColumns(loop, world, fields, options) };
}

function looped(create) {
  const { move, smooth } = create();
  const loop = new Loop({ rate: 64, step: move });
  loop.advance(1 / 128);
  smooth(loop);
  return (count) => {
    for (let i = 0; i < count; i++) loop.advance(1 / 64);
  };
}
