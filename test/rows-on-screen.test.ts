import { expect, test } from "vitest";
import { orbit, orbitScript } from "../scenes/orbit.js";
import { inputsOf } from "../scenes/index.js";
import { localSession } from "../src/sim/index.js";
import { syncRows } from "../src/state/index.js";

test("syncRows shows exactly the rows of the view while a session steps, rewinds, seeks and loads", () => {
  const session = localSession(orbit, {
    seed: 3,
    history: { seconds: 20 },
    inputs: inputsOf({ script: orbitScript }),
  });
  const shown = new Map<number, { id: number; x: number }>();
  const counts = { add: 0, remove: 0 };
  const sprites = syncRows(session.world.bodies, {
    add(_, __, id) {
      counts.add++;
      expect(shown.has(id)).toBe(false);
      const sprite = { id, x: NaN };
      shown.set(id, sprite);
      return sprite;
    },
    update(sprite, { id, x }, row) {
      expect(id[row]).toBe(sprite.id);
      sprite.x = x[row]!;
    },
    remove({ id }) {
      counts.remove++;
      shown.delete(id);
    },
  });
  const look = (alpha: number) => {
    const { bodies } = session.view(alpha);
    sprites.sync(bodies, 1 / 60);
    const live: [number, number][] = [];
    for (let row = 0; row < bodies.end; row++)
      if (bodies.id[row]! > 0) live.push([bodies.id[row]!, bodies.x[row]!]);
    expect(new Map([...shown].map(([id, { x }]) => [id, x]))).toEqual(new Map(live));
  };
  const run = (frames: number) => {
    for (let i = 0; i < frames; i++) {
      session.advance();
      look((i % 5) / 5);
    }
  };
  run(400);
  const bytes = session.bytes();
  run(800);
  expect(counts.remove).toBeGreaterThan(0);
  const before = { ...counts };
  session.rewind(3);
  run(250);
  // The rewind brought removed rows back, and removed added ones.
  expect(counts.add).toBeGreaterThan(before.add);
  expect(counts.remove).toBeGreaterThan(before.remove);
  session.endRewind();
  run(100);
  session.seek(session.first);
  look(1);
  run(50);
  session.load(bytes);
  look(1);
  run(100);
});
