import type { Alarm } from "./schedule.js";
import { timerAlarm } from "./timer.js";

const CODE = "onmessage = (event) => setTimeout(postMessage, event.data, 0)";

/**
 * An alarm that rings on time in a hidden page too, whose own timers are throttled: a worker's are not.
 * It only wakes; the page reads the time. Where a worker is refused, as a content security policy may
 * do at once or later, the page's timers serve.
 */
export function workerAlarm(ring: () => void, onRefused: (reason: string) => void): Alarm {
  let url = "";
  let worker: Worker | undefined;
  let timer: Alarm | undefined;
  /** What it was last set to, while a worker has it. */
  let asked: number | undefined;
  const end = () => {
    worker?.terminate();
    worker = undefined;
    timer?.end();
    URL.revokeObjectURL(url);
  };
  const fallBack = (reason: string) => {
    end();
    timer = timerAlarm(ring);
    if (asked !== undefined) timer.set(asked);
    onRefused(reason);
  };
  try {
    url = URL.createObjectURL(new Blob([CODE], { type: "text/javascript" }));
    worker = new Worker(url);
    worker.onmessage = ring;
    worker.onerror = (event) => {
      event.preventDefault();
      if (worker) fallBack(event.message || "the worker could not be loaded");
    };
  } catch (error) {
    fallBack(String(error));
  }
  return {
    end,
    set(milliseconds) {
      asked = milliseconds;
      // Timers cut off fractions, and would ring too soon.
      if (worker) worker.postMessage(Math.ceil(milliseconds));
      else timer?.set(milliseconds);
    },
  };
}
