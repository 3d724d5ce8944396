import { expect, test } from "vitest";
import { Bucket, KeyedBuckets } from "./rate-limit.js";

test("a bucket allows a burst, and then its rate", () => {
  const bucket = new Bucket(10, 5, 0);
  const allowed = (from: number, until: number) => {
    let count = 0;
    for (let now = from; now < until; now += 10) if (bucket.take(1, now)) count++;
    return count;
  };
  expect(allowed(0, 10)).toBe(1);
  expect([1, 1, 1, 1, 1].map((amount) => bucket.take(amount, 0))).toEqual([true, true, true, true, false]);
  expect(allowed(0, 1000)).toBe(9);
  expect(bucket.isFull(1000)).toBe(false);
  expect(bucket.isFull(2000)).toBe(true);
  // A clock that jumps back gives nothing.
  expect(bucket.take(5, 2000)).toBe(true);
  expect(bucket.take(1, 0)).toBe(false);
});

test("keys have buckets of their own, and quiet ones are forgotten", () => {
  const buckets = new KeyedBuckets(1, 2);
  expect(["a", "a", "a", "b"].map((key) => buckets.take(key, 0))).toEqual([true, true, false, true]);
  expect([buckets.allows("a", 0), buckets.allows("b", 0), buckets.allows("c", 0)]).toEqual([
    false,
    true,
    true,
  ]);
  expect(buckets.size).toBe(2);
  buckets.sweep(1000);
  expect(buckets.size).toBe(1);
  buckets.sweep(2000);
  expect(buckets.size).toBe(0);
});

test("the number of keys is bounded", () => {
  const buckets = new KeyedBuckets(1, 2);
  for (let i = 0; i < 100_010; i++) buckets.take(`${i}`, 0);
  expect(buckets.size).toBe(100_000);
});
