import { timerAlarm, type Alarm } from "./alarm.js";

const CODE = "onmessage = (event) => setTimeout(postMessage, event.data, 0)";

/**
 * Creates an alarm that rings on time in a hidden page, too: browsers throttle the timers of hidden pages, but not those of
 * workers. The worker only wakes the page. If a content security policy forbids it, now or later, the page's timers are used.
 */
export function workerAlarm(ring: () => void, onThrottled: (reason: string) => void): Alarm {
  let url = "";
  let worker: Worker | undefined;
  let timer: Alarm | undefined;
  /** The milliseconds that the worker was last set to. */
  let pending: number | undefined;
  const end = () => {
    worker?.terminate();
    worker = undefined;
    timer?.end();
    URL.revokeObjectURL(url);
  };
  const fallBack = (reason: string) => {
    end();
    timer = timerAlarm(ring);
    if (pending !== undefined) timer.set(pending);
    onThrottled(reason);
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
      pending = milliseconds;
      // Timers drop fractions of a millisecond, and would ring too soon.
      if (worker) worker.postMessage(Math.ceil(milliseconds));
      else timer?.set(milliseconds);
    },
  };
}
