import {
  badValue,
  misuse,
  onBehalfOf,
  requireFunction,
  requireNumber,
  requireOptions,
  requireType,
} from "../errors/index.js";
import {
  display,
  Loop,
  speedOf,
  stepsLeft,
  timeScale,
  type Driver,
  type FrameInfo,
  type LoopOptions,
  type TimeScale,
} from "../loop/index.js";
import { DrivePart } from "./drive-part.js";
import { PRESENTS } from "./presenter.js";
import type { Advance, Session } from "./session.js";

type ViewOfSession<T> = T extends { view(alpha: number): infer V } ? V : never;
type EffectOfSession<T> = T extends {
  on(event: "effect", listener: (effect: infer F) => void): () => void;
}
  ? // `on` is generic, so this infers the information of all events. Only effects have names.
    Extract<F, { readonly name: string }>
  : never;

/** Options of `drive`: some of a loop's, and the callbacks that draw. The rate is the simulation's. */
export interface DriveOptions<V, F> extends Pick<LoopOptions, "maxFrameTime" | "maxSteps"> {
  /** Produces the loop's time. Default: `display()`. Where there is none, pass `timer()`, or `nodeTimer()` of `tickwise/node`. */
  readonly driver?: Driver | undefined;
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
  /** The loop. Its rate is the simulation's; beats belong to the simulation, too. */
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
  present: 1,
  maxFrameTime: 1,
  maxSteps: 1,
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
  rejectMisplaced("drive", options);
  requireOptions("drive", options, DRIVE_OPTIONS, "{ render(view) {} }");
  return new SessionDrive("drive", session, options as DriveOptions<unknown, unknown>);
}

