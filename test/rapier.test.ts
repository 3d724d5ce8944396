// Rapier as a part of a simulation: after a load, it continues as after the save, with contacts and sleep.
import RAPIER from "@dimforge/rapier2d-deterministic-compat";
import { expect, test } from "vitest";
import golden from "../scenes/golden.json" with { type: "json" };
import { asleepIn, pileExternal, pileScript, rapierPile } from "../scenes/rapier-pile.js";
import { inputsOf } from "../scenes/scene.js";
import { rapier, type RapierState } from "../src/rapier/index.js";
import { guard, localSession, syncTest } from "../src/sim/index.js";
import { hashText } from "../src/state/index.js";
import { FULL } from "./full.js";

await RAPIER.init();

type Physics = RapierState<RAPIER.World>;

const inputs = inputsOf({ script: pileScript });

/** A session of the pile, and access to its world. */
function open(count?: number) {
  const parts: Physics[] = [];
  const make = pileExternal(RAPIER);
  const pile = rapierPile(RAPIER, count, () => {
    const part = make();
    parts.push(part);
    return part;
  });
  return { session: localSession(pile, { inputs }), world: () => parts[0]!.world };
}

// Change the hashes only on purpose, or with another version of Rapier.
test("the pile has the golden hashes, and bodies fall asleep and wake up on the way", () => {
  const { session, world } = open();
  const asleep = new Set<boolean>();
  let changes = 0;
  let before = false;
  for (const [tick, hash] of Object.entries(golden["rapier-pile"])) {
    while (session.tick < Number(tick)) {
      session.advance();
      if (session.tick % 50 > 0) continue;
      const is = asleepIn(world()) > 200;
      if (is !== before) changes++;
      before = is;
      asleep.add(is);
    }
    expect(hashText(session.hash()), `tick ${tick}`).toBe(hash);
  }
  expect(asleep).toEqual(new Set([false, true]));
  expect(changes).toBeGreaterThanOrEqual(7);
  session.dispose();
}, 60_000);

const AFTER = FULL ? 1000 : 250;

test.each([
  ["during contacts", 350, 0, 5],
  ["while nearly all bodies sleep", 1450, 70, 120],
])(
  `saved %s, it continues identically for ${AFTER} ticks`,
  (_, tick, min, max) => {
    const { session, world } = open(80);
    while (session.tick < tick) session.advance();
    expect(asleepIn(world())).toBeGreaterThanOrEqual(min);
    expect(asleepIn(world())).toBeLessThanOrEqual(max);
    const bytes = session.bytes();
    const other = open(80).session;
    other.load(bytes);
    for (let i = 0; i < AFTER; i++) {
      session.advance();
      other.advance();
      expect(other.hash()).toEqual(session.hash());
    }
    expect(other.bytes()).toEqual(session.bytes());
    session.dispose();
    other.dispose();
  },
  60_000,
);

test("a session seeks back, and simulates the same states again", () => {
  const pile = rapierPile(RAPIER, 30);
  const session = localSession(pile, { inputs, history: { seconds: 5 } });
  const hashes: string[] = [];
  while (session.tick < 400) {
    hashes.push(hashText(session.hash()));
    session.advance();
  }
  for (const tick of [399, 345, 390, 310]) {
    session.seek(tick);
    expect(hashText(session.hash())).toBe(hashes[tick]);
  }
  while (session.tick < 400) {
    expect(hashText(session.hash())).toBe(hashes[session.tick]);
    session.advance();
  }
  session.dispose();
});

test.each(["snapshot", "bodies"] as const)(
  "passes a sync test, by the hash of %s",
  (hash) => {
    const pile = rapierPile(
      RAPIER,
      30,
      rapier(RAPIER, () => new RAPIER.World({ x: 0, y: -9.81 }), { hash }),
    );
    // Rapier times its own steps, without effect on them.
    expect(
      syncTest(pile, { ticks: FULL ? 400 : 150, guard: guard({ allow: ["performance.now"] }) }),
    ).toMatchObject({
      ok: true,
    });
  },
  60_000,
);

/** Bugs in the restoring of a world. */
const BUGS: Record<string, (world: RAPIER.World) => void> = {
  "loses the velocity of a body": (world) =>
    world.getRigidBody(firstOf(world)).setLinvel({ x: 0, y: 0 }, false),
  "wakes bodies": (world) => world.forEachRigidBody((body) => body.wakeUp()),
  "forgets gravity": (world) => void (world.gravity = { x: 0, y: 0 }),
  "loses a force": (world) => world.getRigidBody(firstOf(world)).addForce({ x: 1e-3, y: 0 }, false),
};

const firstOf = (world: RAPIER.World) => world.bodies.getAll().find((body) => body.isDynamic())!.handle;

test.each(
  Object.entries(BUGS).flatMap(([name, plant]) =>
    (["snapshot", "bodies"] as const).map((hash) => [name, hash, plant] as const),
  ),
)(
  "a sync test finds a load that %s, by the hash of %s",
  (_, hash, plant) => {
    const make = rapier(RAPIER, () => new RAPIER.World({ x: 0, y: -9.81 }), { hash });
    const pile = rapierPile(RAPIER, 8, () => {
      const part = make();
      const load = part.load.bind(part);
      part.load = (bytes) => {
        load(bytes);
        plant(part.world);
      };
      return part;
    });
    // Without inputs, the bodies come to rest and sleep.
    const found = syncTest(pile, { ticks: 600, inputs: () => {} });
    expect(found.ok).toBe(false);
    expect(found).toMatchObject({
      differences: expect.arrayContaining([expect.objectContaining({ path: "external.physics" })]),
    });
  },
  60_000,
);

test("a view interpolates between two states of the physics", () => {
  const { session } = open(5);
  for (let i = 0; i < 20; i++) session.advance();
  const before = session.world.bodies.y[3]!;
  session.advance();
  const now = session.world.bodies.y[3]!;
  const shown = session.view(0.5).bodies.y[3]!;
  expect(now).toBeLessThan(before);
  expect(shown).toBeCloseTo((before + now) / 2, 12);
  session.dispose();
});
