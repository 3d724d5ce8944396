// Measures how evenly the picture moves on simulated displays, with Tickwise and with usual loops.
import { measureMultiples } from "./pacing-multiples.mjs";
import { percent, round, scenes } from "./pacing-scenes.mjs";
import { measureUnsteady } from "./pacing-unsteady.mjs";

/** `--quick` takes a tenth of the time. Its figures differ a little from those in results.json. */
const SECONDS = process.argv.includes("--quick") ? 6 : 60;
/** An hour at 59.94 Hz, with 60 steps per second. */
const HOUR = { refresh: 59.94, grid: 0.1, seconds: 60 * SECONDS };

const { CLOCKS, drift, inputToPhoton, irregularPerMinute, meanOfFour, oracle, pooledRms, score } = scenes;
const { displayFrames, distance, judder, judderOf, LENGTHS, spellFrames, unsteadyFrames } = scenes;

const { tickwise } = scenes;
/** A step ahead of the newest state, as sessions present it. */
const speculate = scenes.paced({}, ({ kernel, frame }) => kernel.timeAt(frame.tick + frame.alpha));
const contenders = {
  display: tickwise,
  plainRaf: scenes.plainRaf,
  plainNow: scenes.plainNow,
  meanOfFour,
  oracle,
};

const forClocks = (measure) =>
  Object.fromEntries(["chrome", "coarse", "late"].map((name) => [name, measure(CLOCKS[name])]));

const rms = {};
for (const [name, pacing] of Object.entries(contenders))
  rms[name] = forClocks((clock) => percent(pooledRms(pacing, clock, SECONDS)));
console.log(
  `Judder, root mean square, % of a refresh's displacement: pooled over ${scenes.REFRESHES.join(", ")} Hz`,
);
console.log(`and ${scenes.RATES.join(", ")} steps a second, ${SECONDS} s each, without drops`);
console.table(rms);

const irregular = {};
for (const [name, pacing] of Object.entries(contenders))
  irregular[name] = forClocks((clock) => irregularPerMinute(pacing, 60, { ...clock, refresh: 60 }));
console.log("Frames a minute with other than one step, 60 on 60");
console.table(irregular);

const latency = (pacing) =>
  Object.fromEntries(
    [60, 144].map((refresh) => [
      `60 on ${refresh}`,
      round(inputToPhoton(pacing, 60, { ...CLOCKS.chrome, refresh, seconds: SECONDS })),
    ]),
  );
const inputToPhotonMs = { interpolate: latency(tickwise), speculate: latency(speculate) };
console.log("Input to photon in milliseconds, mean; judder in % with 1 % of the frames dropped");
console.table(
  Object.fromEntries(
    Object.entries({ ...contenders, speculate }).map(([name, pacing]) => [
      name,
      {
        ...latency(pacing),
        "drops at 60": percent(
          score(pacing, 60, { ...CLOCKS.chrome, refresh: 60, seconds: SECONDS, drops: 0.01 }).rms,
        ),
        "drops at 144": percent(
          score(pacing, 60, { ...CLOCKS.chrome, refresh: 144, seconds: SECONDS, drops: 0.01 }).rms,
        ),
      },
    ]),
  ),
);

/** Returns the pooled RMS judder over several displays, and the maximum distance of the shown time from the timestamps. */
function overAll(frames, grid) {
  let distanceMs = 0;
  const squares = { rms: 0, plainRaf: 0, meanOfFour: 0 };
  for (const one of frames) {
    for (const [name, pacing] of Object.entries({ rms: tickwise, plainRaf: scenes.plainRaf, meanOfFour })) {
      const showing = pacing(one, 60);
      const start = scenes.warm(one);
      squares[name] +=
        judder(judderOf(one.slice(start), showing.shown.slice(start))).rms ** 2 / frames.length;
      if (name === "rms") distanceMs = Math.max(distanceMs, distance(one, showing, grid));
    }
  }
  const pooled = Object.entries(squares).map(([name, square]) => [name, percent(Math.sqrt(square))]);
  return { ...Object.fromEntries(pooled), distanceMs: round(distanceMs) };
}

const changing = [60, 75, 120, 144];
const spells = overAll(
  changing.map((refresh) => spellFrames(refresh, SECONDS, CLOCKS.chrome, refresh)),
  CLOCKS.chrome.grid,
);
const random = overAll(
  Object.keys(LENGTHS).map((name, i) => unsteadyFrames(name, 10_000, CLOCKS.chrome, i + 1)),
  CLOCKS.chrome.grid,
);
const gridOf = (grid) =>
  overAll(
    scenes.REFRESHES.map((refresh) => displayFrames({ refresh, seconds: SECONDS, grid, seed: refresh })),
    grid,
  );
const coarseGrid = { "16.67 ms": gridOf(1000 / 60), "100 ms": gridOf(100) };
console.log(
  "Displays that change: judder in %, and the largest distance from the timestamps beyond lead and grid",
);
console.table({
  "spells at 1/2, 1/3 and 1/4 of the rate": spells,
  "frames of random lengths": random,
  "timestamps rounded to 16.67 ms": coarseGrid["16.67 ms"],
  "timestamps rounded to 100 ms": coarseGrid["100 ms"],
});

const driftMs = round(drift(tickwise, 60, HOUR));
console.log(`After ${HOUR.seconds / 60} minutes at 59.94 Hz: ${driftMs} ms from the display's time`);

const multiples = measureMultiples(SECONDS);
const unsteady = measureUnsteady(SECONDS);

if (process.argv.includes("--json"))
  console.log(
    JSON.stringify({
      bench: "pacing",
      rms: rms.display,
      plainRaf: rms.plainRaf,
      plainNow: rms.plainNow,
      irregularPerMinute: irregular.display,
      inputToPhotonMs,
      driftMs,
      spells,
      random,
      coarseGrid,
      multiples,
      unsteady,
    }),
  );
