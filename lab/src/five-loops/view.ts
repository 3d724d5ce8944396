import { readValues } from "../address.js";
import { make } from "../dom.js";
import type { Experiment } from "../experiment.js";
import { FilePicker } from "../files.js";
import { Page } from "../page.js";
import { notice } from "../recording/notice.js";
import { readFile } from "../recording/read-file.js";
import type { DisplayRecording } from "../recording/recording.js";
import { keepText } from "../recording/visit.js";
import { FiveLoops } from "./five-loops.js";
import { LaneView } from "./lane-view.js";
import { readMoment, writeMoment } from "./moment.js";
import { SETTINGS } from "./settings.js";
import { STRATEGIES } from "./strategies.js";

export const FIVE_LOOPS = "five-loops";

/** The first experiment: five ways to step the same spring on the same display. */
export function fiveLoops(query: URLSearchParams): Experiment {
  const values = readValues(SETTINGS, query);
  const past = readMoment(query.get("at") ?? "");
  let model = new FiveLoops(values);
  model.replay(past);
  /** Real seconds. A frame is shown when it is due, up to half a frame early. */
  let realTime = model.display.time;
  const lanes = STRATEGIES.map((strategy) => new LaneView(strategy));
  const note = make("span");
  /** The display of all lanes, if it is not simulated, and the line that says so. */
  let recording: DisplayRecording | undefined;
  const display = make("p", "note");
  display.hidden = true;
  const back = make("button", "", "Back to simulated");
  back.type = "button";
  back.addEventListener("click", () => {
    keepText(undefined);
    setDisplay(undefined);
  });
  const files = new FilePicker(
    { accept: ".json,application/json", label: "Recording of a display" },
    async (file) => {
      const content = await readFile(file);
      if (files.isDisposed) return;
      if (typeof content === "string") return notice(content, "problem");
      keepText(content.text);
      setDisplay(content);
    },
  );

  function setDisplay(next: DisplayRecording | undefined) {
    recording = next;
    for (const name of ["fps", "jitter"] as const) page.controls.enableSetting(name, !next);
    display.hidden = !next;
    if (next)
      display.replaceChildren(`Your recording, ${next.hertz}, replaces the simulated display. `, back);
    restart();
    page.controls.announce(next ? display.textContent! : "The display is simulated again.");
    page.refresh();
  }
  function restart() {
    model = new FiveLoops(values, recording);
    realTime = 0;
  }

  function stall() {
    model.stall();
    if (page.paused) {
      model.frame();
      realTime = model.display.time;
    }
    page.controls.announce("The display stalls for half a second.");
    page.refresh();
  }
  function step() {
    model.step();
    page.setPaused(true);
    page.controls.announce("Ran one step in every lane.");
  }

  const page = new Page({
    id: FIVE_LOOPS,
    title: "Five loops",
    lesson:
      "Only the last lane runs at the right speed, gives the same result on every display, and still moves smoothly.",
    about: [
      "Five balls on the same damped spring, shown on the same simulated display. The ring is the exact solution; the dots are recent positions of the ball. ",
      note,
    ],
    presets: [
      ["25 Hz on a 60 Hz display", { rate: 25 }],
      ["a slow display", { rate: 60, fps: 25 }],
      ["a jittery display", { rate: 60, fps: 50, jitter: 100 }],
      ["slow motion", { rate: 60, scale: 0.1 }],
    ],
    terms: {
      "Right speed":
        "Simulated time divided by elapsed time, at the chosen time scale. ✓ means that it is off by at most one step, which may still wait for its frame.",
      "Same result":
        "How far the newest state is from a run with steps of exactly dt. “Exactly” means that every display gives the same result, bit for bit: only that is a ✓.",
      Smooth:
        "How much the simulated time between two frames deviates from the real time between them, over the last second. ✓ means less than 0.5 ms.",
      Distance:
        "Mean distance between the ball as drawn and the ring over the last second. The lane is 200 wide.",
      "Lost time":
        "Time that the loop dropped. It takes at most 0.25 s from one frame, so that a stall does not cause a burst of steps. All other figures are measured on the remaining time.",
      "Steps per frame": "The chart has one bar per frame. Above it: total steps in total frames.",
      Display:
        "Simulated. A slow display holds each frame; of frames faster than your own display's, only the last is drawn. Its jitter is seeded, so a link shows exactly what you see.",
    },
    settings: SETTINGS,
    values,
    parts: lanes,
    above: [display, files.input],
    actions: [
      { id: "stall", label: "Stall 500 ms", shortcut: "heavy", run: stall },
      { id: "step", label: "One step", shortcut: "next", run: step },
      { id: "open", label: "Open recording", shortcut: "open", run: () => files.open() },
    ],
    startsPaused: past.length > 0,
    restart,
    advance(seconds) {
      realTime += seconds;
      const before = model.display.frames;
      while (model.display.due <= realTime + 0.5 / (recording?.rate ?? values.fps)) model.frame();
      return model.display.frames > before;
    },
    drawPicture() {
      lanes.forEach((view, index) => view.drawTrack(model.lanes[index]!));
    },
    drawFigures() {
      lanes.forEach((view, index) => view.drawFigures(model.lanes[index]!, model));
      const late = (1000 / values.rate).toFixed(1);
      note.textContent = `Blending draws one step late, here ${late} ms; the ring in the last lane is delayed to match.`;
      const { frames, time } = model.display;
      return `frame ${frames} · ${time.toFixed(2)} s`;
    },
    moment: () => (recording ? "" : writeMoment(model.events)),
  });
  page.refresh();
  return {
    element: page.element,
    advance: (seconds, frame) => page.advance(seconds, frame),
    dispose() {
      files.dispose();
      page.dispose();
    },
  };
}
