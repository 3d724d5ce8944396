import { readValues } from "../address.js";
import { make } from "../dom.js";
import type { Experiment } from "../experiment.js";
import { Page } from "../page.js";
import { BodyView } from "./body-view.js";
import { SETTINGS } from "./settings.js";
import { THREE_D } from "./name.js";
import { Tumbling } from "./tumbling.js";
import { BLEND_MODES } from "./blend-modes.js";

/** Latest moment that a link can lead to, in seconds: it has to be simulated first. */
const MAX_MOMENT = 120;

/** The fourth experiment: three ways to draw a rotating body between two steps. */
export function threeD(query: URLSearchParams): Experiment {
  const values = readValues(SETTINGS, query);
  const at = query.get("at") ?? "";
  const past = /^\d{1,3}(\.\d{1,6})?$/.test(at) && Number(at) <= MAX_MOMENT ? Number(at) : 0;
  let model = new Tumbling(values);
  model.advanceTo(past);
  const bodies = BLEND_MODES.map((mode) => new BodyView(mode));
  const note = make("p", "note");

  function describe(): string {
    const problem = bodies.every(({ canDraw }) => canDraw)
      ? ""
      : "WebGL is not available, so the boxes cannot be drawn; the figures work without it. ";
    if (values.turns / values.rate >= 0.5)
      return `${problem}The box makes more than half a turn per step. Two states cannot tell which way it went, so blending takes the shorter way, which is wrong. Raise the simulation rate.`;
    return `${problem}The last step turned the box by ${model.degreesPerStep.toFixed(1)}°. Within it, nlerp is at most ${model.nlerpOffSlerp.toFixed(3)}° away from slerp.`;
  }

  const page = new Page({
    id: THREE_D,
    title: "3D",
    lesson:
      "A box simulated at only a few steps per second still turns smoothly, if its rotation is blended.",
    about: [
      "The same box three times, in free fall. Spun about its middle axis, it flips over by itself. The outline is the exact motion. Slerp turns evenly from one state to the next. Nlerp is cheaper but uneven: a little slow at the ends of a step, a little fast in the middle. None shows the newest state until the next step.",
    ],
    presets: [
      ["60 steps per second", { rate: 60 }],
      ["slow motion", { rate: 5, scale: 0.1 }],
      ["nearly half a turn per step", { rate: 5, turns: 2.2, scale: 0.25 }],
      ["too fast to blend", { rate: 5, turns: 4, scale: 0.25 }],
    ],
    terms: {
      Error:
        "Maximum angle between the box as drawn and the outline, over the last second. Slerp and nlerp do not know how the axis moves within a step. None is up to one step ahead.",
      "vs slerp": "Maximum angle to the slerp picture, over the last second.",
      "Degrees per 1/60 s":
        "How far the picture turned, bar by bar. Slerp changes only from step to step; nlerp speeds up and slows down within each step; without blending, the box jumps once per step.",
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
      // In whole microseconds, so that a link can hold the exact time.
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
    moment: () => (model.now > 0 && model.now <= MAX_MOMENT ? String(model.now) : ""),
  });
  page.refresh();

  return page;
}
