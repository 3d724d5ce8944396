import { describe, expect, test } from "vitest";
import { COSTS, measureSlow, type Costs } from "../../scenes/slow-steps.js";
import { Loop } from "../../src/index.js";
import { manualDriver } from "../../src/testing/index.js";

function measure(costs: Costs, rereadClock: boolean) {
  const driver = manualDriver();
  return measureSlow(
    costs,
    driver,
    (game) => {
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
    },
    60,
    60,
  );
}

describe("rereadClock on a display of 60 Hz", () => {
  test.each(Object.entries(COSTS))("%s: costs no frames and shows no older pictures", (_, costs) => {
    const [without, using] = [measure(costs, false), measure(costs, true)];
    expect(using.framesPerSecond).toBeGreaterThan(without.framesPerSecond - 0.2);
    expect(using.age).toBeLessThan(without.age + 0.1);
    expect(using.judder).toBeLessThan(without.judder + 0.02);
  });

  test.each(["rare slow steps", "short steps, a slow beat"])(
    "%s: the picture after a slow step is at least 15 ms newer",
    (name) => {
      const [without, using] = [measure(COSTS[name]!, false), measure(COSTS[name]!, true)];
      expect(using.ageAfterSlow).toBeLessThan(without.ageAfterSlow - 15);
    },
  );
});
