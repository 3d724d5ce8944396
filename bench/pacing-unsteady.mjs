// Displays without a steady rate, and coarse clocks: what the display clock does there.
import { percent, round, scenes } from "./pacing-scenes.mjs";

const { CLOCKS, displayFrames, distance, irregular, judder, judderOf, switchFrames, warm } = scenes;
const {
  meanOfFour,
  onDisplay,
  oracle,
  plainRaf,
  rateOf,
  seenUnsynced,
  seenVariable,
  tickwise,
  unsyncedFrames,
} = scenes;

const CONTENDERS = { display: tickwise, plainRaf, meanOfFour, oracle };

/** Returns the judder of each contender, of what `see` returns after the warm-up. */
function juddersOf(frames, see = (all, shown) => ({ frames: all, shown })) {
  const start = warm(frames);
  const judderOfOne = (pacing) => {
    const { shown } = pacing(frames, 60);
    const seen = see(frames.slice(start), shown.slice(start));
    return percent(judder(judderOf(seen.frames, seen.shown)).rms);
  };
  return Object.fromEntries(Object.entries(CONTENDERS).map(([name, pacing]) => [name, judderOfOne(pacing)]));
}

/** Returns what the display clock says about frames: the share of them for which it is locked, and its distance from the timestamps. */
function lockOf(frames, grid) {
  const { screen } = onDisplay({ rate: 60 });
  let locked = 0;
  let firstLock = NaN;
  for (const { stamp, vsync } of frames) {
    screen.play([stamp]);
    if (screen.info.locked) locked++;
    if (screen.info.locked && Number.isNaN(firstLock)) firstLock = vsync - frames[0].vsync;
  }
  return {
    locked: percent(locked / frames.length),
    ...(locked > 0 && { firstLockMs: Math.round(firstLock) }),
    distanceMs: round(distance(frames, tickwise(frames, 60), grid)),
  };
}

/** Returns the rate that a display finds, and after how many seconds. */
function measureRate(frames) {
  const { hertz, after } = rateOf(frames.map(({ stamp }) => stamp));
  return { rate: round(hertz), afterSeconds: round(after) };
}

/** Vsync off: what a display shows of frames that are drawn as fast as possible. */
function measureVsyncOff(seconds) {
  const result = {};
  for (const refresh of [60, 144]) {
    const synced = displayFrames({ refresh, seconds, ...CLOCKS.chrome, seed: refresh });
    result[`${refresh} Hz, vsync on`] = juddersOf(synced);
    for (const framesPerSecond of [100, 300, 1000]) {
      const frames = unsyncedFrames(framesPerSecond, 0.15, seconds, CLOCKS.chrome, framesPerSecond);
      result[`${refresh} Hz, ${framesPerSecond} fps`] = juddersOf(frames, (all, shown) =>
        seenUnsynced(all, shown, refresh),
      );
    }
  }
  return result;
}

/** Displays with a variable rate: a random walk from 48 to 144 Hz, and a phone that switches between two rates. */
function measureVariable(seconds) {
  const result = {};
  for (const clock of ["chrome", "coarse", "late"]) {
    const frames = displayFrames({ refresh: [48, 144], seconds, ...CLOCKS[clock], seed: 1 });
    result[`48 to 144 Hz, ${clock}`] = { ...juddersOf(frames), ...lockOf(frames, CLOCKS[clock].grid) };
    if (clock === "chrome") result["48 to 144 Hz, as seen"] = juddersOf(frames, seenVariable);
  }
  const steady = unsyncedFrames(90, 0.01, seconds, CLOCKS.chrome, 2);
  result["90 fps ± 1 %, as seen"] = { ...juddersOf(steady, seenVariable), ...lockOf(steady, 0.1) };
  const phone = switchFrames([120, 60], seconds, CLOCKS.chrome, 1);
  result["120 and 60 Hz in turns, chrome"] = { ...juddersOf(phone), ...lockOf(phone, CLOCKS.chrome.grid) };
  for (const spread of [0.15, 0.02, 0.005]) {
    const frames = unsyncedFrames(200, spread, seconds, CLOCKS.chrome, 3);
    result[`200 fps ± ${100 * spread} %, chrome`] = { ...juddersOf(frames), ...lockOf(frames, 0.1) };
  }
  return result;
}

const GRIDS = {
  exact: {},
  "0.02 ms, ±0.5 ms": CLOCKS.firefox,
  "0.1 ms": CLOCKS.chrome,
  "1 ms": CLOCKS.coarse,
  "1 ms, late": CLOCKS.late,
  "16.67 ms": { grid: 1000 / 60 },
  "100 ms": { grid: 100 },
};

/** Clocks of all resolutions on displays of 60 and 144 Hz. */
function measureCoarse(seconds) {
  const result = {};
  for (const refresh of [60, 144])
    for (const [name, clock] of Object.entries(GRIDS)) {
      const frames = displayFrames({ refresh, seconds, ...clock, seed: refresh });
      const { display: ours, plainRaf: plain, meanOfFour: mean } = juddersOf(frames);
      const row = { display: ours, plainRaf: plain, meanOfFour: mean, ...lockOf(frames, clock.grid) };
      result[`${refresh} Hz, ${name}`] = row;
      if (refresh !== 60) continue;
      const irregularOf = (pacing) => (irregular(frames, pacing(frames, 60).steps, 60) * 60) / seconds;
      row.irregular = Math.round(irregularOf(tickwise));
      row.irregularPlain = Math.round(irregularOf(plainRaf));
    }
  return result;
}

/** The rate that a display finds. */
function measureRates() {
  const seconds = 12;
  return {
    "60 Hz": measureRate(displayFrames({ refresh: 60, seconds, ...CLOCKS.chrome })),
    "60 Hz, 16.67 ms clock": measureRate(displayFrames({ refresh: 60, seconds, grid: 1000 / 60 })),
    "144 Hz, 100 ms clock": measureRate(displayFrames({ refresh: 144, seconds, grid: 100 })),
    "48 to 144 Hz": measureRate(displayFrames({ refresh: [48, 144], seconds, ...CLOCKS.chrome, seed: 3 })),
    "300 fps ± 15 %": measureRate(unsyncedFrames(300, 0.15, seconds, CLOCKS.chrome, 3)),
    "300 fps ± 0.5 %": measureRate(unsyncedFrames(300, 0.005, seconds, CLOCKS.chrome, 3)),
  };
}

export function measureUnsteady(seconds) {
  const vsyncOff = measureVsyncOff(seconds);
  console.log("Vsync off: judder in % of what the display shows, at the top of the screen");
  console.table(vsyncOff);
  const variable = measureVariable(seconds);
  console.log(
    "Variable rates: judder in %, frames for which the clock is locked in %, distance from the timestamps in ms",
  );
  console.table(variable);
  const clocks = measureCoarse(seconds);
  console.log("Coarse clocks: judder in %, first lock and distance in ms, irregular steps per minute");
  console.table(clocks);
  const rates = measureRates();
  console.log("The rate that a display finds");
  console.table(rates);
  return { vsyncOff, variable, clocks, rates };
}
