import { readValues, writeAddress } from "../address.js";
import { showAddress } from "../address-bar.js";
import { Controls } from "../controls.js";
import { links, make } from "../dom.js";
import { figurePace, stateOf, wantsStillness, type Experiment } from "../experiment.js";
import { readMoment, writeMoment } from "./moment.js";
import { POLICIES } from "./policies.js";
import { RANGES } from "./settings.js";
import { Spiral } from "./spiral.js";
import { WorldView } from "./world-view.js";

export const SPIRAL = "spiral";

/** The second experiment: a step that costs more than it simulates, under six policies. */
export function spiral(query: URLSearchParams): Experiment {
  const settings = readValues(RANGES, query);
  const past = readMoment(query.get("at") ?? "");
  let paused = past.length > 0 || wantsStillness();
  let model = new Spiral(settings);
  past.forEach((time, index) => {
    model.advanceTo(time);
    if (index < past.length - 1) model.addHeavySecond();
  });
  const figuresDue = figurePace();

  const worlds = POLICIES.map((policy) => new WorldView(policy));
  const controls = new Controls([
    { id: "heavy", label: "Heavy for 1 s", key: "h", run: heavy },
    { id: "pause", label: "Pause", key: "p", run: pause },
    { id: "restart", label: "Restart", key: "r", run: restart },
  ]);
  controls.addSliders(RANGES, settings, restart);

  function heavy() {
    model.addHeavySecond();
    controls.announce("Steps cost ten times as much for a second.");
    refresh();
  }
  function pause() {
    paused = !paused;
    controls.announce(paused ? `Paused at ${model.now.toFixed(2)} seconds.` : "Running.");
    refresh();
  }
  function restart() {
    model = new Spiral(settings);
    refresh();
  }
  /** Shows all that an action has changed, and where a link leads. */
  function refresh() {
    controls.setLabel("pause", paused ? "Resume" : "Pause");
    const at = paused ? writeMoment(model.heavy, model.now) : "";
    showAddress(writeAddress(SPIRAL, settings, at));
    drawTracks();
    drawFigures();
  }
  function drawTracks() {
    worlds.forEach((view, index) => view.drawTrack(model.worlds[index]!, model.now));
  }
  function drawFigures() {
    const { now, times, samples } = model;
    worlds.forEach((view, index) =>
      view.drawFigures(model.worlds[index]!, now, times, samples[index]!, settings.fps),
    );
    const load = model.isHeavy(now) ? " · heavy" : "";
    controls.status = `${stateOf(paused)} · ${now.toFixed(2)} s${load}`;
  }

  const element = make(
    "div",
    "experiment",
    make(
      "div",
      "intro",
      make("h2", "visually-hidden", "Spiral of death"),
      make(
        "p",
        "lesson",
        "When a step costs more than it simulates, a loop without a limit stops; one with a limit only runs slow.",
      ),
      make(
        "p",
        "",
        "The ring is where the ball would be on a machine that keeps up. The cost is virtual: each step moves the clock of a manual driver, so the figures are exact and your battery is spared. To see debt, take a machine that is fast enough and press “Heavy for 1 s”: drop loses that time, catch up runs fast until it has paid it back.",
      ),
      links("Try", SPIRAL, [
        ["a machine that is too slow", { cost: 150, rate: 60, fps: 60 }],
        ["a machine that is fast enough", { cost: 60, rate: 60, fps: 75 }],
        ["a fast simulation", { cost: 120, rate: 240, fps: 60 }],
      ]),
    ),
    controls.element,
    make("div", "lanes worlds", ...worlds.map((world) => world.element)),
  );
  refresh();

  return {
    element,
    advance(seconds) {
      if (paused) return;
      // In whole microseconds, which an address can hold.
      model.advanceTo(Math.round((model.now + seconds) * 1e6) / 1e6);
      drawTracks();
      if (figuresDue(seconds)) drawFigures();
    },
    dispose() {
      controls.dispose();
      for (const world of worlds) world.dispose();
    },
  };
}
