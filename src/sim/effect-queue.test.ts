import { expect, test } from "vitest";
import { EffectQueue } from "./effect-queue.js";

test("after a listener throws, the next delivery continues with the effect behind it", () => {
  const queue = new EffectQueue();
  for (let tick = 0; tick < 5; tick++) queue.add({ name: "thud", tick });
  const delivered: number[] = [];
  const listener = ({ tick }: { tick: number }) => {
    delivered.push(tick);
    if (tick === 1) throw new Error("mine");
  };
  expect(() => queue.deliver(5, listener)).toThrow("mine");
  queue.deliver(5, listener);
  expect(delivered).toEqual([0, 1, 2, 3, 4]);
});

test("a listener that delivers again gets each effect once, in order", () => {
  const queue = new EffectQueue();
  for (let tick = 0; tick < 5; tick++) queue.add({ name: "thud", tick });
  const delivered: number[] = [];
  const listener = ({ tick }: { tick: number }) => {
    delivered.push(tick);
    queue.deliver(5, listener);
  };
  queue.deliver(5, listener);
  expect(delivered).toEqual([0, 1, 2, 3, 4]);
});

test("discarding from a later tick does not look through the queue", () => {
  const queue = new EffectQueue();
  let reads = 0;
  for (let tick = 0; tick < 9999; tick++) {
    const thud = { name: "thud", tick };
    queue.add(Object.defineProperty(thud, "tick", { get: () => (reads++, tick) }));
  }
  reads = 0;
  for (let tick = 10_000; tick < 11_000; tick++) queue.discardFrom(tick);
  expect(reads).toBe(0);
  const delivered: number[] = [];
  queue.discardFrom(5000);
  queue.deliver(10_000, ({ tick }) => void delivered.push(tick));
  expect([delivered.length, delivered.at(-1)]).toEqual([5000, 4999]);
});
