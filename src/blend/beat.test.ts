// Objects that a beat moves are blended over the beat's own period.
import { describe, expect, test } from "vitest";
import { changeRate, every, Loop } from "../index.js";
import { contact, curve, dispose, extrapolate, scalar, smooth, smoothAll, smoothColumns } from "./index.js";

/** Returns by how much a move differs from the one before, at most. */
function maxChange(shown: readonly number[]): number {
  const changes = shown.slice(2).map((x, i) => Math.abs(x - 2 * shown[i + 1]! + shown[i]!));
  return Math.max(...changes);
}

/** Moves one body by steps and one by a beat, both 60 units per second, and draws them at `fps`. */
function drawn(rate: number, beatRate: number, fps: number) {
  const [fast, slow] = [{ x: 0 }, { x: 0 }];
  const loop = new Loop({ rate, step: ({ dt }) => void (fast.x += 60 * dt) });
  const beat = every(loop, beatRate, ({ dt }) => void (slow.x += 60 * dt));
  const views = {
    fast: smooth(loop, fast, { x: scalar }),
    slow: smooth(beat, slow, { x: scalar }),
    // As if a step had moved it.
    before: smooth(loop, slow, { x: scalar }),
  };
  const seen = { fast: [] as number[], slow: [] as number[], before: [] as number[] };
  for (let i = 0; i < 3 * fps; i++) {
    loop.advance(1 / fps);
    for (const name of ["fast", "slow", "before"] as const) seen[name].push(views[name].x);
  }
  // Leave out the first beats.
  for (const list of Object.values(seen)) list.splice(0, fps);
  return { loop, beat, seen };
}

