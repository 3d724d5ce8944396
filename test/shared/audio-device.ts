// A simulated sound card with the clocks of a context, on virtual time.
import { random } from "../../src/math/index.js";

export interface DeviceOptions {
  /** How much faster the card runs than the page's clock. */
  readonly drift?: number;
  /** Milliseconds that are rendered at once. */
  readonly burst?: number;
  /** Milliseconds from rendering to the speaker. */
  readonly latency?: number;
  /** What `getOutputTimestamp` is like: see below. */
  readonly output?: "chromium" | "firefox" | "old-safari" | "none";
}

/** A context whose time is that of `now`, in milliseconds. */
export class AudioDevice {
  state = "running";
  readonly sampleRate = 48_000;
  outputLatency: number;
  getOutputTimestamp?: () => { contextTime: number; performanceTime: number };
  readonly #now: () => number;
  readonly #burst: number;
  readonly #drift: number;
  readonly #noise = random(new Uint32Array(4)).seed(1);
  #from: number;
  #played = 0;

  constructor(now: () => number, options: DeviceOptions = {}) {
    const { drift = 0, burst = 10, latency = 30, output = "none" } = options;
    this.#now = now;
    this.#from = now();
    this.#burst = burst;
    this.#drift = drift;
    this.outputLatency = latency / 1000;
    // By age, as performance.now() is another clock than `now`.
    const stamp = (contextTime: number, age: number) => ({
      contextTime,
      performanceTime: performance.now() - age,
    });
    if (output === "chromium")
      // A recent moment, within 0.1 ms.
      this.getOutputTimestamp = () => {
        const age = this.#noise.float() * burst;
        return stamp(this.heardAt(now() - age + (this.#noise.float() - 0.5) * 0.2), age);
      };
    // The current time, in bursts, less the latency.
    if (output === "firefox") this.getOutputTimestamp = () => stamp(this.currentTime - latency / 1000, 0);
    // Divided by the sample rate.
    if (output === "old-safari")
      this.getOutputTimestamp = () => stamp(this.heardAt(now()) / this.sampleRate, 0);
  }

  get currentTime(): number {
    return (Math.floor(this.#rendered() / this.#burst) * this.#burst) / 1000;
  }

  /** The context time that the speaker plays at a moment. */
  heardAt(timestamp: number): number {
    return (this.#played + (timestamp - this.#from) * (1 + this.#drift)) / 1000 - this.outputLatency;
  }

  suspend(): void {
    this.#played = this.#rendered();
    this.state = "suspended";
  }

  resume(): void {
    this.#from = this.#now();
    this.state = "running";
  }

  /** A gap in the sound: the context loses some milliseconds. */
  dropOut(milliseconds: number): void {
    this.#played -= milliseconds;
  }

  #rendered(): number {
    if (this.state !== "running") return this.#played;
    return this.#played + (this.#now() - this.#from) * (1 + this.#drift);
  }
}
