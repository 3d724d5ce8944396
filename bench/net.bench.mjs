// Netcode: two players on simulated networks, in virtual time; other libraries on the same ones; and what a session costs.
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { playNetplayjs, playRollbackNetcode } from "./net-peers.mjs";
import { playTickwise } from "./net-tickwise.mjs";
import { compare, rounded, spread } from "./rounds.mjs";

/** A quick look: `npm run bench -- net --quick`. */
const isQuick = process.argv.includes("--quick");
const SEEDS = isQuick ? [1] : [1, 2, 3, 4, 5];
const SECONDS = isQuick ? 60 : 600;
/** This peer takes much longer to simulate, and its figures hardly change after a minute. */
const NETPLAYJS_SECONDS = isQuick ? 20 : 120;
/** All processes take the same steps. Disturbances only add to a time, so the minimum of each tick counts. */
const PROCESSES = isQuick ? 2 : 5;
/** A turn of the script that plays the pile, most of which is calmer than its beginning. */
const COST_TICKS = { resimulated: 300, quiet: 1200 };
const COST = fileURLToPath(new URL("net-cost.mjs", import.meta.url));

const jittery = { latency: 50, jitter: 5 };
const NETWORKS = {
  "50ms": { network: { latency: 50 } },
  loss5: { network: { ...jittery, loss: 0.05 } },
  loss10: { network: { ...jittery, loss: 0.1 } },
  loss30: { network: { ...jittery, loss: 0.3 } },
  bursts: { network: { ...jittery, loss: 0.1, burst: 8 } },
  far: { network: { latency: 300, jitter: 100, loss: 0.3 }, window: 24 },
  // With jitter: 50 ms are exactly three ticks, so that one of the two would always be a whole tick ahead.
  late: { network: jittery, late: 20 },
  slow: { network: jittery, skew: -0.01 },
};
const LOSSES = { "0 %": "50ms", "5 %": "loss5", "10 %": "loss10", "30 %": "loss30" };

/** Plays the games of all seeds on a network. */
async function playAll(play, network, seconds) {
  const runs = [];
  for (const seed of SEEDS) runs.push(await play(network, seed, seconds));
  const peers = runs.flatMap((run) => run.peers);
  const sum = (name, list = peers) => list.reduce((total, peer) => total + peer[name], 0);
  /** Applied to the peers A of all runs, and to the peers B. */
  const bySide = (figure) => [0, 1].map((side) => figure(runs.map((run) => run.peers[side])));
  return {
    bytes: sum("sentBytes") / sum("sent"),
    bytesPerSecond: sum("sentBytes") / peers.length / seconds,
    stalled: Math.max(...bySide((list) => sum("stalled", list) / sum("turns", list))),
    mostStalledTicks: Math.max(...peers.map(({ stalled }) => stalled)),
    frozen: sum("frozen"),
    frozenRuns: runs.filter((run) => run.peers.some(({ frozen }) => frozen > 0)).length,
    frozenAt: runs.map((run) => Math.min(...run.peers.map(({ frozenAt }) => frozenAt ?? Infinity))),
    desyncs: sum("desyncs", runs),
    resim: bySide((list) => rounded(sum("resimulated", list) / sum("ticks", list), 3)),
    scaleOne: Math.min(...bySide((list) => sum("scaleOne", list) / sum("turns", list))),
    maxWindow: Math.max(...peers.map(({ window }) => window)),
  };
}

const percent = (part, digits = 2) => `${rounded(100 * part, digits)} %`;

const started = performance.now();
const ours = {};
for (const [name, network] of Object.entries(NETWORKS))
  ours[name] = await playAll(playTickwise, network, SECONDS);
console.log(
  `Two players on simulated networks, input delay 0: ${SEEDS.length} games of ${SECONDS} s each, the worse peer`,
);
console.table(
  Object.fromEntries(
    Object.entries(ours).map(([name, figures]) => [
      name,
      {
        "bytes per packet": rounded(figures.bytes),
        stalled: percent(figures.stalled, 3),
        "stalled ticks, worst game": figures.mostStalledTicks,
        frozen: figures.frozen,
        desyncs: figures.desyncs,
        "resimulated per tick": figures.resim.join(" / "),
        "scale exactly 1": percent(figures.scaleOne, 1),
        "window at the end": figures.maxWindow,
      },
    ]),
  ),
);

const theirs = { "rollback-netcode": {}, netplayjs: {} };
for (const [loss, name] of Object.entries(LOSSES)) {
  theirs["rollback-netcode"][loss] = await playAll(playRollbackNetcode, NETWORKS[name], SECONDS);
  theirs.netplayjs[loss] = await playAll(playNetplayjs, NETWORKS[name], NETPLAYJS_SECONDS);
}
console.log(
  `The same with other libraries (netplayjs: ${NETPLAYJS_SECONDS} s), by loss on a line of 50 ± 5 ms`,
);
const libraries = {
  Tickwise: Object.fromEntries(Object.entries(LOSSES).map(([loss, name]) => [loss, ours[name]])),
  ...theirs,
};
console.table(
  Object.fromEntries(
    Object.entries(libraries).flatMap(([library, byLoss]) =>
      Object.entries(byLoss).map(([loss, figures]) => [
        `${library}, ${loss}`,
        {
          "bytes per packet": rounded(figures.bytes, 1),
          "bytes per second": rounded(figures.bytesPerSecond, 0),
          stalled: percent(figures.stalled),
          "games that froze": `${figures.frozenRuns} of ${SEEDS.length}`,
          "after s": figures.frozenRuns > 0 ? rounded(spread(figures.frozenAt).median, 0) : "",
          desyncs: figures.desyncs,
        },
      ]),
    ),
  ),
);

