import { describe, expect, test } from "vitest";
import { EffectQueue } from "./effect-queue.js";
import type { AnyEffect } from "./effects.js";

test("after a listener throws, the next delivery continues with the effect behind it", () => {
  const queue = new EffectQueue(1 / 60);
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
  const queue = new EffectQueue(1 / 60);
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
  const queue = new EffectQueue(1 / 60);
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

describe("an effect that waits until it is certain", () => {
  const when = (name: string) => (name === "goal" ? "confirmed" : "shown");

  test("is delivered in the first view in which its tick is both shown and confirmed", () => {
    const queue = new EffectQueue(1 / 60, when);
    const delivered: string[] = [];
    const view = (shown: number, confirmed: number) => {
      delivered.length = 0;
      queue.deliver(shown, ({ name, tick }) => void delivered.push(`${name} ${tick}`), confirmed);
      queue.confirm(confirmed);
      return [...delivered];
    };
    queue.add({ name: "goal", tick: 4 });
    queue.add({ name: "thud", tick: 4 });
    queue.add({ name: "goal", tick: 6 });
    expect(view(4.5, 0)).toEqual([]);
    expect(view(5, 4)).toEqual(["thud 4"]);
    expect(view(5, 5)).toEqual(["goal 4"]);
    // Confirmed, but not shown yet.
    expect(view(6.5, 9)).toEqual([]);
    expect(view(7, 9)).toEqual(["goal 6"]);
    expect(view(9, 9)).toEqual([]);
  });

  test("is as old as it would be if it had been delivered when it was shown", () => {
    const queue = new EffectQueue(0.1, when);
    const ages: string[] = [];
    const view = (shown: number, confirmed: number) =>
      queue.deliver(shown, ({ name, age }) => void ages.push(`${name} ${age?.toFixed(2)}`), confirmed);
    queue.add({ name: "goal", tick: 4 });
    queue.add({ name: "thud", tick: 4 });
    view(5.5, 0);
    view(8.5, 5);
    expect(ages).toEqual(["thud 0.05", "goal 0.35"]);
  });

  test("is never withdrawn, and not delivered if a resimulation does not emit it", () => {
    const queue = new EffectQueue(1 / 60, when);
    const [delivered, withdrawn]: [number[], string[]] = [[], []];
    const deliver = (confirmed: number) =>
      queue.deliver(10, ({ name, tick }) => void (name === "goal" && delivered.push(tick)), confirmed);
    for (const tick of [4, 5]) for (const name of ["goal", "thud"]) queue.add({ name, tick });
    deliver(4);
    queue.beginResimulation(4);
    queue.add({ name: "goal", tick: 5 });
    queue.endResimulation(({ name, tick }) => void withdrawn.push(`${name} ${tick}`));
    deliver(6);
    deliver(7);
    expect(delivered).toEqual([5]);
    expect(withdrawn).toEqual(["thud 4", "thud 5"]);
  });

  test("is delivered by a headless session as soon as it is confirmed", () => {
    const queue = new EffectQueue(1 / 60, when);
    const delivered: number[] = [];
    queue.add({ name: "goal", tick: 3 });
    queue.deliver(4, ({ tick }) => void delivered.push(tick));
    expect(delivered).toEqual([3]);
  });
});

test("a resimulation without effects does nothing, and one of later ticks keeps earlier effects", () => {
  const queue = new EffectQueue(1 / 60);
  queue.beginResimulation(3);
  queue.endResimulation(() => expect.unreachable());
  queue.add({ name: "thud", tick: 2 });
  queue.beginResimulation(3);
  queue.add({ name: "thud", tick: 3 });
  queue.endResimulation(() => expect.unreachable());
  const delivered: number[] = [];
  queue.deliver(9, ({ tick }) => void delivered.push(tick));
  queue.confirm(3);
  queue.beginResimulation(3);
  const withdrawn: number[] = [];
  queue.endResimulation(({ tick }) => void withdrawn.push(tick));
  expect([delivered, withdrawn]).toEqual([[2, 3], [3]]);
});

test("effects of a tick are delivered in the order in which its last simulation emitted them", () => {
  const queue = new EffectQueue(1 / 60);
  queue.add({ name: "a", tick: 3 });
  queue.add({ name: "c", tick: 3 });
  queue.beginResimulation(3);
  for (const name of ["a", "b", "c"]) queue.add({ name, tick: 3 });
  queue.endResimulation(() => expect.unreachable());
  const delivered: string[] = [];
  queue.deliver(4, ({ name }) => void delivered.push(name));
  expect(delivered).toEqual(["a", "b", "c"]);
});

describe("effects that a server decides", () => {
  const thud = (tick: number, by: number, at = 0.5) => ({ name: "thud", tick, by, at });

  function setup() {
    const queue = new EffectQueue(1 / 60);
    const log: string[] = [];
    const text = (effect: AnyEffect) => `${effect.tick} ${String(effect["by"])} ${String(effect["at"])}`;
    return {
      queue,
      log,
      deliver: (shown: number) => queue.deliver(shown, (effect) => log.push(text(effect))),
      settle: (first: number, end: number, ...effects: AnyEffect[]) =>
        queue.settle(first, end, effects, (effect) => log.push(`not ${text(effect)}`)),
    };
  }

  test("one that was predicted is not delivered again, even if a fraction differs", () => {
    const { queue, log, deliver, settle } = setup();
    queue.add(thud(5, 1, 0.25));
    deliver(6);
    settle(0, 8, thud(5, 1, 0.26));
    deliver(9);
    expect(log).toEqual(["5 1 0.25"]);
  });

  test("one that was not delivered yet gets the server's values", () => {
    const { queue, log, deliver, settle } = setup();
    queue.add(thud(5, 1, 0.25));
    settle(0, 8, thud(5, 1, 0.26));
    deliver(9);
    expect(log).toEqual(["5 1 0.26"]);
  });

  test("one that did not happen is withdrawn, and one that nobody predicted is delivered", () => {
    const { queue, log, deliver, settle } = setup();
    queue.add(thud(5, 1));
    queue.add(thud(9, 1));
    deliver(10);
    settle(0, 8, thud(5, 2), thud(7, 3));
    deliver(10);
    expect(log).toEqual(["5 1 0.5", "9 1 0.5", "not 5 1 0.5", "5 2 0.5", "7 3 0.5"]);
  });

  test("neither a resimulation nor a repeated packet changes what is settled", () => {
    const { queue, log, deliver, settle } = setup();
    settle(0, 8, thud(7, 1));
    deliver(8);
    queue.beginResimulation(4);
    queue.add(thud(6, 1));
    queue.endResimulation((effect) => log.push(`withdrawn ${effect.tick}`));
    settle(0, 8);
    settle(0, 9, thud(7, 1), thud(8, 1));
    deliver(10);
    expect(log).toEqual(["7 1 0.5", "8 1 0.5"]);
  });

  test("of ticks that are not complete, nothing is withdrawn", () => {
    const { queue, log, deliver, settle } = setup();
    queue.add(thud(5, 1));
    queue.add(thud(6, 1));
    deliver(7);
    settle(6, 8, thud(5, 2));
    deliver(8);
    expect(log).toEqual(["5 1 0.5", "6 1 0.5", "not 6 1 0.5", "5 2 0.5"]);
  });

  test("a resimulation from a slightly different state emits the same effects", () => {
    const { queue, log, deliver, settle } = setup();
    settle(0, 2);
    queue.add(thud(5, 1, 2));
    deliver(6);
    queue.beginResimulation(3);
    queue.add(thud(5, 1, 2.0000001));
    queue.endResimulation((effect) => log.push(`withdrawn ${effect.tick}`));
    deliver(7);
    expect(log).toEqual(["5 1 2"]);
  });
});

test("another state: what was delivered of ticks that are not confirmed is withdrawn, and nothing is delivered twice", () => {
  const queue = new EffectQueue(1 / 60);
  for (let tick = 0; tick < 6; tick++) queue.add({ name: "thud", tick });
  const heard: string[] = [];
  queue.deliver(5, ({ tick }) => void heard.push(`thud ${tick}`));
  queue.restart(3, ({ tick }) => void heard.push(`no thud ${tick}`));
  expect(heard.splice(0)).toEqual([
    "thud 0",
    "thud 1",
    "thud 2",
    "thud 3",
    "thud 4",
    "no thud 3",
    "no thud 4",
  ]);
  // The session has loaded state 2, and steps again.
  for (let tick = 2; tick < 6; tick++) queue.add({ name: "thud", tick });
  queue.deliver(6, ({ tick }) => void heard.push(`thud ${tick}`));
  expect(heard).toEqual(["thud 3", "thud 4", "thud 5"]);
});
