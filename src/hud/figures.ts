import type { Loop } from "../loop/index.js";
import type { FrameMemory } from "./frame-memory.js";
import { hertz, milliseconds, monitorText, NONE } from "./text.js";

/** Frames over which figures are averaged: one second on most displays. */
const FRAMES = 60;

/** Returns the figures that the overlay shows, by name. */
export function figuresOf(loop: Loop, memory: FrameMemory) {
  const { display, rate } = loop;
  const { recent, lostSeconds } = loop.stats;
  const time = memory.mean(memory.times, FRAMES);
  const isMeasured = recent.stepCost + recent.renderCost > 0;
  return {
    fps: time > 0 ? (1 / time).toFixed(1) : NONE,
    tick: String(loop.tick),
    frame: time > 0 ? `${(time * 1e3).toFixed(2)} ms` : NONE,
    refresh: !display ? NONE : display.locked ? `${(1 / display.period).toFixed(2)} Hz` : "unsteady",
    steps: memory.mean(memory.steps, FRAMES).toFixed(2),
    rate: hertz(rate[0] / rate[1], 2),
    alpha: loop.alpha.toFixed(2),
    judder: display ? `${(recent.judder * 100).toFixed(1)} %` : NONE,
    lost: `${lostSeconds.toFixed(2)} s`,
    dropped: display ? String(recent.droppedFrames) : NONE,
    step: isMeasured ? milliseconds(recent.stepCost) : "",
    draw: isMeasured ? milliseconds(recent.renderCost) : "",
  };
}

export type FigureName = keyof ReturnType<typeof figuresOf>;

/** Returns what the loop's monitors show, by name. */
export function monitorsOf({ stats }: Loop): Record<string, string> {
  const values = Object.entries(stats.monitors);
  return Object.fromEntries(values.map(([name, value]) => [name, monitorText(value)]));
}
