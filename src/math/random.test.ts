import { describe, expect, test } from "vitest";
import { murmur } from "./murmur.js";
import { random, type Random } from "./random.js";
import { next, seedWords } from "./sfc32.js";

const made = (seed: number | string) => random(new Uint32Array(4)).seed(seed);
const draws = (count: number, draw: () => number) => Array.from({ length: count }, draw);
const hex = (value: number) => value.toString(16).padStart(8, "0");

/**
 * The deviation of counts from their expected values, in standard deviations of chi-square. About normal: 4 is 1 in
 * 30,000.
 */
function unevenness(counts: readonly number[], shares: readonly number[] = counts.map(() => 1)): number {
  const total = counts.reduce((sum, count) => sum + count, 0);
  const whole = shares.reduce((sum, share) => sum + share, 0);
  let chiSquare = 0;
  for (const [i, count] of counts.entries()) {
    const expected = (total * shares[i]!) / whole;
    chiSquare += (count - expected) ** 2 / expected;
  }
  const freedom = counts.length - 1;
  return (chiSquare - freedom) / Math.sqrt(2 * freedom);
}
function tally(buckets: number, count: number, draw: () => number): number[] {
  const counts = Array<number>(buckets).fill(0);
  for (let i = 0; i < count; i++) counts[draw()]!++;
  return counts;
}

