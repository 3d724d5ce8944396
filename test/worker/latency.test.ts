// The table of latencies in docs/smoothness.md is what the code does.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { latencyOf } from "./latency.js";

const docs = readFileSync(new URL("../../docs/smoothness.md", import.meta.url), "utf8");

test("from an input to its picture, on one thread and in a worker: as docs/smoothness.md says", async () => {
  const rows: string[] = [];
  for (const refresh of [60, 144])
    for (const cost of [1, 8]) {
      const cells: string[] = [];
      for (const isInWorker of [false, true])
        for (const present of ["interpolate", "speculate"] as const)
          cells.push((await latencyOf({ isInWorker, present, refresh, cost })).toFixed(1));
      rows.push(`| ${refresh} Hz, steps of ${cost} ms | ${cells.join(" | ")} |`);
    }
  const missing = rows.filter((row) => !docs.includes(row));
  expect(missing, `Rows of the table:\n${rows.join("\n")}`).toEqual([]);
});
