// Measures what a rate costs and gains, and what thinking less often saves: docs/choosing-a-rate.md has the tables.
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { interleave, rounded } from "./rounds.mjs";

const isQuick = process.argv.includes("--quick");
// Processor time: a round is long, and other load must not count.
const cpu = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};
const PLAYS = isQuick ? 2 : 5;
const SECONDS = isQuick ? 5 : 40;

// The scenes are TypeScript, and shared with the tests.
const { outputFiles } = await build({
  stdin: {
    contents: `
      export * from "./scenes/rates.js";
      export { crowd } from "./scenes/crowd.js";
      export { balls, ballsScript } from "./scenes/balls.js";
      export { localSession, simulation } from "./src/sim/index.js";
      export { suggestRate } from "./src/index.js";`,
    resolveDir: fileURLToPath(new URL("..", import.meta.url)),
    loader: "ts",
  },
  bundle: true,
  format: "esm",
  write: false,
});
const code = Buffer.from(outputFiles[0].contents).toString("base64");
const scenes = await import(`data:text/javascript;base64,${code}`);
const { balls, ballsScript, crowd, localSession, simulation, suggestRate } = scenes;
const { STEP_RATES, THINKINGS } = scenes;

const latencyMs = scenes.latencies(60);
console.log("Input to photon in milliseconds, mean, by steps per second");
console.table(latencyMs);
const overlaps = scenes.overlaps();
console.log("Pairs of 1,000 balls that overlap, and how deep in %, by steps per second");
console.table(overlaps);
const thoughts = scenes.thoughts();
console.log("Agents of 1,000 that think in a step");
console.table(thoughts);

/** Returns a function that simulates the next second at a rate, with the same inputs at the same times. */
function second({ options }, script, rate) {
  const session = localSession(simulation({ ...options, rate }), {
    inputs: (players, { tick }) => script(players, Math.floor((tick * 60) / rate)),
    present: "none",
  });
  return () => {
    for (let i = 0; i < rate; i++) session.advance();
  };
}

const sum = (times) => times.reduce((all, one) => all + one, 0);

/** The processor time of each contender: the sum of the minima of each round, as other load only adds to a time. */
function minima(make, rounds) {
  let best;
  for (let play = 0; play < PLAYS; play++) {
    const times = interleave(make(), { warmUp: 0, rounds, now: cpu });
    best = best ? best.map((one, i) => one.map((time, j) => Math.min(time, times[i][j]))) : times;
  }
  return best;
}

const times = minima(() => STEP_RATES.map((rate) => ({ run: second(balls, ballsScript, rate) })), SECONDS);
const at60 = sum(times[STEP_RATES.indexOf(60)]);
const costOver60 = Object.fromEntries(STEP_RATES.map((rate, i) => [rate, rounded(sum(times[i]) / at60)]));
console.log("Processor time of 1,000 balls for the same simulated time, over that of 60 steps per second");
console.table(costOver60);

/** Milliseconds of each step of two seconds: the minimum of many plays. */
function stepTimes() {
  const STEPS = 120;
  const best = THINKINGS.map(() => new Float64Array(STEPS).fill(Infinity));
  for (let play = 0; play < PLAYS * 6; play++) {
    const contenders = THINKINGS.map((thinking) => {
      const session = localSession(crowd(thinking), { present: "none" });
      return { run: () => session.advance() };
    });
    interleave(contenders, { warmUp: 0, rounds: STEPS }).forEach((times, i) =>
      times.forEach((time, j) => (best[i][j] = Math.min(best[i][j], time))),
    );
  }
  return best;
}
const steps = stepTimes();
const [always] = steps.map((times) => sum(times) / times.length);
const thinking = Object.fromEntries(
  THINKINGS.map((name, i) => [
    name,
    {
      mean: rounded(sum(steps[i]) / steps[i].length / always),
      worst: rounded(Math.max(...steps[i]) / always),
    },
  ]),
);
console.log("Time of a step of the crowd, over the mean of one in which all agents think");
console.table(thinking);

const session = localSession(balls, {
  inputs: (players, { tick }) => ballsScript(players, tick),
  present: "none",
});
const { rate, cost, load } = suggestRate(() => session.advance());
console.log(
  `suggestRate for 1,000 balls on this machine: ${rate}, as a step takes ${rounded(cost * 1e3, 3)} ms, a load of ${rounded(load)}`,
);

if (process.argv.includes("--json"))
  console.log(JSON.stringify({ bench: "rates", latencyMs, overlaps, thoughts, costOver60, thinking }));
