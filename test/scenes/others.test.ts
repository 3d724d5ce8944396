import { describe, expect, test } from "vitest";
import { arena, arenaScript, roundedArena } from "../../scenes/arena.js";
import { SCENES, inputsOf } from "../../scenes/index.js";
import { EDGE, STAR_RADIUS } from "../../scenes/orbit.js";
import { exactSpring, spring, START, stepSpring } from "../../scenes/spring.js";
import { BOXES } from "../../scenes/thrown-boxes.js";
import { localSession } from "../../src/sim/index.js";
import type { ReadonlyColumn } from "../../src/state/index.js";

describe("the spring", () => {
  const left = () => localSession(SCENES.spring.simulation);

  test("follows the article step by step without input", () => {
    const session = left();
    const plain = spring();
    while (session.tick < 600) {
      session.advance();
      stepSpring(plain, 1 / 60);
      expect([session.world.x, session.world.v]).toEqual([plain.x, plain.v]);
    }
    expect(session.world.x).toBeCloseTo(exactSpring(10), 1);
  });

  test("stays where it is held, and swings when it is released", () => {
    let grab = true;
    const session = localSession(SCENES.spring.simulation, {
      inputs: ([player]) => void Object.assign(player!, { grab, to: -0.5 }),
    });
    for (let i = 0; i < 100; i++) session.advance();
    const held = session.world.x;
    expect(held).toBeCloseTo(-START / 2, 0);
    expect(session.world.v).toBe(0);
    grab = false;
    session.advance();
    expect(session.world.x).toBeGreaterThan(held);
  });
});

describe("the orbit", () => {
  test("bodies appear and vanish between the star and the edge", () => {
    const scene = SCENES.orbit;
    const session = localSession(scene.simulation, { inputs: inputsOf(scene) });
    const { world } = session;
    const ids = new Set<number>();
    let least = Infinity;
    let [nearest, furthest] = [Infinity, 0];
    while (session.tick < 6000) {
      session.advance();
      const { bodies } = world;
      least = Math.min(least, bodies.count);
      for (let i = 0; i < bodies.end; i++) {
        if (bodies.id[i]! <= 0) continue;
        ids.add(bodies.id[i]!);
        const distance = Math.hypot(bodies.x[i]!, bodies.y[i]!);
        nearest = Math.min(nearest, distance);
        furthest = Math.max(furthest, distance);
      }
    }
    expect(least).toBeGreaterThan(5);
    expect(nearest).toBeGreaterThanOrEqual(STAR_RADIUS);
    expect(furthest).toBeLessThanOrEqual(EDGE);
    expect(ids.size).toBe(12 + world.spawned);
    expect(world.bodies.count).toBe(12 + world.spawned - world.burnt - world.lost - world.removed);
    for (const count of [world.spawned, world.burnt, world.lost, world.removed])
      expect(count).toBeGreaterThan(3);
  });

  test("a circular orbit stays circular after many turns", () => {
    const session = localSession(SCENES.orbit.simulation);
    const { bodies } = session.world;
    const first = bodies.id[0]!;
    const distance = () => Math.hypot(bodies.x[0]!, bodies.y[0]!);
    const before = distance();
    while (session.tick < 890) session.advance();
    expect(bodies.id[0]).toBe(first);
    expect(distance() / before).toBeCloseTo(1, 2);
  });
});

describe("the boxes", () => {
  test("rotations keep unit length, even blended, and a box that is thrown again is not blended", () => {
    const scene = SCENES.tumble;
    const session = localSession(scene.simulation, { inputs: inputsOf(scene) });
    const lengthOf = (turn: ReadonlyColumn<Float64Array>, box: number) =>
      Math.hypot(...turn.subarray(4 * box, 4 * box + 4));
    let thrown = 0;
    while (session.tick < 1200) {
      const before = session.world.boxes.position.slice();
      session.advance();
      const view = session.view(0.5);
      for (let box = 0; box < BOXES; box++) {
        expect(lengthOf(session.world.boxes.turn, box)).toBeCloseTo(1, 12);
        expect(lengthOf(view.boxes.turn, box)).toBeCloseTo(1, 12);
        const [was, is] = [before[3 * box]!, session.world.boxes.position[3 * box]!];
        if (Math.abs(is - was) < 0.2) continue;
        thrown++;
        expect(view.boxes.position[3 * box]).toBe(was);
      }
    }
    expect(thrown).toBeGreaterThan(BOXES);
  });
});

test("the arena that rounds its states is the same game", () => {
  const [plain, rounded] = [arena, roundedArena].map((game) =>
    localSession(game, { inputs: (players, { tick }) => arenaScript(players, tick) }),
  );
  while (plain!.tick < 600) {
    plain!.advance();
    rounded!.advance();
  }
  expect(rounded!.hash()).toEqual(plain!.hash());
  expect(roundedArena.fingerprint).toBe(arena.fingerprint);
});
