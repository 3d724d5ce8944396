import { requireFunction, unknownName } from "../errors/index.js";
import type { LoopEvents } from "./events.js";
import type { FrameInfo, StepInfo, Writable } from "./info.js";
import { ListenerList } from "./listener-list.js";

/** Events of a beat. Its "steps" are the calls of its callback. */
export type BeatEvents = Pick<LoopEvents, "enterStep" | "leaveStep" | "beforeRender" | "reset">;

/** The loop of a beat. */
export interface BeatLoop {
  on<E extends "beforeRender" | "reset">(event: E, listener: (info: LoopEvents[E]) => void): () => void;
}

const EVENTS = Object.keys({ enterStep: 1, leaveStep: 1, beforeRender: 1, reset: 1 } satisfies Record<
  keyof BeatEvents,
  1
>);

/** The listeners of a beat. */
export class BeatListeners {
  readonly enter = new ListenerList<StepInfo>();
  readonly leave = new ListenerList<StepInfo>();

  constructor(
    private readonly beat: { readonly tick: number; readonly alpha: number },
    private readonly loop: BeatLoop,
    private readonly frame: FrameInfo,
  ) {}

  on<E extends keyof BeatEvents>(event: E, listener: (info: BeatEvents[E]) => void): () => void {
    requireFunction("Beat.on: listener", listener);
    if (event === "enterStep") return this.enter.add(listener as (info: StepInfo) => void);
    if (event === "leaveStep") return this.leave.add(listener as (info: StepInfo) => void);
    if (event === "reset") return this.loop.on("reset", listener as () => void);
    if (event !== "beforeRender") unknownName("Beat.on", "event", event, EVENTS);
    return this.onFrame(listener as (info: FrameInfo) => void);
  }

  /** Calls a listener before each frame, with the beat's tick and alpha. */
  private onFrame(listener: (info: FrameInfo) => void): () => void {
    const { beat, frame } = this;
    // Fractions first: engines then store these fields as doubles and never allocate for them.
    const info: Writable<FrameInfo> = {
      alpha: 0.5,
      tick: 0,
      steps: 0,
      shownTime: 0.5,
      delta: 0.5,
      realDelta: 0.5,
    };
    return this.loop.on("beforeRender", () => {
      info.alpha = beat.alpha;
      info.tick = beat.tick;
      info.steps = frame.steps;
      info.shownTime = frame.shownTime;
      info.delta = frame.delta;
      info.realDelta = frame.realDelta;
      listener(info);
    });
  }
}
