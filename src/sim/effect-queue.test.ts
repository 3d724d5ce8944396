import { expect, test } from "vitest";
import { EffectQueue } from "./effect-queue.js";

test("a listener that throws takes nothing from those behind it, and nothing is told twice", () => {
  const queue = new EffectQueue();
  for (let tick = 0; tick < 5; tick++) queue.add({ name: "thud", tick });
  const told: number[] = [];
  const tell = ({ tick }: { tick: number }) => {
    told.push(tick);
    if (tick === 1) throw new Error("mine");
  };
  expect(() => queue.deliver(5, tell)).toThrow("mine");
  queue.deliver(5, tell);
  expect(told).toEqual([0, 1, 2, 3, 4]);
});

test("a listener that shows more is told each once, in order", () => {
  const queue = new EffectQueue();
  for (let tick = 0; tick < 5; tick++) queue.add({ name: "thud", tick });
  const told: number[] = [];
  const tell = ({ tick }: { tick: number }) => {
    told.push(tick);
    queue.deliver(5, tell);
  };
  queue.deliver(5, tell);
  expect(told).toEqual([0, 1, 2, 3, 4]);
});

test("without a listener, steps do not read the waiting effects", () => {
  const queue = new EffectQueue();
  let reads = 0;
  for (let tick = 0; tick < 9999; tick++) {
    const thud = { name: "thud", tick };
    queue.add(Object.defineProperty(thud, "tick", { get: () => (reads++, tick) }));
  }
  reads = 0;
  for (let tick = 10_000; tick < 11_000; tick++) queue.discardFrom(tick);
  expect(reads).toBe(0);
  const told: number[] = [];
  queue.discardFrom(5000);
  queue.deliver(10_000, ({ tick }) => void told.push(tick));
  expect([told.length, told.at(-1)]).toEqual([5000, 4999]);
});
