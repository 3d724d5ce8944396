import { displayOf, measure, type Loop } from "../loop/index.js";
import type { FrameMemory } from "./frame-memory.js";
import { hertz, milliseconds, monitorText, NONE } from "./text.js";

/** Frames over which figures are averaged: one second on most displays. */
const FRAMES = 60;

/** Returns the figures that the overlay shows, by name. `tick` is that of the session that the loop drives, if there is one. */
export function figuresOf(loop: Loop, memory: FrameMemory, tick: number = loop.tick) {
  const { rate } = loop;
  const display = displayOf(loop)?.info;
  const { recent, lostSeconds } = measure(loop);
  const time = memory.mean(memory.times, FRAMES);
  return {
    fps: time > 0 ? (1 / time).toFixed(1) : NONE,
    tick: String(tick),
    frame: time > 0 ? `${(time * 1e3).toFixed(2)} ms` : NONE,
    refresh: !display ? NONE : display.locked ? `${(1e3 / display.period).toFixed(2)} Hz` : "unsteady",
    steps: memory.mean(memory.steps, FRAMES).toFixed(2),
    rate: hertz(rate[0] / rate[1], 2),
    alpha: loop.alpha.toFixed(2),
    judder: display ? `${(recent.judder * 100).toFixed(1)} %` : NONE,
    lost: `${lostSeconds.toFixed(2)} s`,
    dropped: display ? String(recent.droppedFrames) : NONE,
    step: milliseconds(recent.stepCost),
    draw: milliseconds(recent.renderCost),
  };
}

export type FigureName = keyof ReturnType<typeof figuresOf>;

/** Returns what the loop's monitors show, by name. */
export function monitorsOf(loop: Loop): Record<string, string> {
  const values = Object.entries(measure(loop).monitors);
  return Object.fromEntries(values.map(([name, value]) => [name, monitorText(value)]));
}