describe("the algorithm", () => {
  // rand_sfc of rust-random/rngs, "produced with the reference implementation", PractRand. It takes 16 steps for any
  // seed.
  const REFERENCE =
    "a87dbc7e 1787178c 4c7b7234 c65dade2 2c692349 f52c2153 df098072 9d49b03c " +
    "9562381a c9b41738 64b75e54 36ce9b32 f106947e 0afc726b 549bbc87 d19a7b3e";

  test("is sfc32: matches the published values, seeded with a number and with three words", () => {
    const generator = made(0x100000002);
    draws(4, () => generator.u32());
    expect(
      draws(16, () => generator.u32())
        .map(hex)
        .join(" "),
    ).toBe(REFERENCE);

    const words = new Uint32Array(4);
    seedWords(words, 0, 0, 2, 1, 15);
    next(words, 0);
    expect(
      draws(16, () => next(words, 0))
        .map(hex)
        .join(" "),
    ).toBe(REFERENCE);
  });

  test("hashes names with MurmurHash3_x86_32: matches the published values", () => {
    // From Ian Boyd, https://stackoverflow.com/a/31929528; only those with an even number of bytes, as a code unit has
    // two.
    const vectors: [string, number, number][] = [
      ["", 0, 0],
      ["", 1, 0x514e28b7],
      ["", 0xffffffff, 0x81f16f39],
      ["ffffffff", 0, 0x76293b50],
      ["21436587", 0, 0xf55b516b],
      ["21436587", 0x5082edee, 0x2362f9de],
      ["2143", 0, 0xa0f7b07a],
      ["00000000", 0, 0x2362f9de],
      ["0000", 0, 0x30f4c306],
      ["61616161", 0x9747b28c, 0x5a97808a],
      ["6161", 0x9747b28c, 0x5d211726],
      ["61626364", 0x9747b28c, 0xf0478627],
      ["6162", 0x9747b28c, 0x74875592],
    ];
    for (const [bytes, seed, hash] of vectors) {
      const units = (bytes.match(/.{4}/g) ?? []).map((pair) =>
        parseInt(pair.slice(2) + pair.slice(0, 2), 16),
      );
      expect(hex(murmur(String.fromCharCode(...units), seed)), bytes).toBe(hex(hash));
    }
  });

  test("is a bijection: every step can be undone, so streams cannot merge", () => {
    const back = (words: Uint32Array) => {
      const [a, b, c, counter] = words as unknown as [number, number, number, number];
      const oldC = Math.imul(b, 0x38e38e39); // 9 × this = 1
      const oldB = a ^ (a >>> 9) ^ (a >>> 18) ^ (a >>> 27);
      words[3] = counter - 1;
      words[2] = oldC;
      words[1] = oldB;
      words[0] = c - ((oldC << 21) | (oldC >>> 11)) - oldB - words[3]!;
    };
    const words = new Uint32Array(4);
    random(words).seed(5);
    const start = [...words];
    for (let i = 0; i < 10_000; i++) next(words, 0);
    for (let i = 0; i < 10_000; i++) back(words);
    expect([...words]).toEqual(start);
    // After seeding, all counters are within three of each other.
    expect([made(1), made("a")].map((one) => one["words"][3])).toEqual([13, 16]);
  });

  test("no regression: these values change only with a major version", () => {
    const generator = made("tickwise");
    expect({
      u32: draws(4, () => generator.u32()),
      float: draws(3, () => generator.float()),
      below: draws(6, () => generator.below(1000)),
      wide: draws(3, () => generator.below(3 * 2 ** 30)),
      int: draws(6, () => generator.int(-5, 5)),
      gaussian: draws(4, () => generator.gaussian()),
      scaled: generator.gaussian(100, 15),
      chance: Array.from({ length: 8 }, () => generator.chance(0.5)),
      pick: generator.pick(["a", "b", "c"]),
      shuffle: generator.shuffle([0, 1, 2, 3, 4, 5, 6, 7]).join(""),
      fork: generator.fork("loot", made(0)).u32(),
      forkByNumber: generator.fork(7, made(0)).u32(),
      seeds: [0, 1, -1, 2 ** 53 - 1, "", "7", 7, "naïve 🎲"].map((seed) => made(seed).u32()),
    }).toMatchInlineSnapshot(`
      {
        "below": [
          623,
          149,
          566,
          638,
          69,
          774,
        ],
        "chance": [
          true,
          true,
          false,
          false,
          false,
          true,
          false,
          true,
        ],
        "float": [
          0.13894237983762403,
          0.11696033618065094,
          0.32907483715793207,
        ],
        "fork": 3092690115,
        "forkByNumber": 2980643270,
        "gaussian": [
          -0.4880793157434658,
          0.1501908793229138,
          -0.2528780220706995,
          0.14368521186024627,
        ],
        "int": [
          5,
          -5,
          3,
          5,
          -4,
          -2,
        ],
        "pick": "a",
        "scaled": 77.8292525039731,
        "seeds": [
          1363572419,
          2012149540,
          3339006752,
          3268402823,
          1820944729,
          319148012,
          1837975287,
          3872315935,
        ],
        "shuffle": "31264057",
        "u32": [
          1952695323,
          2332247911,
          3475408510,
          111355435,
        ],
        "wide": [
          1979880806,
          1370835807,
          2018777758,
        ],
      }
    `);
  });
});