/** Runs a part of net-cost.mjs in processes of its own. */
function measure(mode) {
  return Array.from({ length: PROCESSES }, () =>
    JSON.parse(
      execFileSync(process.execPath, [...process.execArgv, COST, mode, `${COST_TICKS[mode]}`], {
        stdio: ["ignore", "pipe", "inherit"],
        encoding: "utf8",
      }),
    ),
  );
}

const sumOf = (list) => list.reduce((sum, value) => sum + value, 0);

/** Returns the cost of sessions over that of bare steps. */
function costOf(mode) {
  const processes = measure(mode);
  const fastest = (name) =>
    processes[0][name].map((_, tick) => Math.min(...processes.map((one) => one[name][tick])));
  const [times, bareTimes, saveTimes] = [fastest("times"), fastest("bareTimes"), fastest("saveTimes")];
  const [{ steps, memory, saveBytes }] = processes;
  const perStep = (list) => (1000 * sumOf(list)) / list.length / steps;
  return {
    ratio: sumOf(times) / sumOf(bareTimes),
    saves: sumOf(saveTimes) / sumOf(bareTimes),
    ...compare(times, bareTimes),
    bare: perStep(bareTimes),
    added: perStep(times) - perStep(bareTimes),
    memory,
    saveBytes,
  };
}

const costs = { resimulated: costOf("resimulated"), quiet: costOf("quiet") };
const heapBytes = Math.max(...measure("heap").map(({ bytes }) => bytes));
console.log(
  `The pile of a thousand balls, over its bare steps: minima of ${PROCESSES} processes, tick by tick`,
);
console.table({
  "8 resimulated ticks and a live one, over 9 steps": costRow(costs.resimulated),
  "a live tick, over a step": costRow(costs.quiet),
});
console.log(
  `Of a live tick, the save of ${rounded(costs.quiet.saveBytes / 1e3, 0)} KB takes ${rounded(100 * costs.quiet.saves, 1)} % of a step`,
);
console.log(`Allocated by a session of a small game, per tick: ${rounded(heapBytes, 1)} bytes`);

function costRow({ ratio, p25, p75, bare, added, memory }) {
  return {
    "in all": rounded(ratio, 3),
    "25 to 75 % of ticks": `${rounded(p25, 3)} to ${rounded(p75, 3)}`,
    "µs per bare step": rounded(bare, 0),
    "µs added": rounded(added, 1),
    "MB of states": rounded(memory / 1e6, 1),
  };
}

const total = (name) => Object.values(ours).reduce((sum, figures) => sum + figures[name], 0);
const stalled = Object.fromEntries(
  ["loss5", "loss10", "loss30", "bursts", "far"].map((name) => [name, rounded(ours[name].stalled, 5)]),
);
const result = {
  bench: "net",
  bytes: { "50ms": rounded(ours["50ms"].bytes), loss30: rounded(ours.loss30.bytes) },
  stalled,
  frozen: total("frozen"),
  desyncs: total("desyncs"),
  resim: { late: ours.late.resim, slow: ours.slow.resim },
  scaleOne: { late: rounded(ours.late.scaleOne, 3), slow: rounded(ours.slow.scaleOne, 3) },
  pileVsSteps: rounded(costs.resimulated.ratio, 3),
  overhead: rounded(costs.quiet.ratio - 1 - costs.quiet.saves, 3),
  heapBytesPerTick: rounded(heapBytes, 1),
  saves: rounded(costs.quiet.saves, 3),
};

const gap = ([a, b]) => rounded(Math.abs(a - b), 3);
const targets = [
  ["bytes per packet, 50 ms", result.bytes["50ms"], 6],
  ["bytes per packet, 30 % loss", result.bytes.loss30, 6.5],
  ["stalled ticks in the worst game, 5 % loss", ours.loss5.mostStalledTicks, 5],
  ["stalled ticks in the worst game, 10 % loss", ours.loss10.mostStalledTicks, 5],
  ["stalled, 30 % loss", stalled.loss30, 0.004],
  ["stalled, bursts", stalled.bursts, 0.02],
  ["stalled, far", stalled.far, 0.01],
  ["frozen", result.frozen, 0],
  ["desyncs", result.desyncs, 0],
  ["difference of resimulated ticks per tick, late start", gap(result.resim.late), 0.1],
  ["difference of resimulated ticks per tick, slow clock", gap(result.resim.slow), 0.1],
  ["scale other than 1, late start", rounded(1 - result.scaleOne.late, 3), 0.1],
  ["scale other than 1, slow clock", rounded(1 - result.scaleOne.slow, 3), 0.2],
  ["8 resimulated ticks and a live one, over 9 steps", result.pileVsSteps, 1.1],
  ["share that the session adds to a step and its save", result.overhead, 0.04],
  ["bytes allocated per tick", result.heapBytesPerTick, 0],
];
console.log(`Targets; all took ${rounded((performance.now() - started) / 1000, 0)} s`);
console.table(
  Object.fromEntries(
    targets.map(([name, figure, most]) => [
      name,
      { figure, "at most": most, "": figure > most ? "missed" : "met" },
    ]),
  ),
);
if (process.argv.includes("--json")) console.log(JSON.stringify(result));
