// After slow steps, reads the clock again and runs the steps that became due: what it gains, and what it costs.
import { Loop } from "../dist/index.js";
import { manualDriver } from "../dist/testing/index.js";
import { percent, round, scenes } from "./pacing-scenes.mjs";

const { COSTS, measureSlow } = scenes;

/** Tickwise, with or without the option. */
const tickwise = (rereadClock) => (driver) => (game) => {
  const loop = new Loop({
    rate: game.rate,
    pacing: "display",
    overload: { catchUp: 1 },
    stepBudget: 0.1,
    rereadClock,
    driver,
    step: ({ tick }) => game.step(tick),
    render: ({ shownTime }) => game.draw(shownTime, loop.frameEnd),
  });
  loop.start();
};

/** The loop of the article, and with the clock read again as a comment suggests. */
const article = (rereads) => (driver) => (game) => {
  const dt = 1000 / game.rate;
  let [before, over, tick] = [NaN, 0, 0];
  driver.start((timestamp) => {
    // Before the first frame, no time has passed.
    over += Number.isNaN(before) ? 0 : Math.min(250, timestamp - before);
    before = timestamp;
    for (;;) {
      for (; over >= dt; over -= dt) game.step(tick++);
      const now = driver.now();
      if (!rereads || now - before < 1 || now - timestamp > 250) break;
      over += now - before;
      before = now;
    }
    game.draw(Math.max(0, (tick - 1) * dt + over) / 1000, timestamp);
  });
};

const CONTENDERS = {
  Tickwise: tickwise(false),
  rereadClock: tickwise(true),
  "the article's loop": article(false),
  "the same, read again": article(true),
};

/** Returns the figures for each game and contender on a display of 60 Hz. */
export function measureReread(seconds) {
  const result = {};
  for (const [name, costs] of Object.entries(COSTS)) {
    result[name] = {};
    for (const [contender, start] of Object.entries(CONTENDERS)) {
      const driver = manualDriver();
      const figures = measureSlow(costs, driver, start(driver), 60, seconds);
      result[name][contender] = {
        framesPerSecond: round(figures.framesPerSecond),
        age: round(figures.age),
        ageP99: round(figures.ageP99),
        ...(figures.ageAfterSlow > 0 && { ageAfterSlow: round(figures.ageAfterSlow) }),
        judder: percent(figures.judder),
        events: round(figures.events),
        polled: round(figures.polled),
      };
    }
    console.log(`Slow steps, ${name}: age of the picture and input to photon in ms, judder in %`);
    console.table(result[name]);
  }
  return result;
}