describe("state", () => {
  test("is stored only in the caller's words", () => {
    const words = new Uint32Array(8);
    const generator = random(words, 3).seed(1);
    expect(words.map((word) => (word ? 1 : 0)).join("")).toBe("00011110");
    const use = () => [
      generator.gaussian(),
      generator.float(),
      generator.below(7),
      generator.shuffle([1, 2, 3, 4]).join(),
    ];
    use();
    const saved = words.slice();
    const before = [use(), use()];
    words.set(saved);
    expect([use(), use()]).toEqual(before);
    // A new generator with the saved words.
    const other = random(saved, 3);
    expect(other.u32()).not.toBe(generator.u32());
    expect(random(saved, 3).seed(9).u32()).toBe(random(words, 3).seed(9).u32());
  });

  test("the error for too few words states how many the offset needs", () => {
    expect(() => random(new Uint32Array(4), 1)).toThrow(
      "random: words.length must be 5 or more, got 4. Try new Uint32Array(5).",
    );
  });

  test("must be seeded: zeros would start with 0, 0, 1", () => {
    const generator = random(new Uint32Array(4));
    expect(() => generator.u32()).toThrow("Random: not seeded. Call seed(1) before the first draw.");
    expect(() => generator.fork("a", made(1))).toThrow("not seeded");
  });

  test("the error for an offset beyond the words states how many are needed", () => {
    expect(() => random(new Uint32Array(4), 8)).toThrow(
      "random: words.length must be 12 or more, got 4. Try new Uint32Array(12).",
    );
  });

  test("detached memory counts as unseeded", () => {
    const memory = new WebAssembly.Memory({ initial: 1 });
    const generator = random(new Uint32Array(memory.buffer), 100).seed(1);
    memory.grow(1);
    expect(() => generator.u32()).toThrow("not seeded");
  });

  test("a number and its string are different seeds, and so are neighbours", () => {
    const seeds = [
      0,
      1,
      -1,
      2 ** 32,
      2 ** 32 + 1,
      -(2 ** 32),
      2 ** 53 - 1,
      "",
      "0",
      "1",
      "a",
      "b",
      "ab",
      "ba",
      "a\0",
    ];
    expect(new Set(seeds.map((seed) => made(seed).u32())).size).toBe(seeds.length);
  });

  test("one bit of the seed flips each bit of the first draw half of the time", () => {
    for (const seedOf of [(n: number) => n, (n: number) => `player ${n}`]) {
      const flips = Array<number>(32).fill(0);
      for (let n = 0; n < 4000; n++) {
        const changed = made(seedOf(2 * n)).u32() ^ made(seedOf(2 * n + 1)).u32();
        for (let bit = 0; bit < 32; bit++) flips[bit]! += (changed >>> bit) & 1;
      }
      // 2000 ± 32: four standard deviations.
      for (const count of flips) expect(Math.abs(count - 2000)).toBeLessThan(4 * 31.6);
    }
  });
});

describe("fork", () => {
  test("leaves its parent unchanged, and depends only on the parent's state and the name", () => {
    const [parent, twin] = [made(1), made(1)];
    const loot = parent.fork("loot", made(77));
    expect(draws(5, () => parent.u32())).toEqual(draws(5, () => twin.u32()));
    expect(draws(5, () => made(1).fork("loot", made(78)).u32())[0]).toBe(loot.u32());
    const names = ["loot", "weather", "", "Loot", "loot ", 0, 1, -1, 10];
    const firsts = names.map((name) => made(1).fork(name, made(0)).u32());
    expect(new Set(firsts).size).toBe(names.length);
    expect(made(1).fork(1, made(0)).u32()).toBe(made(1).fork("1", made(0)).u32());
    expect(made(2).fork("loot", made(0)).u32()).not.toBe(firsts[0]);
    // The parent has another state now.
    expect(parent.fork("loot", made(0)).u32()).not.toBe(firsts[0]);
  });

  test("generators may share an array, but must not overlap", () => {
    const words = new Uint32Array(12);
    const parent = random(words, 4).seed(1);
    const beside = random(words.subarray(8));
    expect(parent.fork("a", beside).u32()).toBe(made(1).fork("a", made(0)).u32());
    for (const overlapping of [parent, random(words, 4), random(words, 1), random(words.subarray(7))])
      expect(() => parent.fork("a", overlapping)).toThrow(
        "Random.fork: child shares words with its parent. Try random(new Uint32Array(4)).",
      );
  });

  test("parent and child, and siblings, are uniformly distributed together", () => {
    const parent = made(3);
    const one = parent.fork("a", made(0));
    const two = parent.fork("b", made(0));
    const child = one.fork("a", made(0));
    for (const [x, y] of [
      [parent, one],
      [one, two],
      [one, child],
    ] as const) {
      const pair = () => (x.u32() >>> 28) * 16 + (y.u32() >>> 28);
      expect(Math.abs(unevenness(tally(256, 100_000, pair)))).toBeLessThan(4);
      const same = () => (x.u32() ^ y.u32()) >>> 26;
      expect(Math.abs(unevenness(tally(64, 100_000, same)))).toBeLessThan(4);
    }
  });

  test("the first draws of consecutive streams are uniform, in high and low bits", () => {
    const parent = made(4);
    const child = made(0);
    let id = 0;
    const firsts = draws(40_000, () => parent.fork(id++, child).u32());
    for (const shift of [0, 26]) {
      const counts = tally(64, firsts.length, () => (firsts[--id]! >>> shift) & 63);
      expect(Math.abs(unevenness(counts))).toBeLessThan(4);
      id = firsts.length;
    }
  });
});

