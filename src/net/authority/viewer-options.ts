import { requireFunction, requireNumber } from "../../errors/index.js";
import type { StateOptions } from "../../state/index.js";
import { requireName, requireToken } from "../option-checks.js";
import { smoothingRules, type SmoothingOptions } from "../smoothing-options.js";

/** Options of `viewerSession`. */
export interface ViewerOptions extends StateOptions {
  /** Shown to the server, up to 24 characters. Default "". */
  readonly name?: string | undefined;
  /** Any secret text that stays the same when the page is reloaded: the server then drops the old link. Default: random. */
  readonly token?: string | undefined;
  /** How the error of a wrong extrapolation fades from the picture. `false`: it is gone at once. */
  readonly smoothing?: SmoothingOptions | false | undefined;
  /** Seconds of silence after which the server counts as gone. Default 5. */
  readonly timeout?: number | undefined;
  /** Reads the time in milliseconds. Default: `performance.now`. */
  readonly now?: (() => number) | undefined;
}

export const VIEWER_OPTIONS = Object.keys({
  kernels: 1,
  name: 1,
  token: 1,
  smoothing: 1,
  timeout: 1,
  now: 1,
} satisfies Record<keyof ViewerOptions, 1>);

/** Checks all options, and fills in the defaults. */
export function checkedViewerOptions(call: string, options: ViewerOptions) {
  const { name = "", timeout = 5, smoothing = {}, token = crypto.randomUUID() } = options;
  requireName(`${call}: name`, name);
  requireToken(`${call}: token`, token);
  requireNumber(`${call}: timeout`, timeout, 0.2, 3600, 5);
  if (smoothing !== false) smoothingRules(`${call}: smoothing`, smoothing);
  if (options.now !== undefined) requireFunction(`${call}: now`, options.now, "() => performance.now()");
  const seats: readonly number[] = [];
  return { name, token, smoothing, seats, count: 0, timeout: timeout * 1000 };
}

export type ViewerSettings = ReturnType<typeof checkedViewerOptions>;
