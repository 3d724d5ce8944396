// Migrates saved games between two versions of a scene.
import { expect, test } from "vitest";
import { ALL_SCENES, inputsOf } from "../../scenes/index.js";
import { orbit, orbitScript } from "../../scenes/orbit.js";
import { localSession, migrate, simulation, type AnySimulation } from "../../src/sim/index.js";
import { f64, hashText, layout, table, u32, u8, type World } from "../../src/state/index.js";

const SAVED = 300;
const MORE = 300;

test.each(ALL_SCENES)("%s: with an added field, a saved game continues as in the old version", (_, scene) => {
  const { options } = scene.simulation as AnySimulation;
  const now: AnySimulation = simulation({
    ...options,
    version: options.version + 1,
    state: layout({ added: u8, ...options.state.fields }),
  });
  const here = localSession(scene.simulation, { seed: 5, inputs: inputsOf(scene) });
  for (let i = 0; i < SAVED; i++) here.advance();
  const there = localSession(now, { inputs: inputsOf(scene) });
  const external = Object.fromEntries(
    Object.keys(options.external ?? {}).map((name) => [name, (saved?: Uint8Array) => saved!]),
  );
  there.load(migrate(now, here.bytes(), { external }));
  for (let i = 0; i < MORE; i++) {
    here.advance();
    there.advance();
  }
  expect(there.toJSON()).toEqual({ ...here.toJSON(), added: 0 });
});

const { bodies, spawned } = orbit.options.state.fields;
const System2 = layout({
  // Renamed and grouped fields, another order, one dropped, one added.
  ends: { fallen: u32, lost: f64 },
  spawned,
  planets: table(bodies.capacity, { heat: f64, ...bodies.row }),
});

/** The second version of the orbit scene. Its step is that of the first, on an object that maps the old names to the new ones. */
const orbit2 = (state: typeof System2) =>
  simulation({
    ...orbit.options,
    absent: undefined,
    beats: undefined,
    version: 2,
    state,
    init() {},
    step(world, inputs, context) {
      const { ends, planets } = world;
      const old = {
        bodies: planets,
        removed: 0,
        get burnt() {
          return ends.fallen;
        },
        set burnt(count) {
          ends.fallen = count;
        },
        get lost() {
          return ends.lost;
        },
        set lost(count) {
          ends.lost = count;
        },
        get spawned() {
          return world.spawned;
        },
        set spawned(count) {
          world.spawned = count;
        },
      };
      orbit.options.step(old as unknown as World<typeof orbit.options.state.fields>, inputs, context);
    },
  });

const CHANGES = {
  fields: {
    "ends.fallen": "burnt",
    "ends.lost": "lost",
    planets: "bodies",
    "planets.heat": (old: { get(name: string): number }) => 100 / old.get("bodies.radius"),
  },
} as const;

function saved() {
  const session = localSession(orbit, { seed: 5, inputs: inputsOf({ script: orbitScript }) });
  for (let i = 0; i < SAVED; i++) session.advance();
  return session;
}

test("orbit: with renamed, added, converted and dropped fields, a saved game continues as in the old version", () => {
  const now = orbit2(System2);
  const here = saved();
  const there = localSession(now, { inputs: inputsOf({ script: orbitScript }) });
  there.load(migrate(now, here.bytes(), CHANGES));
  for (const planet of there.toJSON().planets) expect(planet.heat).toBe(100 / (planet.radius as number));
  for (let i = 0; i < MORE; i++) {
    here.advance();
    there.advance();
  }
  const { burnt, lost, spawned: all, bodies: rows } = here.toJSON();
  const { ends, spawned: allNow, planets } = there.toJSON();
  expect({ ends, all: allNow }).toEqual({ ends: { fallen: burnt, lost }, all });
  expect(planets.map((planet) => ({ ...planet, heat: undefined }))).toEqual(rows);
});

test.each([70, 64, 40])("orbit: with %i rows, a saved game continues deterministically", (capacity) => {
  const state = layout({ ...System2.fields, planets: table(capacity, System2.fields.planets.row) });
  const now = orbit2(state as unknown as typeof System2);
  const bytes = migrate(now, saved().bytes(), CHANGES);
  const [one, other] = [1, 2].map((seed) => {
    const session = localSession(now, { seed, inputs: inputsOf({ script: orbitScript }) });
    session.load(bytes);
    for (let i = 0; i < 60; i++) session.advance();
    return session;
  });
  expect(one!.tick).toBe(SAVED + 60);
  expect(hashText(one!.hash())).toBe(hashText(other!.hash()));
});
