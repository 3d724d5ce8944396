// How long the main thread of a page works per frame, from a trace of Chromium.
import { setTimeout } from "node:timers/promises";

/** Top-level tasks of all threads, and the frames. */
const CATEGORIES = ["devtools.timeline", "disabled-by-default-devtools.timeline"];

/** Returns the work of each frame in milliseconds: on the clock of the main thread, and on the wall. */
export async function traceFrames(page, seconds) {
  await page.tracing.start({ categories: CATEGORIES });
  await setTimeout(1000 * seconds);
  const { traceEvents } = JSON.parse(new TextDecoder().decode(await page.tracing.stop()));
  const inOrder = (name) =>
    traceEvents.filter((event) => event.name === name && event.ph === "X").sort((a, b) => a.ts - b.ts);
  const frames = inOrder("FireAnimationFrame");
  const { pid, tid } = frames[0];
  const tasks = inOrder("RunTask").filter((task) => task.pid === pid && task.tid === tid);
  return perFrame(frames, tasks);
}

/** Adds up the tasks from one frame to the next. The task of a frame begins before the frame's own event. */
function perFrame(frames, tasks) {
  const works = [];
  let next = tasks.findIndex(({ ts }) => ts > frames[0].ts);
  for (const { ts } of frames.slice(1)) {
    const work = { thread: 0, wall: 0 };
    for (; next < tasks.length && tasks[next].ts <= ts; next++) {
      work.thread += (tasks[next].tdur ?? 0) / 1000;
      work.wall += tasks[next].dur / 1000;
    }
    works.push(work);
  }
  return works;
}