describe("an object that a beat moves", () => {
  test.each([
    [60, 20, 144],
    [60, 20, 60],
    [60, 10, 240],
    [60, 30, 75],
    [64, 4, 144],
  ])("looks as smooth as others: %d steps and %d beats per second on %d fps", (rate, beatRate, fps) => {
    const { seen } = drawn(rate, beatRate, fps);
    expect(maxChange(seen.fast)).toBeLessThan(1e-6);
    expect(maxChange(seen.slow)).toBeLessThan(1e-6);
  });

  test.each([
    [60, 25, "0.80 to 1.20"],
    [60, 7, "0.95 to 1.07"],
    [60, 45, "0.67 to 1.33"],
  ])("changes its speed if its rate does not divide the loop's: %d and %d, %s", (rate, beatRate, speeds) => {
    const { seen } = drawn(rate, beatRate, 144);
    const moves = seen.slow.slice(1).map((x, i) => ((x - seen.slow[i]!) * 144) / 60);
    expect(`${Math.min(...moves).toFixed(2)} to ${Math.max(...moves).toFixed(2)}`).toBe(speeds);
  });

  test("stood still for two thirds of the time without its own beat", () => {
    const { seen } = drawn(60, 20, 120);
    const still = (shown: readonly number[]) =>
      shown.filter((x, i) => Math.abs(x - (shown[i - 1] ?? Infinity)) < 1e-6).length / (shown.length - 1);
    expect([seen.before, seen.slow].map((shown) => still(shown).toFixed(2))).toEqual(["0.67", "0.00"]);
    expect([seen.before, seen.slow].map((shown) => maxChange(shown).toFixed(2))).toEqual(["1.50", "0.00"]);
  });

  test("shows the same moment as objects that steps move, or one beat later with extrapolation", () => {
    const slow = { x: 0 };
    const loop = new Loop({ rate: 60 });
    const beat = every(loop, 20, ({ tick }) => void (slow.x = tick + 1));
    const shown = smooth(beat, slow, { x: scalar });
    const ahead = smoothAll(beat, [slow], { x: scalar }, { ahead: extrapolate(1) });
    for (let i = 0; i < 100; i++) loop.advance(1 / 144);
    expect(shown.x).toBeCloseTo(20 * loop.frame.shownTime, 6);
    expect(ahead[0]!.x).toBeCloseTo(20 * loop.frame.shownTime + 1, 6);
  });

  test("can be a row of columns, move along curves, and have contacts", () => {
    const rows = { x: Float64Array.of(0), v: Float64Array.of(0) };
    const loop = new Loop({ rate: 60 });
    const beat = every(loop, 10, ({ tick, dt }) => {
      const time = (tick + 1) * dt;
      rows.x[0] = 50 * time * time;
      rows.v[0] = 100 * time;
      if (tick === 20) contact(rows, 0.5, { x: -1 }, 0);
    });
    const shown = smoothColumns(beat, rows, { x: curve(scalar, "v") });
    const seen: number[] = [];
    const errors: number[] = [];
    for (let i = 0; i < 200; i++) {
      loop.advance(0.01);
      errors.push(i > 30 ? Math.abs(shown.x[0]! - 50 * loop.frame.shownTime ** 2) : 0);
      seen.push(shown.x[0]!);
    }
    expect(Math.max(...errors)).toBeLessThan(1e-6);
    expect(seen.at(-1)).toBeGreaterThan(100);
    for (let i = 0; i < 20; i++) {
      loop.advance(0.01);
      seen.push(shown.x[0]!);
    }
    expect(Math.min(...seen.slice(200))).toBeLessThan(60);
  });

  test("is shown as it is when something else writes it, after reset and after dispose", () => {
    const slow = { x: 0 };
    const loop = new Loop({ rate: 60 });
    const beat = every(loop, 20, () => void (slow.x += 3));
    const shown = smooth(beat, slow, { x: scalar });
    loop.advance(1.5 / 60);
    expect(shown.x).toBeCloseTo(0.5, 6);
    slow.x = 100;
    loop.advance(0);
    expect(shown.x).toBe(100);
    loop.advance(3 / 60);
    expect(shown.x).toBeCloseTo(100.5, 6);
    loop.reset();
    loop.advance(0);
    expect(shown.x).toBe(103);
    loop.advance(1.5 / 60);
    expect(shown.x).toBeCloseTo(103.5, 6);
    dispose(shown);
    beat.dispose();
    loop.advance(0.5);
    expect(shown.x).toBeCloseTo(103.5, 6);
  });

  test("does not jump when the loop changes to a lower rate", () => {
    const slow = { x: 0 };
    const loop = new Loop({ rate: 60 });
    const beat = every(loop, 10, ({ dt }) => void (slow.x += 60 * dt));
    const shown = smooth(beat, slow, { x: scalar });
    const moves: number[] = [];
    for (let i = 0; i < 200; i++) {
      const before = shown.x;
      if (i === 92) changeRate(loop, 30);
      loop.advance(1 / 144);
      moves.push(shown.x - before);
    }
    // One frame moves 0.42 units; after the change, the picture is later, and slower for a moment.
    expect(Math.max(...moves).toFixed(2)).toBe("0.42");
    expect(Math.min(...moves.slice(20)).toFixed(2)).toBe("0.36");
  });

  test("shows its last state after the beat has ended", () => {
    const slow = { x: 0 };
    const loop = new Loop({ rate: 60 });
    const beat = every(loop, 20, () => void (slow.x += 3));
    const shown = smooth(beat, slow, { x: scalar });
    loop.advance(1.5 / 60);
    beat.dispose();
    loop.advance(1);
    expect(shown.x).toBe(3);
  });
});

test("a beat has four events, and rejects others", () => {
  const loop = new Loop({ rate: 60 });
  const heard: string[] = [];
  const beat = every(loop, 30, () => void heard.push("run"));
  const removers = [
    beat.on("enterStep", ({ tick, dt }) => void heard.push(`enter ${tick} ${dt.toFixed(3)}`)),
    beat.on("leaveStep", ({ tick }) => void heard.push(`leave ${tick}`)),
    beat.on("beforeRender", ({ tick, alpha }) => void heard.push(`frame ${tick} ${alpha.toFixed(2)}`)),
    beat.on("reset", () => void heard.push("reset")),
  ];
  loop.advance(2 / 60);
  loop.reset();
  expect(heard).toEqual(["enter 0 0.033", "run", "leave 0", "frame 1 0.50", "reset"]);
  for (const remove of removers) remove();
  loop.advance(2 / 60);
  expect(heard.slice(5)).toEqual(["run"]);
  expect(() => beat.on("render" as never, () => {})).toThrow(
    'Beat.on: unknown event "render". Known: enterStep, leaveStep, beforeRender, reset.',
  );
  expect(() => beat.on("reset", undefined as never)).toThrow("Beat.on: listener must be a function");
});
