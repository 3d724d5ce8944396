// Polynomial of fdlibm's s_atan.c: atan(t) = t - t³ A(t²) for |t| ≤ 7 / 16, within 2^-57 of it.
const A0 = 3.33333333333329318027e-1;
const A1 = -1.99999999998764832476e-1;
const A2 = 1.42857142725034663711e-1;
const A3 = -1.1111110405462355788e-1;
const A4 = 9.09088713343650656196e-2;
const A5 = -7.69187620504482999495e-2;
const A6 = 6.66107313738753120669e-2;
const A7 = -5.83357013379057348645e-2;
const A8 = 4.97687799461593236017e-2;
const A9 = -3.6531572744216915527e-2;
const A10 = 1.62858201153657823623e-2;

/** t - atan(t), for |t| ≤ 7 / 16. */
export function atanLow(t: number): number {
  const z = t * t;
  const w = z * z;
  const u = w * w;
  const low = A0 + z * A1 + w * (A2 + z * A3);
  const middle = A4 + z * A5 + w * (A6 + z * A7);
  const high = A8 + z * A9 + w * A10;
  return t * z * (low + u * (middle + u * high));
}
