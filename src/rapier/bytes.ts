// A snapshot as bytes: "TWPH", the version of this form, 64 bits of the snapshot, 16 bytes of the version of Rapier,
// then the snapshot itself. Rapier reads another version's, or a changed one, as it comes, and may crash only later.
import { badValue } from "../errors/index.js";
import { digest } from "./digest.js";

/** "TWPH". */
const MAGIC = 0x48505754;
/** "TWRP": the magic of older snapshots, and of replay files. */
const OLD_MAGIC = 0x50525754;
const VERSION = 1;
const NAME_AT = 16;
export const HEAD = 32;
const CALL = "rapier.load: bytes";
const CURE = "what save() gave, with the same version of Rapier";

export function bytesOf(snapshot: Uint8Array, rapier: string): Uint8Array {
  const bytes = new Uint8Array(HEAD + snapshot.length);
  bytes.set(snapshot, HEAD);
  const head = new DataView(bytes.buffer);
  const [a, b] = digest(bytes.subarray(HEAD));
  [MAGIC, VERSION, a, b].forEach((word, i) => head.setUint32(4 * i, word, true));
  for (let i = NAME_AT; i < HEAD; i++) bytes[i] = rapier.charCodeAt(i - NAME_AT);
  return bytes;
}

/** The snapshot in it, if it is whole, unchanged, and of this Rapier. */
export function snapshotOf(given: Uint8Array, rapier: string): Uint8Array {
  if (!(given instanceof Uint8Array)) badValue(CALL, "a Uint8Array", given, CURE);
  if (given.length < HEAD) badValue(CALL, `at least ${HEAD} bytes`, given.length, CURE);
  // Part of a longer array may begin anywhere, and words do not.
  const bytes = given.byteOffset % 4 === 0 ? given : given.slice();
  const head = new DataView(bytes.buffer, bytes.byteOffset, HEAD);
  const word = (at: number) => head.getUint32(at, true);
  if (word(0) !== MAGIC)
    badValue(
      `${CALL} 0 to 3`,
      "TWPH",
      word(0) === OLD_MAGIC ? "TWRP, the magic of replays and of older snapshots" : word(0),
      CURE,
    );
  if (word(4) !== VERSION) badValue(`${CALL} 4 to 7`, `version ${VERSION}`, word(4), CURE);
  const name = String.fromCharCode(...bytes.subarray(NAME_AT, HEAD)).replaceAll("\0", "");
  if (name !== rapier.slice(0, HEAD - NAME_AT)) badValue(`${CALL} 16 to 31`, `Rapier ${rapier}`, name, CURE);
  const snapshot = bytes.subarray(HEAD);
  const [a, b] = digest(snapshot);
  if (word(8) !== a || word(12) !== b)
    badValue(`${CALL} 8 to 15`, "the digest of the rest", "that of others: they were changed", CURE);
  return snapshot;
}
