import { plainNow, plainRaf, tickwise, type Pacing } from "../../../scenes/pacing.js";

/** A way to measure how much time has passed in a frame. */
export interface NamedPacing {
  readonly id: string;
  readonly name: string;
  readonly code: string;
  readonly about: string;
  readonly pacing: Pacing;
}

export const LANES: readonly NamedPacing[] = [
  {
    id: "now",
    name: "The clock",
    code: "performance.now()",
    about: "An accumulator that reads the clock when its callback runs, which is late by a varying amount.",
    pacing: plainNow,
  },
  {
    id: "stamp",
    name: "The timestamp",
    code: "requestAnimationFrame",
    about: "The same accumulator, fed with the frame's timestamp: as good as the browser's rounding.",
    pacing: plainRaf,
  },
  {
    id: "display",
    name: "The display clock",
    code: "loop.start(display())",
    about: "Tickwise: works out the display's refreshes from the timestamps, and counts whole refreshes.",
    pacing: tickwise,
  },
];
