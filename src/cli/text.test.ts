import { expect, test } from "vitest";
import { misuse } from "../errors/index.js";
import { guard } from "../sim/index.js";
import { axis, button, fraction, int } from "../input/index.js";
import {
  errorText,
  failureText,
  fieldText,
  optionText,
  restOf,
  secondsText,
  thrownText,
  valueText,
} from "./text.js";

test("durations", () => {
  expect([0, 0.004, 1.5, 59.999, 60, 3725.25].map(secondsText)).toEqual([
    "0.00 s",
    "0.00 s",
    "1.50 s",
    "1 min 0.00 s",
    "1 min 0.00 s",
    "62 min 5.25 s",
  ]);
});

test("descriptions of inputs, and their values at rest", () => {
  const fields = [button, axis(8), int(1, 5), int(-3, 3), fraction(4)];
  expect(fields.map((field) => fieldText("x", field))).toEqual([
    "x",
    "x (axis of 8 bits)",
    "x (1 to 5)",
    "x (-3 to 3)",
    "x (fraction of 4 bits)",
  ]);
  expect(fields.map(restOf)).toEqual([false, 0, 1, -3, 0]);
});

test("values of an axis are short and distinct", () => {
  for (const bits of [2, 8, 16]) {
    const field = axis(bits);
    const texts = Array.from({ length: 2 * field.base + 1 }, (_, i) =>
      valueText((i - field.base) / field.base, field),
    );
    expect(new Set(texts).size).toBe(texts.length);
    expect(Math.max(...texts.map(({ length }) => length))).toBeLessThanOrEqual(9);
  }
});

/** The error that a call throws. */
function thrownBy(call: () => unknown): unknown {
  try {
    return call();
  } catch (error) {
    return error;
  }
}

test("errors of the library are printed without the name of the call", () => {
  const error = thrownBy(() => misuse("unsupported", "readReplay", "format version 9", "Update tickwise"));
  expect(errorText(error)).toBe("format version 9. Update tickwise.");
  const bare = thrownBy(() => misuse("corrupt-data", "readReplay", "the file is empty"));
  expect(errorText(bare)).toBe("the file is empty.");
  expect(errorText(new Error("verify: as it is"))).toBe("verify: as it is");
});

test("errors of another copy of the library are recognized", () => {
  const error = Object.assign(new Error("Session.load: truncated. Load all of it."), {
    name: "TickwiseError",
    code: "corrupt-data",
    problem: "truncated",
    fix: "Load all of it",
  });
  expect(errorText(error)).toBe("truncated. Load all of it.");
});

test("a forbidden call names the option that allows it; other errors are printed as they are", () => {
  const guarded = guard();
  const failure = (act: () => unknown) => {
    guarded.enter();
    const error = thrownBy(act);
    guarded.leave();
    return failureText("the step of tick 5", error);
  };
  expect(failure(() => Math.random())).toBe(
    "the step of tick 5: Math.random is not deterministic and must not be called in a step. Use the step's own random. If a library calls it and you accept the risk: --allow Math.random",
  );
  // Quoted for a shell.
  expect(failure(() => new Date())).toMatch(/ the risk: --allow "new Date\(\)"$/);
  expect(failureText("init", new RangeError("step: no"))).toBe("init threw RangeError: step: no");
});

test.each([
  ["a text", "boom", "boom"],
  ["nothing", undefined, "undefined"],
  ["null", null, "null"],
  ["a symbol", Symbol("s"), "Symbol(s)"],
  ["an object", { code: 5 }, '{"code":5}'],
  ["an object without a prototype", Object.create(null), "an object that cannot be shown"],
  [
    "an object whose conversion throws",
    {
      toString() {
        throw new Error("again");
      },
    },
    "an object that cannot be shown",
  ],
])("%s that was thrown can be printed", (_, thrown: unknown, text) => expect(thrownText(thrown)).toBe(text));

test("what is wrong with an option is said as one types it", () => {
  const text = (problem: string, fix: string) => {
    try {
      misuse("unsupported", "roomServer", problem, fix);
    } catch (error) {
      return optionText(error, { "trust-proxy": 1, page: 1 });
    }
  };
  expect(text('trustProxy must be addresses, got "x"', 'Try ["10.0.0.0/8"]')).toBe(
    '--trust-proxy must be addresses, got "x". Try --trust-proxy 10.0.0.0/8.',
  );
  expect(text("page must be a folder", 'Try "page"')).toBe("--page must be a folder. Try --page page.");
  expect(text("limits.rooms must be 1", "Try 1")).toBe("limits.rooms must be 1. Try 1.");
});
