import { runFrames } from "./schedule.js";
import { workerAlarm } from "../../platform/index.js";
import type { Waking } from "./display.js";

/** Lets frames go on at the loop's rate while the page is hidden, woken by a worker, as an online game needs: `display({ hidden: runHidden() })`. */
export const runHidden = (): Waking => (frame, loop, throttled) =>
  runFrames(frame, loop.rate, undefined, (ring) => workerAlarm(ring, throttled));
