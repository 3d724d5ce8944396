import type { GuardOptions } from "../sim/index.js";
import type { Args } from "./args.js";
import type { Option } from "./command.js";
import { UsageError } from "./cli-error.js";
import { errorText } from "./text.js";

/** Options of commands that run steps. */
export const GUARD: Option = {
  about:
    "Fail if a step calls something that is not deterministic, such as Math.random, Date.now or Math.sin.",
};
export const ALLOW: Option = {
  value: "NAME",
  isList: true,
  about:
    "With --guard: a call to allow, such as performance.now, for a library that needs it. Separate several by commas, or repeat the option.",
};

/** Returns the options of the guard; undefined without --guard. */
export async function guardingOf(args: Args): Promise<GuardOptions | undefined> {
  const allow = args.list("allow");
  if (!args.has("guard")) {
    if (allow.length > 0) throw new UsageError("--allow needs --guard: without it, all calls are allowed.");
    return undefined;
  }
  // Check the names here, not in each thread: an unknown name is not the fault of the simulation.
  const { guard } = await import("../sim/index.js");
  try {
    guard({ allow });
  } catch (error) {
    throw new UsageError(`--allow: ${errorText(error)}`);
  }
  return { allow };
}
