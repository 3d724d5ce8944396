import { requireFunction, unknownName } from "../errors/index.js";
import type { FrameInfo, RateInfo, StepInfo, Writable } from "./info.js";
import { ListenerList } from "./listener-list.js";
import type { DriverNotice } from "./drivers/driver.js";

/** A frame's time on its way to the kernel. Parts change `units`. */
export interface FrameTime {
  /** Real time, in the kernel's units; 0 for steps that did not run. */
  readonly real: number;
  /** Time in the kernel's units: real time at first, virtual time in the end. */
  units: number;
}

/**
 * What a part or a listener can be called for, in the order in which a frame calls it: the order of attachment matters only
 * within one of them.
 */
export interface LoopEvents {
  /** Turns the frame's real time into virtual time. The part must have `unscale`, too. */
  scale: FrameTime;
  /** Adds time that is owed from earlier frames. */
  repay: FrameTime;
  /** Keeps steps in phase with a display: may lend up to one step. */
  align: FrameTime;
  /** Before a step. Writes here are outside the step. */
  beforeStep: StepInfo;
  /** A step begins: blending saves the state before it. */
  enterStep: StepInfo;
  /** Inside a step, before the `step` callback: work at other rates. */
  beat: StepInfo;
  /** Inside a step, after the `step` callback. */
  step: StepInfo;
  /** A step ends: blending has the state after it. */
  leaveStep: StepInfo;
  /** After a step. Writes here are outside the step. */
  afterStep: StepInfo;
  /** Time could not be simulated: whole steps, or real time beyond `maxFrameTime`. A part may take `units` away, to repay them later. */
  lose: FrameTime;
  /** The rest of that is lost. */
  lost: FrameTime;
  /** All steps of a frame have run. */
  frame: FrameInfo;
  /** Decides what the frame shows, or calls `skipFrame`, so that it is not drawn. */
  present: Writable<FrameInfo>;
  /** Before a frame is drawn. */
  beforeRender: FrameInfo;
  /** After the `render` callback. */
  render: FrameInfo;
  /** After a frame was drawn. */
  afterRender: FrameInfo;
  /** The rate has changed. */
  rate: RateInfo;
  /** The driver noticed something, such as that the page was hidden. */
  driver: DriverNotice;
  /** After `start`. */
  start: void;
  /** After `stop`, or after a callback threw. */
  stop: void;
  /** After `pause`. */
  pause: void;
  /** After `resume`. */
  resume: void;
  /** After `reset`. */
  reset: void;
  /** `runSteps` was called: how many steps it will force. */
  force: number;
  /** A part is about to be attached. A listener may throw, to refuse it. */
  use: { readonly name?: string | undefined };
}

/** Attaches a feature to a loop: an object with some of the loop's hooks as methods. */
export type Part = { readonly [E in keyof LoopEvents]?: ((info: LoopEvents[E]) => void) | undefined } & {
  /** What errors call it. */
  readonly name?: string | undefined;
  /** Real seconds until virtual seconds have passed: the inverse of `scale`. Negative for the past. */
  unscale?(seconds: number): number;
  /** Virtual seconds per real second now; and the most that `scale` may need in the next frame. */
  readonly speed?: number | undefined;
  readonly maxSpeed?: number | undefined;
  /** Steps by which its picture is ahead of the blend of the last two states. */
  readonly ahead?: number | undefined;
};

/** The listeners of each event. */
export type Listeners = { readonly [E in keyof LoopEvents]: ListenerList<LoopEvents[E]> };

const NAMES = [
  "scale",
  "repay",
  "align",
  "beforeStep",
  "enterStep",
  "beat",
  "step",
  "leaveStep",
  "afterStep",
  "lose",
  "lost",
  "frame",
  "present",
  "beforeRender",
  "render",
  "afterRender",
  "rate",
  "driver",
  "start",
  "stop",
  "pause",
  "resume",
  "reset",
  "force",
  "use",
] as const satisfies readonly (keyof LoopEvents)[];

export const newListeners = (): Listeners =>
  Object.fromEntries(NAMES.map((name) => [name, new ListenerList()])) as {
    // Not LoopEvents: this does not compile if a name is missing.
    [E in (typeof NAMES)[number]]: ListenerList<LoopEvents[E]>;
  };

/** Adds a listener. Returns the function that removes it. */
export function listen<E extends keyof LoopEvents>(
  listeners: Listeners,
  event: E,
  listener: (info: LoopEvents[E]) => void,
): () => void {
  if (!NAMES.includes(event)) unknownName("Loop.on", "event", event, NAMES);
  requireFunction("Loop.on: listener", listener);
  return listeners[event].add(listener);
}

/** Returns the names of a part's hooks. Throws if there are none, or if one is not a function. */
export function hooksOf(part: Part | null | undefined): (keyof LoopEvents)[] {
  const hooks = NAMES.filter((name) => part?.[name]);
  for (const name of hooks[0] ? hooks : ["step" as const])
    requireFunction(`Loop.use: ${name}`, part?.[name], "{ step() {} }");
  return hooks;
}
