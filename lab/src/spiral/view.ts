import { readValues } from "../address.js";
import type { Experiment } from "../experiment.js";
import { Page } from "../page.js";
import { readMoment, writeMoment } from "./moment.js";
import { POLICIES } from "./policies.js";
import { SETTINGS } from "./settings.js";
import { Spiral } from "./spiral.js";
import { FREEZE, PLAYABLE_RATE } from "./verdict.js";
import { WorldView } from "./world-view.js";

export const SPIRAL = "spiral";

/** The second experiment: a step that costs more than it simulates, under six policies. */
export function spiral(query: URLSearchParams): Experiment {
  const values = readValues(SETTINGS, query);
  const past = readMoment(query.get("at") ?? "");
  let model = new Spiral(values);
  past.forEach((time, index) => {
    model.advanceTo(time);
    if (index < past.length - 1) model.addHeavySecond();
  });
  const worlds = POLICIES.map((policy) => new WorldView(policy));

  function heavy() {
    model.addHeavySecond();
    page.controls.announce("Steps cost ten times as much for one second.");
    page.refresh();
  }

  const page = new Page({
    id: SPIRAL,
    title: "Spiral of death",
    lesson:
      "When a step takes longer than the time it simulates, an unlimited loop freezes; a limited one just runs slow.",
    about: [
      "The ring is where the ball would be on a machine that keeps up. The cost is simulated: each step advances the clock of a manual driver, so the figures are exact and your battery is spared. “No limit” gives up no time, and pays for it: each frame has more to simulate than the one before, until the game stands still. To see a loop catch up, choose a machine that is fast enough and press “Heavy for 1 s”: “Drop” loses that time, “Catch up” runs fast until it owes nothing.",
    ],
    presets: [
      ["a machine that is too slow", {}],
      ["a machine that is fast enough", { cost: 60, fps: 75 }],
      ["a fast simulation", { cost: 120, rate: 240 }],
    ],
    terms: {
      "✓ and ✗": `✓ means that the game can be played: at least ${PLAYABLE_RATE} frames per second, and never more than ${FREEZE} s without a new picture. Slow motion counts as playable.`,
      "Longest freeze, seconds per frame":
        "How long the same picture stayed on screen: at most so far, and over the last 12 seconds. All charts have the same scale.",
      Speed: "Seconds of the game per second, over the last second or the last frame.",
      Lost: "Time that the loop gave up. The game runs slower, but the next frame has less to do.",
      Owed: "Time that has passed, but is neither on screen nor given up: the loop still has to simulate it. A frame and a step are normal; more is what the limits prevent.",
    },
    settings: SETTINGS,
    values,
    parts: worlds,
    layout: "worlds",
    actions: [{ id: "heavy", label: "Heavy for 1 s", shortcut: "heavy", run: heavy }],
    startsPaused: past.length > 0,
    restart() {
      model = new Spiral(values);
    },
    advance(seconds) {
      // In whole microseconds, so that a link can hold the exact time.
      model.advanceTo(Math.round((model.now + seconds) * 1e6) / 1e6);
      return true;
    },
    drawPicture() {
      worlds.forEach((view, index) => view.drawTrack(model.worlds[index]!, model.now));
    },
    drawFigures() {
      const { now, samples } = model;
      worlds.forEach((view, index) => view.drawFigures(model.worlds[index]!, model, samples[index]!));
      return `${now.toFixed(2)} s${model.isHeavy(now) ? " · heavy" : ""}`;
    },
    moment: () => writeMoment(model.heavy, model.now),
  });
  page.refresh();
  return page;
}
