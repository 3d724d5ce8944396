import { alarmsOf, type Alarm, type Scheduler } from "../platform/index.js";
import { badValue, misuse, requireFunction, requireNumber } from "../errors/index.js";
import { DueHeap, type Due } from "./due-heap.js";

/** A scheduler on virtual time, which passes only when `advance` or `advanceTo` is called. An hour takes seconds, and every run is the same. */
export interface VirtualScheduler extends Scheduler {
  /** When the next call is due, in milliseconds. Infinity if there is none. */
  readonly nextDue: number;
  /** Makes all calls that are due up to a time, which then is now. Calls due at the same time are made in the order they were set. */
  advanceTo(milliseconds: number): void;
  /** Lets some milliseconds pass. */
  advance(milliseconds: number): void;
}

interface Entry extends Due {
  readonly call: () => void;
}

/** Creates a scheduler on virtual time, which starts at 0. */
export function virtualScheduler(): VirtualScheduler {
  const heap = new DueHeap<Entry>();
  let now = 0;
  let isRunning = false;
  const enter = (call: () => void): Entry => ({ due: 0.5, order: 0, place: -1, call });
  const dueIn = (milliseconds: number): number => {
    const due = now + milliseconds;
    if (!(milliseconds >= 0 && due < Infinity))
      badValue("Scheduler.after: milliseconds", "a finite number, 0 or more", milliseconds, 10);
    return due;
  };

  const advanceTo = (until: number) => {
    if (!(until >= now && until < Infinity))
      badValue("VirtualScheduler.advanceTo: milliseconds", `a finite number from ${now} on`, until, now + 10);
    if (isRunning)
      misuse("reentrant", "VirtualScheduler.advanceTo", "cannot be called from a call that it makes");
    isRunning = true;
    try {
      for (let next = heap.first; next && next.due <= until; next = heap.first) {
        heap.remove(next);
        now = next.due;
        next.call();
      }
    } finally {
      isRunning = false;
    }
    now = until;
  };

  return {
    now: () => now,
    get nextDue() {
      return heap.first?.due ?? Infinity;
    },
    after(milliseconds, call) {
      requireFunction("Scheduler.after: call", call);
      const entry = enter(call);
      heap.set(entry, dueIn(milliseconds));
      return () => heap.remove(entry);
    },
    alarm(ring): Alarm {
      const entry = enter(ring);
      return {
        set: (milliseconds) => heap.set(entry, dueIn(milliseconds)),
        end: () => heap.remove(entry),
      };
    },
    advanceTo,
    advance(milliseconds) {
      requireNumber("VirtualScheduler.advance: milliseconds", milliseconds, 0, 1e15, 10);
      advanceTo(now + milliseconds);
    },
  };
}

/**
 * Returns a scheduler whose clock runs faster than another by a share: 0.01 makes it gain a second in 100. Negative
 * shares make it slow. Give each simulated peer its own, to test how a session copes with clock skew.
 */
export function skewedScheduler(scheduler: Scheduler, skew: number): Scheduler {
  requireNumber("skewedScheduler: skew", skew, -0.5, 1, 0.01);
  const speed = 1 + skew;
  return {
    now: () => scheduler.now() * speed,
    after: (milliseconds, call) => scheduler.after(milliseconds / speed, call),
    alarm(ring) {
      const alarm = alarmsOf(scheduler)(ring);
      return { end: alarm.end, set: (milliseconds) => alarm.set(milliseconds / speed) };
    },
  };
}
