import { displayFrames, type DisplayFrame } from "../../../scenes/display.js";
import { readValues } from "../address.js";
import { make } from "../dom.js";
import { download } from "../files.js";
import type { Experiment } from "../experiment.js";
import { Page } from "../page.js";
import { traceFiles } from "./files.js";
import { LaneView, percent } from "./lane-view.js";
import { LANES } from "./lanes.js";
import { Live } from "./live.js";
import { fetchRecording } from "./recordings.js";
import { Run } from "./run.js";
import { displayOf, OF_SIMULATION, SETTINGS } from "./settings.js";
import { framesOf, NoTrace, type Trace, writeTrace } from "./trace.js";

export const SMOOTH = "smooth";

/** Heights of the charts, in %: the least that nearly all judder fits in. */
const TOPS = [2, 5, 10, 20, 50, 100];
/** Settings that change how a run is looked at, and not the run. */
const OF_VIEW = ["slow", "magnify"];

/** The third experiment: the same motion before the same display, by three ideas of what time it is. */
export function smooth(query: URLSearchParams): Experiment {
  const values = readValues(SETTINGS, query);
  let past = /^\d{1,6}$/.test(query.get("at") ?? "") ? Number(query.get("at")) : 0;
  const lanes = LANES.map((pacing) => new LaneView(pacing));
  const note = make("p", "note");

  /** What is replayed, the refresh of it that is shown, none if nothing is known yet, and the first one. */
  let run = new Run(values.rate);
  let index = -1;
  let start = 0;
  let trace: Trace | undefined;
  /** What the stamps of a trace are off, in milliseconds. */
  let noise = NaN;
  /** Refreshes of the visitor's display for which this one was held; figures drawn since the lattice was fitted. */
  let held = 0;
  let drawn = 0;
  let live: Live | undefined;
  let file: Trace | undefined;
  let trouble = "";

  function play(frames: readonly DisplayFrame[]) {
    run = Run.of(frames, values.rate);
    start = run.warmRefresh;
    index = past > 0 && past < run.refreshes ? past : start;
    past = held = 0;
  }
  /** Shows the next refresh; after the last, the first again. */
  function move() {
    index = index + 1 < run.refreshes ? index + 1 : start;
  }
  function playTrace(given: Trace) {
    trace = given;
    const found = framesOf(given);
    noise = found.noise;
    play(found.frames);
  }
  function forget() {
    run = new Run(values.rate);
    index = -1;
    live = trace = undefined;
    trouble = "";
  }
  function load() {
    const { source } = values;
    forget();
    for (const name of OF_SIMULATION) page.controls.enableSetting(name, source === "simulated");
    page.controls.enableSetting("slow", source !== "own");
    if (source === "simulated") play(displayFrames(displayOf(values)));
    else if (source === "own") live = new Live(values.rate);
    else if (source !== "file")
      fetchRecording(source).then(
        (fetched) => {
          if (values.source !== source) return;
          playTrace(fetched);
          page.refresh();
        },
        (error: unknown) => tell("The recording", error as Error),
      );
    else if (file) playTrace(file);
  }
  /** Says what is wrong with a file. */
  function tell(what: string, { message }: Error) {
    trouble = `${what} cannot be replayed: ${message}.`;
    page.refresh();
    page.controls.announce(trouble);
  }
  function next() {
    if (index >= 0 && !live) move();
    page.setPaused(true);
    page.controls.announce("The next refresh is shown.");
  }
  function save() {
    const saved = live ? live.trace(navigator.userAgent) : (trace ?? traceOf(run));
    if (saved.T.length > 2) download("tickwise-trace.json", writeTrace(saved), "application/json");
    else tell("This", new NoTrace("nothing is recorded yet"));
  }
  const files = traceFiles((name, content) => {
    if (content instanceof NoTrace) return tell(`“${name}”`, content);
    file = content;
    values.source = "file";
    page.controls.updateSettings();
    load();
    page.refresh();
    page.controls.announce(`${name} is replayed.`);
  });

  /** What is known of the display. */
  function describe(): string {
    const { source, rate } = values;
    if (trouble) return trouble;
    if (source === "file" && !file)
      return "Open a trace file, or drop one here: JSON with a list “T” of stamps and, if there is one, a list “N” of performance.now(), in milliseconds.";
    if (live && index < 0)
      return page.paused
        ? "Resume, and your display is measured."
        : "Measuring your display. Keep this page in view for three seconds.";
    if (index < 0) return "Loading the recording.";
    const hertz = `${(1000 / run.period).toFixed(2)} Hz`;
    const missed =
      run.missed > 0 ? ` ${run.missed} of ${run.refreshes} refreshes had no frame of their own.` : "";
    const least =
      run.least > 0.001 ? ` Even one who knew every refresh would have ${percent(run.least)} RMS.` : "";
    if (source === "simulated") {
      const span = values.sync === "variable" ? "A variable display" : `A display of ${hertz}`;
      return `${span}, ${rate} steps a second; figures are of a whole minute.${missed}${least}`;
    }
    const of = live ? live.noise : noise;
    const who = live ? "Your display" : (trace?.ua && nameOf(trace.ua)) || "This display";
    if (Number.isNaN(of))
      return `${who}: no even refresh fits its stamps, so the stamps themselves are taken for its refreshes.`;
    const clock = trace && !trace.N ? " It has no “N”: the first lane is fed with “T”." : "";
    return `${who}: ${hertz}, its stamps ±${of.toFixed(2)} ms off.${missed}${least}${clock}`;
  }

  const page = new Page({
    id: SMOOTH,
    title: "Smooth",
    lesson: "The same exact steps move evenly or stutter: it depends on whom you ask for the time.",
    about: [
      "A bar moves at constant speed, and leaves a trace at each refresh of the display. Even traces are smooth motion; red ones came too soon or too late. All three lanes see the same frames; they differ in how much time they believe has passed. A refresh is held for several of your own display's, and errors are drawn larger than they are, so that you can see them on any machine.",
    ],
    tries: [
      ["a clock of whole milliseconds", { clock: "whole" }],
      ["late stamps", { clock: "whole", stamps: "late" }],
      ["a 144 Hz display", { refresh: 144 }],
      ["dropped frames", { drops: 2 }],
      ["a real, busy browser", { source: "chromium-busy" }],
      ["your own display", { source: "own" }],
    ],
    terms: {
      "Judder, RMS":
        "How much the moves from one refresh to the next differ from an even one, in % of it, root mean square. From some 5 % on a moving edge looks blurred or doubled. ✓ is less than 1 %, not counting what nobody could avoid.",
      Worst: "The same, of the worst refresh.",
      "Odd steps/min":
        "Frames a minute that ran more or fewer steps than the others, where steps and refreshes are nearly in a whole ratio: what is not blended leaps there.",
      "Traces, and ticks":
        "Ticks are where an even motion leaves its traces. What a lane is always late by does not count. A trace is red if the move that led to it was wrong by more than 5 %. A tick without a trace had no new picture: a frame was dropped.",
      "Simulated display":
        "It refreshes as its settings say. The page is told stamps that are rounded, late or shaken; when callbacks run was measured in Chromium. The same settings give the same frames, so that a link shows what you see. The first two seconds do not count, and are not shown: a display must be got to know.",
      "Your display, and traces":
        "Nobody tells a page when the display refreshes. The even lattice that fits the stamps best is taken for it. Figures are of the last ten seconds; “Save trace” writes down the last minute. Nothing leaves your machine.",
    },
    settings: SETTINGS,
    values,
    parts: lanes,
    layout: "pacings",
    above: [note, files.input],
    actions: [
      { id: "next", label: "Next refresh", key: "n", run: next },
      { id: "open", label: "Open trace", key: "o", run: () => files.open() },
      { id: "save", label: "Save trace", key: "s", run: save },
    ],
    isPast: past > 0,
    restart(changed) {
      if (!OF_VIEW.includes(changed ?? "")) load();
    },
    advance(_, frame) {
      if (live) {
        live.add(frame);
        index = live.run.refreshes - 1;
        run = live.run;
        return true;
      }
      if (index < 0 || ++held < values.slow) return false;
      held = 0;
      move();
      return true;
    },
    drawPicture() {
      lanes.forEach((view, lane) => view.drawPicture(run.lanes[lane]!, run.first, index, values.magnify));
    },
    drawFigures() {
      if (live && drawn++ % 3 === 0) {
        live.fit();
        run = live.run;
        index = run.refreshes - 1;
      }
      const figures = index < 0 ? undefined : run.figures;
      const highest = 100 * Math.max(0, ...(figures ?? []).map(({ p99 }) => p99));
      const top = TOPS.find((height) => height >= highest) ?? TOPS.at(-1)!;
      lanes.forEach((view, lane) => {
        view.drawChart(run.lanes[lane]!, index, top);
        view.drawFigures(figures?.[lane], run, figures ? run.least : 0);
      });
      const text = describe();
      if (note.textContent !== text) note.textContent = text;
      note.classList.toggle("trouble", trouble !== "");
      return index < 0 ? "no refresh yet" : `refresh ${run.first + index}`;
    },
    moment: () => (index > 0 && !live && values.source !== "file" ? String(index) : ""),
  });
  load();
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

/** A simulated run as a page would have recorded it. */
const traceOf = ({ frames }: Run): Trace => ({
  ua: "Tickwise lab: a simulated display",
  T: frames.map(({ stamp }) => stamp),
  N: frames.map(({ now }) => now),
});

/** The browser that a user agent is said to be. */
function nameOf(ua: string): string {
  const [name = ua.slice(0, 40)] = /(Firefox|Chrome|Version)\/[\d]+/.exec(ua) ?? [];
  return name.replace("Version", "WebKit").replace("/", " ");
}
