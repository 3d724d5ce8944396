import type { Driver } from "../drivers/index.js";
import {
  badValue,
  misuse,
  requireFunction,
  requireKnownOptions,
  requireOptions,
  requireType,
} from "../errors/index.js";
import type { LoopOptions, LoopSettings } from "./options.js";
import { optionalMethod } from "./optional-method.js";

const SETTING_NAMES = {
  rate: 1,
  driver: 1,
  frameCap: 1,
  pacing: 1,
  present: 1,
  maxFrameTime: 1,
  maxSteps: 1,
  stepBudget: 1,
  overload: 1,
  rereadClock: 1,
  measureCosts: 1,
} satisfies Record<keyof LoopSettings, 1>;
const SETTINGS = Object.keys(SETTING_NAMES);
const OPTIONS = Object.keys({
  ...SETTING_NAMES,
  step: 1,
  render: 1,
  timeScale: 1,
  stepping: 1,
  now: 1,
} satisfies Record<keyof LoopOptions, 1>);

/** Checks the options of a loop. Numbers are checked where they are read. */
export function checkOptions(options: LoopOptions): void {
  requireType("Loop: options", options, "object", "{ rate: 60 }");
  // An instance of a class is a game with fields of its own.
  if (Object.getPrototypeOf(options) === Object.prototype) requireKnownOptions("Loop", options, OPTIONS);
  const { stepping } = options;
  if (stepping !== undefined) requireFunction("Loop: stepping.plan", stepping?.plan, "onePerFrame()");
  for (const name of ["step", "render", "now"] as const) optionalMethod("Loop", options, name);
  checkDriver("Loop", options.driver);
  checkPresentation("Loop", options);
}

/** Checks the settings that `configure` changes. */
export function checkSettings(call: string, settings: Partial<LoopSettings>): void {
  requireOptions(call, settings, SETTINGS, "{ maxSteps: 8 }");
  checkDriver(call, settings.driver);
  checkPresentation(call, settings);
}

function checkPresentation(
  call: string,
  { pacing, present }: Pick<LoopSettings, "pacing" | "present">,
): void {
  if (pacing !== undefined && pacing !== "display" && pacing !== "raw")
    badValue(`${call}: pacing`, '"display" or "raw"', pacing, '"display"');
  if (present !== undefined && !["interpolate", "latest", "speculate"].includes(present))
    badValue(`${call}: present`, '"interpolate", "latest" or "speculate"', present, '"latest"');
}

function checkDriver(call: string, driver: Driver | undefined): void {
  if (driver === undefined) return;
  const names = ["start", "stop", "now"] as const;
  // For "raf", true or a driver that was not called, show the value itself.
  if (!names.some((name) => typeof driver?.[name] === "function"))
    badValue(`${call}: driver`, "a driver", driver, "browserDriver()");
  for (const name of names) requireFunction(`${call}: driver.${name}`, driver[name], "browserDriver()");
}

/** Returns whether frames are paced for a display: as set, or else as the driver says. A display's rate needs it. */
export function isPaced(
  call: string,
  pacing: LoopSettings["pacing"],
  driver: Driver | undefined,
  needsDisplay: boolean,
): boolean {
  const isDisplay = (pacing ?? driver?.pacing) === "display";
  if (needsDisplay && (pacing ?? driver) && !isDisplay)
    badValue(`${call}: pacing`, '"display" if rate is "display"', "raw", '{ rate: 60 } or pacing: "display"');
  return isDisplay;
}

/** Throws if the rate cannot change once a frame was run. */
export function requireRateChange(call: string, hasStepping: boolean, present: string): void {
  if (hasStepping) requireUnchanged(call, { rate: true });
  if (present === "speculate")
    misuse(
      "not-ready",
      call,
      'cannot change rate after the first frame if present is "speculate"',
      "Call reset() first",
    );
}

/** Throws if a setting was changed that must stay once a frame was run. */
export function requireUnchanged(call: string, changed: Readonly<Record<string, boolean>>): void {
  for (const [name, isChanged] of Object.entries(changed))
    if (isChanged)
      misuse("not-ready", call, `cannot change ${name} after the first frame`, "Call reset() first");
}
