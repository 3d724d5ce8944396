// What external states must return.
import { expect, test } from "vitest";
import { errorWith } from "../../test/error-with.js";
import { layout, u32 } from "../state/index.js";
import { localSession, simulation } from "./index.js";

const session = (external: { save?: () => unknown; hash?: () => unknown }) =>
  localSession(
    simulation({
      name: "engine",
      version: 1,
      rate: 60,
      state: layout({ n: u32 }),
      external: {
        engine: () =>
          ({ save: () => new Uint8Array(1), load() {}, hash: () => [1, 2] as const, ...external }) as never,
      },
      step() {},
    }),
  );

test.each([
  [new Float64Array(2), "a Float64Array"],
  [[1, 2], "[1,2]"],
  [new ArrayBuffer(8), "an ArrayBuffer"],
  [undefined, "undefined"],
])("save must not return %s", (bytes, shown) => {
  expect(() => session({ save: () => bytes }).bytes()).toThrow(
    errorWith(
      "bad-value",
      `Simulation: the result of external.engine.save must be a Uint8Array, got ${shown}.`,
    ),
  );
});

test.each([[[1, NaN]], [[0.5, 1]], [[1, 2 ** 32]], [[1]], [[1, 2, 3]], [7], [undefined], ["ab"]])(
  "hash must not return %j",
  (hash) => {
    expect(() => session({ hash: () => hash }).hash()).toThrow(
      errorWith(
        "bad-value",
        "Simulation: the result of external.engine.hash must be two 32-bit integers, got",
      ),
    );
  },
);

test("save and hash must be synchronous", () => {
  expect(() => session({ save: async () => new Uint8Array(1) }).bytes()).toThrow(
    errorWith("async-callback", "Simulation: external.engine.save must be synchronous"),
  );
  expect(() => session({ hash: async () => [1, 2] }).hash()).toThrow(
    errorWith("async-callback", "Simulation: external.engine.hash must be synchronous"),
  );
});

test("accepts signed words, as bitwise operators return them", () => {
  const signed = session({ hash: () => [-1, (2 ** 31) | 0] });
  expect(signed.hash()).toEqual(session({ hash: () => [2 ** 32 - 1, 2 ** 31] }).hash());
});

test("accepts typed arrays and the largest word", () => {
  const { hash, bytes } = { hash: () => Uint32Array.of(1, 2 ** 32 - 1), bytes: new Uint8Array(3) };
  const ours = session({ hash, save: () => bytes });
  expect(ours.hash()).toHaveLength(2);
  expect(ours.bytes().length).toBeGreaterThan(3);
});
