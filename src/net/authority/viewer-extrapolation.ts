import type { Arrays } from "../../state/arrays.js";
import type { Layout, State } from "../../state/index.js";
import { addRotation, turnBy } from "../rotation-offset.js";

type Owner = Layout["owners"][number];
type Leaf = Owner["blended"][number];

/** Largest turn that is extrapolated: blends take the short way round, so it must be less than half a turn. */
const MAX_TURN = 0.9 * Math.PI;
const TURN = 2 * Math.PI;

const rotation = new Float64Array(3);

/**
 * Writes a state that lies `seconds` after the newest one: fields with a blend mode go on as their velocities say, or as they did
 * between the state before and the newest one, which are `apart` seconds apart. Everything else stays. Blend with it to extrapolate.
 */
export function extrapolate(
  state: State,
  before: number,
  newest: number,
  to: number,
  apart: number,
  seconds: number,
): void {
  const { arrays, layout } = state;
  const old = state.baseOf("extrapolate", before);
  const now = state.baseOf("extrapolate", newest);
  const out = state.baseOf("extrapolate", to);
  arrays.u8.copyWithin(out, now, now + layout.size);
  const factor = apart > 0 ? seconds / apart : 0;
  for (let i = 0; i < layout.owners.length; i++)
    extrapolateRows(layout.owners[i]!, arrays, old, now, out, factor, seconds);
  state.detach(to);
}

function extrapolateRows(
  { rows, ids, skips, blended }: Owner,
  arrays: Arrays,
  old: number,
  now: number,
  out: number,
  factor: number,
  seconds: number,
): void {
  const { f64, u32 } = arrays;
  if (blended.length === 0) return;
  for (let row = 0; row < rows; row++) {
    const at = ids ? ids.offset / 8 + row : 0;
    const id = ids ? f64[now / 8 + at]! : 1;
    if (!(id > 0)) continue;
    const skip = skips.offset / 4 + row;
    // A row that is new, or was moved on purpose, has no past to go on from.
    const isNew = (ids && f64[old / 8 + at] !== id) || u32[old / 4 + skip] !== u32[now / 4 + skip];
    for (let i = 0; i < blended.length; i++) {
      const leaf = blended[i]!;
      if (leaf.velocityLeaf) addVelocity(leaf, leaf.velocityLeaf, arrays, row, now, out, seconds);
      else if (!isNew) addDifference(leaf, arrays, row, old, now, out, factor);
    }
  }
}

const isDouble = ({ type }: Leaf): boolean => type === "f64";

function addVelocity(
  leaf: Leaf,
  velocityLeaf: Leaf,
  arrays: Arrays,
  row: number,
  now: number,
  out: number,
  seconds: number,
): void {
  const size = isDouble(leaf) ? 8 : 4;
  const numbers = isDouble(leaf) ? arrays.f64 : arrays.f32;
  const speeds = isDouble(velocityLeaf) ? arrays.f64 : arrays.f32;
  const to = (out + leaf.offset) / size + row * leaf.stride;
  const from = (now + velocityLeaf.offset) / (isDouble(velocityLeaf) ? 8 : 4) + row * velocityLeaf.stride;
  for (let k = 0; k < leaf.stride; k++) numbers[to + k]! += speeds[from + k]! * seconds;
}

function addDifference(
  leaf: Leaf,
  arrays: Arrays,
  row: number,
  old: number,
  now: number,
  out: number,
  factor: number,
): void {
  const { blendMode, stride, width } = leaf;
  const size = isDouble(leaf) ? 8 : 4;
  const numbers = isDouble(leaf) ? arrays.f64 : arrays.f32;
  const first = leaf.offset / size + row * stride;
  const a = old / size + first;
  const b = now / size + first;
  const to = out / size + first;
  if (blendMode === "slerp" || blendMode === "nlerp")
    for (let k = 0; k < stride; k += width) turnOn(numbers, a + k, b + k, to + k, factor);
  else if (blendMode === "angle")
    for (let k = 0; k < stride; k++) {
      const step = numbers[b + k]! - numbers[a + k]!;
      const turn = (step - TURN * Math.floor(step / TURN + 0.5)) * factor;
      numbers[to + k]! += Math.max(-MAX_TURN, Math.min(MAX_TURN, turn));
    }
  else for (let k = 0; k < stride; k++) numbers[to + k]! += (numbers[b + k]! - numbers[a + k]!) * factor;
}

/** Turns a quaternion on, as it turned between two states. */
function turnOn(
  numbers: Float64Array | Float32Array,
  a: number,
  b: number,
  to: number,
  factor: number,
): void {
  rotation.fill(0);
  if (!addRotation(rotation, 0, numbers, b, numbers, a)) return;
  const angle = Math.sqrt(rotation[0]! ** 2 + rotation[1]! ** 2 + rotation[2]! ** 2) * factor;
  const scale = angle > MAX_TURN ? (factor * MAX_TURN) / angle : factor;
  for (let k = 0; k < 3; k++) rotation[k]! *= scale;
  turnBy(numbers, to, rotation, 0);
}
