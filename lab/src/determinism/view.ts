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

/** Longer stories would keep a visitor waiting; in seconds. */
const LONGEST = 30;

/** The sixth experiment: the same scene before two displays, state by state, and what a fault does to it. */
export function determinism(query: URLSearchParams): Experiment {
  const values = readValues(SETTINGS, query);
  const at = query.get("at") ?? "";
  const past = /^\d{1,2}(\.\d{1,6})?$/.test(at) && Number(at) <= LONGEST ? Number(at) : 0;
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
    page.controls.announce(`Compared up to state ${model.compared - 1}.`);
  }

  function describe(): string {
    const { fault } = values;
    const { firstDifference: first } = model;
    if (fault === "none")
      return "A step is a function of state and inputs alone: however many frames there are and however long they take, state n is the same, to the bit.";
    if (fault === "outside")
      return "A counter beside the state. Both lanes count alike, so their hashes agree; but whoever goes back in time, as rollback and rewind do, takes the counter along. Two runs cannot show that: the sync test does.";
    const when = first < 0 ? "The lanes have not parted yet." : `The lanes parted at tick ${first}.`;
    if (fault === "random")
      return `Every half second, chance that is no part of the state gives something a push. ${when}${values.scene === "platformer" ? " A fall into a pit sets both back to the same place: there they may meet again, for a while." : ""}`;
    return `What most loops do: one step a frame, as long as the frame. Players do the same at the same time, but each display has steps of its own, so the same state never comes about. ${when}`;
  }

  const page = new Page({
    id: DETERMINISM,
    title: "Determinism",
    lesson: "The same inputs give the same states, to the bit, whatever the display does.",
    about: [
      "The same scene twice, played by the same script, before two displays. Each simulates 60 steps a second and draws between two of them, frame by frame. After each step the whole state is hashed, and the hashes of the same state are held side by side. Then plant a fault, and see who finds it.",
    ],
    tries: [
      ["a jittered display", { left: "15", right: "jitter" }],
      ["a thousand balls", { scene: "balls", left: "60", right: "240" }],
      ["chance in the step", { fault: "random" }],
      ["state outside", { scene: "orbit", fault: "outside" }],
      ["what most loops do", { left: "15", right: "jitter", fault: "variable" }],
    ],
    terms: {
      State: "State n is what n steps have made of state 0. It is all in one buffer.",
      Hash: "64 bits of all of that buffer, as session.hash() gives them: any bit that changes makes another hash.",
      Ribbon:
        "A mark for each of the latest states, the newest on the right: green and high where both lanes have the same hash, red and low where not. A dot above is a second.",
      "Sync test":
        "It simulates, and in every tick goes some ticks back and simulates them again; beside it, a run that never does. What it prints is what you see: the first state that came out differently, each field, the value at first and the value then.",
      Displays:
        "Virtual ones: between its frames a picture is held, and of frames that come faster than your own display’s the last is drawn. Their jitter is seeded.",
    },
    settings: SETTINGS,
    values,
    parts: [...lanes, hashes, sync],
    layout: "twins",
    above: [note],
    actions: [{ id: "next", label: "Next states", key: "n", run: next }],
    isPast: past > 0,
    restart() {
      model.dispose();
      model = new Pair(values);
      result = testScene(values);
    },
    advance(seconds) {
      // In whole microseconds, which an address can hold.
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
    // Chance does not come again.
    moment: () =>
      model.now > 0 && model.now <= LONGEST && values.fault !== "random" ? String(tidy(model.now)) : "",
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

/** Up to the next microsecond, so that no frame that was shown is left out. */
const tidy = (seconds: number) => Math.ceil(seconds * 1e6) / 1e6;
