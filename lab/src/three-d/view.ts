import { readValues } from "../address.js";
import { make } from "../dom.js";
import type { Experiment } from "../experiment.js";
import { Page } from "../page.js";
import { BodyView } from "./body-view.js";
import { SETTINGS } from "./settings.js";
import { THREE_D } from "./name.js";
import { Tumbling } from "./tumbling.js";
import { BLEND_MODES } from "./blend-modes.js";

/** Longer stories would keep a visitor waiting; in seconds. */
const LONGEST = 120;

/** The fourth experiment: a body that turns, drawn between two steps, in three ways. */
export function threeD(query: URLSearchParams): Experiment {
  const values = readValues(SETTINGS, query);
  const at = query.get("at") ?? "";
  const past = /^\d{1,3}(\.\d{1,6})?$/.test(at) && Number(at) <= LONGEST ? Number(at) : 0;
  let model = new Tumbling(values);
  model.advanceTo(past);
  const bodies = BLEND_MODES.map((mode) => new BodyView(mode));
  const note = make("p", "note");

  function describe(): string {
    const step = model.turnOfStep;
    const problem = bodies.every(({ isAble }) => isAble)
      ? ""
      : "This browser offers no WebGL here, so the box cannot be drawn; the figures need none. ";
    if (values.turns / values.rate >= 0.5)
      return `${problem}It makes more than half a turn in a step: nobody can tell any more which mode it went, and blending takes the short one, which is wrong. A faster simulation helps.`;
    return `${problem}This step turned it by ${step.toFixed(1)}°, and nlerp is at most ${model.nlerpOffSlerp.toFixed(3)}° from slerp on the mode.`;
  }

  const page = new Page({
    id: THREE_D,
    title: "3D",
    lesson: "A box that is simulated a few times a second turns smoothly, if it is drawn between two steps.",
    about: [
      "The same box three times, in free fall; spun about its middle axis, it turns over by itself. The outline is where it truly is. Slerp turns evenly from one state to the next. Nlerp cuts the corner, which is cheaper: a little slow at the ends, a little fast in the middle. None shows the newest state until there is another.",
    ],
    presets: [
      ["60 steps a second", { rate: 60 }],
      ["slow motion", { rate: 5, scale: 0.1 }],
      ["nearly half a turn a step", { rate: 5, turns: 2.2, scale: 0.25 }],
      ["too fast to tell which mode", { rate: 5, turns: 4, scale: 0.25 }],
    ],
    terms: {
      "Off the truth":
        "Degrees from the box as drawn to the outline, the exact motion at the time that the picture shows: the most in the last second. Between two steps, slerp and nlerp know nothing of how the axis moves. None is ahead, by up to a step.",
      "Off slerp": "Degrees to the picture by slerp: the most in the last second.",
      "Degrees in 1/60 s":
        "How far the picture turned, bar by bar. Slerp changes only from step to step; nlerp swells and ebbs within each; without blending it leaps once a step and stands.",
    },
    settings: SETTINGS,
    values,
    parts: bodies,
    layout: "bodies",
    above: [note],
    actions: [],
    startsPaused: past > 0,
    restart() {
      model = new Tumbling(values);
    },
    advance(seconds) {
      // In whole microseconds, which an address can hold.
      model.advanceTo(Math.round((model.now + seconds) * 1e6) / 1e6);
      return true;
    },
    drawPicture() {
      for (const body of bodies) body.drawPicture(model);
    },
    drawFigures() {
      for (const body of bodies) body.drawFigures(model);
      note.textContent = describe();
      return `${model.now.toFixed(2)} s`;
    },
    moment: () => (model.now > 0 && model.now <= LONGEST ? String(model.now) : ""),
  });
  page.refresh();

  return page;
}
