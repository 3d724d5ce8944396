import type { DriverNotice } from "../drivers/index.js";
import type { ExactRate } from "../time/index.js";
import type { FrameInfo, OverloadInfo, StepInfo } from "./info.js";
import { ListenerList } from "./listener-list.js";

/** Events and what their listeners are told. */
export interface LoopEvents {
  /** Before a step and its beats; outside the step. */
  beforeStep: StepInfo;
  /** The step begins, after its `beforeStep` listeners. What was written before this was not written by the step. */
  enterStep: StepInfo;
  /** In a step, after the `step` callback and the added objects. */
  step: StepInfo;
  /** The step ends, before its `afterStep` listeners. */
  leaveStep: StepInfo;
  /** After a step; outside it. */
  afterStep: StepInfo;
  /** A frame is about to be drawn. */
  beforeRender: FrameInfo;
  /** In a frame, after the `render` callback and the added objects. */
  render: FrameInfo;
  /** A frame could not simulate all its time; told before it is drawn. */
  overload: OverloadInfo;
  /** The driver has noticed something, such as that the page was hidden. */
  driver: DriverNotice;
  /** The display's refresh rate was found, and is the loop's from now on; only for `rate: "display"`. */
  rate: ExactRate;
  start: void;
  stop: void;
  pause: void;
  resume: void;
  reset: void;
}

/** Those who listen to each of them. */
export type Listeners = { readonly [E in keyof LoopEvents]: ListenerList<LoopEvents[E]> };

/** Their names, in the order in which a loop calls them. */
export const EVENTS = [
  "beforeStep",
  "enterStep",
  "step",
  "leaveStep",
  "afterStep",
  "overload",
  "beforeRender",
  "render",
  "driver",
  "rate",
  "start",
  "stop",
  "pause",
  "resume",
  "reset",
] as const satisfies readonly (keyof LoopEvents)[];

export const newListeners = () =>
  Object.fromEntries(EVENTS.map((event) => [event, new ListenerList()])) as Listeners;