describe("whole numbers", () => {
  test("match Lemire's method in BigInt exactly", () => {
    const generator = made(10);
    const model = made(10);
    const modelBelow = (count: number) => {
      const n = BigInt(count);
      for (;;) {
        const product = BigInt(model.u32()) * n;
        if (product % 2n ** 32n >= (2n ** 32n - n) % n) return Number(product >> 32n);
      }
    };
    const counts = made(11);
    for (let i = 0; i < 50_000; i++) {
      const count = i % 3 ? 1 + counts.u32() : 1 + (counts.u32() >>> counts.below(32));
      expect(generator.below(count)).toBe(modelBelow(count));
    }
  });

  test("reach both ends of any range, and never exceed them", () => {
    const generator = made(12);
    const twin = made(12);
    for (let i = 0; i < 1000; i++) expect(generator.below(2 ** 32)).toBe(twin.u32());
    expect(draws(10, () => generator.below(1))).toEqual(Array(10).fill(0));
    expect(new Set(draws(200, () => generator.int(-2, 2)))).toEqual(new Set([-2, -1, 0, 1, 2]));
    expect(generator.int(7, 7)).toBe(7);
    const wide = draws(1000, () => generator.int(-(2 ** 31), 2 ** 31 - 1));
    expect(Math.min(...wide)).toBeLessThan(-(2 ** 30));
    expect(wide.every((value) => value === (value | 0))).toBe(true);
    const most = Number.MAX_SAFE_INTEGER;
    expect(draws(100, () => generator.int(most - 2, most)).every((value) => value >= most - 2)).toBe(true);
  });

  test("the suggested fix for a bad max is valid", () => {
    const most = Number.MAX_SAFE_INTEGER;
    expect(() => made(1).int(most, 0)).toThrow(`got 0. Try ${most}.`);
    expect(() => made(1).int(6, 1)).toThrow("got 1. Try 11.");
  });

  test("are uniform at 3 × 2^30, where a remainder or a plain product would be biased", () => {
    const count = 3 * 2 ** 30;
    const ways = {
      ours: (generator: Random) => generator.below(count),
      remainder: (generator: Random) => generator.u32() % count,
      product: (generator: Random) => Math.floor((generator.u32() / 2 ** 32) * count),
    };
    const unevennesses = Object.entries(ways).map(([name, draw]) => {
      const generator = made(13);
      const values = draws(60_000, () => draw(generator));
      const thirds = tally(3, values.length, () => Math.floor(values.pop()! / 2 ** 30));
      const again = made(13);
      const classes = tally(3, 60_000, () => draw(again) % 3);
      return [name, Math.max(Math.abs(unevenness(thirds)), Math.abs(unevenness(classes))) < 4];
    });
    expect(Object.fromEntries(unevennesses)).toEqual({ ours: true, remainder: false, product: false });
  });

  test.each([2, 3, 6, 10, 52, 100, 256, 1000])("are uniform below %i", (count) => {
    const generator = made(count);
    expect(Math.abs(unevenness(tally(count, 200_000, () => generator.below(count))))).toBeLessThan(4);
  });

  test("consecutive numbers are independent", () => {
    const generator = made(14);
    const triple = () => generator.below(8) * 64 + generator.below(8) * 8 + generator.below(8);
    expect(Math.abs(unevenness(tally(512, 200_000, triple)))).toBeLessThan(4);
  });
});

