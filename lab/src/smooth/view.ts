import { displayFrames, type DisplayFrame } from "../../../scenes/display.js";
import { readValues } from "../address.js";
import { make } from "../dom.js";
import { download } from "../files.js";
import type { Experiment } from "../experiment.js";
import { Page } from "../page.js";
import { DisplayRecording } from "../recording/recording.js";
import { keepText, keptText } from "../recording/visit.js";
import { traceFiles } from "./files.js";
import { LaneView, percent } from "./lane-view.js";
import { LANES } from "./lanes.js";
import { Live } from "./live.js";
import { fetchRecording } from "./recordings.js";
import { Run } from "./run.js";
import { displayOf, SIMULATED_DISPLAY_SETTINGS, SETTINGS } from "./settings.js";
import { framesOf, readTrace, TraceError, type Trace, writeTrace } from "./trace.js";

export const SMOOTH = "smooth";

/** Possible chart heights, in %: the smallest that fits nearly all judder is used. */
const TOPS = [2, 5, 10, 20, 50, 100];
/** Settings that change the view of a run, but not the run. */
const VIEW_SETTINGS = ["slow", "magnify"];

/** The third experiment: the same motion on the same display, with three ways to measure time. */
export function smooth(query: URLSearchParams): Experiment {
  const values = readValues(SETTINGS, query);
  let past = /^\d{1,6}$/.test(query.get("at") ?? "") ? Number(query.get("at")) : 0;
  const lanes = LANES.map((pacing) => new LaneView(pacing));
  const note = make("p", "note");

  /** The run on screen, the index of its current refresh (-1 if there is none yet), and of the first one shown. */
  let run = new Run(values.rate);
  let index = -1;
  let start = 0;
  let trace: Trace | undefined;
  /** Deviation of the trace's timestamps, in milliseconds. */
  let noise = NaN;
  /** Real refreshes for which the current one has been held. */
  let held = 0;
  /** How often the figures have been drawn: the lattice is fitted every third time. */
  let drawn = 0;
  let live: Live | undefined;
  let file = keptTrace();
  let problem = "";

  function play(frames: readonly DisplayFrame[]) {
    run = Run.of(frames, values.rate);
    start = run.warmRefresh;
    index = past > 0 && past < run.refreshes ? past : start;
    past = held = 0;
  }
  /** Goes to the next refresh, and from the last to the first. */
  function showNext() {
    index = index + 1 < run.refreshes ? index + 1 : start;
  }
  function playTrace(given: Trace) {
    trace = given;
    const found = framesOf(given);
    noise = found.noise;
    play(found.frames);
  }
  function clear() {
    run = new Run(values.rate);
    index = -1;
    live = trace = undefined;
    problem = "";
  }
  function load() {
    const { source } = values;
    clear();
    for (const name of SIMULATED_DISPLAY_SETTINGS) page.controls.enableSetting(name, source === "simulated");
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
        (error: unknown) => showProblem("The recording", error as Error),
      );
    else if (file) playTrace(file);
  }
  /** Says why a recording cannot be played. */
  function showProblem(name: string, error: Error) {
    problem = `${name} cannot be played: ${error.message}.`;
    if (error instanceof TraceError) problem += ` ${error.fix}`;
    page.refresh();
    page.controls.announce(problem);
  }
  function next() {
    if (index >= 0 && !live) showNext();
    page.setPaused(true);
    page.controls.announce("Showing the next refresh.");
  }
  function save() {
    const saved = live ? live.trace(navigator.userAgent) : (trace ?? traceOf(run));
    if (saved.T.length > 2) download("tickwise-trace.json", writeTrace(saved), "application/json");
    else
      showProblem("The recording", new TraceError("nothing has been recorded yet", "Wait for a few frames."));
  }
  const files = traceFiles((name, content) => {
    if (content instanceof TraceError) return showProblem(name, content);
    file = content;
    keep(content);
    values.source = "file";
    page.controls.updateSettings();
    load();
    page.refresh();
    page.controls.announce(`Playing ${name}.`);
  });

  /** Describes the display. */
  function describe(): string {
    const { source, rate } = values;
    if (problem) return problem;
    if (source === "file" && !file)
      return "Open a recording of a display, or drop one here: JSON with an array “T” of timestamps and, optionally, an array “N” of performance.now() values, in milliseconds.";
    if (live && index < 0)
      return page.paused
        ? "Press Resume to measure your display."
        : "Measuring your display. Keep this page visible for three seconds.";
    if (index < 0) return "Loading the recording…";
    const hertz = `${(1000 / run.period).toFixed(2)} Hz`;
    const missed = run.missed > 0 ? ` ${run.missed} of ${run.refreshes} refreshes had no new frame.` : "";
    const best = run.bestRms > 0.001 ? ` The best possible judder here is ${percent(run.bestRms)} RMS.` : "";
    if (source === "simulated") {
      const display = values.sync === "variable" ? "A variable-rate display" : `A ${hertz} display`;
      return `${display}, ${rate} steps per second. Figures cover a whole minute.${missed}${best}`;
    }
    const deviation = live ? live.noise : noise;
    const name = live ? "Your display" : (trace?.ua && nameOf(trace.ua)) || "This display";
    if (Number.isNaN(deviation))
      return `${name}: no even refresh rate fits the timestamps, so the timestamps themselves count as refreshes.`;
    const clock = trace && !trace.N ? " It has no “N”, so the first lane uses “T”." : "";
    return `${name}: ${hertz}, timestamp error ±${deviation.toFixed(2)} ms RMS.${missed}${best}${clock}`;
  }

  const page = new Page({
    id: SMOOTH,
    title: "Smooth",
    lesson: "The same exact steps look smooth or stutter, depending on which clock you use.",
    about: [
      "A bar moves at constant speed and leaves a trace at each refresh of the display. Evenly spaced traces mean smooth motion; red ones came too early or too late. All three lanes get the same frames; they differ in how they measure the time between them. Everything runs in slow motion, and errors are magnified, so that you can see them on any machine.",
    ],
    presets: [
      ["a 1 ms clock", { clock: "whole" }],
      ["late timestamps", { clock: "whole", stamps: "late" }],
      ["a 144 Hz display", { refresh: 144 }],
      ["dropped frames", { drops: 2 }],
      ["a real, busy browser", { source: "chromium-busy" }],
      ["your own display", { source: "own" }],
    ],
    terms: {
      "Judder, RMS":
        "How much the movement per refresh deviates from even motion, in %, root mean square. From about 5 %, a moving edge looks blurred or doubled: ✓ means less, ✗ means more, whatever the cause.",
      Avoidable:
        "The part of the judder that a better clock could remove. Dropped frames cause the rest, and no clock can hide them. ✓ means at most 1 %.",
      Worst: "The same for the worst refresh.",
      "Odd steps/min":
        "Frames per minute that ran more or fewer steps than the others, if the simulation and refresh rates are nearly in a whole ratio. Anything not blended jumps there. ✓ means no more than the ratio of the rates enforces.",
      "Traces and ticks":
        "Ticks show where even motion would leave its traces. A constant delay does not count. A trace is red if the movement before it was off by more than 5 %. A tick without a trace had no new picture: a frame was dropped.",
      "Simulated display":
        "Refreshes according to its settings. Its timestamps can be rounded, late or jittery; callback times follow measurements in Chromium. The same settings give the same frames, so a link shows exactly what you see. The first two seconds, in which a loop locks on to the display, are neither counted nor shown.",
      "Your display, and recordings":
        "Browsers do not tell a page when the display refreshes, so the lab fits evenly spaced refreshes to the timestamps. Figures cover the last ten seconds; “Save recording” saves the last minute. Nothing leaves your machine.",
    },
    settings: SETTINGS,
    values,
    parts: lanes,
    layout: "pacings",
    above: [note, files.input],
    actions: [
      { id: "next", label: "Next refresh", shortcut: "next", run: next },
      { id: "open", label: "Open recording", shortcut: "open", run: () => files.open() },
      { id: "save", label: "Save recording", shortcut: "save", run: save },
    ],
    startsPaused: past > 0,
    restart(changed) {
      if (!VIEW_SETTINGS.includes(changed ?? "")) load();
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
      showNext();
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
        // Not the refreshes in which a loop locks on to the display: the figures do not count them either.
        view.drawChart(run.lanes[lane]!, live ? run.warmRefresh : start, index, top);
        view.drawFigures(figures?.[lane], run, figures ? run.bestRms : 0);
      });
      const text = describe();
      if (note.textContent !== text) note.textContent = text;
      note.classList.toggle("problem", problem !== "");
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

/** Returns the recording of this visit. */
function keptTrace(): Trace | undefined {
  const text = keptText();
  try {
    return text === undefined ? undefined : readTrace(text);
  } catch {
    // Stored by another version of the site.
    return undefined;
  }
}

/** Keeps a trace for the visit, if figures can play it. */
function keep(trace: Trace): void {
  try {
    keepText(new DisplayRecording(trace).text);
  } catch {
    // This page plays more than figures do.
  }
}

/** Returns a simulated run as a trace. */
const traceOf = ({ frames }: Run): Trace => ({
  ua: "Tickwise lab (simulated display)",
  T: frames.map(({ stamp }) => stamp),
  N: frames.map(({ now }) => now),
});

/** Returns the browser's name and version from a user agent. */
function nameOf(ua: string): string {
  const [name = ua.slice(0, 40)] = /(Firefox|Chrome|Version)\/[\d]+/.exec(ua) ?? [];
  return name.replace("Version", "WebKit").replace("/", " ");
}
