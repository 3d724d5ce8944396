import fc from "fast-check";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { bytesPerCall } from "../../bench/heap.mjs";
import { axis, button, fraction, int } from "./fields.js";
import { inputLatch } from "./latch.js";
import { Packing } from "./packing.js";
import type { InputRequest } from "./source.js";

const FIELDS = {
  jump: button,
  fire: button,
  aim: axis(8),
  weapon: int(1, 4),
  fireAt: fraction(8),
  releasedAt: fraction(4),
};
const packing = new Packing(FIELDS);
const FRACTIONS = { fireAt: { of: "fire" }, releasedAt: { of: "fire", edge: "release" } } as const;
const words = new Uint32Array(packing.words);
const ALONE = { tick: 0, peek: false, due: 1, frameStart: Infinity, frameEnd: Infinity, duration: 0 };

const newLatch = () => inputLatch(packing, { fractions: FRACTIONS });
type Latch = ReturnType<typeof newLatch>;

/** Samples one step, and returns what it sees. */
function step(latch: Latch, request: Partial<InputRequest> = {}) {
  latch.sample(words, 0, { ...ALONE, ...request });
  return packing.unpack(words);
}
/** Samples the steps of a frame, and returns what each one sees. */
const frame = (latch: Latch, steps: number, from: number, to: number) =>
  Array.from({ length: steps }, (_, i) => step(latch, { due: steps - i, frameStart: from, frameEnd: to }));