describe("float", () => {
  test("has 53 bits, each set half of the time", () => {
    const generator = made(20);
    const ones = Array<number>(53).fill(0);
    for (let i = 0; i < 20_000; i++) {
      let rest = generator.float() * 2 ** 53;
      expect(Number.isSafeInteger(rest)).toBe(true);
      for (let bit = 0; bit < 53; bit++) {
        ones[bit]! += rest % 2;
        rest = Math.floor(rest / 2);
      }
    }
    // 10,000 ± 71: four standard deviations.
    for (const count of ones) expect(Math.abs(count - 10_000)).toBeLessThan(4 * 71);
  });

  test("ranges from 0 to just below 1", () => {
    // States whose next two draws are all zeros, and all ones; c determines the second one.
    const ninth = 0x38e38e39;
    const zeros = Uint32Array.of(2 ** 32 - 1, 0, Math.imul(-2, ninth), 1);
    const ones = Uint32Array.of(2 ** 32 - 2, 0, Math.imul(-3, ninth), 1);
    expect(random(zeros).float()).toBe(0);
    expect(random(ones).float()).toBe(1 - 2 ** -53);
  });
});

describe("gaussian", () => {
  const COUNT = 400_000;
  const generator = made(30);
  const words = generator["words"];
  const drawn = words[3]!;
  const values = draws(COUNT, () => generator.gaussian());
  const drawsEach = (words[3]! - drawn) / COUNT;
  const moment = (power: number) => values.reduce((sum, value) => sum + value ** power, 0) / COUNT;

  test("has mean 0, deviation 1, no skew, and the kurtosis of a normal distribution", () => {
    // Four standard deviations of the estimate of each moment, whose variances are 1, 2, 15 and 96 over the count.
    expect(Math.abs(moment(1))).toBeLessThan(4 * Math.sqrt(1 / COUNT));
    expect(Math.abs(moment(2) - 1)).toBeLessThan(4 * Math.sqrt(2 / COUNT));
    expect(Math.abs(moment(3))).toBeLessThan(4 * Math.sqrt(15 / COUNT));
    expect(Math.abs(moment(4) - 3)).toBeLessThan(4 * Math.sqrt(96 / COUNT));
  });

  test("matches the quantiles out to the tails, unlike a sum of twelve uniform numbers", () => {
    const QUANTILES = [-4, -3, -2.326348, -1.644854, -1.281552, -0.841621, -0.524401, -0.253347, 0];
    const BELOW = [3.167124e-5, 1.349898e-3, 0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5];
    const edges = [
      ...QUANTILES,
      ...QUANTILES.slice(0, -1)
        .map((edge) => -edge)
        .reverse(),
    ];
    const sums = [
      ...BELOW,
      ...BELOW.slice(0, -1)
        .map((part) => 1 - part)
        .reverse(),
      1,
    ];
    const shares = sums.map((part, i) => part - (sums[i - 1] ?? 0));
    const place = (value: number) => edges.filter((edge) => value >= edge).length;
    const measure = (list: readonly number[]) => {
      let i = 0;
      return unevenness(
        tally(shares.length, list.length, () => place(list[i++]!)),
        shares,
      );
    };
    expect(Math.abs(measure(values))).toBeLessThan(4);
    const twelve = made(31);
    const sum = () => draws(12, () => twelve.float()).reduce((total, value) => total + value, -6);
    expect(measure(draws(COUNT, sum))).toBeGreaterThan(20);
  });

  test("takes 2.74 draws on average, and keeps no state between calls", () => {
    expect(drawsEach).toBeGreaterThan(2.73);
    expect(drawsEach).toBeLessThan(2.75);
  });

  test("is scaled by mean and deviation", () => {
    expect(made(1).gaussian(10, 2)).toBe(10 + 2 * made(1).gaussian());
    expect(made(1).gaussian(10, 0)).toBe(10);
  });
});

