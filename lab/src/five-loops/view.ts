import { readValues, writeAddress } from "../address.js";
import { showAddress } from "../address-bar.js";
import { Controls } from "../controls.js";
import { links, make } from "../dom.js";
import { figurePace, stateOf, wantsStillness, type Experiment } from "../experiment.js";
import { FiveLoops } from "./five-loops.js";
import { LaneView } from "./lane-view.js";
import { readMoment, writeMoment } from "./moment.js";
import { RANGES } from "./settings.js";
import { STRATEGIES } from "./strategies.js";

export const FIVE_LOOPS = "five-loops";

/** The first experiment: five ways to step the same spring before the same display. */
export function fiveLoops(query: URLSearchParams): Experiment {
  const settings = readValues(RANGES, query);
  const past = readMoment(query.get("at") ?? "");
  let paused = past.length > 0 || wantsStillness();
  let model = new FiveLoops(settings);
  model.replay(past);
  /** Real seconds; a frame is shown when it is due, or half a frame before. */
  let realTime = model.display.time;
  const figuresDue = figurePace();

  const lanes = STRATEGIES.map((strategy) => new LaneView(strategy));
  const note = make("span");
  const controls = new Controls([
    { id: "stall", label: "Stall 500 ms", key: "s", run: stall },
    { id: "pause", label: "Pause", key: "p", run: () => setPaused(!paused) },
    { id: "step", label: "One step", key: "n", run: step },
    { id: "restart", label: "Restart", key: "r", run: restart },
  ]);
  controls.addSliders(RANGES, settings, restart);

  function stall() {
    model.stall();
    if (paused) model.frame();
    controls.announce("The display stands still for half a second.");
    refresh();
  }
  function step() {
    setPaused(true);
    model.step();
    controls.announce("Every lane has run one step.");
    refresh();
  }
  function setPaused(value: boolean) {
    paused = value;
    realTime = model.display.time;
    controls.announce(paused ? `Paused at frame ${model.display.frames}.` : "Running.");
    refresh();
  }
  function restart() {
    model = new FiveLoops(settings);
    realTime = 0;
    refresh();
  }
  /** Shows all that an action has changed, and where a link leads. */
  function refresh() {
    controls.setLabel("pause", paused ? "Resume" : "Pause");
    const at = paused ? writeMoment(model.events) : "";
    showAddress(writeAddress(FIVE_LOOPS, settings, at));
    const late = (1000 / settings.rate).toFixed(1);
    note.textContent = `Blending draws one step late, here ${late} ms, and the last lane's ring waits for it.`;
    drawTracks();
    drawFigures();
  }
  function drawTracks() {
    lanes.forEach((view, index) => view.drawTrack(model.lanes[index]!));
  }
  function drawFigures() {
    lanes.forEach((view, index) => view.drawFigures(model.lanes[index]!, model));
    const { frames, time } = model.display;
    controls.status = `${stateOf(paused)} · frame ${frames} · ${time.toFixed(2)} s`;
  }

  const element = make(
    "div",
    "experiment",
    make(
      "div",
      "intro",
      make("h2", "visually-hidden", "Five loops"),
      make(
        "p",
        "lesson",
        "Only the last lane runs at the right speed, gives the same result on every display, and still moves smoothly.",
      ),
      make(
        "p",
        "",
        "Five balls on the same damped spring, drawn by the same display. The ring is where the spring truly is; the dots are where the ball was drawn before. ",
        note,
      ),
      links("Try", FIVE_LOOPS, [
        ["25 Hz on 60 frames/s", { rate: 25, fps: 60, jitter: 0, scale: 1 }],
        ["a slow display", { rate: 60, fps: 15, jitter: 0, scale: 1 }],
        ["a restless display", { rate: 60, fps: 50, jitter: 100, scale: 1 }],
        ["slow motion", { rate: 60, fps: 60, jitter: 0, scale: 0.1 }],
      ]),
    ),
    controls.element,
    make("div", "lanes", ...lanes.map((lane) => lane.element)),
    legend(),
  );
  refresh();

  return {
    element,
    advance(seconds) {
      if (paused) return;
      realTime += seconds;
      const before = model.display.frames;
      while (model.display.due <= realTime + 0.5 / settings.fps) model.frame();
      if (model.display.frames > before) drawTracks();
      if (figuresDue(seconds)) drawFigures();
    },
    dispose() {
      controls.dispose();
      for (const lane of lanes) lane.dispose();
    },
  };
}

function legend(): HTMLElement {
  const terms = {
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
  };
  const list = make("dl", "legend");
  for (const [term, text] of Object.entries(terms))
    list.append(make("div", "", make("dt", "", term), make("dd", "", text)));
  return make("details", "about", make("summary", "", "What the figures mean"), list);
}
