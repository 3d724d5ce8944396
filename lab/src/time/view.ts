import { readValues } from "../address.js";
import { make } from "../dom.js";
import type { Experiment } from "../experiment.js";
import { Page } from "../page.js";
import { Timeline } from "../timeline.js";
import { Keys } from "./keys.js";
import { TIME } from "./name.js";
import { Playback } from "./playback.js";
import { SceneView } from "./scene-view.js";
import { PLAY_SETTINGS, SETTINGS } from "./settings.js";

/** Longer stories would keep a visitor waiting; in ticks. */
const LONGEST = 3600;

/** The seventh experiment: a scene that is played, and gone back in. */
export function time(query: URLSearchParams): Experiment {
  const values = readValues(SETTINGS, query);
  const at = query.get("at") ?? "";
  const past = /^\d{1,4}$/.test(at) && Number(at) <= LONGEST ? Number(at) : 0;
  const keys = new Keys(() => !page.paused, takeOver);
  const timeline = new Timeline(jump, released);
  const scene = new SceneView(timeline);
  const note = make("p", "note");
  let model = new Playback(values, keys);
  if (values.by === "script") model.reach(past);

  /** Whoever presses a key plays. */
  function takeOver() {
    if (values.by === "keys") return;
    values.by = "keys";
    page.controls.updateSettings();
    page.refresh();
    page.controls.announce("You play now.");
  }
  function rewind(isBack: boolean) {
    model.rewind(isBack);
    page.refresh();
    const { tick } = model.session;
    page.controls.announce(isBack ? "Going back." : `At tick ${tick}: it goes on from here.`);
  }
  function jump(tick: number) {
    model.jump(tick);
    page.refresh();
  }
  function released() {
    page.controls.announce(`At tick ${model.session.tick}.`);
  }

  function describe(): string {
    const { tick, first, last, rewinding } = model.session;
    const goOn = "The next step goes on from here, and the states after it are forgotten.";
    if (rewinding && tick === first) return `This is the oldest state that is kept. ${goOn}`;
    if (rewinding)
      return `Going back at ${values.speed}×. What you see lies between two states of the past, which are simulated anew from the snapshot before them, with the inputs of then.`;
    if (tick < last) return `A state of the past, with the hash it had then. ${goOn}`;
    if (values.by === "script")
      return "The script plays. Press an arrow key to take over, hold B to go back, or drag the slider.";
    return values.scene === "platformer"
      ? "You play: arrow keys to run, space to jump. Hold B to go back, and try again from there."
      : "You play: arrow keys to move the bumper, space to kick. Hold B to go back, and try again from there.";
  }

  const page = new Page({
    id: TIME,
    title: "Time",
    lesson: "Hold a key, and time runs back; let go, and play on from there.",
    about: [
      "The session keeps a snapshot of the whole state every 16 ticks, and the inputs of every tick between. So any state of its history comes back exactly, which its hash shows; and since pictures are blended of two states either way, time runs back as smoothly as forward, at any speed.",
    ],
    presets: [
      ["slow motion, backwards", { speed: "0.25" }],
      ["a thousand balls fall up", { scene: "balls", speed: "2" }],
      ["a minute of history", { history: 60, speed: "4" }],
      ["play it yourself", { by: "keys" }],
    ],
    terms: {
      "Tick, hash":
        "The state that the session is at, and 64 bits of all of it, as session.hash() gives them.",
      "Can go back, ahead":
        "How far the oldest state is, and the newest. What lies ahead is kept until the next step: then the future is another one.",
      Memory:
        "Of all states that the session holds: taken once, as it is made, and never more. Half as many seconds need about half of it.",
      Slider: "Drag it, or focus it and press the arrow keys. While you drag, time waits.",
    },
    settings: SETTINGS,
    values,
    parts: [scene],
    layout: "past",
    above: [note],
    actions: [{ id: "rewind", label: "Hold to rewind", key: "b", hold: rewind }],
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
      return `${rewinding ? "going back, " : ""}tick ${tick}`;
    },
    moment: () => (model.isScripted && model.session.tick <= LONGEST ? String(model.session.tick) : ""),
  });
  page.refresh();

  return {
    element: page.element,
    advance(seconds, frame) {
      if (!page.paused || !model.session.rewinding) return page.advance(seconds, frame);
      // Paused, one can still go back.
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