describe("lists", () => {
  const orderOf = (list: readonly number[]) => list.reduce((sum, item) => sum * 4 + item, 0);

  test("all 24 orders of four items are equally likely, unlike with a naive shuffle", () => {
    const generator = made(40);
    const naive = (list: number[]) => {
      for (let i = 0; i < 4; i++) {
        const other = generator.below(4);
        [list[i], list[other]] = [list[other]!, list[i]!];
      }
      return list;
    };
    const measure = (shuffle: (list: number[]) => number[]) => {
      const counts = tally(256, 48_000, () => orderOf(shuffle([0, 1, 2, 3]))).filter((count) => count > 0);
      expect(counts.length).toBe(24);
      return unevenness(counts);
    };
    expect(Math.abs(measure((list) => generator.shuffle(list)))).toBeLessThan(4);
    expect(measure(naive)).toBeGreaterThan(50);
  });

  test("are shuffled in place, including typed arrays; short ones are unchanged", () => {
    const ids = Uint16Array.from({ length: 1000 }, (_, i) => i);
    const generator = made(41);
    expect(generator.shuffle(ids)).toBe(ids);
    expect(ids.some((id, i) => id !== i)).toBe(true);
    expect([...ids].sort((a, b) => a - b)).toEqual(Array.from(ids, (_, i) => i));
    const state = [...generator["words"]];
    expect([generator.shuffle([]), generator.shuffle(["one"])]).toEqual([[], ["one"]]);
    expect([...generator["words"]]).toEqual(state);
  });

  test("pick throws for an empty list or typed array", () => {
    for (const list of [[], new Float64Array(0)])
      expect(() => made(1).pick(list)).toThrow(
        "Random.pick: list.length must be 1 or more, got 0. Try [1, 2, 3].",
      );
  });

  test("picks all items equally often, including undefined", () => {
    const generator = made(42);
    const list = ["a", "b", "c", "d", "e"];
    const counts = tally(5, 50_000, () => list.indexOf(generator.pick(list)));
    expect(Math.abs(unevenness(counts))).toBeLessThan(4);
    expect(generator.pick([undefined])).toBeUndefined();
    expect(generator.pick(Float32Array.of(5))).toBe(5);
  });

  test.each([0.001, 0.25, 0.5, 0.9])("a chance of %f is true that often", (probability) => {
    const generator = made(43);
    const hits = tally(2, 200_000, () => Number(generator.chance(probability)))[1]!;
    const deviation = Math.sqrt(200_000 * probability * (1 - probability));
    expect(Math.abs(hits - 200_000 * probability)).toBeLessThan(4 * deviation);
  });

  test("a chance of 0 is never true, and a chance of 1 always", () => {
    const generator = made(44);
    for (let i = 0; i < 10_000; i++) {
      expect(generator.chance(0)).toBe(false);
      expect(generator.chance(1)).toBe(true);
    }
  });
});

test.each<[string, string, unknown[]]>([
  ["seed", "at most 1 argument, got 2", [1, 2]],
  ["float", "no arguments, got 2", [0, 1]],
  ["below", "at most 1 argument, got 2", [1, 6]],
  ["int", "at most 2 arguments, got 3", [0, 10, 2]],
  ["chance", "at most 1 argument, got 2", [1, 6]],
  ["pick", "at most 1 argument, got 2", [[1, 2, 3], 2]],
  ["shuffle", "at most 1 argument, got 2", [[1, 2, 3], 2]],
])("%s takes %s", (name, limit, args) => {
  const generator = made(1);
  const method = generator[name as "float"];
  expect(() => Reflect.apply(method, generator, args)).toThrow(`Random.${name}: takes ${limit}.`);
});
