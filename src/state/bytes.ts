// A state as bytes: "TWSS", the version of this form, the fingerprint, the size and the hash, then the state itself.
import { badValue } from "../errors/index.js";
import { arraysOf } from "./arrays.js";
import { digits, hashText, type Hash } from "./hash.js";
import { memoryOf } from "./memory.js";
import type { Layout } from "./layout.js";
import type { Leaf, TableNode } from "./leaves.js";

const MAGIC = 0x53535754;
const VERSION = 1;
const HEAD = 28;
const CALL = "State.loadBytes: bytes";
const FIX = "what State.bytes() gave, with the same layout";

/** Head and body: all numbers little-endian. */
export function bytesOf(layout: Layout, body: Uint8Array, hash: Hash): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(HEAD + body.length);
  const head = new DataView(bytes.buffer);
  const words = [MAGIC, VERSION, ...printOf(layout), body.length, hash[0], hash[1]];
  words.forEach((word, i) => head.setUint32(4 * i, word, true));
  bytes.set(body, HEAD);
  return bytes;
}

/** The state in it, if it is whole, unchanged, and of this layout. */
export function readBytes(layout: Layout, bytes: Uint8Array): Uint8Array {
  if (!(bytes instanceof Uint8Array)) badValue(CALL, "a Uint8Array", bytes, FIX);
  if (bytes.length < HEAD) badValue(CALL, `at least ${HEAD} bytes`, bytes.length, FIX);
  const head = new DataView(bytes.buffer, bytes.byteOffset, HEAD);
  const word = (i: number) => head.getUint32(4 * i, true);
  if (word(0) !== MAGIC) badValue(`${CALL} 0 to 3`, "TWSS", digits(word(0)), FIX);
  if (word(1) !== VERSION) badValue(`${CALL} 4 to 7`, `version ${VERSION}`, word(1), FIX);
  const print = printOf(layout);
  if (word(2) !== print[0] || word(3) !== print[1])
    badValue(`${CALL} 8 to 15`, `of the layout ${layout.fingerprint}`, hashText([word(2), word(3)]), FIX);
  if (word(4) !== layout.size) badValue(`${CALL} 16 to 19`, `a size of ${layout.size}`, word(4), FIX);
  if (bytes.length !== HEAD + layout.size)
    badValue(CALL, `${HEAD + layout.size} bytes long`, bytes.length, FIX);
  const { buffer, kernels } = memoryOf(layout.size, "js");
  const body = new Uint8Array(buffer, 0, layout.size);
  body.set(bytes.subarray(HEAD));
  const { f64, f32, int } = layout.areas;
  const hash: [number, number] = [0, 0];
  kernels.hash(0, f64, f32, int, hash);
  if (hash[0] !== word(5) || hash[1] !== word(6))
    badValue(
      `${CALL} 20 to 27`,
      `the hash of the rest, ${hashText(hash)}`,
      hashText([word(5), word(6)]),
      FIX,
    );
  requireSound(layout, buffer);
  return body;
}

/** What a step could not have left: a free list that leads astray would do so only later. */
function requireSound({ tables, own }: Layout, buffer: ArrayBuffer): void {
  const { f64, u32 } = arraysOf(buffer);
  const tick = f64[own.tick.offset / 8]!;
  if (!(Number.isSafeInteger(tick) && tick >= 0))
    badValue("State.loadBytes: tick", "a whole number, 0 or more", tick, FIX);
  const words = u32.subarray(own.random.offset / 4, own.random.offset / 4 + 4);
  if (words.every((word) => word === 0)) badValue("State.loadBytes: random", "seeded", "only zeros", FIX);
  for (const table of tables)
    if (!isSound(table, f64, u32))
      badValue(
        `State.loadBytes: table ${table.owner.path}`,
        "rows that add and remove can leave",
        "others",
        FIX,
      );
}

function isSound({ owner: { rows }, allocation }: TableNode, f64: Float64Array, u32: Uint32Array): boolean {
  const word = (leaf: Leaf, row = 0) => u32[leaf.offset / 4 + row]!;
  const idOf = (row: number) => f64[allocation.id.offset / 8 + row]!;
  let used = 0;
  while (used < rows && idOf(used) !== 0) used++;
  const end = word(allocation.end);
  if (end > used) return false;
  let live = 0;
  for (let row = 0; row < rows; row++) {
    const id = idOf(row);
    // The id of a used row, or its last one negated, leads to this row. Live rows lie before the end.
    const isRight = row < used ? Number.isSafeInteger(id) && (Math.abs(id) - 1) % rows === row : id === 0;
    if (!isRight || (id > 0 && row >= end) || (id >= 0 && word(allocation.next, row) !== 0)) return false;
    if (id > 0) live++;
  }
  let freed = 0;
  let free = word(allocation.free);
  // As many as there can be: a list that leads back into itself has no end.
  for (; free > 0 && free <= used && idOf(free - 1) < 0 && freed < used; freed++)
    free = word(allocation.next, free - 1);
  return free === 0 && live === word(allocation.count) && live + freed === used;
}

const printOf = ({ fingerprint }: Layout) =>
  [0, 8].map((from) => parseInt(fingerprint.slice(from, from + 8), 16)) as [number, number];
