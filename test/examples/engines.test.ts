// Physics engines with an accumulator of their own, inside a loop of 50 steps per second: left on, and switched off.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { describe, expect, test } from "vitest";
import { ammoBall } from "../../examples/engines/ammo.js";
import { cannonBall } from "../../examples/engines/cannon.js";
import { havokBall } from "../../examples/engines/havok.js";
import { matterBall } from "../../examples/engines/matter.js";
import { Loop } from "../../src/loop/index.js";

/** A ball that should move at 60 units per second. */
interface Ball {
  step(dt: number): void;
  x(): number;
}

/**
 * Runs a ball for two seconds at a frame rate. Returns how far it came, and the moves of its steps, in those of an even
 * motion.
 */
function run({ step, x }: Ball, fps: number) {
  const moves = new Set<number>();
  let last = x();
  const loop = new Loop({
    rate: 50,
    step({ dt }) {
      step(dt);
      // Single precision, in some engines.
      moves.add(Math.round(((x() - last) / (60 * dt)) * 1000) / 1000);
      last = x();
    },
  });
  for (let i = 0; i < 2 * fps; i++) loop.advance(1 / fps);
  return { steps: loop.tick, speed: Number((x() / 120).toFixed(3)), moves: [...moves].sort() };
}

const wasm = readFileSync(
  createRequire(import.meta.url).resolve("@babylonjs/havok/lib/esm/HavokPhysics.wasm"),
);
const havok = () => havokBall(new Uint8Array(wasm).buffer);

/** One and two engine steps of 1/60 s, in loop steps of 1/50 s. */
const ONE = 0.833;
const TWO = 1.667;

describe("in fixed steps, every step moves the ball equally far, at any frame rate", () => {
  test.each([
    ["cannon-es", cannonBall],
    ["ammo.js", ammoBall],
    ["Matter", matterBall],
    ["Havok", havok],
  ])("%s", async (_, create) => {
    const even = { steps: 100, speed: 1, moves: [1] };
    const [slow, fast] = [await create(), await create()];
    expect(run(slow, 30)).toEqual(even);
    expect(run(fast, 144)).toEqual(even);
    expect(slow.x()).toBe(fast.x());
  });
});

describe("left on, the engine's accumulator", () => {
  test.each([
    ["cannon-es", cannonBall],
    ["Matter", matterBall],
  ])("of %s moves the ball by whole steps of its own", (_, create) => {
    const { leftOn, x } = create();
    const { moves } = run({ step: leftOn, x }, 144);
    // Both read a clock, and run fewer on a busy machine. So this does not say how many.
    expect(moves.map((move) => Math.round((move / ONE) * 100) / 100).filter((count) => count % 1)).toEqual(
      [],
    );
    expect(moves.length).toBeGreaterThan(1);
  });

  test("of ammo.js loses a sixth of the time, as it runs at most one substep per call", () => {
    const { leftOn, x } = ammoBall();
    expect(run({ step: leftOn, x }, 144)).toEqual({ steps: 100, speed: ONE, moves: [ONE] });
  });

  test("of ammo.js, with more substeps, moves the ball by one or two, and only its motion state evenly", () => {
    const { leftOn, x, motionX } = ammoBall();
    expect(run({ step: (dt) => leftOn(dt, 10), x }, 144).moves).toEqual([ONE, TWO]);
    const other = ammoBall();
    const { moves } = run({ step: (dt) => other.leftOn(dt, 10), x: other.motionX }, 144);
    // Up to a step late: the first move is short. Single precision.
    expect(moves.filter((move) => Math.abs(move - 1) > 0.01)).toEqual([0.167]);
    expect(motionX()).not.toBe(x());
  });
});

test("with its substeps off, the motion state of ammo.js is the body's position", () => {
  const { step, x, motionX } = ammoBall();
  for (let i = 0; i < 7; i++) step(1 / 50);
  expect(motionX()).toBe(x());
});

test("docs/physics.md quotes these figures, and those of the bench", () => {
  const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
  const rows = read("docs/physics.md").split("\n");
  const row = (name: string) => rows.find((line) => line.startsWith(`| ${name}`))?.match(/\d+\.\d+/g);
  expect(row("cannon-es, Matter, ammo.js with 10 substeps")).toEqual([`${ONE}`, `${TWO}`]);
  expect(row("ammo.js with its default")).toEqual([`${ONE}`]);
  const { leftOn, switchedOff } = JSON.parse(read("bench/results.json")).engines;
  expect(row("Havok in Babylon.js, `new")).toEqual([`${leftOn.fps144}`]);
  expect(switchedOff).toEqual({ fps30: 1, fps144: 1 });
});
