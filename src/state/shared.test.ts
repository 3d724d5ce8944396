import { describe, expect, test } from "vitest";
import { f64, i32, layout, list, table } from "./index.js";

const places = layout({
  x: f64.lerp,
  turn: f64.angle,
  rows: table(20, { x: f64.lerp, y: f64.lerp, kind: i32 }),
  many: list(33, f64.lerp),
});

describe.each(["wasm", "js"] as const)("states in shared memory, with kernels in %s", (kernels) => {
  const SNAPSHOTS = 5;
  /** Two states over the same memory, as two threads have them, and one over memory of its own. */
  function states() {
    const memory = places.share(SNAPSHOTS, 2, kernels);
    const [writer, reader] = [0, 1].map((thread) => places.attach(SNAPSHOTS, { memory, thread }));
    const alone = places.allocate(SNAPSHOTS, { kernels });
    writer!.random.seed(7);
    alone.random.seed(7);
    return { memory, writer: writer!, reader: reader!, alone };
  }
  const fill = (state: ReturnType<typeof states>["alone"], tick: number) => {
    const { world } = state;
    state.tick = tick;
    world.x = 10 * tick;
    world.turn = 3 * tick;
    for (let i = 0; i < 33; i++) world.many[i] = Math.sin(tick + i);
    if (tick % 2 === 1) world.rows.add({ x: tick, y: -tick, kind: tick });
    world.rows.x[0] = tick + state.random.float();
  };

  test("have the bits of states in memory of their own: saved, hashed and blended by either thread", () => {
    const { writer, reader, alone } = states();
    expect([writer.kernels, reader.kernels]).toEqual([kernels, kernels]);
    for (const state of [writer, alone]) {
      fill(state, 1);
      state.save(0);
      fill(state, 2);
      state.save(1);
    }
    for (const snapshot of [0, 1]) {
      expect(reader.hash(snapshot)).toEqual(alone.hash(snapshot));
      expect(reader.tickOf(snapshot)).toBe(alone.tickOf(snapshot));
      reader.setTimeline(snapshot, writer.timeline);
    }
    reader.blend(2, 0, 1, 0.3);
    alone.blend(2, 0, 1, 0.3);
    expect(reader.hash(2)).toEqual(alone.hash(2));
    expect(reader.toJSON(2)).toEqual(alone.toJSON(2));
    expect(writer.at(2).x).toBe(13);
  });

  test("attaching writes nothing to them", () => {
    const { memory, writer } = states();
    fill(writer, 9);
    writer.save(3);
    const before = [writer.hash(), writer.hash(3)];
    const words = writer.random.float();
    const third = places.attach(SNAPSHOTS, { memory, thread: 1 });
    expect([third.hash(3), writer.hash(3)]).toEqual([before[1], before[1]]);
    expect(words).not.toBe(writer.random.float());
    expect(third.tick).toBe(9);
  });

  test("scratch areas are apart: a hash in one thread does not disturb a blend in the other", () => {
    const { writer, reader, alone } = states();
    for (const state of [writer, alone]) {
      fill(state, 1);
      state.save(0);
      fill(state, 2);
      state.save(1);
    }
    alone.blend(2, 0, 1, 0.7);
    for (let i = 0; i < 3; i++) {
      writer.blend(2, 0, 1, 0.7);
      reader.blend(3, 0, 1, 0.2);
      reader.hash(0);
    }
    expect(writer.hash(2)).toEqual(alone.hash(2));
  });
});
