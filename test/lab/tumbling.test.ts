// "3D" without a page: the box's motion, and the differences between the blend modes.
import { Loop } from "tickwise";
import { rotation, smooth } from "tickwise/blend";
import { expect, test } from "vitest";
import { readValues } from "../../lab/src/address.js";
import { SETTINGS } from "../../lab/src/three-d/settings.js";
import { Tumbling } from "../../lab/src/three-d/tumbling.js";
import { degreesBetween, SIZE, stepTumble, tumble, type Tumble } from "../../scenes/tumble.js";

const valuesOf = (query: string) => readValues(SETTINGS, new URLSearchParams(query));

/** Returns the body after `steps` steps of `dt` seconds. */
function after(steps: number, dt: number, turns = 1): Tumble {
  const body = tumble(turns);
  for (let step = 0; step < steps; step++) stepTumble(body, dt);
  return body;
}

/** Twice the energy, and the square of the angular momentum: both are conserved in free fall. */
function conserved({ spin }: Tumble): [number, number] {
  const [a, b, c] = SIZE.map((length) => length ** 2) as [number, number, number];
  const inertia = [b + c, a + c, a + b];
  const sum = (power: number) => spin.reduce((all, part, i) => all + inertia[i]! ** power * part ** 2, 0);
  return [sum(1), sum(2)];
}

test("the box conserves energy and angular momentum, and a long step is as accurate as many short ones", () => {
  const [energy, momentum] = conserved(tumble(1));
  const body = after(300, 0.1);
  const [energyNow, momentumNow] = conserved(body);
  expect(energyNow / energy).toBeCloseTo(1, 6);
  expect(momentumNow / momentum).toBeCloseTo(1, 6);
  expect(degreesBetween(after(10, 0.2).turn, after(120, 1 / 60).turn)).toBeLessThan(1e-3);
});

test("spun about its middle axis, the box flips over by itself", () => {
  const spins = Array.from({ length: 60 }, (_, step) => after(step, 0.1).spin[1]);
  expect(Math.min(...spins)).toBeLessThan(-6);
  expect(Math.max(...spins)).toBeGreaterThan(6);
});

test("degreesBetween handles tiny angles, half a turn, and q and −q", () => {
  const about = (degrees: number) => [
    0,
    0,
    Math.sin((degrees * Math.PI) / 360),
    Math.cos((degrees * Math.PI) / 360),
  ];
  for (const degrees of [0, 1e-6, 1, 90, 179.9999])
    expect(degreesBetween(about(20), about(20 + degrees))).toBeCloseTo(degrees, 9);
  expect(
    degreesBetween(
      about(30).map((part) => -part),
      about(30),
    ),
  ).toBe(0);
});

test("the pictures equal those of smooth at the same time", () => {
  const model = new Tumbling(valuesOf("rate=7&turns=1.3"));
  model.advanceTo(2.345678);
  const body = tumble(1.3);
  const loop = new Loop({ rate: 7, step: ({ dt }) => stepTumble(body, dt) });
  const [slerp, nlerp] = [
    smooth(loop, body, { turn: rotation }),
    smooth(loop, body, { turn: rotation.nlerp }),
  ];
  for (let i = 0; i < 20; i++) loop.advance(2.345678 / 20);
  expect(degreesBetween(model.shown.slerp, slerp.turn)).toBeLessThan(1e-5);
  expect(degreesBetween(model.shown.nlerp, nlerp.turn)).toBeLessThan(1e-5);
  expect(Array.from(model.shown.none)).toEqual(body.turn);
});

test("blending stays close to the exact motion, and nlerp close to slerp", () => {
  for (const rate of [10, 20, 60]) {
    const model = new Tumbling({ ...valuesOf(""), rate });
    model.advanceTo(3);
    const step = (360 * 1.2) / rate;
    expect(model.max("slerp", "offTruth")).toBeLessThan(step / 8);
    expect(model.max("none", "offTruth")).toBeGreaterThan(step / 2);
    expect(model.max("slerp", "offSlerp")).toBeCloseTo(0, 9);
    expect(model.nlerpOffSlerp).toBeLessThan(0.0013 * (step / 10) ** 3 * 1.5);
    expect(model.max("nlerp", "offSlerp")).toBeLessThan(model.nlerpOffSlerp * 1.2 + 1e-6);
  }
});

test("nlerp is within 0.0013° of slerp for steps of 10°, as the docs say", () => {
  const model = new Tumbling(valuesOf("rate=36&turns=1"));
  model.advanceTo(0.5);
  expect(model.degreesPerStep).toBeCloseTo(10, 0);
  expect(model.nlerpOffSlerp).toBeGreaterThan(0.001);
  expect(model.nlerpOffSlerp).toBeLessThan(0.0014);
});

test("within a step, slerp turns evenly, nlerp less so, and without blending nothing moves", () => {
  const model = new Tumbling(valuesOf("rate=5&turns=2&scale=0.25"));
  model.advanceTo(0.8 + 0.8 - 1e-6);
  // A step lasts 48 samples: take the last whole one, without its ends.
  const [slerp, nlerp, none] = (["slerp", "nlerp", "none"] as const).map((id) =>
    model.samples[id].slice(-46, -2).map(({ turned }) => turned),
  ) as [number[], number[], number[]];
  const spread = (turned: number[]) => Math.max(...turned) - Math.min(...turned);
  expect(spread(slerp)).toBeLessThan(1e-3);
  expect(spread(nlerp)).toBeGreaterThan(0.5);
  expect(Math.max(...none)).toBeCloseTo(0, 9);
});

test("the length of the page's frames changes nothing", () => {
  const [once, often] = [new Tumbling(valuesOf("")), new Tumbling(valuesOf(""))];
  once.advanceTo(4);
  for (let time = 0; time < 4; time += 0.0137) often.advanceTo(time);
  often.advanceTo(4);
  expect(degreesBetween(often.shown.slerp, once.shown.slerp)).toBeLessThan(1e-5);
  expect(often.degreesPerStep).toBe(once.degreesPerStep);
});
