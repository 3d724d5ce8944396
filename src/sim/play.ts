import { Loop, type FrameInfo, type LoopOptions, type LoopSettings } from "../loop/index.js";
import type { Fields, ReadonlyWorld } from "../state/index.js";
import { requireFunction, requireKnownOptions, requireType } from "../errors/index.js";
import type { Effect, EffectFields } from "./effects.js";
import type { InputFields } from "../input/index.js";
import { localSession, type LocalSession } from "./local-session.js";
import { LOCAL_OPTIONS, type LocalOptions } from "./local-options.js";
import type { ExternalStates } from "./external.js";
import type { Simulation } from "./simulation.js";

/** Options of `play`: those of the session and of the loop, with the callbacks that draw. */
export interface PlayOptions<S extends Fields, I extends InputFields, E extends EffectFields>
  extends Omit<LocalOptions<I>, "present">, Omit<LoopSettings, "rate"> {
  /** Draws the world as it is shown: blended, and never the real one. */
  readonly render?: ((view: ReadonlyWorld<S>, frame: FrameInfo) => void) | undefined;
  /** Is told each effect once, when the picture has come to it. */
  readonly effect?: ((effect: Effect<E>) => void) | undefined;
}

/** A running game, as `play` returns it. */
export interface Play<
  S extends Fields,
  I extends InputFields,
  E extends EffectFields,
  O extends ExternalStates,
> {
  readonly session: LocalSession<S, I, E, O>;
  readonly loop: Loop;
  /** Ends both. */
  dispose(): void;
}

const LOOP_OPTIONS = Object.keys({
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
  stepping: 1,
  now: 1,
} satisfies Record<Exclude<keyof LoopOptions, "rate" | "step" | "render">, 1>);
const OPTIONS = [...new Set([...LOCAL_OPTIONS, ...LOOP_OPTIONS, "render", "effect"])];

/** A session and a loop that drives it, started: all that a game for one screen needs. */
export function play<
  S extends Fields,
  I extends InputFields,
  E extends EffectFields,
  O extends ExternalStates,
>(simulation: Simulation<S, I, E, O>, options: PlayOptions<S, I, E> = {}): Play<S, I, E, O> {
  requireType("play: options", options, "object", "{ render(view) {} }");
  requireKnownOptions("play", options, OPTIONS);
  const { seed, guard, kernels, inputs, history, present, render, effect, ...settings } = options;
  if (render !== undefined) requireFunction("play: render", render, "(view) => {}");
  if (effect !== undefined) requireFunction("play: effect", effect, "({ name }) => {}");
  const session = localSession(simulation, {
    seed,
    guard,
    kernels,
    inputs,
    history,
    // The latest state is what a blend is at alpha 1, which the loop then tells.
    present: present === "latest" ? "interpolate" : present,
  });
  if (effect !== undefined) session.on("effect", effect);
  const place = { due: 1, frameStart: 0, frameEnd: 0, duration: 0 };
  let loop: Loop;
  try {
    loop = new Loop({
      ...settings,
      present,
      rate: simulation.rate,
      step() {
        place.due = loop.due;
        place.frameStart = loop.frameStart;
        place.frameEnd = loop.frameEnd;
        // Steps that are run while it is paused take no time.
        place.duration = loop.speed > 0 ? loop.dt / loop.speed : 0;
        session.advance(place);
      },
      // Also without a picture: effects are told by what is shown.
      render: (frame) => {
        const view = session.view(frame.alpha);
        render?.(view, frame);
      },
    });
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
