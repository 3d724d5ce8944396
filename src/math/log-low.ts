// log(1 + f) = f - f² / 2 + s (f² / 2 + R(s²)), s = f / (2 + f): polynomial of fdlibm's e_log.c, error 2^-58.
const L1 = 6.66666666666673513e-1;
const L2 = 3.999999999940941908e-1;
const L3 = 2.857142874366239149e-1;
const L4 = 2.222219843214978396e-1;
const L5 = 1.818357216161805012e-1;
const L6 = 1.531383769920937332e-1;
const L7 = 1.479819860511658591e-1;

/** log(1 + f) - f + f² / 2, for 1 + f from √½ to √2; half is f² / 2. */
export function logLow(f: number, half: number): number {
  const s = f / (2 + f);
  const z = s * s;
  const w = z * z;
  const r = z * (L1 + w * (L3 + w * (L5 + w * L7))) + w * (L2 + w * (L4 + w * L6));
  return s * (half + r);
}
