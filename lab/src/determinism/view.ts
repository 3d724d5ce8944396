import { readValues } from "../address.js";
import { make } from "../dom.js";
import type { Experiment } from "../experiment.js";
import { Page } from "../page.js";
import { codeOf } from "./faults.js";
import { HashesView } from "./hashes-view.js";
import { LaneView } from "./lane-view.js";
import { DETERMINISM } from "./name.js";
import { Pair } from "./pair.js";
import { nameOf, SETTINGS } from "./settings.js";
import { SyncView } from "./sync-view.js";
import { callOf, testScene } from "./sync.js";

/** Latest moment that a link can lead to, in seconds: it has to be simulated first. */
const MAX_MOMENT = 30;

/** The sixth experiment: the same scene on two displays, state by state, and what a fault does to it. */
export function determinism(query: URLSearchParams): Experiment {
  const values = readValues(SETTINGS, query);
  const at = query.get("at") ?? "";
  const past = /^\d{1,2}(\.\d{1,6})?$/.test(at) && Number(at) <= MAX_MOMENT ? Number(at) : 0;
  let model = new Pair(values);
  model.advanceTo(past);
  let result = testScene(values);
  const lanes = [new LaneView("left", "First display"), new LaneView("right", "Second display")] as const;
  const hashes = new HashesView();
  const sync = new SyncView();
  const note = make("p", "note");

  function next() {
    model.advanceToNextState();
    page.setPaused(true);
    page.controls.announce(`States compared up to ${model.compared - 1}.`);
  }

  function describe(): string {
    const { fault } = values;
    const { firstDifference: first } = model;
    if (fault === "none")
      return "A step depends only on the state and the inputs. However many frames the display shows, and however long they are, state n is identical, bit for bit.";
    if (fault === "hidden")
      return "A counter outside the state. Both lanes count the same, so their hashes agree. But rollback and rewind restore the state and not the counter. Comparing two runs cannot show that; the sync test does.";
    const when = first < 0 ? "The lanes have not diverged yet." : `The lanes diverged at tick ${first}.`;
    if (fault === "random")
      return `Every half second, a random number that is not part of the state gives something a push. ${when}${values.scene === "platformer" ? " A fall into a pit respawns both at the same place, so they may agree again for a while." : ""}`;
    return `What most loops do: one step per frame, as long as the frame. The inputs come at the same times, but each display has its own step lengths, so the states never match. ${when}`;
  }

  const page = new Page({
    id: DETERMINISM,
    title: "Determinism",
    lesson: "The same inputs give the same states, bit for bit, on any display.",
    about: [
      "The same scene twice, played by the same script, on two simulated displays. Each runs 60 steps per second and blends between the last two states in every frame. After each step the whole state is hashed, and the hashes of both lanes are compared. Plant a fault and see what finds it.",
    ],
    presets: [
      ["a jittery display", { left: "15", right: "jitter" }],
      ["a thousand balls", { scene: "balls", left: "60", right: "240" }],
      ["Math.random in the step", { fault: "random" }],
      ["hidden state", { scene: "orbit", fault: "hidden" }],
      ["what most loops do", { left: "15", right: "jitter", fault: "variable" }],
    ],
    terms: {
      State: "State n is the result of n steps from state 0. All of it is in one buffer.",
      Hash: "64 bits computed from the whole buffer by session.hash(). If any bit of the state changes, so does the hash.",
      Ribbon:
        "One mark per recent state, newest on the right: tall and green if the hashes of both lanes are equal, short and red if they differ. A dot above marks each second.",
      "Sync test":
        "After every tick it rolls back a few ticks and resimulates them, and compares the result with a run that never rolls back. The output is shown as printed: the first state that differs, and each differing field with both values.",
      Displays:
        "Simulated. A slow display holds each frame; of frames faster than your own display's, only the last is drawn. Their jitter is seeded.",
    },
    settings: SETTINGS,
    values,
    parts: [...lanes, hashes, sync],
    layout: "twins",
    above: [note],
    actions: [{ id: "next", label: "Next state", shortcut: "next", run: next }],
    startsPaused: past > 0,
    restart() {
      model.dispose();
      model = new Pair(values);
      result = testScene(values);
    },
    advance(seconds) {
      // In whole microseconds, so that a link can hold the exact time.
      model.advanceTo(Math.round((model.now + seconds) * 1e6) / 1e6);
      return true;
    },
    drawPicture() {
      lanes.forEach((view, index) => view.drawPicture(model.lanes[index]!, values.scene));
      hashes.drawPicture(model);
    },
    drawFigures() {
      lanes.forEach((view, index) =>
        view.drawFigures(model.lanes[index]!, nameOf(index === 0 ? values.left : values.right)),
      );
      hashes.drawFigures(model);
      sync.draw(callOf(values.scene), codeOf(values.scene, values.fault), result);
      const text = describe();
      if (note.textContent !== text) note.textContent = text;
      return `${model.now.toFixed(2)} s · state ${model.compared - 1}`;
    },
    // Math.random cannot be reproduced by a link.
    moment: () =>
      model.now > 0 && model.now <= MAX_MOMENT && values.fault !== "random" ? String(roundUp(model.now)) : "",
  });
  page.refresh();

  return {
    element: page.element,
    advance: (seconds, frame) => page.advance(seconds, frame),
    dispose() {
      page.dispose();
      model.dispose();
    },
  };
}

/** Rounds up to a microsecond, so that the last frame shown is included. */
const roundUp = (seconds: number) => Math.ceil(seconds * 1e6) / 1e6;
