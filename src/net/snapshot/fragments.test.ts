import { describe, expect, test } from "vitest";
import { random } from "../../math/index.js";
import { FULL } from "../../../test/full.js";
import { FRAGMENT_HEADER, FragmentReader, FragmentWriter } from "./fragments.js";

const dice = random(new Uint32Array(4)).seed("fragments");

function cut(bytes: Uint8Array, size = 100, writer?: FragmentWriter): Uint8Array[] {
  const fragments: Uint8Array[] = [];
  const own = writer ?? new FragmentWriter(size, (fragment) => fragments.push(fragment.slice()));
  expect(own.write(bytes)).toBe(true);
  return fragments;
}

const bytesOf = (length: number) => Uint8Array.from({ length }, () => dice.below(256));

function shuffled<T>(items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, at: dice.float() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}

describe("fragments", () => {
  test.each([0, 1, 95, 96, 97, 192, 193, 5000, 256 * 96])(
    "%i bytes arrive, in any order and duplicated",
    (length) => {
      const bytes = bytesOf(length);
      const fragments = cut(bytes);
      expect(fragments.length).toBe(Math.max(1, Math.ceil(length / 96)));
      expect(fragments.every((fragment) => fragment.length <= 100)).toBe(true);
      const reader = new FragmentReader(100, 256 * 96);
      const got = shuffled([...fragments, ...fragments]).map((fragment) => reader.read(fragment)?.slice());
      expect(got.filter((message) => message !== undefined)).toEqual([bytes]);
    },
  );

  test("a message that is too long is not sent", () => {
    const sent: Uint8Array[] = [];
    const writer = new FragmentWriter(100, (fragment) => sent.push(fragment));
    expect(writer.maxLength).toBe(256 * 96);
    expect(writer.write(new Uint8Array(256 * 96 + 1))).toBe(false);
    expect(sent).toEqual([]);
  });

  test("a later message replaces an incomplete one, and numbers wrap", () => {
    const sent: Uint8Array[] = [];
    const writer = new FragmentWriter(100, (fragment) => sent.push(fragment.slice()));
    const reader = new FragmentReader(100, 1000);
    let arrived = 0;
    for (let i = 0; i < 70_000; i++) {
      sent.length = 0;
      writer.write(Uint8Array.of(i, i >> 8, i >> 16));
      const [a = 0, b = 0, c = 0] = reader.read(sent[0]!) ?? [];
      if ((a | (b << 8) | (c << 16)) === i) arrived++;
    }
    expect(arrived).toBe(70_000);
    sent.length = 0;
    writer.write(new Uint8Array(300));
    const [first, ...others] = sent.slice();
    sent.length = 0;
    expect(reader.read(first!)).toBeUndefined();
    writer.write(Uint8Array.of(7));
    expect(reader.read(sent[0]!)).toEqual(Uint8Array.of(7));
    expect(others.map((fragment) => reader.read(fragment))).toEqual(others.map(() => undefined));
  });

  test("giant and inconsistent fragments are dropped", () => {
    const reader = new FragmentReader(100, 200);
    const full = Array<number>(96).fill(1);
    // Too long, too short for its place, beyond the last, longer than any message may be.
    expect(reader.read(Uint8Array.of(0, 0, 0, 0, ...full, 1))).toBeUndefined();
    expect(reader.read(Uint8Array.of(0, 0, 0, 1, 1, 2, 3))).toBeUndefined();
    expect(reader.read(Uint8Array.of(0, 0, 2, 1, ...full))).toBeUndefined();
    expect(reader.read(Uint8Array.of(0, 0, 0, 255, ...full))).toBeUndefined();
    expect(reader.read(Uint8Array.of(0, 0, 1, 1))).toBeUndefined();
    // Another number of fragments than the first one said.
    expect(reader.read(Uint8Array.of(1, 0, 0, 1, ...full))).toBeUndefined();
    expect(reader.read(Uint8Array.of(1, 0, 1, 2, ...full))).toBeUndefined();
    expect(reader.read(Uint8Array.of(1, 0, 1, 1, 9))).toEqual(Uint8Array.of(...full, 9));
  });

  test("mutated fragments never throw, and no message is longer than allowed", () => {
    const reader = new FragmentReader(64, 500);
    let longest = 0;
    const fragments = cut(bytesOf(400), 64);
    for (let i = 0; i < (FULL ? 1_000_000 : 100_000); i++) {
      const mutated = dice.pick(fragments).slice(0, FRAGMENT_HEADER + dice.below(61));
      mutated[dice.below(4)] = dice.below(256);
      longest = Math.max(longest, reader.read(mutated)?.length ?? 0);
    }
    expect(longest).toBeLessThanOrEqual(500);
    expect(longest).toBeGreaterThan(0);
    expect(reader.read(new Uint8Array(0))).toBeUndefined();
  });
});
