import { expect } from "vitest";
import type { ErrorCode } from "../src/errors/index.js";

/** Matches a `TickwiseError` with this code whose message contains a text: `expect(call).toThrow(errorWith("disposed"))`. */
export const errorWith = (code: ErrorCode, message = ""): Error =>
  expect.objectContaining({
    name: "TickwiseError",
    code,
    message: expect.stringContaining(message),
  }) as Error;
