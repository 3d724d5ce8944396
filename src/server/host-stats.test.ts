import { expect, test } from "vitest";
import { countersOf, NO_STATS, sumStats } from "./host-stats.js";

test("sums figures of processes, and takes the worst of those that cannot be summed", () => {
  const a = { ...NO_STATS, rooms: 2, ticks: 100, lateP99: 3, replayBytes: 50, memory: 10 };
  const b = { ...NO_STATS, rooms: 1, ticks: 50, lateP99: 7, replayBytes: 50, memory: 20 };
  expect(sumStats([a, b])).toEqual({
    ...NO_STATS,
    rooms: 3,
    ticks: 150,
    lateP99: 7,
    // All processes count the same folder.
    replayBytes: 50,
    memory: 30,
  });
  expect(sumStats([])).toEqual(NO_STATS);
});

test("of a process that has ended, only counters are left", () => {
  const stats = { ...NO_STATS, rooms: 2, players: 3, ticks: 100, bytesIn: 7, memory: 10, lateP99: 3 };
  expect(countersOf(stats)).toEqual({ ...NO_STATS, ticks: 100, bytesIn: 7 });
});
