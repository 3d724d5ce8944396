import { expect, test } from "vitest";
import { isTickwiseError, problemOf } from "./problem-of.js";
import { misuse } from "./tickwise-error.js";

function thrownBy(call: () => unknown): unknown {
  try {
    return call();
  } catch (error) {
    return error;
  }
}

test("the problem of an error leaves out the call and the fix", () => {
  const error = thrownBy(() => misuse("disposed", "Session", "already disposed", "Create a new one"));
  expect(problemOf(error)).toBe("already disposed");
  expect(problemOf(new RangeError("too long"))).toBe("too long");
  expect(problemOf("a text")).toBe("a text");
});

test("errors of another copy of the package are recognized by their fields", () => {
  const foreign = Object.assign(new Error("Session: already disposed."), {
    name: "TickwiseError",
    problem: "already disposed",
  });
  expect(isTickwiseError(foreign)).toBe(true);
  expect(problemOf(foreign)).toBe("already disposed");
  expect([new Error("no"), { problem: "no" }, undefined].map(isTickwiseError)).toEqual([false, false, false]);
});
