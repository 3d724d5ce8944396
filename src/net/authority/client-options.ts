import { requireFunction, requireNumber } from "../../errors/index.js";
import type { InputFields, InputValues } from "../../input/index.js";
import type { AnySimulation, Present, RunOptions } from "../../sim/index.js";
import {
  requireName,
  requireSeatsOrCount,
  requireTiming,
  requireToken,
  requireWholeUpTo,
} from "../option-checks.js";
import type { EffectTiming, OwnInputs, PredictRequest } from "../peer-options.js";
import { smoothingRules, type SmoothingOptions } from "../smoothing-options.js";

/** Options of `clientSession`. */
export interface ClientOptions<I extends InputFields> extends Omit<RunOptions, "seed"> {
  /** The seats of this client; or how many, to get any that are free; or `[]` to watch. Default 1. */
  readonly seats?: readonly number[] | number | undefined;
  /** Where the inputs of these seats come from. A function gets one object per own seat. */
  readonly inputs?: OwnInputs<I> | undefined;
  /** Shown to other players, up to 24 characters. Default "". */
  readonly name?: string | undefined;
  /** Any secret text that stays the same when the page is reloaded. A client that comes back with it gets its seats back. Default: random. */
  readonly token?: string | undefined;
  /** Predicts the inputs of another seat: `player` holds the last known ones. Default: they stay as they are. */
  readonly predict?: ((player: InputValues<I>, request: PredictRequest) => void) | undefined;
  /**
   * Most ticks that the client may run ahead of what it knows of the server; twice as many if it gets states, which come less often. Default: as many as a second has. A server with
   * `down: "lockstep"` lets nobody run ahead: 0 then saves memory, as there is nothing to roll back to.
   */
  readonly window?: number | undefined;
  /** Ticks between two saved states. More if saving is slow. Default 1. */
  readonly saveEvery?: number | undefined;
  /** When effects are delivered, for all or by name. Default `"shown"`. */
  readonly when?: EffectTiming | { readonly [effect: string]: EffectTiming } | undefined;
  /** What `view` shows. Default `"interpolate"`. */
  readonly present?: Present | undefined;
  /** How corrections fade from the picture. `false`: they show at once. Default: see `SmoothingOptions`. */
  readonly smoothing?: SmoothingOptions | false | undefined;
  /** Seconds of silence after which the server counts as gone. Default 5. */
  readonly timeout?: number | undefined;
  /** Reads the time in milliseconds. Default: `performance.now`. */
  readonly now?: (() => number) | undefined;
}

export const CLIENT_OPTIONS = Object.keys({
  guard: 1,
  kernels: 1,
  seats: 1,
  inputs: 1,
  name: 1,
  token: 1,
  predict: 1,
  window: 1,
  saveEvery: 1,
  when: 1,
  present: 1,
  smoothing: 1,
  timeout: 1,
  now: 1,
} satisfies Record<keyof ClientOptions<InputFields>, 1>);

const MAX_WINDOW = 600;

/** Checks all options, and fills in the defaults. */
export function checkedClientOptions(
  call: string,
  simulation: AnySimulation,
  options: ClientOptions<InputFields>,
) {
  const { players, rate } = simulation;
  const { seats = 1, name = "", saveEvery = 1, timeout = 5, when = "shown", smoothing = {} } = options;
  const { window = Math.ceil(rate[0] / rate[1]), token = crypto.randomUUID() } = options;
  requireSeatsOrCount(`${call}: seats`, seats, players);
  requireName(`${call}: name`, name);
  requireToken(`${call}: token`, token);
  requireWholeUpTo(`${call}: window`, window, 0, MAX_WINDOW, 60);
  requireWholeUpTo(`${call}: saveEvery`, saveEvery, 1, 60, 1);
  requireNumber(`${call}: timeout`, timeout, 0.2, 3600, 5);
  requireTiming(call, simulation, when);
  if (smoothing !== false) smoothingRules(`${call}: smoothing`, smoothing);
  if (options.predict !== undefined) requireFunction(`${call}: predict`, options.predict, "(player) => {}");
  if (options.now !== undefined) requireFunction(`${call}: now`, options.now, "() => performance.now()");
  const list = typeof seats === "number" ? [] : [...seats].sort((a, b) => a - b);
  return {
    seats: list,
    count: typeof seats === "number" ? seats : seats.length,
    name,
    token,
    window,
    saveEvery,
    when,
    smoothing,
    timeout: timeout * 1000,
  };
}

export type ClientSettings = ReturnType<typeof checkedClientOptions>;
