import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { axis, button, fraction, int, type InputFields } from "./fields.js";
import { Packing } from "./packing.js";

describe("packing", () => {
  test("unpacks exactly what was packed", () => {
    const packing = new Packing({
      left: button,
      aim: axis(8),
      weapon: int(-2, 9),
      fire: button,
      tilt: axis(16),
    });
    const values = { left: true, aim: -37 / 127, weapon: 7, fire: false, tilt: 12345 / 32767 };
    expect(packing.unpack(packing.pack(values))).toEqual(values);
  });

  test("packs 16 buttons and two 8-bit axes into one word", () => {
    const buttons = Object.fromEntries(Array.from({ length: 16 }, (_, i) => [`b${i}`, button]));
    expect(new Packing({ ...buttons, x: axis(8), y: axis(8) }).words).toBe(1);
    expect(new Packing({ ...buttons, x: axis(8), y: axis(8), z: button }).words).toBe(2);
  });

  test("an idle player is all zeros, and -1, 0 and 1 are exact on every axis", () => {
    for (let bits = 2; bits <= 16; bits++) {
      const packing = new Packing({ jump: button, x: axis(bits), card: int(5, 12) });
      expect([...packing.pack({ jump: false, x: 0, card: 5 })]).toEqual([0]);
      for (const x of [-1, 0, 1]) expect(packing.unpack(packing.pack({ x })).x).toBe(x);
    }
  });

  test("an axis rounds to its nearest step and clamps to its ends", () => {
    const packing = new Packing({ x: axis(8) });
    const kept = (x: number) => packing.unpack(packing.pack({ x })).x;
    expect(kept(0.5)).toBe(64 / 127);
    expect(kept(1e300)).toBe(1);
    expect(kept(-Infinity)).toBe(-1);
    fc.assert(
      fc.property(fc.double({ min: -1, max: 1, noNaN: true }), (x) => {
        expect(Math.abs(kept(x) - x)).toBeLessThanOrEqual(0.5 / 127 + 1e-12);
        expect(kept(kept(x))).toBe(kept(x));
      }),
    );
  });

  test("a fraction is from 0 to less than 1, and rounds down", () => {
    for (const bits of [1, 4, 16]) {
      const packing = new Packing({ at: fraction(bits), other: button });
      const kept = (at: number) => packing.unpack(packing.pack({ at })).at;
      const last = 1 - 2 ** -bits;
      expect([kept(0), kept(-1), kept(last), kept(1), kept(7)]).toEqual([0, 0, last, last, last]);
      expect(kept(2 ** -bits - 1e-9)).toBe(0);
      expect([...packing.pack({ at: 0, other: false })]).toEqual([0]);
    }
  });

  test("any bits, such as from a peer, unpack to values within bounds", () => {
    const packing = new Packing({ x: axis(3), n: int(10, 14), b: button, at: fraction(5) });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 32 - 1 }), (word) => {
        const { x, n, at } = packing.unpack([word]);
        expect(at >= 0 && at < 1).toBe(true);
        expect(Math.abs(x)).toBeLessThanOrEqual(1);
        expect(n >= 10 && n <= 14).toBe(true);
      }),
    );
  });

  test("fields of any width do not overlap", () => {
    const field = fc.oneof(
      fc.constant(button),
      fc.integer({ min: 2, max: 16 }).map(axis),
      fc.integer({ min: 1, max: 16 }).map(fraction),
      fc
        .tuple(fc.integer({ min: -99, max: 99 }), fc.integer({ min: 1, max: 1e6 }))
        .map(([a, b]) => int(a, a + b)),
    );
    fc.assert(
      fc.property(
        fc.array(field, { minLength: 1, maxLength: 40 }),
        fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })),
        (fields, draws) => {
          const declared: InputFields = Object.fromEntries(fields.map((of, i) => [`f${i}`, of]));
          const packing = new Packing(declared);
          const draw = () => draws.next().value!;
          const values = Object.fromEntries(
            fields.map((of, i) => [
              `f${i}`,
              of.kind === "button"
                ? draw() < 0.5
                : of.kind === "int"
                  ? of.base + Math.floor(draw() * of.max)
                  : of.kind === "fraction"
                    ? Math.floor(draw() * of.max) / of.base
                    : Math.round((2 * draw() - 1) * of.base) / of.base + 0,
            ]),
          );
          expect(packing.unpack(packing.pack(values as never))).toEqual(values);
        },
      ),
    );
  });

  test.each([
    [() => axis(1), "axis: bits must be a whole number, 2 or more, got 1. Try 8."],
    [() => axis(17), "axis: bits must be 2 to 16, got 17. Try 8."],
    [() => fraction(0), "fraction: bits must be a whole number, 1 or more, got 0. Try 8."],
    [() => fraction(17), "fraction: bits must be 1 to 16, got 17. Try 8."],
    [() => int(3, 3), "int: max must be a whole number greater than min, which is 3, got 3. Try int(3, 10)."],
    [() => int(4, 1), "int: max must be a whole number greater than min, which is 4, got 1. Try int(1, 4)."],
    [
      () => int(1, 2 ** 31 + 1),
      "int: max must be less than min + 2^31, which is 2147483649, got 2147483649. Try int(1, 8).",
    ],
    [() => int(0.5, 3), "int: min must be a whole number, got 0.5. Try 0."],
    [
      () => new Packing({ held: button }),
      'simulation: an input\'s name must be letters, digits and _, and not pressed, released, held, absent, got "held". Try jump.',
    ],
    [
      () => new Packing({ jump: true as never }),
      "simulation: input.jump must be button, axis(bits), int(min, max) or fraction(bits), got true. Try button.",
    ],
    [
      () => new Packing({ a: button }).pack({ b: true } as never),
      'Packing.pack: unknown input "b". Known: a.',
    ],
    [
      () => new Packing({ a: button }).pack({ a: 1 as never }),
      "Packing.pack: a must be true or false, got 1. Try true.",
    ],
    [
      () => new Packing({ n: int(0, 5) }).pack({ n: 6 }),
      "Packing.pack: n must be a whole number from 0 to 5, got 6. Try 0.",
    ],
    [
      () => new Packing({ x: axis(8) }).pack({ x: NaN }),
      "Packing.pack: x must be a number from -1 to 1, got NaN. Try 0.",
    ],
    [
      () => new Packing(undefined as never),
      "Packing: fields must be an object, got undefined. Try { jump: button }.",
    ],
    [() => Reflect.construct(Packing, [{ a: button }, {}]), "Packing: takes at most 1 argument, got 2."],
    [
      () => new Packing({ a: button }).pack(null as never),
      "Packing.pack: values must be an object, got null. Try { jump: true }.",
    ],
    [
      () => new Packing({ a: button }).pack({}, [0] as never),
      "Packing.pack: words must be a Uint32Array, got [0]. Try new Uint32Array(1).",
    ],
    [
      () => new Packing({ a: button }).pack({}, new Uint32Array(3), 3),
      "Packing.pack: words.length must be 4 or more, got 3. Try new Uint32Array(4).",
    ],
    [
      () => new Packing({ a: button }).unpack([]),
      "Packing.unpack: words.length must be 1 or more, got 0. Try new Uint32Array(1).",
    ],
    [
      () => new Packing({ a: button }).unpack([0], -1),
      "Packing.unpack: offset must be a whole number, 0 or more, got -1. Try 0.",
    ],
    [() => Reflect.apply(int, undefined, [0, 5, 1]), "int: takes at most 2 arguments, got 3."],
    [() => Reflect.apply(axis, undefined, [8, 0.2]), "axis: takes at most 1 argument, got 2."],
    [() => Reflect.apply(fraction, undefined, [8, "fire"]), "fraction: takes at most 1 argument, got 2."],
  ])("%s throws", (call, message) => {
    expect(call).toThrow(message);
  });
});
