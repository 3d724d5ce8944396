import { showValue } from "./show-value.js";

/**
 * What went wrong, as a stable name that programs can compare:
 *
 * - `"bad-value"`: an argument or an option has a wrong type, or is out of range. `rule` and `value` are set.
 * - `"unknown-option"`: an option or argument that the call does not have, often misspelt.
 * - `"unknown-name"`: an event, effect, field or other name that is not declared.
 * - `"disposed"`: the object was used after `dispose()`.
 * - `"reentrant"`: the call is not allowed from this callback.
 * - `"async-callback"`: a callback that must be synchronous returned a promise.
 * - `"not-ready"`: something must happen first, or an option that the call needs is off.
 * - `"in-use"`: the driver, latch or object already serves another owner.
 * - `"table-full"`: a table has no free row.
 * - `"stale-row"`: a row object was used after its turn in a loop, or after its row was removed.
 * - `"read-only"`: the world was written outside a step.
 * - `"rate-mismatch"`: a loop of another rate steps the session, or the loop of a session was given another rate.
 * - `"step-failed"`: an earlier step threw, and its external state cannot be restored.
 * - `"not-finite"`: a field holds NaN or an infinity.
 * - `"forbidden-call"`: a step called something that a guard forbids.
 * - `"wrong-simulation"`: the data belongs to another simulation, version or layout.
 * - `"corrupt-data"`: the data is damaged, truncated or malicious.
 * - `"unsupported"`: the data or the platform is of a kind that this version cannot handle.
 * - `"refused"`: a server does not let this program in. `value` says why, as a stable name.
 * - `"unreachable"`: a server does not answer.
 */
export type ErrorCode =
  | "bad-value"
  | "unknown-option"
  | "unknown-name"
  | "disposed"
  | "reentrant"
  | "async-callback"
  | "not-ready"
  | "in-use"
  | "table-full"
  | "stale-row"
  | "read-only"
  | "rate-mismatch"
  | "step-failed"
  | "not-finite"
  | "forbidden-call"
  | "wrong-simulation"
  | "corrupt-data"
  | "unsupported"
  | "refused"
  | "unreachable";

/** Further facts about an error. */
interface ErrorDetails {
  readonly rule?: string | undefined;
  readonly value?: unknown;
  readonly cause?: unknown;
}

/** Every error that Tickwise throws on purpose. Errors of your own callbacks are passed on as they are. */
export class TickwiseError extends Error {
  override readonly name = "TickwiseError";
  /** What the value must be, for a `"bad-value"`. */
  readonly rule: string | undefined;
  /** The value that was passed, for a `"bad-value"`; the name for `allow`, for a `"forbidden-call"`; why, for a `"refused"`. */
  readonly value: unknown;

  /** @internal */
  constructor(
    /** What went wrong, as a stable name. */
    readonly code: ErrorCode,
    /** The call that threw, such as `Loop` or `Session.seek`. `message` begins with it. */
    readonly call: string,
    /** What is wrong: `message` without the call and the fix. */
    readonly problem: string,
    /** What to do about it, as a sentence. */
    readonly fix?: string,
    { rule, value, cause }: ErrorDetails = {},
  ) {
    // Without a colon if the call itself is what must be something else.
    super(
      sentences(`${call}${problem.startsWith("must be") ? "" : ":"} ${problem}`, fix),
      cause === undefined ? {} : { cause },
    );
    this.rule = rule;
    this.value = value;
  }
}

/**
 * Runs a function on behalf of another call: errors about the inner calls `from` name `call` instead. So a bad loop option of
 * `play` is reported as `play: maxSteps must be …`.
 */
export function onBehalfOf<T>(call: string, from: readonly string[], run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof TickwiseError && from.includes(error.call))) throw error;
    const { code, message, problem, fix, stack } = error;
    const renamed = new TickwiseError(code, call, problem, fix, error);
    if (stack !== undefined) renamed.stack = stack.replace(message, () => renamed.message);
    throw renamed;
  }
}

/** Joins sentences, and ends those that have no full stop or question mark. */
const sentences = (...texts: (string | undefined)[]): string =>
  texts.flatMap((text) => (text ? text.replace(/[^.?!]$/, "$&.") : [])).join(" ");

/**
 * Throws the error for a bad value: `Loop: rate must be a positive number of hertz, got 0. Try { rate: 60 }.`
 *
 * `subject` is the call and the part of it that is wrong, joined by a colon: `"Loop: rate"`; or the call alone.
 */
export function badValue(subject: string, rule: string, value: unknown, fix: unknown): never {
  const shown = showValue(value);
  // At the first colon only, as a part may be a name that the user chose.
  const [call, part = ""] = subject.split(/: (.*)/s) as [string, string?];
  throw new TickwiseError(
    "bad-value",
    call,
    `${part} must be ${rule}, got ${shown}`.trimStart(),
    // A missing `await` is shown with the value, and needs no other fix.
    shown.endsWith("?") ? undefined : `Try ${fix}`,
    { rule, value },
  );
}

/** Throws the error for a misuse, where no single value is wrong: `Session: already disposed. Create a new one.` */
export function misuse(
  code: Exclude<ErrorCode, "bad-value">,
  call: string,
  problem: string,
  fix?: string,
  cause?: unknown,
): never {
  throw new TickwiseError(code, call, problem, fix, { cause });
}
