import { runFrames } from "../../../drivers/index.js";
import { workerAlarm } from "../../../drivers/index.js";
import type { Waking } from "./page-frames.js";

/** Lets frames go on at the loop's rate while the page is hidden, woken by a worker, as an online game needs: `display({ hidden: runHidden() })`. */
export const runHidden = (): Waking => (frame, loop, throttled) =>
  runFrames(frame, loop.rate, undefined, (ring) => workerAlarm(ring, throttled));
