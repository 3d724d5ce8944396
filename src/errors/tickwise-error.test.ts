import { expect, test } from "vitest";
import { requireSynchronous } from "./require.js";
import { badValue, misuse, onBehalfOf, TickwiseError } from "./tickwise-error.js";

function thrownBy(act: () => unknown): TickwiseError {
  try {
    act();
  } catch (error) {
    return error as TickwiseError;
  }
  return expect.fail("nothing was thrown");
}

test("a bad value names the call, the rule, the value and a fix", () => {
  const error = thrownBy(() => badValue("Loop: rate", "a positive number", 0, "{ rate: 60 }"));
  expect(error).toBeInstanceOf(TickwiseError);
  expect(error).toBeInstanceOf(Error);
  expect({ ...error, message: error.message }).toEqual({
    name: "TickwiseError",
    message: "Loop: rate must be a positive number, got 0. Try { rate: 60 }.",
    code: "bad-value",
    call: "Loop",
    problem: "rate must be a positive number, got 0",
    fix: "Try { rate: 60 }",
    rule: "a positive number",
    value: 0,
  });
});

test("a bad value of the call itself has no part", () => {
  const error = thrownBy(() => badValue("halfLife", "0 or more", -1, 0.2));
  expect(error).toMatchObject({ call: "halfLife", problem: "must be 0 or more, got -1" });
  expect(error.message).toBe("halfLife must be 0 or more, got -1. Try 0.2.");
});

test("a part may contain a colon", () => {
  const error = thrownBy(() => badValue("emit: hit: hard.x", "a number", "y", 1));
  expect(error).toMatchObject({ call: "emit", problem: 'hit: hard.x must be a number, got "y"' });
  expect(error.message).toBe('emit: hit: hard.x must be a number, got "y". Try 1.');
});

test("an error on behalf of another call names that call, in its stack too", () => {
  const error = thrownBy(() =>
    onBehalfOf("play", ["Loop"], () => badValue("Loop: rate", "a number", "$& $1", 60)),
  );
  const message = 'play: rate must be a number, got "$& $1". Try 60.';
  expect(error).toMatchObject({ call: "play", message, problem: 'rate must be a number, got "$& $1"' });
  expect(error.stack).toContain(message);
  const mine = new Error("mine");
  const other = thrownBy(() =>
    onBehalfOf("play", ["Loop"], () => {
      throw mine;
    }),
  );
  expect(other).toBe(mine);
});

test("a misuse has a problem and a fix, but no rule and no value", () => {
  const cause = new Error("mine");
  const error = thrownBy(() => misuse("disposed", "Session", "already disposed", "Create a new one", cause));
  expect(error).toMatchObject({ code: "disposed", call: "Session", problem: "already disposed", cause });
  expect(error.message).toBe("Session: already disposed. Create a new one.");
  expect([error.rule, error.value]).toEqual([undefined, undefined]);
  expect(thrownBy(() => misuse("reentrant", "Loop.advance", "not from a callback")).message).toBe(
    "Loop.advance: not from a callback.",
  );
});

test("a question at the end needs no full stop", () => {
  expect(thrownBy(() => misuse("unknown-option", "Loop", "unknown", "Did you mean this?")).message).toBe(
    "Loop: unknown. Did you mean this?",
  );
});

test("a callback that returned a promise is rejected, and so the promise's rejection is handled", async () => {
  requireSynchronous("Loop: step", undefined);
  const rejected = Promise.reject(new Error("late"));
  expect(thrownBy(() => requireSynchronous("Loop: step", rejected))).toMatchObject({
    code: "async-callback",
    call: "Loop",
    problem: "step must be synchronous, but it returned a promise",
  });
  await new Promise((resolve) => setTimeout(resolve, 1));
});
