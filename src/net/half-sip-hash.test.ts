import { expect, test } from "vitest";
import { halfSipHash } from "./half-sip-hash.js";

test("HalfSipHash-2-4 gives the values of its authors", () => {
  const key = new Uint32Array(new Uint8Array([0, 1, 2, 3, 4, 5, 6, 7]).buffer);
  const bytes = Uint8Array.from({ length: 70 }, (_, i) => i - 3);
  const values = [0, 1, 2, 3, 4, 5, 6, 7, 8, 13, 31, 32, 62, 63].map((length) =>
    halfSipHash(key, 0, bytes, 3, 3 + length),
  );
  expect(values.map((value) => value.toString(16).padStart(8, "0"))).toEqual([
    "5b9f35a9",
    "b85a4727",
    "03a662fa",
    "04e7fe8a",
    "89466e2a",
    "69b6fac5",
    "23fc6358",
    "c563cf8b",
    "8f84b8d0",
    "ff63e677",
    "1a9f585d",
    "1221e7fe",
    "7a9983bd",
    "744aea59",
  ]);
});
