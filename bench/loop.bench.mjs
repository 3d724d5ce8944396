import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { compare, rounded, spread } from "./rounds.mjs";

/** Optimized code differs from process to process, so the rounds of several processes are taken together. */
const PROCESSES = 5;
const ROUNDS = fileURLToPath(new URL("loop-rounds.mjs", import.meta.url));

const plain = measure("plain");
const costs = measure("costs");
const games = measure("game");
const unblended = measure("unblended");
const [ours, handWritten, mainloop, pixi, babylon] = plain;
const [oursWithCosts, handWrittenWithReadings] = costs;

const ratios = {
  vsHandWritten: compare(ours.times, handWritten.times),
  withCosts: compare(oursWithCosts.times, handWrittenWithReadings.times),
  gameVsHandWritten: compare(games[0].times, games[1].times),
  gameVsHandWrittenUnblended: compare(unblended[0].times, unblended[1].times),
  vsMainloop: compare(ours.times, mainloop.times),
  vsPixi: compare(ours.times, pixi.times),
  vsBabylon: compare(ours.times, babylon.times),
};

console.log(
  `A frame with one step: medians over ${PROCESSES} processes of ${ours.times.length / PROCESSES} rounds`,
);
console.table(
  table([...plain, ...costs, ...games, ...unblended], ({ name, times, bytes }) => [
    name,
    { nanoseconds: rounded(spread(times).median, 1), bytes: rounded(bytes) },
  ]),
);
console.log("Our cost over theirs");
console.table(
  table(Object.entries(ratios), ([name, { p25, median, p75 }]) => [
    name,
    { p25: rounded(p25), median: rounded(median), p75: rounded(p75) },
  ]),
);
if (process.argv.includes("--json")) {
  const medians = table(Object.entries(ratios), ([name, { median }]) => [name, rounded(median)]);
  const bytes = { bytesPerFrame: rounded(ours.bytes), bytesPerGameFrame: rounded(games[0].bytes) };
  console.log(JSON.stringify({ bench: "loop", ...bytes, ...medians }));
}

function table(rows, toEntry) {
  return Object.fromEntries(rows.map(toEntry));
}

/** Returns each contender's nanoseconds per frame, round by round, and its maximum bytes per frame. */
function measure(set) {
  const contenders = new Map();
  for (let i = 0; i < PROCESSES; i++) {
    const output = execFileSync(process.execPath, [...process.execArgv, ROUNDS, set], {
      stdio: ["ignore", "pipe", "inherit"],
      encoding: "utf8",
    });
    const { frames, results } = JSON.parse(output);
    for (const [name, { times, bytes }] of Object.entries(results)) {
      const sum = contenders.get(name) ?? { name, times: [], bytes: 0 };
      sum.times.push(...times.map((milliseconds) => (milliseconds * 1e6) / frames));
      sum.bytes = Math.max(sum.bytes, bytes);
      contenders.set(name, sum);
    }
  }
  return [...contenders.values()];
}
