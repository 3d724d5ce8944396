import { expect, test } from "vitest";
import { guard, localSession, simulation } from "../sim/index.js";
import { bool, f64, layout, skipBlend, table, vec2, type World } from "./index.js";

const FIELDS = {
  crates: table(6, { x: f64, at: vec2, body: { mass: f64, inner: { on: bool } } }),
};
type Guarded = World<typeof FIELDS>;
type Crate = Guarded["crates"] extends Iterable<infer C> ? C : never;

function guarded(step: (world: Guarded) => void, capacity = 6): () => void {
  const game = simulation({
    name: "guarded",
    version: 1,
    rate: 60,
    state: layout({ ...FIELDS, many: table(capacity, { x: f64 }) }),
    init({ crates }) {
      for (const x of [1, 2, 3]) crates.add({ x });
    },
    step,
  });
  const session = localSession(game, { guard: guard() });
  return () => void session.advance();
}

const KEPT =
  "world.crates: a row was used after its turn in the loop. Keep its id instead, and call get(id).";
const REMOVED = "world.crates: the row with id 1 was used after it was removed.";

// With 6 rows, the guard also checks columns. With 10,000, it checks only rows.
for (const capacity of [6, 10_000]) {
  const size = `, in a table of ${capacity}`;
  test(`a guard rejects a row that is used after its loop${size}`, () => {
    const uses: ((crate: Crate, world: Guarded) => unknown)[] = [
      (crate) => crate.x,
      (crate) => (crate.x = 1),
      (crate) => crate.id,
      (crate) => crate.row,
      (crate) => crate.at,
      (crate) => crate.body.mass,
      (crate) => (crate.body.inner.on = true),
      (crate, { crates }) => crates.remove(crate),
      (crate, { crates }) => crates.add(crate),
      (crate) => skipBlend(crate),
    ];
    for (const use of uses)
      expect(
        guarded((world) => {
          let kept;
          for (const crate of world.crates) kept = crate;
          use(kept!, world);
        }, capacity),
      ).toThrow(KEPT);
  });

  test(`a guard rejects a row that is used after its turn, in its loop or a later one${size}`, () => {
    expect(
      guarded(({ crates }) => {
        let nearest;
        for (const crate of crates) if (!nearest || crate.x < nearest.x) nearest = crate;
      }, capacity),
    ).toThrow(KEPT);
    expect(
      guarded(({ crates }) => {
        let kept;
        for (const crate of crates) kept ??= crate;
        for (const crate of crates) if (crate.row === 1) crate.x = kept!.x;
      }, capacity),
    ).toThrow(KEPT);
    expect(guarded(({ crates }) => void [...crates].map(({ x }) => x), capacity)).toThrow(KEPT);
    let across: { x: number } | undefined;
    const step = guarded(({ crates }) => {
      if (across) across.x = 1;
      for (const crate of crates) across = crate;
    }, capacity);
    step();
    expect(step).toThrow(KEPT);
  });

  test(`a guard rejects a row that is used after it was removed${size}`, () => {
    expect(
      guarded(({ crates }) => {
        for (const crate of crates) if (crates.remove(crate)) crate.x = 1;
      }, capacity),
    ).toThrow(REMOVED);
    expect(
      guarded(({ crates }) => {
        const crate = crates.get(crates.id[0]!)!;
        crates.remove(crate);
        crates.add({ x: 5 });
        return crate.x;
      }, capacity),
    ).toThrow(REMOVED);
  });

  test(`a guard accepts correct loops${size}`, () => {
    const step = guarded(({ crates }) => {
      for (const a of crates)
        for (const b of crates) {
          if (a.row === b.row) continue;
          a.x += b.x / 100;
          const other = crates.get(a.id)!;
          other.body.mass = b.at[0]!;
        }
      for (const crate of crates) if (crate.x > 10) crates.remove(crate);
      if (crates.count < 3) crates.add({ x: 1 });
    }, capacity);
    expect(() => {
      for (let i = 0; i < 200; i++) step();
    }).not.toThrow();
  });
}

test("a guard rejects values that are not numbers in the vectors of a row", () => {
  expect(guarded(({ crates }) => void (crates.get(crates.id[1]!)!.at[1] = "3" as never))).toThrow(
    'world.crates[1].at.y must be a number, got "3"',
  );
});

test("a stale row is reported by its code", () => {
  const step = guarded(({ crates }) => {
    const [first] = crates;
    first!.x = 1;
  });
  expect(step).toThrow(expect.objectContaining({ code: "stale-row", call: "world.crates" }));
});
