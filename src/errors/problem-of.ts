import type { TickwiseError } from "./tickwise-error.js";

/**
 * Whether an error is a `TickwiseError`, also of another copy of this package: a game that was bundled brings its own, for
 * which `instanceof` fails.
 */
export function isTickwiseError(error: unknown): error is TickwiseError {
  return error instanceof Error && error.name === "TickwiseError" && "problem" in error;
}

/** Returns what is wrong, to be told as a part of another message: without the call and the fix, if the error has them. */
export function problemOf(error: unknown): string {
  if (isTickwiseError(error)) return error.problem;
  return error instanceof Error ? error.message : String(error);
}