/** @internal Throws for options that belong to the simulation or the session. */
export function rejectMisplaced(call: string, options: object | undefined | null): void {
  if (typeof options !== "object" || options === null) return;
  if ("rate" in options)
    misuse(
      "unknown-option",
      call,
      'unknown option "rate": the rate is that of the simulation',
      "Set it there: simulation({ rate: 60, … })",
    );
  if (call === "drive" && "inputs" in options)
    misuse(
      "unknown-option",
      call,
      'unknown option "inputs": the session samples the inputs',
      "Pass inputs to localSession: localSession(game, { inputs })",
    );
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

/** The sessions that have a drive, as two loops would step a session twice as fast. */
const driven = new WeakSet<object>();

const ADVANCES: readonly Advance[] = ["stepped", "rewound", "stalled", "waiting", "ended"];

/** Throws unless the value has everything that a loop needs of a session, is not disposed, and has no other drive. */
function requireSession(call: string, session: Session<unknown> | Drive<unknown>): void {
  const fix = "localSession(game)";
  if (typeof (session as Partial<Session<unknown>> | null | undefined)?.advance !== "function") {
    const isDrive = typeof session === "object" && session !== null && "session" in session;
    badValue(`${call}: session`, "a session", session, isDrive ? "play(game).session" : fix);
  }
  const { simulation, present, view, on, dispose } = session as Session<unknown>;
  requireType(`${call}: session.simulation`, simulation, "object", fix);
  if (!PRESENTS.includes(present))
    badValue(`${call}: session.present`, '"interpolate", "speculate" or "none"', present, '"interpolate"');
  if (present !== "none") requireFunction(`${call}: session.view`, view, fix);
  requireFunction(`${call}: session.on`, on, fix);
  requireFunction(`${call}: session.dispose`, dispose, fix);
  // A disposed session throws here, and not in the first frame.
  const off: unknown = (session as Session<unknown>).on("load", () => {});
  requireFunction(
    `${call}: the result of session.on`,
    off,
    "returning the function that removes the listener",
  );
  (off as () => void)();
  if (driven.has(session))
    misuse(
      "in-use",
      call,
      "another drive already runs this session",
      "Keep the first drive, or give it another session with use(session)",
    );
}

class SessionDrive<T extends Session<unknown>> implements Drive<T> {
  readonly loop: Loop;
  readonly #scale: TimeScale;
  readonly #options: DriveOptions<unknown, unknown>;
  readonly #call: string;
  readonly #timing = { due: 1, frameStart: 0, frameEnd: 0, duration: 0 };
  #session: T;
  #off: (() => void)[] = [];
  #isDisposed = false;

  constructor(call: string, session: T, options: DriveOptions<unknown, unknown>) {
    const { render, effect, withdrawn, present, driver = display(), maxFrameTime, maxSteps } = options;
    for (const [name, callback] of Object.entries({ render, effect, withdrawn }))
      if (callback !== undefined) requireFunction(`${call}: ${name}`, callback);
    if (present !== undefined && present !== "latest")
      badValue(`${call}: present`, '"latest", or left out', present, 'present: "latest"');
    this.#call = call;
    this.#options = options;
    this.#session = session;
    this.loop = onBehalfOf(
      call,
      ["Loop"],
      () =>
        new Loop({
          maxFrameTime,
          maxSteps,
          rate: session.simulation.rate,
          step: () => this.#step(),
          render: (frame) => this.#render(frame),
        }),
    );
    this.#scale = timeScale(this.loop);
    this.loop.use(
      new DrivePart(
        this.loop,
        () => present ?? this.#session.present,
        () => this.#session,
      ),
    );
    this.#listen();
    driven.add(session);
    try {
      onBehalfOf(call, ["Loop.start", "display"], () => this.loop.start(driver));
    } catch (error) {
      driven.delete(session);
      this.#stopListening();
      throw error;
    }
  }

  get session(): T {
    return this.#session;
  }

  // Arrow functions, so that callers may destructure a drive.
  readonly use = <U extends Session<ViewOfSession<T>, EffectOfSession<T>>>(session: U): Drive<U> => {
    if ((session as unknown) === this.#session) return this as unknown as Drive<U>;
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
    if (!this.#isDisposed) {
      driven.delete(this.#session);
      driven.add(session);
    }
    this.#session = session as unknown as T;
    this.#listen();
    return this as unknown as Drive<U>;
  };

  readonly dispose = (): void => {
    if (!this.#isDisposed) driven.delete(this.#session);
    this.#isDisposed = true;
    this.loop.stop();
    this.#session.dispose();
  };

  #listen(): void {
    const { effect, withdrawn } = this.#options;
    this.#off = [];
    if (effect) this.#off.push(this.#session.on("effect", effect));
    if (withdrawn) this.#off.push(this.#session.on("withdrawn", withdrawn));
    const detach = this.#session.attach?.(this.loop);
    if (detach) this.#off.push(detach);
  }

  #stopListening(): void {
    for (const off of this.#off) off();
  }

  #step(): void {
    const timing = this.#timing;
    const { loop } = this;
    const { driver, frame } = loop;
    const speed = speedOf(loop);
    timing.due = stepsLeft(loop);
    timing.frameEnd = frame.timestamp;
    timing.frameStart = frame.timestamp - frame.realDelta * 1e3;
    if (driver?.pageTimeOf) {
      timing.frameStart = driver.pageTimeOf(timing.frameStart);
      timing.frameEnd = driver.pageTimeOf(timing.frameEnd);
    }
    // Forced steps of a paused loop take no time.
    timing.duration = speed > 0 ? loop.dt / speed : 0;
    const session = this.#session;
    const advance = session.advance(timing);
    if (advance !== "stepped" && !ADVANCES.includes(advance)) this.#rejectAdvance(advance);
    const { pace } = session;
    if (pace === this.#scale.pace) return;
    requireNumber(`${this.#call}: session.pace`, pace, 0.5, 2, 1);
    this.#scale.pace = pace;
  }

  #rejectAdvance(advance: unknown): never {
    const names = ADVANCES.map((name) => JSON.stringify(name)).join(", ");
    return badValue(`${this.#call}: the result of session.advance`, `one of ${names}`, advance, '"stepped"');
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
