import type { GuardOptions } from "../sim/index.js";
import type { Args } from "./args.js";
import type { Option } from "./command.js";
import { UsageError } from "./cli-error.js";

/** Options of commands that run steps. */
export const GUARD: Option = {
  about: "Fail at what a step must not call, such as Math.random, Date.now or Math.sin.",
};
export const ALLOW: Option = {
  value: "NAME",
  isList: true,
  about:
    "With --guard: a call to let through, such as performance.now, for a library that makes it. Several are separated by commas, or given one by one.",
};

/** How steps are to be guarded, if they are. */
export async function guardingOf(args: Args): Promise<GuardOptions | undefined> {
  const allow = args.list("allow");
  if (!args.has("guard")) {
    if (allow.length > 0)
      throw new UsageError("--allow is only for --guard: without it, all calls are let through.");
    return undefined;
  }
  // Here, and not in each thread: a name that it does not know is no fault of the simulation.
  const { guard } = await import("../sim/index.js");
  try {
    guard({ allow });
  } catch (error) {
    const { message } = error as Error;
    throw new UsageError(
      message
        .replace(/^guard: allow must be calls that it knows/, "--allow must be calls that --guard knows")
        .replace(/ Try [^]*$/, ""),
    );
  }
  return { allow };
}
