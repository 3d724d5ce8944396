import { misuse, TickwiseError, type ErrorCode } from "../errors/index.js";
import type { ErrorData } from "./protocol.js";

/**
 * What ended the session of a worker:
 *
 * - `"step"`: a step threw.
 * - `"start"`: the session could not be created: `init` threw, or an option is wrong.
 * - `"load"`: the module of the worker could not be loaded, or threw before it served the simulation.
 * - `"error"`: an uncaught error in the worker, outside a step.
 * - `"exit"`: the worker has ended. Only Node reports it.
 * - `"silent"`: no sign of life for too long.
 */
export type WorkerFailureReason = "step" | "start" | "load" | "error" | "exit" | "silent";

/** Why a worker no longer simulates. */
export interface WorkerFailure {
  readonly reason: WorkerFailureReason;
  /** The number of the newest state: the step that failed, if one did. */
  readonly tick: number;
  /** The error, with the stack of the worker. */
  readonly error: Error;
}

function tickwiseErrorOf(code: ErrorCode, message: string, cause: unknown): TickwiseError {
  const [call, problem = ""] = message.split(/: (.*)/s) as [string, string?];
  return new TickwiseError(code, call, problem, undefined, { cause });
}

/** Returns an error of the worker as one of this thread, with its stack. */
export function errorOf({ name, message, stack, code }: ErrorData, cause?: unknown): Error {
  const error =
    code !== undefined && name === "TickwiseError"
      ? tickwiseErrorOf(code as ErrorCode, message, cause)
      : new Error(message, cause === undefined ? {} : { cause });
  if (error.name !== name) Object.defineProperty(error, "name", { value: name, configurable: true });
  if (stack !== "") error.stack = stack;
  return error;
}

const PROBLEMS: Record<WorkerFailureReason, (failure: WorkerFailure) => string> = {
  step: ({ tick, error }) => `the step of tick ${tick} threw in the worker: ${error.message}`,
  start: ({ error }) => `the worker could not begin: ${error.message}`,
  load: ({ error }) => `the worker could not be loaded: ${error.message}`,
  error: ({ tick, error }) => `the worker failed at tick ${tick}: ${error.message}`,
  exit: ({ tick, error }) => `the worker ended at tick ${tick}: ${error.message}`,
  silent: ({ tick, error }) => `the worker does not answer, at tick ${tick}: ${error.message}`,
};

/** Throws a failure, with the way out. */
export function rejectFailure(failure: WorkerFailure): never {
  const { reason } = failure;
  const isAlive = reason === "step" || reason === "start";
  return misuse(
    "step-failed",
    "Session",
    PROBLEMS[reason](failure),
    isAlive
      ? "Call restart() to continue from the last state"
      : "Call restart(newWorker) to continue from the last state",
    failure.error,
  );
}
