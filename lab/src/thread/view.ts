import { readValues } from "../address.js";
import { make } from "../dom.js";
import type { Experiment } from "../experiment.js";
import { Page } from "../page.js";
import { DelayView } from "./delay-view.js";
import { FrameMeter, refreshOf } from "./frame-meter.js";
import { THREAD } from "./name.js";
import { OneThread } from "./one-thread.js";
import { describeMemory, PAGE_TEXT } from "./page-text.js";
import { SETTINGS } from "./settings.js";
import { SideView } from "./side-view.js";
import { TwoThreads } from "./two-threads.js";

/** The same pile on one thread and on two. */
export function thread(query: URLSearchParams): Experiment {
  const values = readValues(SETTINGS, query);
  const note = make("p", "note");
  /** How long a refresh takes: one side may never be that fast. */
  const refresh = (): number => Math.min(refreshOf(meters.one.intervals), refreshOf(meters.two.intervals));
  const newMeters = () => ({ one: new FrameMeter(refresh), two: new FrameMeter(refresh) });
  let meters = newMeters();
  let isPaused = true;
  const one = new OneThread(() => meters.one);
  const two = new TwoThreads(values, () => meters.two);
  one.setCost(values.cost);
  const sides = [
    new SideView({ id: "one", name: "One thread" }, "Simulates and draws.", one.canvas),
    new SideView({ id: "two", name: "Two threads" }, "The worker simulates, the page draws.", two.canvas),
  ] as const;
  const delay = new DelayView();

  /** Lets both sides stand still, or go on. */
  function follow() {
    if (page.paused === isPaused) return;
    isPaused = page.paused;
    for (const side of [one, two]) side.setPaused(isPaused);
    for (const meter of Object.values(meters)) meter.pause();
  }

  const page = new Page({
    id: THREAD,
    ...PAGE_TEXT,
    settings: SETTINGS,
    values,
    parts: [...sides, delay],
    layout: "twins threads",
    above: [note],
    actions: [],
    startsPaused: false,
    restart(changed) {
      one.setCost(values.cost);
      // A function writes it to the inputs of the next step.
      if (changed === "cost") return;
      meters = newMeters();
      one.restart();
      two.restart();
    },
    // Both sides have their own loops.
    advance: () => false,
    drawPicture: follow,
    drawFigures() {
      sides[0].drawFigures(meters.one);
      sides[1].drawFigures(meters.two);
      const { session } = two;
      delay.drawFigures(session);
      const { memory, memoryReason } = session;
      const text =
        one.problem || two.problem || describeMemory(memory, memoryReason, navigator.hardwareConcurrency);
      if (note.textContent !== text) note.textContent = text;
      return `tick ${session.tick}`;
    },
    moment: () => "",
  });
  page.refresh();

  return {
    element: page.element,
    advance: (seconds, frame) => page.advance(seconds, frame),
    dispose() {
      page.dispose();
      one.dispose();
      two.dispose();
    },
  };
}