describe("inputLatch", () => {
  test("a tap between two steps is down for exactly one tick", () => {
    const latch = newLatch();
    latch.press("jump", 1);
    latch.release("jump", 2);
    expect([1, 2, 3].map(() => step(latch).jump)).toEqual([true, false, false]);
  });

  test("one of the five steps of a frame sees a press: the one during which it happened", () => {
    const latch = newLatch();
    latch.press("jump", 1045);
    latch.release("jump", 1081);
    expect(frame(latch, 5, 1000, 1100).map(({ jump }) => jump)).toEqual([false, false, true, true, false]);
  });

  test("a tap within one of several steps is released in the next one", () => {
    const latch = newLatch();
    latch.press("jump", 1005);
    latch.release("jump", 1006);
    expect(frame(latch, 3, 1000, 1090).map(({ jump }) => jump)).toEqual([true, false, false]);
  });

  test("a tap shorter than a step's duration is down for one tick, even across a border", () => {
    const latch = newLatch();
    latch.press("jump", 1049);
    latch.release("jump", 1051);
    const seen = [4, 3, 2, 1].map((due) =>
      step(latch, { due, frameStart: 1000, frameEnd: 1100, duration: 0.1 }),
    );
    expect(seen.map(({ jump }) => jump)).toEqual([false, true, false, false]);
    // Pressed in the second of four shares and released in the fourth, but 40 ms are less than a step of 100 ms.
    latch.press("jump", 1149);
    latch.release("jump", 1189);
    const later = [4, 3, 2, 1].map((due) =>
      step(latch, { due, frameStart: 1100, frameEnd: 1200, duration: 0.1 }),
    );
    expect(later.map(({ jump }) => jump)).toEqual([false, true, false, false]);
  });

  test("a press on the border of two steps belongs to the later one", () => {
    const latch = newLatch();
    latch.press("jump", 1050);
    expect(frame(latch, 2, 1000, 1100).map(({ jump }) => jump)).toEqual([false, true]);
  });

  test.each([
    ["before the frame", 3, 0],
    ["after it", 5000, 2],
    ["from another clock", 1.7e12, 2],
    ["of Infinity", Infinity, 2],
    ["of -Infinity", -Infinity, 0],
  ])("an event with a time %s is not held back", (_, timestamp, at) => {
    const latch = newLatch();
    latch.press("jump", timestamp);
    expect(frame(latch, 3, 1000, 1090).findIndex(({ jump }) => jump)).toBe(at);
    latch.release("jump", timestamp);
    expect(frame(latch, 1, 1090, 1120).map(({ jump }) => jump)).toEqual([false]);
  });

  test("the next step sees an event without a time", () => {
    const latch = newLatch();
    latch.press("jump");
    latch.set("aim", 1);
    expect(step(latch, { due: 5, frameStart: 1000, frameEnd: 1100 })).toMatchObject({ jump: true, aim: 1 });
  });

  test("the first step sees everything if frame times are unknown", () => {
    const latch = newLatch();
    latch.press("jump", 7);
    expect(step(latch, { due: 5 }).jump).toBe(true);
  });

  test("edges in excess of the steps wait for later ticks, in order", () => {
    const latch = newLatch();
    for (let i = 0; i < 3; i++) {
      latch.press("jump", 1000 + 2 * i);
      latch.release("jump", 1001 + 2 * i);
    }
    expect(latch.waiting).toBe(6);
    const seen = [
      ...frame(latch, 2, 1000, 1030),
      ...frame(latch, 0, 1030, 1040),
      ...[1, 2, 3, 4, 5].map(() => step(latch)),
    ];
    expect(seen.map(({ jump }) => Number(jump)).join("")).toBe("1010100");
    expect([latch.waiting, latch.lost]).toEqual([0, 0]);
  });

  test("the next steps share the time of frames that ran no step", () => {
    const latch = newLatch();
    frame(latch, 1, 1000, 1010);
    latch.press("jump", 1012);
    latch.press("fire", 1022);
    frame(latch, 0, 1010, 1020);
    expect(frame(latch, 2, 1020, 1030).map(({ jump, fire }) => [jump, fire])).toEqual([
      [true, false],
      [true, true],
    ]);
  });

  test("the next frame's first step sees what an interrupted frame left", () => {
    const latch = newLatch();
    latch.press("jump", 1080);
    expect(step(latch, { due: 4, frameStart: 1000, frameEnd: 1100 }).jump).toBe(false);
    expect(step(latch, { due: 2, frameStart: 1100, frameEnd: 1140 }).jump).toBe(true);
  });

  test("two keys hold a button until both are released, and count as one press", () => {
    const latch = newLatch();
    latch.press("jump");
    latch.press("jump");
    expect(latch.waiting).toBe(1);
    latch.release("jump");
    expect([step(latch).jump, step(latch).jump]).toEqual([true, true]);
    latch.release("jump");
    latch.release("jump");
    latch.press("jump");
    expect([step(latch).jump, step(latch).jump]).toEqual([false, true]);
  });

  test("a step sees the newest value", () => {
    const latch = newLatch();
    latch.set("aim", 0.2, 1001);
    latch.set("aim", 1, 1002);
    latch.set("weapon", 3, 1060);
    latch.set("aim", -1, 1070);
    expect(frame(latch, 2, 1000, 1100).map(({ aim, weapon }) => [aim, weapon])).toEqual([
      [1, 1],
      [-1, 3],
    ]);
    expect(step(latch)).toMatchObject({ aim: -1, weapon: 3 });
  });

  test("keeps the newest of many values, and the last step sees the last one", () => {
    const latch = newLatch();
    for (let i = 0; i < 1000; i++) latch.set("aim", (i % 200) / 100 - 1, 1000 + i / 10);
    expect(frame(latch, 2, 1000, 1100).map(({ aim }) => aim)).toEqual([0, 126 / 127]);
  });

  test("releaseAll releases buttons and axes, and keeps ints", () => {
    const latch = newLatch();
    latch.press("jump");
    latch.press("jump");
    latch.press("fire");
    latch.set("aim", 0.5);
    latch.set("weapon", 4);
    step(latch);
    latch.releaseAll();
    expect(step(latch)).toEqual({ jump: false, fire: false, aim: 0, weapon: 4, fireAt: 0, releasedAt: 0 });
    latch.press("jump");
    expect(step(latch).jump).toBe(true);
  });

  test("beyond 32 edges, whole taps are lost and counted, and the button's final state is right", () => {
    const latch = newLatch();
    for (let i = 0; i < 40; i++) {
      latch.press("jump");
      latch.release("jump");
    }
    latch.press("jump");
    expect([latch.waiting, latch.lost]).toEqual([31, 25]);
    let presses = 0;
    for (let was = false, i = 0; i < 50; i++) {
      const { jump } = step(latch);
      presses += Number(jump && !was);
      was = jump;
    }
    expect([presses + latch.lost, step(latch).jump]).toEqual([41, true]);
  });

  test("forget discards taps that no step has seen, and keeps what is held", () => {
    const latch = newLatch();
    latch.press("jump");
    step(latch);
    latch.release("jump");
    latch.press("fire");
    latch.release("fire");
    latch.set("aim", 0.3);
    latch.set("aim", 1);
    latch.forget();
    expect(step(latch)).toMatchObject({ jump: false, fire: false, aim: 1 });
    expect(step(latch)).toMatchObject({ jump: false, fire: false, aim: 1 });
  });

  test("a peek shows the next step without consuming anything", () => {
    const latch = newLatch();
    latch.press("fire", 1050);
    latch.release("fire", 1051);
    latch.set("aim", 1, 1052);
    const peeked = step(latch, { peek: true });
    expect(peeked).toMatchObject({ fire: true, aim: 1 });
    expect(step(latch, { peek: true })).toEqual(peeked);
    expect(step(latch)).toEqual(peeked);
    expect(step(latch, { peek: true }).fire).toBe(false);
  });

  test("polls once per frame, before its first step", () => {
    const latch = newLatch();
    let polls = 0;
    const end = latch.onSample(() => {
      polls++;
      latch.set("aim", polls / 10);
    });
    expect(frame(latch, 3, 1000, 1050)[0]!.aim).toBeCloseTo(0.1, 2);
    expect(polls).toBe(1);
    frame(latch, 3, 1050, 1100);
    step(latch);
    step(latch);
    expect(polls).toBe(4);
    end();
    end();
    step(latch);
    expect(polls).toBe(4);
  });

  test("writes only its own words", () => {
    const latch = newLatch();
    latch.press("jump");
    const all = new Uint32Array(packing.words * 3).fill(7);
    latch.sample(all, packing.words, ALONE);
    expect(packing.unpack(all, packing.words)).toMatchObject({ jump: true, aim: 0 });
    for (let i = 0; i < packing.words; i++) expect([all[i], all[2 * packing.words + i]]).toEqual([7, 7]);
  });
});

