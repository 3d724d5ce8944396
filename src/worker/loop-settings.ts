import type { PolicyOptions } from "../loop/index.js";
import type { LoopFollower } from "../sim/session.js";
import type { LoopState, ToWorker } from "./protocol.js";

/** How the loop that draws the session is set. Tells the worker each change. */
export class LoopSettings implements LoopFollower {
  /** Whether a loop has told anything. Otherwise the first `advance` starts the worker. */
  isFollowing = false;
  /** Milliseconds since the last frame, as the loop has told; NaN if it has not. In an array, as a field would allocate each new number. */
  readonly elapsed = new Float64Array([NaN]);
  #state: LoopState = { isPaused: true, timeScale: 1, policy: {} };
  readonly #post: (message: ToWorker) => void;

  /** `post` sends a message, if the worker has begun. */
  constructor(post: (message: ToWorker) => void) {
    this.#post = post;
  }

  get state(): LoopState {
    return this.#state;
  }

  /** Lets the worker run, as nobody drives the session. */
  run(): void {
    if (this.#state.isPaused) this.#set({ isPaused: false });
  }

  setPaused(isPaused: boolean): void {
    this.isFollowing = true;
    this.#set({ isPaused });
  }

  setTimeScale(timeScale: number): void {
    this.isFollowing = true;
    this.#set({ timeScale });
  }

  configure(policy: PolicyOptions): void {
    const defined = Object.fromEntries(Object.entries(policy).filter(([, value]) => value !== undefined));
    this.#set({ policy: { ...this.#state.policy, ...defined } });
  }

  hitStop(seconds: number): void {
    this.#post({ kind: "hitStop", seconds });
  }

  runSteps(count: number): void {
    this.#post({ kind: "runSteps", count });
  }

  frame(elapsed: number): void {
    this.elapsed[0] = 1000 * elapsed;
  }

  #set(change: Partial<LoopState>): void {
    const before = this.#state;
    const settings = { ...before, ...change };
    if (JSON.stringify(before) === JSON.stringify(settings)) return;
    this.#state = settings;
    this.#post({ kind: "settings", settings });
  }
}
