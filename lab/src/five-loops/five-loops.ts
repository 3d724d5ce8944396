import { Display } from "../display.js";
import { RecordedDisplay } from "../recording/recorded-display.js";
import type { DisplayRecording } from "../recording/recording.js";
import { Lane } from "./lane.js";
import type { LoopEvent } from "./moment.js";
import type { FiveLoopsSettings } from "./settings.js";
import { STRATEGIES } from "./strategies.js";
import { ReferenceRun } from "./reference-run.js";

/** Simulated seconds until the balls are released again. The spring has come to rest by then. */
const ROUND = 6;
const STALL = 0.5;

/** Five lanes on one display: every lane gets the same frames. */
export class FiveLoops {
  readonly display: Display | RecordedDisplay;
  readonly lanes: readonly Lane[];
  /** Everything that has happened, in order; `replay` repeats it. */
  readonly events: LoopEvent[] = [];
  /** Sum of this round's frame times, clamped and scaled: the time that a lane should show. */
  clock = 0;
  rounds = 1;

  /** On the display of the settings, or on a recorded one. */
  constructor(settings: FiveLoopsSettings, recording?: DisplayRecording) {
    this.display = recording ? new RecordedDisplay(recording) : new Display(settings);
    const run = new ReferenceRun(settings.rate);
    this.lanes = STRATEGIES.map((strategy) => new Lane(strategy, settings, run));
  }

  /** Runs the display's next frame in all lanes. */
  frame(): void {
    if (this.clock >= ROUND) this.#restart();
    const seconds = this.display.next();
    this.#pass((lane) => lane.loop.advance(seconds));
    const last = this.events.length - 1;
    const run = this.events[last];
    if (typeof run === "number") this.events[last] = run + 1;
    else this.events.push(1);
  }

  /** Delays the next frame by half a second. */
  stall(): void {
    this.display.stall(STALL);
    this.events.push("stall");
  }

  /** Runs one step in every lane, without any elapsed time. */
  step(): void {
    this.#pass((lane) => lane.loop.runSteps());
    this.events.push("step");
  }

  /** Repeats recorded events. */
  replay(events: readonly LoopEvent[]): void {
    for (const event of events) {
      if (event === "stall") this.stall();
      else if (event === "step") this.step();
      else for (let i = 0; i < event; i++) this.frame();
    }
  }

  #pass(frame: (lane: Lane) => void): void {
    for (const lane of this.lanes) frame(lane);
    // All loops clamp and scale the same way.
    this.clock += this.lanes[0]!.delta;
    for (const lane of this.lanes) lane.measure(this.clock, this.display.time);
  }

  #restart(): void {
    for (const lane of this.lanes) lane.restart();
    this.clock = 0;
    this.rounds++;
  }
}