describe("a fraction", () => {
  test("is written in the tick that sees the press, and in no other", () => {
    const latch = newLatch();
    latch.press("fire", 1025);
    latch.release("fire", 1095);
    expect(frame(latch, 2, 1000, 1100).map(({ fireAt, releasedAt }) => [fireAt, releasedAt])).toEqual([
      [0.5, 0],
      [0, 14 / 16],
    ]);
    expect(step(latch)).toMatchObject({ fireAt: 0, releasedAt: 0 });
  });

  test("counts from the last step if frames ran none", () => {
    const latch = newLatch();
    frame(latch, 1, 990, 1000);
    latch.press("fire", 1004);
    expect(frame(latch, 1, 1012, 1016)[0]!.fireAt).toBe(0.25);
    // A pause is not counted.
    latch.release("fire", 1017);
    step(latch, { frameStart: 1016, frameEnd: 1020 });
    latch.press("fire", 9002);
    expect(frame(latch, 1, 9000, 9008)[0]!.fireAt).toBe(0.25);
  });

  test.each([
    ["before the step", 0, 0],
    ["after it", 2000, 255 / 256],
    ["at its very end", 1100, 255 / 256],
    ["without a time", undefined, 0],
    ["at Infinity", Infinity, 255 / 256],
  ])("stays within the step for a press %s", (_, timestamp, expected) => {
    const latch = newLatch();
    latch.press("fire", timestamp);
    expect(step(latch, { frameStart: 1000, frameEnd: 1100 })).toMatchObject({ fire: true, fireAt: expected });
  });

  test("is 0 without frames", () => {
    const latch = newLatch();
    latch.press("fire", 5);
    expect(step(latch)).toMatchObject({ fire: true, fireAt: 0 });
  });
});

