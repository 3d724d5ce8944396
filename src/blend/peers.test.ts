// A million random cases, compared with three.js and gl-matrix.
import { glMatrix, quat as glQuat, vec3 as glVec3 } from "gl-matrix";
import { MathUtils, Quaternion, Vector3 } from "three";
import { expect, test } from "vitest";
import { lerpAll, lerpAngle, nlerp, slerp } from "./index.js";

const CASES = 1_000_000;
// gl-matrix uses Float32Array by default.
glMatrix.setMatrixArrayType(Array);

let state = 7;
const random = () => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return state / 2 ** 32;
};

/** Returns a quaternion close to another one, the same, its opposite, or a random one. */
function fillQuat(out: Float64Array, near?: Float64Array): void {
  const spread = near ? [2, 1e-3, 1e-7, 0][Math.floor(4 * random())]! : 2;
  const sign = random() < 0.5 ? -1 : 1;
  for (let i = 0; i < 4; i++) out[i] = sign * (near?.[i] ?? 0) + spread * (random() - 0.5);
  const length = Math.hypot(out[0]!, out[1]!, out[2]!, out[3]!);
  for (let i = 0; i < 4; i++) out[i]! /= length;
}

/** Returns the distance of two rotations. q and -q are the same rotation. */
function distance(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let plus = 0;
  let minus = 0;
  for (let i = 0; i < 4; i++) {
    plus = Math.max(plus, Math.abs(a[i]! + b[i]!));
    minus = Math.max(minus, Math.abs(a[i]! - b[i]!));
  }
  return Math.min(plus, minus);
}

test("slerp agrees with three.js and gl-matrix where these are exact", () => {
  const [a, b, ours] = [new Float64Array(4), new Float64Array(4), new Float64Array(4)];
  const [theirs, three] = [[0, 0, 0, 0] as glQuat, [0, 0, 0, 0]];
  // Both use a straight line for short arcs: three.js above this cosine, gl-matrix for even shorter ones, without normalizing.
  const SHORT_ARC = 0.9995;
  const worst = { arc: 0, shortArc: 0, length: 0 };
  for (let i = 0; i < CASES; i++) {
    fillQuat(a);
    fillQuat(b, a);
    const t = random();
    slerp(ours, a, b, t);
    glQuat.slerp(theirs, a as unknown as glQuat, b as unknown as glQuat, t);
    Quaternion.slerpFlat(three, 0, a as unknown as number[], 0, b as unknown as number[], 0, t);
    const dot = glQuat.dot(a as unknown as glQuat, b as unknown as glQuat);
    const kind = Math.abs(dot) < SHORT_ARC ? "arc" : "shortArc";
    worst[kind] = Math.max(worst[kind], distance(ours, theirs), distance(ours, three));
    worst.length = Math.max(worst.length, Math.abs(Math.hypot(...ours) - 1));
  }
  expect(worst.arc).toBeLessThan(2e-15);
  expect(worst.shortArc).toBeLessThan(5e-7);
  expect(worst.length).toBeLessThan(1e-15);
});

test("nlerp is a normalized lerp along the shorter arc", () => {
  const [a, b, ours] = [new Float64Array(4), new Float64Array(4), new Float64Array(4)];
  const theirs: glQuat = [0, 0, 0, 0];
  let worst = 0;
  for (let i = 0; i < CASES; i++) {
    fillQuat(a);
    fillQuat(b, a);
    const t = random();
    nlerp(ours, a, b, t);
    const dot = glQuat.dot(a as unknown as glQuat, b as unknown as glQuat);
    const near = dot < 0 ? b.map((value) => -value) : b;
    glQuat.lerp(theirs, a as unknown as glQuat, near as unknown as glQuat, t);
    glQuat.normalize(theirs, theirs);
    worst = Math.max(worst, distance(ours, theirs));
  }
  expect(worst).toBeLessThan(1e-15);
});

test("vectors agree with three.js and gl-matrix", () => {
  const [a, b, ours] = [new Float64Array(3), new Float64Array(3), new Float64Array(3)];
  const [theirs, from, to] = [[0, 0, 0] as glVec3, new Vector3(), new Vector3()];
  let worst = 0;
  for (let i = 0; i < CASES; i++) {
    const size = 2 ** (random() * 40 - 20);
    for (let k = 0; k < 3; k++) [a[k], b[k]] = [size * (random() - 0.5), size * (random() - 0.5)];
    const t = random();
    lerpAll(ours, a, b, t);
    glVec3.lerp(theirs, a as unknown as glVec3, b as unknown as glVec3, t);
    from.fromArray(a).lerp(to.fromArray(b), t);
    for (let k = 0; k < 3; k++)
      worst = Math.max(
        worst,
        Math.abs(ours[k]! - theirs[k]!) / size,
        Math.abs(ours[k]! - from.getComponent(k)) / size,
      );
  }
  expect(worst).toBeLessThan(2.3e-16);
});

test("angles agree with rotations about an axis", () => {
  const [a, b, ours] = [new Quaternion(), new Quaternion(), new Quaternion()];
  const axis = new Vector3(0, 0, 1);
  let worst = 0;
  for (let i = 0; i < CASES / 4; i++) {
    const [from, to, t] = [40 * (random() - 0.5), 40 * (random() - 0.5), random()];
    // At half a turn, both directions are equally short.
    if (Math.abs(MathUtils.euclideanModulo(to - from, 2 * Math.PI) - Math.PI) < 1e-3) continue;
    a.setFromAxisAngle(axis, from).slerp(b.setFromAxisAngle(axis, to), t);
    ours.setFromAxisAngle(axis, lerpAngle(from, to, t));
    worst = Math.max(worst, distance(a.toArray(), ours.toArray()));
  }
  expect(worst).toBeLessThan(1e-6);
});
