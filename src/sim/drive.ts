import { badValue, onBehalfOf, requireFunction, requireOptions } from "../errors/index.js";
import { Loop, type FrameInfo, type LoopOptions } from "../loop/index.js";
import type { Session } from "./session.js";

/** What a session shows. */
export type ViewOfSession<T> = T extends { view(alpha: number): infer V } ? V : never;
/** The effects that a session delivers. */
export type EffectOfSession<T> = T extends {
  on(event: "effect", listener: (effect: infer F) => void): () => void;
}
  ? // `on` is generic, so `infer` finds the information of all events. Only effects have names.
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
  /** Stops the loop and disposes the session. */
  dispose(): void;
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
  requireFunction("drive: session.advance", session?.advance, "localSession(game)");
  requireOptions("drive", options, DRIVE_OPTIONS, "{ render(view) {} }");
  return driveSession("drive", session, options as DriveOptions<unknown, unknown>);
}

/** @internal Does the work of `drive` for `call`, whose name errors begin with. Disposes the session if the loop cannot start. */
export function driveSession<T extends Session<unknown>>(
  call: string,
  session: T,
  options: DriveOptions<unknown, unknown>,
): Drive<T> {
  const { render, effect, withdrawn, present, ...settings } = options;
  const timing = { due: 1, from: 0, to: 0, length: 0 };
  let loop: Loop;
  try {
    for (const [name, callback] of Object.entries({ render, effect, withdrawn }))
      if (callback !== undefined) requireFunction(`${call}: ${name}`, callback);
    if (present !== undefined && present !== "latest")
      badValue(`${call}: present`, '"latest", or left out', present, 'present: "latest"');
    if (effect !== undefined) session.on("effect", effect);
    if (withdrawn !== undefined) session.on("withdrawn", withdrawn);
    const hasView = session.present !== "none";
    loop = onBehalfOf(
      call,
      ["Loop"],
      () =>
        new Loop({
          ...settings,
          present: present ?? (session.present === "speculate" ? "speculate" : "interpolate"),
          rate: session.simulation.rate,
          step() {
            timing.due = loop.due;
            timing.from = loop.frameStart;
            timing.to = loop.frameEnd;
            // Forced steps of a paused loop take no time.
            timing.length = loop.speed > 0 ? (loop.dt * 1e3) / loop.speed : 0;
            session.advance(timing);
          },
          render(frame) {
            if (!hasView) return;
            // Also without `render`, as a view delivers the effects that it shows.
            const view = session.view(frame.alpha);
            render?.(view, frame);
          },
        }),
    );
    loop.start();
  } catch (error) {
    session.dispose();
    throw error;
  }
  return {
    session,
    loop,
    dispose() {
      loop.stop();
      session.dispose();
    },
  };
}
