import { afterEach, describe, expect, test, vi } from "vitest";
import { assemble, kept } from "../../scripts/kernels.mjs";
import { hermite, lerp, lerpAngle, nlerp, slerp } from "../blend/index.js";
import type { Kernels } from "./kernels.js";
import { memoryOf } from "./memory.js";

const REAL_MEMORY = WebAssembly.Memory;

/** The same random cases in every run. */
function randoms(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const ODD = [0, -0, 1, -1, Infinity, -Infinity, NaN, 5e-324, -5e-324, 1e308, -1e308, Math.PI, -Math.PI];
const TIMES = [0, 2 ** -60, 0.25, 0.3, 0.5 - 2 ** -54, 0.5, 0.7, 1 - 2 ** -53, 1];

/** Pairs of special values with each other, and of random values: some equal, some many turns apart. */
function pairs(count: number, seed: number): [number[], number[]] {
  const random = randoms(seed);
  const a = ODD.flatMap((x) => ODD.map(() => x));
  const b = ODD.flatMap(() => ODD);
  while (a.length < count) {
    const x = (random() - 0.5) * 2 ** (random() * 12);
    a.push(x);
    b.push(random() < 0.2 ? x : x + (random() - 0.5) * 2 ** (random() * 12));
  }
  return [a.slice(0, count), b.slice(0, count)];
}

type Run = (kernels: Kernels, out: number, previous: number, current: number, count: number) => void;

/** Runs a kernel on two columns. Checks that it writes nothing outside the result. */
function blended(
  which: "wasm" | "js",
  bits: 64 | 32,
  run: Run,
  columns: readonly [number[], number[]],
  t: number,
  wide = 1,
): number[] {
  const { buffer, kernels } = memoryOf(65536, which);
  const all = bits === 64 ? new Float64Array(buffer) : new Float32Array(buffer);
  const size = bits / 8;
  const count = columns[0].length;
  const [previous, current, out] = [1024 / size, 16384 / size + 3, 32768 / size + 5];
  all.set(columns[0], previous);
  all.set(columns[1], current);
  all.fill(77, out - 1, out + count + 1);
  kernels.factors.set([t, 1 / 60]);
  run(kernels, out * size, previous * size, current * size, count / wide);
  expect([all[out - 1], all[out + count]]).toEqual([77, 77]);
  return [...all.subarray(out, out + count)];
}

describe.each(["wasm", "js"] as const)("%s", (which) => {
  const numbers = [
    ["lerp", 64, (k, ...rest) => k.lerp64(...rest), lerp],
    ["lerp", 32, (k, ...rest) => k.lerp32(...rest), lerp],
    ["angle", 64, (k, ...rest) => k.angle64(...rest), lerpAngle],
    ["angle", 32, (k, ...rest) => k.angle32(...rest), lerpAngle],
    ["hermite", 64, (k, o, p, c, n) => k.hermite64(o, p, c, c, p, n), curve],
    ["hermite", 32, (k, o, p, c, n) => k.hermite32(o, p, c, c, p, n), curve],
  ] as const satisfies (readonly [string, 64 | 32, Run, (a: number, b: number, t: number) => number])[];

  /** Uses the columns as velocities, too. */
  function curve(a: number, b: number, t: number): number {
    return hermite(a, b, b, a, 1 / 60, t);
  }

  test.each(numbers)(
    "%s of %i bits equals the function of tickwise/blend, bit for bit",
    (_, bits, run, one) => {
      const [a, b] = pairs(400, 3);
      const stored = (x: number) => (bits === 64 ? x : Math.fround(x));
      for (const t of TIMES) {
        const wanted = a.map((x, i) => stored(one(stored(x), stored(b[i]!), t)));
        expect(blended(which, bits, run, [a, b], t)).toEqual(wanted);
      }
    },
  );

  test.each(numbers)(
    "%s of %i bits handles columns of any length, and writes nothing outside",
    (_, bits, run, one) => {
      const stored = (x: number) => (bits === 64 ? x : Math.fround(x));
      for (let count = 0; count < 20; count++) {
        const [a, b] = pairs(400, 5).map((all) => all.slice(400 - count)) as [number[], number[]];
        const wanted = a.map((x, i) => stored(one(stored(x), stored(b[i]!), 0.7)));
        expect(blended(which, bits, run, [a, b], 0.7)).toEqual(wanted);
      }
    },
  );

  test.each(numbers)("%s of %i bits handles a special value among ordinary ones", (_, bits, run, one) => {
    const stored = (x: number) => (bits === 64 ? x : Math.fround(x));
    const ordinary = Array.from({ length: 24 }, (_value, i) => i / 8 - 1);
    let at = 0;
    for (const x of [...ODD, 7])
      for (const y of ODD)
        for (const t of [0.3, 0.7]) {
          const a = [...ordinary];
          const b = ordinary.map((value) => value + 0.01);
          at = (at + 1) % 24;
          a[at] = x;
          b[at] = y;
          const wanted = a.map((value, i) => stored(one(stored(value), stored(b[i]!), t)));
          expect(blended(which, bits, run, [a, b], t), `${x} to ${y}`).toEqual(wanted);
        }
  });

  test.each([
    ["nlerp64", nlerp],
    ["slerp64", slerp],
  ] as const)("%s is blend's, to the bit, for any count", (name, many) => {
    const random = randoms(11);
    const quats = (count: number) => Array.from({ length: 4 * count }, () => random() - 0.5);
    for (const count of [0, 1, 2, 3, 7, 150]) {
      const a = quats(count);
      const b = quats(count);
      // Some equal, some zero, some negated.
      for (let i = 0; i < 4 * count; i++) if ((i >> 2) % 3 === 1) b[i] = (i >> 2) % 2 ? a[i]! : -a[i]!;
      if (count > 6) a.fill(0, 16, 20);
      if (count > 6) b.fill(0, 16, 20);
      for (const t of TIMES) {
        const wanted = [...many(new Float64Array(4 * count), Float64Array.from(a), Float64Array.from(b), t)];
        const run: Run = (kernels, ...rest) => kernels[name](...rest);
        expect(blended(which, 64, run, [a, b], t, 4)).toEqual(wanted);
      }
    }
  });

  test("copies any bytes, even overlapping ones", () => {
    const { buffer, kernels } = memoryOf(4096, which);
    const bytes = new Uint8Array(buffer);
    for (const [to, from, count] of [
      [0, 1, 100],
      [64, 0, 1000],
      [7, 3, 2000],
      [2048, 5, 0],
    ] as const) {
      for (let i = 0; i < 4096; i++) bytes[i] = (i * 37) >> 3;
      const wanted = bytes.slice().copyWithin(to, from, from + count);
      kernels.copy(to, from, count);
      expect(bytes.slice(0, 4096)).toEqual(wanted.slice(0, 4096));
    }
  });

  test("allocates memory of zeros that is writable up to its last byte", () => {
    const { buffer, kernels } = memoryOf(65536, which);
    expect(kernels.name).toBe(which);
    expect(new Uint8Array(buffer, 0, 65536).every((byte) => byte === 0)).toBe(true);
    new Uint8Array(buffer).fill(255, 0, 65536);
    kernels.hash(0, 65536, 0, 0, [0, 0]);
    kernels.factors[0] = 0.5;
    kernels.lerp64(0, 0, 0, 1);
    expect(new Uint8Array(buffer).subarray(8, 65536).every((byte) => byte === 255)).toBe(true);
  });
});

describe("auto", () => {
  afterEach(() => void vi.unstubAllGlobals());

  test("uses wasm if it is available", () => {
    expect(memoryOf(100, "auto").kernels.name).toBe("wasm");
  });

  test("falls back to JavaScript if WebAssembly is missing or forbidden, and wasm throws", async () => {
    for (const without of [
      undefined,
      {
        Module: class {
          constructor() {
            throw new Error("unsafe-eval");
          }
        },
      },
    ]) {
      vi.resetModules();
      vi.stubGlobal("WebAssembly", without);
      const fresh = await import("./memory.js");
      expect(fresh.memoryOf(100, "auto").kernels.name).toBe("js");
      expect(() => fresh.memoryOf(100, "wasm")).toThrow(
        /^Layout\.allocate: WebAssembly with SIMD is not available \(.*\)\. Use kernels: "auto" or "js"\.$/,
      );
    }
  });

  test("falls back to JavaScript if there is no memory for wasm", () => {
    vi.stubGlobal("WebAssembly", {
      ...Object.fromEntries(
        Object.getOwnPropertyNames(WebAssembly).map((name) => [name, Reflect.get(WebAssembly, name)]),
      ),
      Memory: class {
        constructor() {
          throw new RangeError("could not allocate memory");
        }
      },
    });
    expect(memoryOf(100, "auto").kernels.name).toBe("js");
  });

  test("does not retry wasm each time after it ran out of memory, but uses it again later", async () => {
    vi.resetModules();
    const { memoryOf: fresh } = await import("./memory.js");
    let asked = 0;
    let isFull = true;
    vi.stubGlobal("WebAssembly", {
      ...Object.fromEntries(
        Object.getOwnPropertyNames(WebAssembly).map((name) => [name, Reflect.get(WebAssembly, name)]),
      ),
      Memory: class {
        constructor(limits: WebAssembly.MemoryDescriptor) {
          asked++;
          if (isFull) throw new RangeError("could not allocate memory");
          return new REAL_MEMORY(limits);
        }
      },
    });
    for (let i = 0; i < 2000; i++) expect(fresh(100, "auto").kernels.name).toBe("js");
    expect(asked).toBeLessThan(10);
    isFull = false;
    expect(fresh(100, "wasm").kernels.name).toBe("wasm");
    expect(fresh(100, "auto").kernels.name).toBe("wasm");
    // A large allocation that fails does not prevent small ones.
    isFull = true;
    expect(fresh(2 ** 25, "auto").kernels.name).toBe("js");
    isFull = false;
    expect(fresh(100, "auto").kernels.name).toBe("wasm");
  });
});

test("kernels-code.ts is up to date with kernels.wat (if not: npm run kernels)", async () => {
  expect(await assemble()).toBe(kept());
});
