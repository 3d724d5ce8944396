// A snapshot as bytes: "TWPH", the version of this format, a 64-bit digest of the snapshot, 16 bytes for the version of Rapier,
// then the snapshot itself. Rapier does not check snapshots: a damaged one, or one of another version, may crash it later.
import { badValue, misuse } from "../errors/index.js";
import { digest } from "./digest.js";

/** "TWPH". */
const MAGIC = 0x48505754;
/** "TWRP": the magic of older snapshots, and of replay files. */
const OLD_MAGIC = 0x50525754;
const VERSION = 1;
const NAME_AT = 16;
export const HEAD = 32;
const CALL = "rapier.load";
const FIX = "Load the bytes exactly as save() returned them";

export function bytesOf(snapshot: Uint8Array, rapier: string): Uint8Array {
  const bytes = new Uint8Array(HEAD + snapshot.length);
  bytes.set(snapshot, HEAD);
  const head = new DataView(bytes.buffer);
  const [a, b] = digest(bytes.subarray(HEAD));
  [MAGIC, VERSION, a, b].forEach((word, i) => head.setUint32(4 * i, word, true));
  for (let i = NAME_AT; i < HEAD; i++) bytes[i] = rapier.charCodeAt(i - NAME_AT);
  return bytes;
}

/** Returns the snapshot. Throws if it is damaged, or of another version of Rapier. */
export function snapshotOf(given: Uint8Array, rapier: string): Uint8Array {
  if (!(given instanceof Uint8Array)) badValue(`${CALL}: bytes`, "a Uint8Array", given, "physics.save()");
  const fail: (problem: string) => never = (problem) => misuse("corrupt-data", CALL, problem, FIX);
  if (given.length < HEAD) fail(`the snapshot has only ${given.length} bytes`);
  // The digest reads words, which must be aligned.
  const bytes = given.byteOffset % 4 === 0 ? given : given.slice();
  const head = new DataView(bytes.buffer, bytes.byteOffset, HEAD);
  const word = (at: number) => head.getUint32(at, true);
  if (word(0) === OLD_MAGIC)
    misuse("unsupported", CALL, 'a replay ("TWRP"), or a snapshot of an older version of Tickwise', FIX);
  if (word(0) !== MAGIC) fail('not a snapshot: it does not begin with "TWPH"');
  if (word(4) !== VERSION)
    misuse(
      "unsupported",
      CALL,
      `the snapshot has format version ${word(4)}, not ${VERSION}`,
      "Update tickwise",
    );
  const name = String.fromCharCode(...bytes.subarray(NAME_AT, HEAD)).replaceAll("\0", "");
  if (name !== rapier.slice(0, HEAD - NAME_AT))
    misuse(
      "unsupported",
      CALL,
      `the snapshot is of Rapier ${JSON.stringify(name)}, but this is Rapier ${rapier}`,
      "Use the same version of Rapier",
    );
  const snapshot = bytes.subarray(HEAD);
  const [a, b] = digest(snapshot);
  if (word(8) !== a || word(12) !== b) fail("the snapshot is damaged or truncated: its digest is wrong");
  return snapshot;
}
