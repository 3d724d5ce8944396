import { Display } from "../display.js";
import { Lane } from "./lane.js";
import type { Happening } from "./moment.js";
import type { FiveLoopsSettings } from "./settings.js";
import { STRATEGIES } from "./strategies.js";
import { ReferenceRun } from "./reference-run.js";

/** Simulated seconds until the balls are let go again: by then the spring has come to rest. */
const ROUND = 6;
const STALL = 0.5;

/** Five lanes before one display: every lane is given the same frames. */
export class FiveLoops {
  readonly display: Display;
  readonly lanes: readonly Lane[];
  /** What the visitor saw, in order; it leads here again. */
  readonly events: Happening[] = [];
  /** Simulated seconds of this round that frames gave, clamped and scaled: what a lane should show. */
  clock = 0;
  rounds = 1;

  constructor(settings: FiveLoopsSettings) {
    this.display = new Display(settings);
    const run = new ReferenceRun(settings.rate);
    this.lanes = STRATEGIES.map((strategy) => new Lane(strategy, settings, run));
  }

  /** Gives the lanes the display's next frame. */
  frame(): void {
    if (this.clock >= ROUND) this.#restart();
    const seconds = this.display.next();
    this.#pass((lane) => lane.loop.advance(seconds));
    const last = this.events.length - 1;
    const run = this.events[last];
    if (typeof run === "number") this.events[last] = run + 1;
    else this.events.push(1);
  }

  /** Makes the next frame late by half a second. */
  stall(): void {
    this.display.stall(STALL);
    this.events.push("stall");
  }

  /** Runs one step in every lane, without any time. */
  step(): void {
    this.#pass((lane) => lane.loop.runSteps());
    this.events.push("step");
  }

  /** Lets happen again what has been seen. */
  replay(events: readonly Happening[]): void {
    for (const event of events) {
      if (event === "stall") this.stall();
      else if (event === "step") this.step();
      else for (let i = 0; i < event; i++) this.frame();
    }
  }

  #pass(frame: (lane: Lane) => void): void {
    for (const lane of this.lanes) frame(lane);
    // Every loop clamps and scales alike.
    this.clock += this.lanes[0]!.delta;
    for (const lane of this.lanes) lane.measure(this.clock, this.display.time);
  }

  #restart(): void {
    for (const lane of this.lanes) lane.restart();
    this.clock = 0;
    this.rounds++;
  }
}
