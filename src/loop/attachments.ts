import { requireFunction, requireSynchronous, unknownName } from "../errors/index.js";
import type { StepTimes } from "../time/index.js";
import { runBeats, type Beat, type PhasedBeat } from "./beats.js";
import { EVENTS, newListeners, type LoopEvents } from "./events.js";
import type { FrameInfo, StepInfo } from "./info.js";
import type { System } from "./options.js";
import { optionalMethod } from "./optional-method.js";
import { ListenerList } from "./listener-list.js";

/** Listeners, systems and beats: what is attached to a loop besides its own callbacks. */
export class Attachments {
  /** Whether anything was ever attached. */
  any = false;
  readonly events = newListeners();
  readonly #steps = new ListenerList<StepInfo>();
  readonly #renders = new ListenerList<FrameInfo>();
  #beats: readonly PhasedBeat[] = [];
  readonly #onFirst: () => void;

  /** `onFirst` is called when the first one is attached. */
  constructor(onFirst: () => void) {
    this.#onFirst = onFirst;
  }

  #set(): void {
    if (!this.any) this.#onFirst();
    this.any = true;
  }

  on<E extends keyof LoopEvents>(event: E, listener: (info: LoopEvents[E]) => void): () => void {
    if (!EVENTS.includes(event)) unknownName("Loop.on", "event", event, EVENTS);
    requireFunction("Loop.on: listener", listener);
    this.#set();
    return this.events[event].add(listener);
  }

  add(system: System): () => void {
    requireFunction("Loop.add: step or render", system?.step ?? system?.render, "{ step() {} }");
    const step = optionalMethod("Loop.add", system, "step");
    const render = optionalMethod("Loop.add", system, "render");
    const removers = [
      step && this.#steps.add((info) => requireSynchronous("Loop.add: step", step.call(system, info))),
      render && this.#renders.add(render, system),
    ];
    this.#set();
    return () => removers.forEach((remove) => remove?.());
  }

  every(beat: PhasedBeat): Beat {
    this.#beats = [...this.#beats.filter(({ phase }) => !phase.isOver), beat];
    this.#set();
    return beat;
  }

  /** Runs what comes before the `step` callback of a step. */
  enterStep(info: StepInfo): void {
    this.events.enterStep.call(info);
    runBeats(this.#beats, info.tick);
  }

  /** Runs what comes after the `step` callback of a step. */
  step(info: StepInfo): void {
    this.#steps.call(info);
    this.events.step.call(info);
    this.events.leaveStep.call(info);
  }

  /** Runs what comes after the `render` callback of a frame. */
  render(info: FrameInfo): void {
    this.#renders.call(info);
    this.events.render.call(info);
  }

  /** Restarts beats at tick 0. */
  restart(times: StepTimes): void {
    for (const { phase } of this.#beats) phase.join(times, -1);
  }

  /** Keeps the next beat of each, and its progress at `shown`, after the times of the steps from `tick` on have changed. */
  follow(times: StepTimes, tick: number, shown: number): void {
    for (const { phase } of this.#beats) phase.follow(times, tick, shown);
  }
}
