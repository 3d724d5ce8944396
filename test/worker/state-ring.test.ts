import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { HEAD_TICK } from "../../src/worker/state-head.js";
import { MIN_SLOTS, ringBytes, RingReader, RingWriter } from "../../src/worker/state-ring.js";
import { FULL } from "../full.js";
import type { RingTest } from "./ring-writer.js";

const READS = FULL ? 10_000_000 : 300_000;

test(`${READS} reads beside a writer that never rests: no state is torn, none goes back, and neither side waits`, async () => {
  const folder = mkdtempSync(join(tmpdir(), "tickwise-ring-"));
  const outfile = join(folder, "writer.mjs");
  await build({
    entryPoints: [fileURLToPath(new URL("ring-writer.ts", import.meta.url))],
    bundle: true,
    platform: "node",
    format: "esm",
    outfile,
  });
  const [slots, words] = [MIN_SLOTS, 48];
  const data: RingTest = {
    control: new SharedArrayBuffer(ringBytes(slots)),
    states: new SharedArrayBuffer(4 * slots * words),
    slots,
    words,
    stop: new Int32Array(new SharedArrayBuffer(4)),
  };
  new RingWriter(data.control, slots).reset();
  const reader = new RingReader(data.control, slots);
  const memory = new Int32Array(data.states);
  const worker = new Worker(outfile, { workerData: data });
  const written = new Promise<number>((resolve) => worker.once("message", resolve));

  /** The tick of the state in a slot. Throws if it is torn. */
  const tickIn = (slot: number) => {
    const from = slot * words;
    let sum = 0;
    for (let i = 0; i < words - 1; i++) sum = (sum + memory[from + i]!) | 0;
    if (sum !== memory[from + words - 1] || memory[from] !== reader.read(slot, HEAD_TICK))
      throw new Error(`state ${memory[from]} in slot ${slot} is torn`);
    return memory[from]!;
  };
  const wanted = new Float64Array([-1]);
  let [last, changes, pairs, newest, takeOvers] = [-1, 0, 0, -1, 0];
  for (let i = 0; i < READS;) {
    // As the shown time never goes back.
    if (reader.claimNewest()) takeOvers++;
    if (reader.newest < 0) continue;
    const tick = tickIn(reader.newest);
    if (tick < newest) throw new Error(`newest state ${tick} after ${newest}`);
    newest = tick;
    wanted[0] = Math.max(wanted[0]!, newest - 0.5);
    reader.claim(wanted);
    if (reader.previous < 0) continue;
    i++;
    const [before, after] = [tickIn(reader.previous), tickIn(reader.current)];
    // It may hold both for long.
    if (i % 7 === 0) for (let j = 0; j < 20; j++) tickIn(reader.previous);
    if (before > after || after < last) throw new Error(`states ${before} and ${after} after ${last}`);
    if (before < after) pairs++;
    if (after > last) changes++;
    last = after;
  }
  Atomics.store(data.stop, 0, 1);
  const count = await written;
  await worker.terminate();
  rmSync(folder, { recursive: true });
  console.log(`${READS} reads, ${count} writes, ${changes} new states, ${reader.retries} retries`);
  expect(count).toBeGreaterThan(1000);
  expect(changes).toBeGreaterThan(10);
  expect(pairs).toBeGreaterThan(10);
  expect(takeOvers).toBeGreaterThan(100);
  expect(last).toBeLessThanOrEqual(count);
});
