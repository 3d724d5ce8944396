import { systemNow, timerAlarm } from "../../platform/index.js";
import type { Driver } from "./driver.js";
import { StampDriver } from "./stamp-driver.js";

/** Options of `stepTimer`. */
export interface StepTimerOptions {
  /** Returns when the next step is due, in milliseconds of `systemNow`. Infinity if none is. */
  readonly due: () => number;
  /** Called if a frame throws. */
  readonly onError: (error: unknown) => void;
}

/** A driver that runs a frame when the next step is due. */
export interface StepTimer extends Driver {
  /** Runs a frame now, whether or not a step is due, and looks again when the next one is. */
  wake(): void;
}

/** How early a timer wakes the thread, in milliseconds: timers are up to this late. */
const EARLY = 2;
/** Up to this long before a step, messages that have arrived are handled. The rest of the time passes in a loop. */
const LAST_LOOK = 0.3;
/** A shorter sleep, in milliseconds, is often too long. */
const MIN_SLEEP = 0.1;
/** The longest time without a frame, in milliseconds: loops clamp long frames. */
const LONGEST = 100;

/**
 * Creates a driver for a thread that does nothing but simulate. Each step starts exactly when it is due, after a short sleep, and
 * messages that have arrived until then are handled before it.
 */
export function stepTimer({ due, onError }: StepTimerOptions): StepTimer {
  let frame: ((timestamp: number) => void) | undefined;
  let next = 0;
  /** Whether the alarm rings long before a step is due. */
  let isIdle = false;
  const sleep = threadSleep();
  const run = () => {
    if (!frame) return;
    try {
      frame(systemNow());
    } catch (error) {
      onError(error);
    }
    schedule();
  };
  let hop: Hop | undefined;
  const onHop = () => {
    if (!frame) return;
    const left = next - systemNow();
    if (left > EARLY + 1) return schedule();
    if (left > LAST_LOOK) {
      // Without a way to sleep, messages are handled in turns until the time has come.
      if (sleep && left - LAST_LOOK > MIN_SLEEP) sleep(left - LAST_LOOK);
      return hop?.set();
    }
    // Bounded, in case a test has stopped the clock.
    for (let i = 0; i < 100_000 && systemNow() < next; i++);
    return run();
  };
  const alarm = timerAlarm(() => {
    if (!frame) return;
    // Nothing is due for long: the frame only takes the time that has passed.
    if (isIdle) run();
    else hop?.set();
  });
  const schedule = () => {
    if (!frame) return;
    const now = systemNow();
    next = due();
    alarm.end();
    const left = next - now;
    isIdle = left > LONGEST;
    if (isIdle) alarm.set(LONGEST);
    else if (left > EARLY + 1) alarm.set(Math.floor(left - EARLY));
    else hop?.set();
  };
  const driver = new StampDriver({
    now: systemNow,
    begin(onFrame) {
      frame = onFrame;
      hop ??= hopOf(onHop);
      // The first frame only sets the clock.
      run();
      return () => {
        frame = undefined;
        alarm.end();
        hop?.end();
        hop = undefined;
      };
    },
  });
  return Object.assign(driver, { wake: run });
}

type Sleep = (milliseconds: number) => void;

/** What lets this thread sleep, once it was looked for. All drivers share it, as engines reserve much address space for such memory. */
let found: { readonly sleep: Sleep | undefined } | undefined;

const threadSleep = (): Sleep | undefined => (found ??= { sleep: sleeper() }).sleep;

/** Returns what lets the thread sleep for some milliseconds, where the platform can. */
function sleeper(): Sleep | undefined {
  try {
    // Pages without cross-origin isolation have no SharedArrayBuffer, but some can still share the memory of WebAssembly.
    const buffer =
      typeof SharedArrayBuffer === "function"
        ? new SharedArrayBuffer(4)
        : new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true }).buffer;
    const cell = new Int32Array(buffer);
    // Throws on the main thread of a page, which must not sleep.
    Atomics.wait(cell, 0, 0, 0);
    return (milliseconds) => void Atomics.wait(cell, 0, 0, milliseconds);
  } catch {
    return undefined;
  }
}

declare const setImmediate: ((callback: () => void) => object) | undefined;
declare function clearImmediate(handle: object | undefined): void;

/** Lets the event loop turn once. */
interface Hop {
  /** Calls back after the messages that have arrived were handled. */
  set(): void;
  /** Never calls back again, and frees what it holds. */
  end(): void;
}

/** Creates what calls `run` after a turn of the event loop. */
function hopOf(run: () => void): Hop {
  if (typeof setImmediate === "function") {
    const immediate = setImmediate;
    let turn: object | undefined;
    const end = () => {
      if (turn) clearImmediate(turn);
      turn = undefined;
    };
    return {
      end,
      set() {
        end();
        turn = immediate(() => {
          turn = undefined;
          run();
        });
      },
    };
  }
  // Timers would be late by milliseconds.
  const { port1, port2 } = new MessageChannel();
  let wanted = 0;
  port1.onmessage = ({ data }) => {
    if (data === wanted) run();
  };
  return {
    end() {
      wanted++;
      // Open ports are never collected.
      port1.close();
      port2.close();
    },
    set: () => port2.postMessage(++wanted),
  };
}
