import { readValues } from "../address.js";
import { make } from "../dom.js";
import type { Experiment } from "../experiment.js";
import { Page } from "../page.js";
import { FiveLoops } from "./five-loops.js";
import { LaneView } from "./lane-view.js";
import { readMoment, writeMoment } from "./moment.js";
import { SETTINGS } from "./settings.js";
import { STRATEGIES } from "./strategies.js";

export const FIVE_LOOPS = "five-loops";

/** The first experiment: five ways to step the same spring before the same display. */
export function fiveLoops(query: URLSearchParams): Experiment {
  const values = readValues(SETTINGS, query);
  const past = readMoment(query.get("at") ?? "");
  let model = new FiveLoops(values);
  model.replay(past);
  /** Real seconds; a frame is shown when it is due, or half a frame before. */
  let realTime = model.display.time;
  const lanes = STRATEGIES.map((strategy) => new LaneView(strategy));
  const note = make("span");

  function stall() {
    model.stall();
    if (page.paused) {
      model.frame();
      realTime = model.display.time;
    }
    page.controls.announce("The display stands still for half a second.");
    page.refresh();
  }
  function step() {
    model.step();
    page.setPaused(true);
    page.controls.announce("Every lane has run one step.");
  }

  const page = new Page({
    id: FIVE_LOOPS,
    title: "Five loops",
    lesson:
      "Only the last lane runs at the right speed, gives the same result on every display, and still moves smoothly.",
    about: [
      "Five balls on the same damped spring, drawn by the same display. The ring is where the spring truly is; the dots are where the ball was drawn before. ",
      note,
    ],
    tries: [
      ["25 Hz on 60 frames/s", { rate: 25 }],
      ["a slow display", { rate: 60, fps: 15 }],
      ["a restless display", { rate: 60, fps: 50, jitter: 100 }],
      ["slow motion", { rate: 60, scale: 0.1 }],
    ],
    terms: {
      "Right speed": "Simulated time over the time that it should be, at the time scale that is set.",
      "Same result":
        "How far the newest state is off what steps of exactly dt give by now. “Exactly” means that every display gives the same result, to the bit.",
      Smooth:
        "How much the simulated time from one picture to the next strays from the time that passed, in the last second.",
      Distance:
        "How far the ball was drawn from the exact solution, the ring, on average in the last second. The lane is 200 wide.",
      "Lost time":
        "What the loop threw away: it hands on at most 0.25 s of a frame, so that a stall does not come back as a burst. All else is measured on the time that is left.",
      "Steps a frame": "The chart has a bar for each frame; above it, all steps in all frames.",
      Display:
        "A virtual one: between its frames the picture is held, and of frames that come faster than your own display's the last is drawn. Its jitter is the same each time, so that a link shows what you see.",
    },
    settings: SETTINGS,
    values,
    parts: lanes,
    actions: [
      { id: "stall", label: "Stall 500 ms", key: "s", run: stall },
      { id: "step", label: "One step", key: "n", run: step },
    ],
    isPast: past.length > 0,
    restart() {
      model = new FiveLoops(values);
      realTime = 0;
    },
    advance(seconds) {
      realTime += seconds;
      const before = model.display.frames;
      while (model.display.due <= realTime + 0.5 / values.fps) model.frame();
      return model.display.frames > before;
    },
    drawPicture() {
      lanes.forEach((view, index) => view.drawTrack(model.lanes[index]!));
    },
    drawFigures() {
      lanes.forEach((view, index) => view.drawFigures(model.lanes[index]!, model));
      const late = (1000 / values.rate).toFixed(1);
      note.textContent = `Blending draws one step late, here ${late} ms, and the last lane's ring waits for it.`;
      const { frames, time } = model.display;
      return `frame ${frames} · ${time.toFixed(2)} s`;
    },
    moment: () => writeMoment(model.events),
  });
  page.refresh();
  return page;
}
