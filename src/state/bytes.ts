// A state as bytes: "TWSS", the format version, the fingerprint, the size and the hash, then the state itself.
import { badValue, misuse } from "../errors/index.js";
import { arraysOf } from "./arrays.js";
import { pathOf } from "./diff.js";
import { digits, hashText, type Hash } from "./hash.js";
import { memoryOf } from "./memory.js";
import type { Layout } from "./layout.js";
import type { Leaf, TableNode } from "./leaves.js";

const MAGIC = 0x53535754;
const VERSION = 1;
const HEAD = 28;
const CALL = "State.loadBytes";

/** Returns header and body, all numbers little-endian. */
export function bytesOf(layout: Layout, body: Uint8Array, hash: Hash): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(HEAD + body.length);
  const head = new DataView(bytes.buffer);
  const words = [MAGIC, VERSION, ...fingerprintWords(layout), body.length, hash[0], hash[1]];
  words.forEach((word, i) => head.setUint32(4 * i, word, true));
  bytes.set(body, HEAD);
  return bytes;
}

/** Returns the body. Throws if the bytes are damaged, or belong to another layout. */
export function readBytes(layout: Layout, bytes: Uint8Array): Uint8Array {
  if (!(bytes instanceof Uint8Array))
    badValue(`${CALL}: bytes`, "a Uint8Array", bytes, "the result of State.bytes()");
  if (bytes.length < HEAD) corrupt(`the header needs ${HEAD} bytes, but there are ${bytes.length}`);
  const head = new DataView(bytes.buffer, bytes.byteOffset, HEAD);
  const word = (i: number) => head.getUint32(4 * i, true);
  if (word(0) !== MAGIC)
    corrupt(`bytes 0 to 3 are ${digits(word(0))}, not ${digits(MAGIC)}`, "Pass the result of State.bytes()");
  if (word(1) !== VERSION)
    misuse("unsupported", CALL, `bytes 4 to 7 are version ${word(1)} of the format, not ${VERSION}`);
  const print = fingerprintWords(layout);
  if (word(2) !== print[0] || word(3) !== print[1])
    misuse(
      "wrong-simulation",
      CALL,
      `the bytes were saved with layout ${hashText([word(2), word(3)])}, but this state has layout ${layout.fingerprint}`,
      "Load them with the layout that saved them",
    );
  if (word(4) !== layout.size) corrupt(`bytes 16 to 19 are a size of ${word(4)}, not ${layout.size}`);
  if (bytes.length !== HEAD + layout.size)
    corrupt(`${HEAD + layout.size} bytes were saved, but there are ${bytes.length}`);
  const { buffer, kernels } = memoryOf(layout.size, "js");
  const body = new Uint8Array(buffer, 0, layout.size);
  body.set(bytes.subarray(HEAD));
  const { f64, f32, int } = layout.areas;
  const hash: [number, number] = [0, 0];
  kernels.hash(0, f64, f32, int, hash);
  if (hash[0] !== word(5) || hash[1] !== word(6))
    corrupt(
      `the hash in bytes 20 to 27 is ${hashText([word(5), word(6)])}, but the state has hash ${hashText(hash)}`,
    );
  requireValid(layout, buffer);
  return body;
}

function corrupt(problem: string, fix = "Use the bytes exactly as they were saved"): never {
  misuse("corrupt-data", CALL, `the bytes are damaged: ${problem}`, fix);
}

/** Rejects a state that no step can have produced. A corrupt free list, for example, would cause errors much later. */
function requireValid({ tables, own, leaves }: Layout, buffer: ArrayBuffer): void {
  const { f64, u32, u16 } = arraysOf(buffer);
  const tick = f64[own.tick.offset / 8]!;
  if (!(Number.isSafeInteger(tick) && tick >= 0)) corrupt(`the tick is ${tick}, not a whole number`);
  const words = u32.subarray(own.random.offset / 4, own.random.offset / 4 + 4);
  if (words.every((word) => word === 0)) corrupt("the random generator was never seeded");
  for (const table of tables)
    if (!hasValidRows(table, f64, u32))
      corrupt(`the row bookkeeping of table "${table.owner.path}" is corrupt`);
  for (const leaf of leaves)
    if (leaf === leaf.trail?.position)
      for (let row = 0; row < leaf.rows; row++)
        if (u16[leaf.offset / 2 + row]! >= 2 * leaf.trail.ticks)
          corrupt(`the number ${pathOf(leaf, row)} is out of range`);
}

function hasValidRows(
  { owner: { rows }, allocation }: TableNode,
  f64: Float64Array,
  u32: Uint32Array,
): boolean {
  const word = (leaf: Leaf, row = 0) => u32[leaf.offset / 4 + row]!;
  const idOf = (row: number) => f64[allocation.id.offset / 8 + row]!;
  let used = 0;
  while (used < rows && idOf(used) !== 0) used++;
  const end = word(allocation.end);
  if (end > used) return false;
  let live = 0;
  for (let row = 0; row < rows; row++) {
    const id = idOf(row);
    // The id of a used row, or the negated id of a freed one, leads to this row. Live rows come before the end.
    const isRight = row < used ? Number.isSafeInteger(id) && (Math.abs(id) - 1) % rows === row : id === 0;
    if (!isRight || (id > 0 && row >= end) || (id >= 0 && word(allocation.next, row) !== 0)) return false;
    if (id > 0) live++;
  }
  let freed = 0;
  let free = word(allocation.free);
  // Stop after `used` rows: a corrupt free list may be a cycle.
  for (; free > 0 && free <= used && idOf(free - 1) < 0 && freed < used; freed++)
    free = word(allocation.next, free - 1);
  return free === 0 && live === word(allocation.count) && live + freed === used;
}

const fingerprintWords = ({ fingerprint }: Layout) =>
  [0, 8].map((from) => parseInt(fingerprint.slice(from, from + 8), 16)) as [number, number];
