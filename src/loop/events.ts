import type { DriverNotice } from "../drivers/index.js";
import type { ExactRate } from "../time/index.js";
import type { FrameInfo, OverloadInfo, StepInfo } from "./info.js";
import { ListenerList } from "./listener-list.js";

/** Events of a loop, with what their listeners receive. */
export interface LoopEvents {
  /** Before a step and its beats. Writes here are outside the step. */
  beforeStep: StepInfo;
  /** A step begins, after its `beforeStep` listeners and before its beats. */
  enterStep: StepInfo;
  /** Inside a step, after the `step` callback and the added systems. */
  step: StepInfo;
  /** A step ends, before its `afterStep` listeners. */
  leaveStep: StepInfo;
  /** After a step. Writes here are outside the step. */
  afterStep: StepInfo;
  /** Before a frame is drawn. */
  beforeRender: FrameInfo;
  /** After the `render` callback and the added systems of a frame. */
  render: FrameInfo;
  /** A frame could not simulate all of its time. Emitted before the frame is drawn. */
  overload: OverloadInfo;
  /** The driver noticed something, such as that the page was hidden. */
  driver: DriverNotice;
  /** The rate has changed: the display's was found, with `rate: "display"`, or `configure` has changed it after a frame. */
  rate: ExactRate;
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
}

/** The listeners of each event. */
export type Listeners = { readonly [E in keyof LoopEvents]: ListenerList<LoopEvents[E]> };

/** Names of events, in the order in which a loop emits them. */
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