/** The simplest possible latch, as a reference. */
class Model {
  #pending: { down: boolean; at: number }[] = [];
  #values: { value: number; at: number }[] = [];
  down = false;
  value = 0;
  #end = NaN;
  turn(down: boolean, at: number) {
    this.#pending.push({ down, at });
  }
  set(value: number, at: number) {
    this.#values.push({ value, at });
  }
  frame(steps: number, from: number, to: number): [boolean, number][] {
    const begin = this.#end < from && from - this.#end < 1000 ? this.#end : from;
    if (steps > 0) this.#end = to;
    return Array.from({ length: steps }, (_, k) => {
      const isDue = ({ at }: { at: number }) =>
        k === steps - 1 || at < begin + (k + 1) * ((to - begin) / steps);
      if (this.#pending[0] && isDue(this.#pending[0])) this.down = this.#pending.shift()!.down;
      while (this.#values[0] && isDue(this.#values[0])) this.value = this.#values.shift()!.value;
      return [this.down, this.value];
    });
  }
}

const events = fc.array(
  fc.record({
    act: fc.constantFrom("press", "release", "set", "peek"),
    name: fc.constantFrom("jump", "fire"),
    // Relative to the frame: before, within and after it, equal times, and infinities.
    at: fc.oneof(
      fc.double({ min: -1, max: 2, noNaN: true }),
      fc.constantFrom(0, 0.5, 1, Infinity, -Infinity),
    ),
  }),
  { maxLength: 8 },
);
const trace = fc.array(
  fc.record({
    events,
    steps: fc.oneof(fc.integer({ min: 0, max: 7 }), fc.constantFrom(0, 1)),
    length: fc.oneof(fc.double({ min: 0, max: 60, noNaN: true }), fc.constantFrom(0, 16, 1500)),
  }),
  { maxLength: 30 },
);

test("for any events and frames, steps see each press and release once, in order, and the newest values", () => {
  fc.assert(
    fc.property(trace, (frames) => {
      const latch = newLatch();
      const models = { jump: new Model(), fire: new Model() };
      const made = { jump: 0, fire: 0 };
      const seen = { jump: 0, fire: 0 };
      const was = { jump: false, fire: false };
      const held = { jump: false, fire: false };
      let from = 1000;
      let value = 0;
      /** Values set since the last step, limited to the 16 that a latch keeps. */
      let sets = 0;
      const look = (states: { jump: boolean; fire: boolean; fireAt: number }[]) => {
        for (const state of states)
          for (const name of ["jump", "fire"] as const) {
            const isPress = state[name] && !was[name];
            seen[name] += Number(isPress);
            expect(name === "fire" && !isPress && state.fireAt !== 0).toBe(false);
            was[name] = state[name];
          }
      };
      // No more than 32 waiting edges, so that none is lost.
      const hasRoom = () => latch.waiting < 32;
      for (const { events, steps, length } of frames) {
        const to = from + length;
        for (const { act, name, at } of events) {
          const stamp = Number.isFinite(at) ? from + at * length : at;
          if (act === "peek") step(latch, { peek: true });
          else if (act === "set") {
            if (++sets > 16) continue;
            value = (value + 1) % 127;
            latch.set("aim", value / 127, stamp);
            for (const model of Object.values(models)) model.set(value / 127, stamp);
          } else if ((act === "press") !== held[name] && hasRoom()) {
            held[name] = act === "press";
            latch[act](name, stamp);
            models[name].turn(held[name], stamp);
            if (held[name]) made[name]++;
          }
        }
        const before = latch.waiting;
        const states = frame(latch, steps, from, to);
        // A frame with a step takes at least one edge.
        expect(latch.waiting).toBeLessThanOrEqual(steps > 0 && before > 0 ? before - 1 : before);
        if (steps > 0) sets = 0;
        const [jumps, fires] = [models.jump.frame(steps, from, to), models.fire.frame(steps, from, to)];
        expect(states.map(({ jump, fire, aim }) => [jump, fire, aim])).toEqual(
          jumps.map(([jump, aim], i) => [jump, fires[i]![0], aim]),
        );
        look(states);
        from = to;
      }
      look(Array.from({ length: 32 }, () => step(latch)));
      expect(latch.waiting).toBe(0);
      expect(seen).toEqual(made);
      expect(was).toEqual(held);
      expect(latch.lost).toBe(0);
    }),
    { numRuns: 1000 },
  );
});

test("for any tap within one step, the button is down for exactly one tick", () => {
  const stamp = fc.double({ min: 900, max: 1200, noNaN: true });
  fc.assert(
    fc.property(stamp, stamp, fc.integer({ min: 1, max: 7 }), (a, b, steps) => {
      const latch = newLatch();
      const share = (at: number) => Math.max(0, Math.min(steps - 1, Math.floor((at - 1000) / (100 / steps))));
      latch.press("jump", Math.min(a, b));
      latch.release("jump", Math.max(a, b));
      const states = [...frame(latch, steps, 1000, 1100), step(latch), step(latch)];
      const down = states.filter(({ jump }) => jump).length;
      // A longer tap is down for as many ticks as lie between its edges.
      expect(down).toBe(Math.max(1, share(Math.max(a, b)) - share(Math.min(a, b))));
    }),
  );
});

test("sampling does not allocate", async () => {
  setFlagsFromString("--expose-gc");
  globalThis.gc ??= runInNewContext("gc") as NonNullable<typeof globalThis.gc>;
  const latch = newLatch();
  const request = { ...ALONE, frameStart: 0.5, frameEnd: 1.5 };
  let down = false;
  const bytes = await bytesPerCall((calls: number) => {
    for (let i = 0; i < calls; i++) {
      if (i % 7 === 0) {
        down = !down;
        if (down) latch.press("fire", i);
        else latch.release("fire", i);
        latch.set("weapon", 1 + (i % 4), i);
      }
      request.due = 3 - (i % 3);
      request.frameStart = (i - (i % 3)) / 1.5;
      request.frameEnd = request.frameStart + 2;
      request.peek = i % 5 === 0;
      latch.sample(words, 0, request);
    }
  }, 100_000);
  expect(bytes).toBeLessThan(1);
});

test.each<[() => unknown, string]>([
  [
    () => inputLatch({} as never),
    "inputLatch: packing must be the packing of a simulation, got {}. Try game.packing.",
  ],
  [() => newLatch().press("aim" as never), 'InputLatch.press: unknown button "aim". Known: jump, fire.'],
  [
    () => newLatch().set("fireAt" as never, 0.5 as never),
    'InputLatch.set: unknown axis or int "fireAt". Known: aim, weapon.',
  ],
  [
    () => newLatch().press("jump", NaN),
    "InputLatch.press: timestamp must be a number of milliseconds, got NaN. Try event.timeStamp.",
  ],
  [
    () => newLatch().set("weapon", 9),
    "InputLatch.set: weapon must be a whole number from 1 to 4, got 9. Try 1.",
  ],
  [
    () => inputLatch(packing, { fractions: { fireAt: { of: "aim" as never } } }),
    'inputLatch: unknown button "aim". Known: jump, fire.',
  ],
  [
    () => inputLatch(packing, { fractions: { aim: { of: "fire" } } as never }),
    'inputLatch: unknown fraction "aim". Known: fireAt, releasedAt.',
  ],
  [
    () => inputLatch(packing, { fractions: { fireAt: { of: "fire", edges: "press" } as never } }),
    'inputLatch: unknown option "edges". Did you mean "edge"?',
  ],
  [
    () => inputLatch(packing, { fractions: { fireAt: "fire" as never } }),
    'inputLatch: fractions.fireAt must be an object, got "fire". Try { of: "fire" }.',
  ],
  [
    () => inputLatch(packing, { fraction: FRACTIONS } as never),
    'inputLatch: unknown option "fraction". Did you mean "fractions"?',
  ],
  [
    () => Reflect.apply(inputLatch, undefined, [packing, {}, {}]),
    "inputLatch: takes at most 2 arguments, got 3.",
  ],
])("%s throws", (call, message) => {
  expect(call).toThrow(message);
});

test("tells a listener everything that happens, so that another latch can do the same", () => {
  const [latch, other, alone] = [newLatch(), newLatch(), newLatch()];
  latch.tellTo((...event) => other.take(...event));
  const words = [new Uint32Array(packing.words), new Uint32Array(packing.words)];
  for (const each of [latch, alone]) {
    each.press("fire", 1);
    each.press("fire", 1.5);
    each.set("weapon", 3, 2);
    each.release("fire", 3);
  }
  // Nobody samples it: nothing waits, and nothing is lost.
  expect([latch.waiting, latch.lost, other.waiting]).toEqual([0, 0, alone.waiting]);
  expect(latch.held.holders).toEqual(other.held.holders);
  expect(latch.held.values).toEqual(other.held.values);
  for (let tick = 0; tick < 4; tick++) {
    other.sample(words[0]!, 0, { ...ALONE, tick });
    alone.sample(words[1]!, 0, { ...ALONE, tick });
    expect(words[0]).toEqual(words[1]);
    if (tick === 1) for (const each of [latch, alone]) each.releaseAll(5);
    if (tick === 2)
      for (const each of [latch, alone]) {
        each.press("fire");
        each.release("fire");
        each.forget();
      }
  }
  latch.tellTo(undefined);
  latch.press("fire");
  expect([latch.waiting, other.waiting]).toEqual([1, 0]);
});
