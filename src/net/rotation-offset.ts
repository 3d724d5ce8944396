// Rotations as vectors: the direction is the axis, the length the angle. Scaling one shortens the way.

interface Numbers {
  [index: number]: number;
}

/** Below this angle, the sine equals its argument to the precision of a double. */
const TINY = 1e-9;

const q = new Float64Array(4);

/**
 * Adds the rotation that leads from quaternion `after` to `before` to a rotation vector, the short way round. Each is given as an
 * array and an index. Returns false if one of the quaternions has no direction.
 */
export function addRotation(
  offset: Numbers,
  at: number,
  before: Numbers,
  i: number,
  after: Numbers,
  j: number,
): boolean {
  const bx = before[i]!;
  const by = before[i + 1]!;
  const bz = before[i + 2]!;
  const bw = before[i + 3]!;
  const ax = -after[j]!;
  const ay = -after[j + 1]!;
  const az = -after[j + 2]!;
  const aw = after[j + 3]!;
  setProduct(bx, by, bz, bw, ax, ay, az, aw);
  const x = q[0]!;
  const y = q[1]!;
  const z = q[2]!;
  const w = q[3]!;
  setExp(offset[at]!, offset[at + 1]!, offset[at + 2]!);
  // q and -q are the same rotation: take the one that turns less, before and after the two are joined.
  const sign = w < 0 ? -1 : 1;
  setProduct(q[0]!, q[1]!, q[2]!, q[3]!, sign * x, sign * y, sign * z, sign * w);
  const turn = q[3]! < 0 ? -1 : 1;
  const length = Math.sqrt(q[0]! * q[0]! + q[1]! * q[1]! + q[2]! * q[2]!);
  const angle = 2 * Math.atan2(length, turn * q[3]!);
  if (!(length * length + q[3]! * q[3]! > 0 && angle < Infinity)) return false;
  const scale = length < TINY ? 2 * turn : (turn * angle) / length;
  offset[at] = q[0]! * scale;
  offset[at + 1] = q[1]! * scale;
  offset[at + 2] = q[2]! * scale;
  return true;
}

/** Turns the quaternion in `numbers` by the rotation vector in `offset`. Its length stays. */
export function turnBy(numbers: Numbers, i: number, offset: Numbers, at: number): void {
  setExp(offset[at]!, offset[at + 1]!, offset[at + 2]!);
  setProduct(q[0]!, q[1]!, q[2]!, q[3]!, numbers[i]!, numbers[i + 1]!, numbers[i + 2]!, numbers[i + 3]!);
  for (let k = 0; k < 4; k++) numbers[i + k] = q[k]!;
}

/** Sets `q` to the quaternion of a rotation vector. */
function setExp(x: number, y: number, z: number): void {
  const angle = Math.sqrt(x * x + y * y + z * z);
  const scale = angle < TINY ? 0.5 : Math.sin(angle / 2) / angle;
  q[0] = x * scale;
  q[1] = y * scale;
  q[2] = z * scale;
  q[3] = Math.cos(angle / 2);
}

/** Sets `q` to the product of two quaternions. */
function setProduct(
  ax: number,
  ay: number,
  az: number,
  aw: number,
  bx: number,
  by: number,
  bz: number,
  bw: number,
): void {
  q[0] = aw * bx + ax * bw + ay * bz - az * by;
  q[1] = aw * by - ax * bz + ay * bw + az * bx;
  q[2] = aw * bz + ax * by - ay * bx + az * bw;
  q[3] = aw * bw - ax * bx - ay * by - az * bz;
}
