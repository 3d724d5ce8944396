import { describe, expect, test } from "vitest";
import { hashText } from "./hash.js";
import { memoryOf } from "./memory.js";

/** The same random bytes in every run. */
function randomBytes(count: number, seed: number): Uint8Array {
  let state = seed;
  return Uint8Array.from({ length: count }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state >>> 24;
  });
}

const SIZE = 131072;

/** A memory, and a function that hashes its start. */
function hashing(which: "wasm" | "js") {
  const { buffer, kernels } = memoryOf(SIZE, which);
  const pair = new Uint32Array(2);
  return {
    bytes: new Uint8Array(buffer, 0, SIZE),
    floats: new Float32Array(buffer, 0, SIZE / 4),
    doubles: new Float64Array(buffer, 0, SIZE / 8),
    pair,
    digest(f64: number, f32 = 0, int = 0, from = 0): string {
      kernels.hash(from, f64, f32, int, pair);
      return hashText([pair[0]!, pair[1]!]);
    },
  };
}

describe.each(["wasm", "js"] as const)("hash by %s", (which) => {
  test("has not changed: recordings contain hashes", () => {
    const { bytes, doubles, digest } = hashing(which);
    expect([digest(0), digest(64), digest(0, 64), digest(0, 0, 64)]).toEqual([
      "9a15023bebab19a7",
      "9746e3c288091808",
      "eeda1f3e88d11041",
      "d5e5d7ef005745bf",
    ]);
    for (let i = 0; i < SIZE / 8; i++) doubles[i] = i / 7 - 1000;
    bytes.set(randomBytes(65536, 1), 65536);
    expect([digest(65536), digest(1024, 512, 65536), digest(0, 0, SIZE)]).toEqual([
      "51d0c52f4dd04169",
      "67e7e14a52ea8ae3",
      "f9d17f65bc30c6b0",
    ]);
  });

  test("changes with every bit of 320 bytes, and with 1,000 random bits of 100 KB", () => {
    const { bytes, digest } = hashing(which);
    bytes.set(randomBytes(102400, 2));
    for (const [size, step] of [
      [320, 1],
      [102400, 819 + 4],
    ] as const) {
      const before = digest(0, 0, size);
      const seen = new Set([before]);
      let flips = 0;
      for (let bit = 0; bit < size * 8; bit += step, flips++) {
        bytes[bit >> 3]! ^= 1 << (bit & 7);
        seen.add(digest(0, 0, size));
        bytes[bit >> 3]! ^= 1 << (bit & 7);
      }
      expect(seen.size).toBe(flips + 1);
      expect(digest(0, 0, size)).toBe(before);
    }
  });

  test("changes when the signs of two numbers or zeros change", () => {
    const { doubles, digest } = hashing(which);
    for (const value of [0, 1.5]) {
      const seen = new Set<string>();
      doubles.fill(value, 0, 256);
      for (let i = 0; i < 256; i++)
        for (let j = i; j < 256; j++) {
          doubles[i] = -value;
          doubles[j] = -value;
          seen.add(digest(2048));
          doubles[i] = value;
          doubles[j] = value;
        }
      expect(seen.size).toBe((256 * 257) / 2);
    }
  });

  test("changes when two values or blocks are swapped", () => {
    const { doubles, digest } = hashing(which);
    for (let i = 0; i < 128; i++) doubles[i] = i + 1;
    const seen = new Set([digest(1024)]);
    const swap = (i: number, j: number) => {
      [doubles[i], doubles[j]] = [doubles[j]!, doubles[i]!];
    };
    for (let i = 0; i < 128; i++)
      for (let j = 0; j < i; j++) {
        swap(i, j);
        seen.add(digest(1024));
        swap(i, j);
      }
    for (let i = 0; i < 15; i++) {
      const block = doubles.slice(8 * i, 8 * i + 8);
      doubles.copyWithin(8 * i, 8 * i + 8, 8 * i + 16).set(block, 8 * i + 8);
      seen.add(digest(1024));
      doubles.copyWithin(8 * i + 8, 8 * i, 8 * i + 8).set(
        Array.from({ length: 8 }, (_, k) => 8 * i + k + 1),
        8 * i,
      );
    }
    expect(seen.size).toBe(1 + (128 * 127) / 2 + 15);
  });

  test("changes when rows change in two columns at once", () => {
    const changes = [
      [1, -1],
      [0, -0],
      [32, 33],
      [256, 257],
      [0, 2],
      [1, 1.25],
      [100, 99],
      [5, -5],
      [0.1, 0.2],
    ] as const;
    for (const bits of [64, 32]) {
      const { doubles, floats, digest } = hashing(which);
      const numbers = bits === 64 ? doubles : floats;
      const block = 512 / bits;
      for (const first of changes)
        for (const second of changes) {
          const seen = new Set<string>();
          for (let rows = 0; rows < 256; rows++) {
            for (let row = 0; row < 8; row++) {
              const is = (rows >> row) & 1;
              numbers[row] = first[is]!;
              numbers[block + row] = second[is]! + (second[0] > 9 ? 2 * row : 0);
            }
            seen.add(bits === 64 ? digest(192) : digest(0, 192));
          }
          expect(seen.size, `${first}; ${second}`).toBe(256);
        }
    }
  });

  test("flips each bit with probability one half when an input bit changes", () => {
    const { bytes, pair, digest } = hashing(which);
    const size = 256;
    const flips = new Float64Array(64);
    const rounds = 20;
    for (let round = 0; round < rounds; round++) {
      // Half of the inputs are sparse, which is harder.
      bytes.fill(0).set(randomBytes(round < rounds / 2 ? size : round, round));
      digest(0, 0, size);
      const [a = 0, b = 0] = pair;
      for (let bit = 0; bit < size * 8; bit++) {
        bytes[bit >> 3]! ^= 1 << (bit & 7);
        digest(0, 0, size);
        for (let k = 0; k < 64; k++) flips[k]! += ((k < 32 ? pair[0]! ^ a : pair[1]! ^ b) >>> (k % 32)) & 1;
        bytes[bit >> 3]! ^= 1 << (bit & 7);
      }
    }
    const shares = flips.map((count) => count / (rounds * size * 8));
    expect(Math.min(...shares)).toBeGreaterThan(0.48);
    expect(Math.max(...shares)).toBeLessThan(0.52);
  });

  test("has no collisions among 300,000 states that differ in two numbers, and its halves look random", () => {
    const { doubles, pair, digest } = hashing(which);
    const count = 300_000;
    const all = new Float64Array(count);
    const halves = [new Uint32Array(count), new Uint32Array(count)] as const;
    let n = 0;
    for (let i = 0; n < count; i++)
      for (let j = 0; j < i; j++)
        for (const a of [1, -1, 0.5, 2, -0, 1e300, 5e-324, Infinity])
          for (const b of [1, -0, 2, 5e-324, NaN]) {
            if (n === count) break;
            doubles[i] = a;
            doubles[j] = b;
            digest(1024);
            [halves[0][n], halves[1][n]] = [pair[0]!, pair[1]!];
            // A number holds 53 of the 64 bits.
            all[n++] = pair[0]! * 2 ** 21 + (pair[1]! >>> 11);
            doubles[i] = 0;
            doubles[j] = 0;
          }
    expect(new Set(all).size).toBe(count);
    // For random halves, count² / 2^33 = 10.5 pairs are expected to collide.
    for (const half of halves) expect(count - new Set(half).size).toBeLessThan(25);
  });

  test("treats all NaNs as equal, tells 0 from -0, and writes nothing", () => {
    const { bytes, floats, doubles, digest } = hashing(which);
    for (const value of [1, Infinity, -Infinity])
      for (const at of [0, 1, 7, 100, 2047]) {
        doubles.fill(value, 0, 2048);
        doubles[at] = NaN;
        doubles[2000] = -value;
        const wanted = digest(16384);
        for (const nan of [
          0x7ff80000_00000000n,
          0xfff80000_00000000n,
          0x7ff00000_00000001n,
          0xffffffff_ffffffffn,
        ]) {
          new BigUint64Array(doubles.buffer)[at] = nan;
          expect(digest(16384)).toBe(wanted);
          expect(new BigUint64Array(doubles.buffer)[at]).toBe(nan);
        }
        floats.fill(value, 0, 2048);
        floats[at] = NaN;
        const floatsWanted = digest(0, 8192);
        for (const nan of [0x7fc00000, 0xffc00000, 0x7f800001, 0xffffffff]) {
          new Uint32Array(floats.buffer)[at] = nan;
          expect(digest(0, 8192)).toBe(floatsWanted);
          expect(new Uint32Array(floats.buffer)[at]).toBe(nan);
        }
      }
    // Integers are not normalized.
    bytes.fill(0).fill(255, 0, 8);
    const ones = digest(0, 0, 64);
    bytes.fill(254, 0, 1);
    expect(digest(0, 0, 64)).not.toBe(ones);
    bytes.fill(0);
    const zeros = digest(64, 64);
    doubles[3] = -0;
    const signed = digest(64, 64);
    doubles[3] = 0;
    floats[20] = -0;
    expect(new Set([zeros, signed, digest(64, 64)]).size).toBe(3);
  });

  test("depends on the sizes of the areas", () => {
    const { digest } = hashing(which);
    const sizes = [0, 64, 128, 192];
    const seen = sizes.flatMap((a) => sizes.flatMap((b) => sizes.map((c) => digest(a, b, c))));
    expect(new Set(seen).size).toBe(64);
  });
});

test("wasm and JavaScript agree on random and special values, in any areas", () => {
  const [wasm, js] = [hashing("wasm"), hashing("js")];
  const odd = [0x00, 0x00, 0x7f, 0x80, 0xf0, 0xff, 0xf8, 0xc0];
  for (let round = 0; round < 60; round++) {
    const bytes = randomBytes(49152, round);
    if (round % 2) bytes.forEach((byte, i) => (bytes[i] = odd[byte & 7]!));
    wasm.bytes.set(bytes);
    js.bytes.set(bytes);
    const [a = 0, b = 0, c = 0] = [...bytes].map((byte) => 64 * byte).slice(0, 3);
    const areas = [a, b, c, 64 * round] as const;
    expect(wasm.digest(...areas), areas.join()).toBe(js.digest(...areas));
  }
});

test("hashText returns 16 digits, with leading zeros", () => {
  expect(hashText([0, 0xffffffff])).toBe("00000000ffffffff");
  expect(hashText([0x1b, 0x80000000])).toBe("0000001b80000000");
});
