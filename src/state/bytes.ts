// A state as bytes: "TWSS", the version of this form, the fingerprint, the size and the hash, then the state itself.
import { refuse } from "../time/refuse.js";
import { arraysOf } from "./arrays.js";
import { memoryOf } from "./kernels.js";
import type { Layout } from "./layout.js";

const MAGIC = 0x53535754;
const VERSION = 1;
const HEAD = 28;
const CALL = "State.loadBytes: bytes";
const CURE = "what State.bytes() gave, with the same layout";

/** Head and body: all numbers little-endian. */
export function bytesOf(layout: Layout, body: Uint8Array, hash: readonly [number, number]): Uint8Array {
  const bytes = new Uint8Array(HEAD + body.length);
  const head = new DataView(bytes.buffer);
  const words = [MAGIC, VERSION, ...printOf(layout), body.length, hash[0], hash[1]];
  words.forEach((word, i) => head.setUint32(4 * i, word, true));
  bytes.set(body, HEAD);
  return bytes;
}

/** The state in it, if it is whole, unchanged, and of this layout. */
export function readBytes(layout: Layout, bytes: Uint8Array): Uint8Array {
  if (!(bytes instanceof Uint8Array)) refuse(CALL, "a Uint8Array", bytes, CURE);
  if (bytes.length < HEAD) refuse(CALL, `at least ${HEAD} bytes`, bytes.length, CURE);
  const head = new DataView(bytes.buffer, bytes.byteOffset, HEAD);
  const word = (i: number) => head.getUint32(4 * i, true);
  if (word(0) !== MAGIC) refuse(`${CALL} 0 to 3`, "TWSS", word(0), CURE);
  if (word(1) !== VERSION) refuse(`${CALL} 4 to 7`, `version ${VERSION}`, word(1), CURE);
  const print = printOf(layout);
  if (word(2) !== print[0] || word(3) !== print[1])
    refuse(`${CALL} 8 to 15`, `of the layout ${layout.fingerprint}`, hex(word(2)) + hex(word(3)), CURE);
  if (word(4) !== layout.size || bytes.length !== HEAD + layout.size)
    refuse(CALL, `${HEAD + layout.size} bytes long`, bytes.length, CURE);
  const { buffer, kernels } = memoryOf(layout.size, "js");
  const body = new Uint8Array(buffer, 0, layout.size);
  body.set(bytes.subarray(HEAD));
  const { f64, f32, whole } = layout.areas;
  const hash = [0, 0];
  kernels.hash(0, f64, f32, whole, hash);
  if (hash[0] !== word(5) || hash[1] !== word(6))
    refuse(
      `${CALL} 20 to 27`,
      `the hash of the rest, ${hex(hash[0]!)}${hex(hash[1]!)}`,
      hex(word(5)) + hex(word(6)),
      CURE,
    );
  requireSound(layout, buffer);
  return body;
}

/** What a step could not have left: a free list that leads astray would do so only later. */
function requireSound({ tables, books }: Layout, buffer: ArrayBuffer): void {
  const { f64, u32 } = arraysOf(buffer);
  const tick = f64[books.tick.offset / 8]!;
  if (!(Number.isSafeInteger(tick) && tick >= 0))
    refuse(`${CALL}: tick`, "a whole number, 0 or more", tick, CURE);
  for (const { owner, books: table } of tables) {
    const at = (name: string) => table[name]!.offset / 4;
    const [count, end] = [u32[at("count")]!, u32[at("end")]!];
    const ids = f64.subarray(table.id!.offset / 8, table.id!.offset / 8 + owner.rows);
    const isSound = ids.every((id, row) =>
      row < end
        ? Number.isSafeInteger(id) && Math.abs(id) % owner.rows === (row + 1) % owner.rows && id !== 0
        : id === 0,
    );
    let free = u32[at("free")]!;
    let freed = 0;
    while (free > 0 && free <= end && ids[free - 1]! < 0 && freed <= end) {
      freed++;
      free = u32[at("next") + free - 1]!;
    }
    const alive = ids.filter((id) => id > 0).length;
    if (!isSound || free !== 0 || end > owner.rows || alive !== count || alive + freed !== end)
      refuse(`${CALL}: table ${owner.path}`, "rows that add and remove can leave", "others", CURE);
  }
}

const hex = (word: number) => word.toString(16).padStart(8, "0");
const printOf = ({ fingerprint }: Layout) =>
  [0, 8].map((from) => parseInt(fingerprint.slice(from, from + 8), 16)) as [number, number];
