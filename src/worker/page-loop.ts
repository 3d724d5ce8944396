import { timeScale, type Loop } from "../loop/index.js";
import type { LoopState, ToWorker } from "./protocol.js";

/** Hit-stops that differ by less, in seconds, differ by rounding. */
const ROUNDING = 1e-9;

/** Lets the worker's loop follow the page's loop, which draws the session. */
export class PageLoop {
  /** Milliseconds since the last picture, as the loop counts them; NaN without a loop. In an array, as a field would allocate each new number. */
  readonly elapsed = new Float64Array([NaN]);
  #isAttached = false;
  #state: LoopState = { isPaused: true, timeScale: 1, maxFrameTime: 0.25, maxSteps: Infinity };
  readonly #post: (message: ToWorker) => void;

  /** `post` sends a message, if the worker has begun. */
  constructor(post: (message: ToWorker) => void) {
    this.#post = post;
  }

  /** What the worker was told last. */
  get state(): LoopState {
    return this.#state;
  }

  /** Lets the worker run if there is no loop: the caller draws by itself. */
  runAlone(): void {
    if (!this.#isAttached && this.#state.isPaused) this.#tell({ ...this.#state, isPaused: false });
  }

  /** Follows a loop. Returns the function that ends this, and pauses the worker. */
  attach(loop: Loop): () => void {
    const scale = timeScale(loop);
    let stopped = 0;
    const follow = () => {
      const { timeScale: toldScale, isPaused, maxFrameTime, maxSteps } = this.#state;
      if (
        isPaused !== (loop.paused || !loop.running) ||
        toldScale !== scale.value ||
        maxFrameTime !== loop.maxFrameTime ||
        maxSteps !== loop.maxSteps
      )
        this.#tell({
          isPaused: loop.paused || !loop.running,
          timeScale: scale.value,
          maxFrameTime: loop.maxFrameTime,
          maxSteps: loop.maxSteps,
        });
    };
    /** Passes on a hit-stop that began since the last call. A frame has taken `taken` seconds of it already. */
    const followHitStop = (taken: number) => {
      const left = scale.stopped;
      const isNew = left > Math.max(0, stopped - taken) + ROUNDING;
      stopped = left;
      if (isNew) this.#post({ kind: "hitStop", seconds: left + taken });
    };
    const detach = loop.use({
      name: "workerSession",
      start: follow,
      stop: follow,
      pause: follow,
      resume: follow,
      force: (count) => this.#post({ kind: "runSteps", count }),
      scale: ({ real }) => followHitStop(real / loop.kernel.second),
      frame: ({ realDelta }) => {
        const { elapsed } = this;
        // Frames that are not drawn add up.
        elapsed[0] = (elapsed[0]! >= 0 ? elapsed[0]! : 0) + 1e3 * realDelta;
        follow();
        followHitStop(0);
      },
    });
    this.#isAttached = true;
    follow();
    followHitStop(0);
    return () => {
      detach();
      this.#isAttached = false;
      this.elapsed[0] = NaN;
      if (!this.#state.isPaused) this.#tell({ ...this.#state, isPaused: true });
    };
  }

  #tell(state: LoopState): void {
    this.#state = state;
    this.#post({ kind: "settings", settings: state });
  }
}
