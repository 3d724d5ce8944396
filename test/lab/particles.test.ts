import { expect, test } from "vitest";
import { ParticleMotion, positionOf, type Particle } from "../../lab/src/game/picture/particle-motion.js";

const puff = (age: number, life = 3): Particle => ({
  x: 10,
  y: 20,
  vx: 30,
  vy: -40,
  age,
  life,
  colour: "muted",
});

test("a particle is where it would be if it had flown since its effect", () => {
  const motion = new ParticleMotion();
  motion.add(puff(0));
  for (const seconds of [0, 0.1, 0.25, 0.05]) motion.advance(seconds);
  const late = new ParticleMotion();
  late.add(puff(0.4));
  late.advance(1);
  expect(positionOf(late.all[0]!)).toEqual(
    positionOf(motion.all[0]!).map((value) => expect.closeTo(value, 9)),
  );
  expect(positionOf(late.all[0]!)).toEqual([expect.closeTo(22, 9), expect.closeTo(24.8, 9)]);
});

test("after a stall of two seconds, two seconds of smoke are spread over two seconds", () => {
  const motion = new ParticleMotion();
  // The effects of 120 steps come in one frame, each with its age.
  for (let step = 0; step < 120; step++) motion.add(puff((119 - step) / 60));
  motion.advance(2);
  const ages = motion.all.map(({ age }) => age);
  expect([ages.length, Math.max(...ages), Math.min(...ages)]).toEqual([120, 119 / 60, 0]);
  expect(new Set(motion.all.map(positionOf).map(([x]) => x.toFixed(6))).size).toBe(120);
});

test("what ended during the stall is not shown", () => {
  const motion = new ParticleMotion();
  for (const age of [0.1, 0.5, 1.9]) motion.add(puff(age, 0.5));
  motion.advance(2);
  expect(motion.all.map(({ age }) => age)).toEqual([0.1]);
  motion.advance(0.4);
  expect(motion.all).toEqual([]);
});

test("there are at most 200", () => {
  const motion = new ParticleMotion();
  for (let i = 0; i < 300; i++) motion.add(puff(0));
  motion.advance(0);
  expect(motion.all.length).toBe(200);
  motion.clear();
  expect(motion.all).toEqual([]);
});
