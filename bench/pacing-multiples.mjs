// Steps in a whole ratio to the refreshes: Stolk's method next to ours.
import { percent, round, scenes } from "./pacing-scenes.mjs";

const { CLOCKS, inputToPhoton, perRefresh, plainRaf, speedScore, stolk, STOLK_RATE, tickwise } = scenes;
const REFRESHES = [60, 59.94, 75, 100, 120, 144, 165, 240];
/** Seconds until the slowest measurement of a rate has ended. */
const FROM = 6;

/** As many steps per refresh as are nearest to Stolk's. */
const stepsPerRefresh = (refresh) => Math.max(1, Math.round(STOLK_RATE / refresh));
const multiple = (refresh) => perRefresh(stepsPerRefresh(refresh));
/** The same, with the shown time in steps of the exact rate: the measured one is off by up to 0.03 %. */
const multipleInSteps = (refresh) =>
  perRefresh(stepsPerRefresh(refresh), {}, ({ tick }, rate) => tick / rate);

/** Returns the figures for each clock, contender and display. */
export function measureMultiples(seconds) {
  const result = {};
  for (const clock of ["chrome", "coarse", "late"]) {
    result[clock] = {};
    const contenders = { stolk: () => stolk, accumulator: () => plainRaf, fixed: () => tickwise, multiple };
    for (const [name, of] of Object.entries(contenders)) {
      const figures = { speed: {}, rms: {}, ...(clock === "chrome" && { inputToPhotonMs: {} }) };
      for (const refresh of REFRESHES) {
        const options = { ...CLOCKS[clock], refresh, seconds: seconds + FROM, seed: refresh };
        const rate = name === "multiple" ? stepsPerRefresh(refresh) * refresh : STOLK_RATE;
        const { speed, rms } = speedScore(of(refresh), rate, options, FROM);
        figures.speed[refresh] = percent(speed);
        figures.rms[refresh] = percent(rms);
        if (clock !== "chrome") continue;
        const counted = name === "multiple" ? multipleInSteps(refresh) : of(refresh);
        figures.inputToPhotonMs[refresh] = round(inputToPhoton(counted, rate, options));
      }
      result[clock][name] = figures;
    }
    for (const figure of Object.keys(result[clock].stolk)) {
      console.log(`Steps of 1/${STOLK_RATE} s, ${clock} clock: ${TITLES[figure]}`);
      console.table(
        Object.fromEntries(Object.entries(result[clock]).map(([name, of]) => [name, of[figure]])),
      );
    }
  }
  return result;
}

const TITLES = {
  speed: "speed of the game, in % of real time",
  rms: "judder relative to that speed, in %",
  inputToPhotonMs: "input to photon, in milliseconds",
};
