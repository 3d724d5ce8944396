import { manualLoop } from "tickwise/testing";
import { paced, plainNow, plainRaf, type Pacing } from "../../../scenes/pacing.js";

/** A way to find out how much time a frame stands for. */
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
    about:
      "An accumulator that asks what time it is when its callback runs: a little late, each time differently.",
    pacing: plainNow,
  },
  {
    id: "stamp",
    name: "The stamp",
    code: "requestAnimationFrame",
    about: "The same accumulator, fed with the frame's own stamp: as good as the browser's rounding.",
    pacing: plainRaf,
  },
  {
    id: "display",
    name: "The display clock",
    code: 'new Loop({ pacing: "display" })',
    about: "Tickwise: finds from the stamps when the display refreshes, and counts whole refreshes.",
    pacing: paced((rate) => manualLoop({ rate, pacing: "display" })),
  },
];
