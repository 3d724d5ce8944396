import {
  badValue,
  misuse,
  onBehalfOf,
  requireFunction,
  requireOptions,
  requireType,
} from "../errors/index.js";
import { Loop, type FrameInfo, type LoopOptions } from "../loop/index.js";
import type { Session } from "./session.js";

type ViewOfSession<T> = T extends { view(alpha: number): infer V } ? V : never;
type EffectOfSession<T> = T extends {
  on(event: "effect", listener: (effect: infer F) => void): () => void;
}
  ? // `on` is generic, so this infers the information of all events. Only effects have names.
    Extract<F, { readonly name: string }>
  : never;

/** Options of `drive`: those of a loop, and the callbacks that draw. The rate is the simulation's. */
export interface DriveOptions<V, F> extends Omit<
  LoopOptions,
  "rate" | "step" | "render" | "stepping" | "present"
> {
  /** Set to `"latest"` to draw the newest state instead of the blend that the session presents. */
  readonly present?: "latest" | undefined;
  /** Draws the world as it is shown: a blend, never the real state. */
  readonly render?: ((view: V, frame: FrameInfo) => void) | undefined;
  /** Called once with each effect, in the first frame that shows it. */
  readonly effect?: ((effect: F) => void) | undefined;
  /** Called once with each delivered effect that did not happen after all. Only sessions that predict withdraw effects. */
  readonly withdrawn?: ((effect: F) => void) | undefined;
}

/** A session and the loop that drives it. */
export interface Drive<T> {
  readonly session: T;
  readonly loop: Loop;
  /**
   * Drives another session of the same rate from now on, such as a replay or a new game. Does not dispose the old one. Returns
   * this drive, typed for the new session.
   */
  readonly use: <U extends Session<ViewOfSession<T>, EffectOfSession<T>>>(session: U) => Drive<U>;
  /** Stops the loop and disposes the session. */
  readonly dispose: () => void;
}

export const DRIVE_OPTIONS = Object.keys({
  driver: 1,
  frameCap: 1,
  pacing: 1,
  present: 1,
  maxFrameTime: 1,
  maxSteps: 1,
  stepBudget: 1,
  overload: 1,
  measureCosts: 1,
  timeScale: 1,
  now: 1,
  render: 1,
  effect: 1,
  withdrawn: 1,
} satisfies Record<keyof DriveOptions<unknown, unknown>, 1>);

/** Runs any session with a loop of its own, started: steps it, draws its view, and keeps the pace it asks for. */
export function drive<T extends Session<unknown>>(
  session: T,
  options: DriveOptions<ViewOfSession<T>, EffectOfSession<T>> = {},
): Drive<T> {
  requireSession("drive", session);
  requireOptions("drive", options, DRIVE_OPTIONS, "{ render(view) {} }");
  return new SessionDrive("drive", session, options as DriveOptions<unknown, unknown>);
}

/** @internal Drives a session that `call` created: disposes it if the loop cannot start. Errors begin with `call`. */
export function driveOwn<T extends Session<unknown>>(
  call: string,
  session: T,
  options: DriveOptions<unknown, unknown>,
): Drive<T> {
  try {
    return new SessionDrive(call, session, options);
  } catch (error) {
    session.dispose();
    throw error;
  }
}

/** Throws unless the value has what a loop needs of a session. */
function requireSession(call: string, session: Session<unknown> | undefined): void {
  requireFunction(`${call}: session.advance`, session?.advance, "localSession(game)");
  requireType(`${call}: session.simulation`, session?.simulation, "object", "localSession(game)");
}

class SessionDrive<T extends Session<unknown>> implements Drive<T> {
  readonly loop: Loop;
  readonly #options: DriveOptions<unknown, unknown>;
  readonly #timing = { due: 1, frameStart: 0, frameEnd: 0, duration: 0 };
  #session: T;
  #off: (() => void)[] = [];
  #isDisposed = false;

  constructor(call: string, session: T, options: DriveOptions<unknown, unknown>) {
    const { render, effect, withdrawn, present, ...settings } = options;
    for (const [name, callback] of Object.entries({ render, effect, withdrawn }))
      if (callback !== undefined) requireFunction(`${call}: ${name}`, callback);
    if (present !== undefined && present !== "latest")
      badValue(`${call}: present`, '"latest", or left out', present, 'present: "latest"');
    this.#options = options;
    this.#session = session;
    this.loop = onBehalfOf(
      call,
      ["Loop"],
      () =>
        new Loop({
          ...settings,
          present: present ?? (session.present === "speculate" ? "speculate" : "interpolate"),
          rate: session.simulation.rate,
          step: () => this.#step(),
          render: (frame) => this.#render(frame),
        }),
    );
    this.#listen();
    try {
      onBehalfOf(call, ["Loop", "Loop.start"], () => this.loop.start());
    } catch (error) {
      this.#stopListening();
      throw error;
    }
  }

  get session(): T {
    return this.#session;
  }

  // Arrow functions, so that callers may destructure a drive.
  readonly use = <U extends Session<ViewOfSession<T>, EffectOfSession<T>>>(session: U): Drive<U> => {
    requireSession("Drive.use", session);
    const [old, rate] = [this.#session.simulation.rate, session.simulation.rate];
    if (old[0] !== rate[0] || old[1] !== rate[1])
      misuse(
        "rate-mismatch",
        "Drive.use",
        `this session runs at ${rate[0] / rate[1]} Hz, but the loop at ${old[0] / old[1]} Hz`,
        "Call drive for it",
      );
    this.#stopListening();
    this.#session = session as unknown as T;
    this.#listen();
    return this as unknown as Drive<U>;
  };

  readonly dispose = (): void => {
    this.#isDisposed = true;
    this.loop.stop();
    this.#session.dispose();
  };

  #listen(): void {
    const { effect, withdrawn } = this.#options;
    this.#off = [];
    if (effect) this.#off.push(this.#session.on("effect", effect));
    if (withdrawn) this.#off.push(this.#session.on("withdrawn", withdrawn));
  }

  #stopListening(): void {
    for (const off of this.#off) off();
  }

  #step(): void {
    const timing = this.#timing;
    const { loop } = this;
    timing.due = loop.due;
    timing.frameStart = loop.frameStart;
    timing.frameEnd = loop.frameEnd;
    // Forced steps of a paused loop take no time.
    timing.duration = loop.speed > 0 ? loop.dt / loop.speed : 0;
    const session = this.#session;
    session.advance(timing);
    if (session.pace !== loop.pace) loop.pace = session.pace;
  }

  #render(frame: FrameInfo): void {
    const session = this.#session;
    if (session.present === "none") return;
    // Also without `render`, as a view delivers the effects that it shows.
    const view = session.view(frame.alpha);
    // An effect listener may have disposed the drive.
    if (!this.#isDisposed) this.#options.render?.(view, frame);
  }
}
