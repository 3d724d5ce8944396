import { onBehalfOf, requireOptions } from "../errors/index.js";
import type { InputFields } from "../input/index.js";
import type { Fields, ReadonlyWorld } from "../state/index.js";
import type { CommandFields } from "./commands.js";
import { DRIVE_OPTIONS, driveOwn, rejectMisplaced, type Drive, type DriveOptions } from "./drive.js";
import type { Effect, EffectFields } from "./effects.js";
import type { ExternalStates } from "./external.js";
import { LOCAL_OPTIONS, type LocalOptions } from "./local-options.js";
import { localSession, type LocalSession } from "./local-session.js";
import type { Present } from "./presenter.js";
import type { Simulation } from "./simulation.js";

/** Options of `play`: those of `localSession` and of `drive`. */
export interface PlayOptions<
  S extends Fields,
  I extends InputFields,
  E extends EffectFields,
  P extends number = number,
>
  extends
    Omit<LocalOptions<I, P>, "present">,
    Omit<DriveOptions<ReadonlyWorld<S>, Effect<E>>, "present" | "withdrawn"> {
  /** What is drawn: see `localSession`; `"latest"` draws the newest state without a blend. Default `"interpolate"`. */
  readonly present?: Present | "latest" | undefined;
}

const OPTIONS = [...new Set([...LOCAL_OPTIONS, ...DRIVE_OPTIONS])].filter((name) => name !== "withdrawn");

/** Plays a simulation on this screen: creates a local session, and drives it with a loop. */
export function play<
  S extends Fields,
  I extends InputFields,
  E extends EffectFields,
  X extends ExternalStates,
  P extends number,
  C extends CommandFields,
>(
  simulation: Simulation<S, I, E, X, P, C>,
  options: PlayOptions<S, I, E, P> = {},
): Drive<LocalSession<S, I, E, X, P, C>> {
  rejectMisplaced("play", options);
  requireOptions("play", options, OPTIONS, "{ render(view) {} }");
  const { seed, guard, kernels, inputs, history, present, ...settings } = options;
  const isLatest = present === "latest";
  const session = onBehalfOf("play", ["localSession"], () =>
    localSession(simulation, {
      seed,
      guard,
      kernels,
      inputs,
      history,
      present: isLatest ? "interpolate" : present,
    }),
  );
  return driveOwn("play", session, {
    ...settings,
    present: isLatest ? "latest" : undefined,
  } as DriveOptions<unknown, unknown>);
}
