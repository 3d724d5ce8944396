import { touch } from "../../../src/input/index.js";
import { readValues } from "../address.js";
import { make } from "../dom.js";
import type { Experiment } from "../experiment.js";
import { Page } from "../page.js";
import { Timeline } from "../timeline.js";
import { Stick } from "../friend/stick.js";
import { hasTouch } from "../game-keys.js";
import { Pad, ZONES } from "../game/pad.js";
import { describePlay } from "./describe-play.js";
import { Keys } from "./keys.js";
import { TIME } from "./name.js";
import { Playback } from "./playback.js";
import { SceneView } from "./scene-view.js";
import { PLAY_SETTINGS, SETTINGS } from "./settings.js";

/** Latest tick that a link can lead to: it has to be simulated first. */
const MAX_TICK = 3600;

/** The seventh experiment: a scene to play and rewind. */
export function time(query: URLSearchParams): Experiment {
  const values = readValues(SETTINGS, query);
  const at = query.get("at") ?? "";
  const past = /^\d{1,4}$/.test(at) && Number(at) <= MAX_TICK ? Number(at) : 0;
  const pad = new Pad(rewind);
  const stick = new Stick("Kick");
  const pads = [touch(pad.element, { zones: ZONES }), stick.device];
  const keys = new Keys(pads, () => !page.paused, takeOver);
  const timeline = new Timeline(seek, announceTick);
  const scene = new SceneView(timeline, { platformer: pad.element, balls: stick.element });
  const note = make("p", "note");
  let model = new Playback(values, keys);
  if (values.by === "script") model.advanceTo(past);

  /** Switches from the script to the visitor at the first key press or touch. */
  function takeOver() {
    if (values.by === "keys") return;
    values.by = "keys";
    page.controls.updateSettings();
    page.refresh();
    page.controls.announce("You are playing now.");
  }
  function rewind(isRewinding: boolean) {
    model.rewind(isRewinding);
    page.refresh();
    const { tick } = model.session;
    page.controls.announce(isRewinding ? "Rewinding." : `Continuing from tick ${tick}.`);
  }
  function seek(tick: number) {
    model.seek(tick);
    page.refresh();
  }
  function announceTick() {
    page.controls.announce(`At tick ${model.session.tick}.`);
  }

  function describe(): string {
    const { tick, first, last, rewinding } = model.session;
    const next = "The next step continues from here and discards the states after it.";
    if (rewinding && tick === first) return `This is the oldest state in the history. ${next}`;
    if (rewinding)
      return `Rewinding at ${values.speed}×. Past states are resimulated from the snapshot before them, with the recorded inputs, and blended.`;
    if (tick < last) return `A past state, with the same hash as before. ${next}`;
    return describePlay(values, hasTouch());
  }

  const page = new Page({
    id: TIME,
    title: "Time",
    lesson: "Hold a button to rewind time; release it to play from there.",
    about: [
      "The session keeps a snapshot of the whole state every 16 ticks, and the inputs of every tick in between. So it can restore any state of its history exactly, as the hash shows. And because every picture blends two states, time runs backward as smoothly as forward, at any speed.",
    ],
    presets: [
      ["rewind in slow motion", { speed: "0.25" }],
      ["a thousand balls falling up", { scene: "balls", speed: "2" }],
      ["a minute of history", { history: 60, speed: "4" }],
      ["play it yourself", { by: "keys" }],
    ],
    terms: {
      "Tick, hash": "The session’s current tick, and a 64-bit hash of its state, from session.hash().",
      "Past, future":
        "Time to the oldest and to the newest state in the history. After a rewind, the next step discards the future.",
      Memory:
        "Used by all states in the session. Allocated once, when the session is created. Half the history takes about half the memory.",
      Slider: "Drag it, or focus it and use the arrow keys. Time stops while you drag.",
    },
    settings: SETTINGS,
    values,
    parts: [scene],
    layout: "past",
    above: [note],
    actions: [{ id: "rewind", label: "Hold to rewind", shortcut: "rewind", hold: rewind }],
    startsPaused: past > 0,
    restart(changed) {
      if (PLAY_SETTINGS.includes(changed ?? "")) return;
      model.dispose();
      model = new Playback(values, keys);
    },
    advance(seconds) {
      if (!timeline.isHeld) model.advance(seconds);
      return true;
    },
    drawPicture() {
      scene.drawPicture(model, values.scene);
    },
    drawFigures() {
      scene.drawFigures(model);
      const text = describe();
      if (note.textContent !== text) note.textContent = text;
      const { tick, rewinding } = model.session;
      return `${rewinding ? "rewinding, " : ""}tick ${tick}`;
    },
    moment: () => (model.isScripted && model.session.tick <= MAX_TICK ? String(model.session.tick) : ""),
  });
  page.refresh();

  return {
    element: page.element,
    advance(seconds, frame) {
      if (!page.paused || !model.session.rewinding) return page.advance(seconds, frame);
      // Rewinding also works while paused.
      model.advance(seconds);
      page.refresh();
    },
    dispose() {
      keys.dispose();
      page.dispose();
      model.dispose();
    },
  };
}
