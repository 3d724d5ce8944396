import fc from "fast-check";
import { expect, test } from "vitest";
import { errorWith } from "../../test/error-with.js";
import { f64, layout, syncRows, table, type RowId } from "./index.js";

const Game = layout({ crates: table(5, { x: f64 }) });

interface Sprite {
  readonly id: number;
  x: number;
  age: number | undefined;
}

/** Handlers that record what is on the screen, and all calls. */
function screen(leaveTime?: number) {
  const shown = new Set<Sprite>();
  const calls: string[] = [];
  const { world } = Game.allocate();
  const sprites = syncRows(world.crates, {
    add(_, __, id): Sprite {
      calls.push(`add ${id}`);
      const sprite: Sprite = { id, x: NaN, age: undefined };
      shown.add(sprite);
      return sprite;
    },
    update(sprite, { x }, row) {
      calls.push(`update ${sprite.id}`);
      sprite.x = x[row]!;
    },
    remove(sprite) {
      calls.push(`remove ${sprite.id}`);
      expect(shown.delete(sprite), "removed twice").toBe(true);
    },
    ...(leaveTime !== undefined && {
      leaveTime,
      leave(sprite: Sprite, age: number) {
        calls.push(`leave ${sprite.id} ${age}`);
        sprite.age = age;
      },
    }),
  });
  /** Returns the calls since the last time. */
  const look = () => calls.splice(0);
  return { sprites, shown, look };
}

test("adds an object for a new row, updates it in each frame, and removes it with the row", () => {
  const { world } = Game.allocate();
  const { sprites, shown, look } = screen();
  const a = world.crates.add({ x: 1 });
  const b = world.crates.add({ x: 2 });
  sprites.sync(world.crates);
  expect(look()).toEqual(["add 1", "update 1", "add 2", "update 2"]);
  world.crates.x[world.crates.row(b)] = 7;
  world.crates.remove(a);
  sprites.sync(world.crates);
  expect(look()).toEqual(["remove 1", "update 2"]);
  expect([...shown]).toEqual([{ id: b, x: 7, age: undefined }]);
});

test("creates the objects of existing rows at once", () => {
  const { world } = Game.allocate();
  world.crates.add({ x: 4 });
  const made: number[] = [];
  syncRows(world.crates, {
    add: ({ x }, row) => made.push(x[row]!),
    update() {},
    remove() {},
  });
  expect(made).toEqual([4]);
});

test("replaces the object when a row is reused for a new id", () => {
  const { world } = Game.allocate();
  const { sprites, look } = screen();
  const first = world.crates.add({ x: 1 });
  sprites.sync(world.crates);
  look();
  world.crates.remove(first);
  const second = world.crates.add({ x: 2 });
  expect(world.crates.row(second)).toBe(0);
  sprites.sync(world.crates);
  expect(look()).toEqual(["remove 1", `add ${second}`, `update ${second}`]);
});

test("keeps the objects of the same ids after a load, and adds rows that come back", () => {
  const state = Game.allocate(1);
  const { crates } = state.world;
  const { sprites, shown, look } = screen();
  const a = crates.add({ x: 1 });
  const b = crates.add({ x: 2 });
  sprites.sync(crates);
  const [kept] = shown;
  state.save(0);
  crates.remove(b);
  crates.x[0] = 5;
  sprites.sync(crates);
  look();
  state.load(0);
  sprites.sync(crates);
  expect(look()).toEqual([`update ${a}`, `add ${b}`, `update ${b}`]);
  expect([...shown][0]).toBe(kept);
  expect(kept!.x).toBe(1);
});

test("fades an object for leaveTime before it is removed", () => {
  const { world } = Game.allocate();
  const { sprites, look } = screen(0.5);
  const a = world.crates.add();
  sprites.sync(world.crates, 0.25);
  world.crates.remove(a);
  look();
  sprites.sync(world.crates, 0.25);
  expect(look()).toEqual(["leave 1 0"]);
  sprites.sync(world.crates, 0.25);
  expect(look()).toEqual(["leave 1 0.25"]);
  sprites.sync(world.crates, 0);
  expect(look(), "while paused, nothing fades").toEqual(["leave 1 0.25"]);
  sprites.sync(world.crates, 0.25);
  expect(look()).toEqual(["remove 1"]);
});

test("with leaveTime, a sync needs the seconds of the frame: without them, objects would stay forever", () => {
  const { world } = Game.allocate();
  const { sprites, look } = screen(0.5);
  world.crates.add();
  expect(() => sprites.sync(world.crates)).toThrow(
    errorWith(
      "bad-value",
      "RowSync.sync: seconds must be a number of 0 or more, because there is a leaveTime, got undefined. Try sync(table, delta).",
    ),
  );
  expect(look()).toEqual([]);
});

test("reuses the leaving object of a row that comes back", () => {
  const state = Game.allocate(1);
  const { crates } = state.world;
  const { sprites, shown, look } = screen(1);
  const a = crates.add();
  sprites.sync(crates, 0);
  state.save(0);
  crates.remove(a);
  sprites.sync(crates, 0.5);
  sprites.sync(crates, 0.5);
  look();
  state.load(0);
  sprites.sync(crates, 0.25);
  expect(look()).toEqual(["leave 1 0.75", "leave 1 0", "update 1"]);
  expect(shown.size).toBe(1);
});

test("clear removes all objects, even leaving ones, and the next sync adds the rows again", () => {
  const { world } = Game.allocate();
  const { sprites, shown, look } = screen(1);
  const a = world.crates.add();
  world.crates.add();
  sprites.sync(world.crates, 0);
  world.crates.remove(a);
  sprites.sync(world.crates, 0);
  sprites.clear();
  expect(shown.size).toBe(0);
  look();
  sprites.sync(world.crates, 0);
  expect(look()).toEqual(["add 2", "update 2"]);
});

test("a frame without changes calls update once per live row, and nothing else", () => {
  const { world } = Game.allocate();
  const { sprites, look } = screen(1);
  const ids = [0, 1, 2, 3].map(() => world.crates.add());
  world.crates.remove(ids[1]!);
  sprites.sync(world.crates, 0);
  look();
  for (let i = 0; i < 100; i++) {
    sprites.sync(world.crates, 1 / 60);
    expect(look()).toEqual(["update 1", "update 3", "update 4"]);
  }
});

test("loses and duplicates no object if a handler throws", () => {
  const { world } = Game.allocate();
  const shown = new Set<RowId>();
  let isBroken = true;
  world.crates.add();
  const second = world.crates.add();
  const empty = Game.allocate().world.crates;
  const sprites = syncRows(empty, {
    add(_, __, id) {
      if (isBroken && id === second) throw new Error("no texture");
      expect(shown.has(id)).toBe(false);
      shown.add(id);
      return id;
    },
    update() {},
    remove: (id) => void shown.delete(id),
  });
  expect(() => sprites.sync(world.crates)).toThrow("no texture");
  isBroken = false;
  sprites.sync(world.crates);
  expect(shown.size).toBe(2);
  sprites.sync(empty);
  expect(shown.size).toBe(0);
});

test("shows exactly the live and the leaving rows after any adds, removals, saves and loads", () => {
  const action = fc.oneof(
    fc.record({ do: fc.constant("add" as const), x: fc.integer() }),
    fc.record({ do: fc.constant("remove" as const), at: fc.nat(4) }),
    fc.record({ do: fc.constantFrom("save" as const, "load" as const) }),
    fc.record({ do: fc.constant("sync" as const), ticks: fc.nat(4) }),
  );
  fc.assert(
    fc.property(
      fc.array(action, { maxLength: 60, size: "max" }),
      fc.constantFrom(undefined, 4),
      (actions, leaveTime) => {
        const state = Game.allocate(1);
        state.save(0);
        const { crates } = state.world;
        const { sprites, shown } = screen(leaveTime);
        /** By id: seconds since the row was removed. */
        let leaving = new Map<number, number>();
        let live = new Map<number, number>();
        for (const step of actions) {
          if (step.do === "add" && crates.count < crates.capacity) crates.add({ x: step.x });
          if (step.do === "remove" && crates.id[step.at]! > 0) crates.remove(crates.id[step.at]!);
          if (step.do === "save") state.save(0);
          if (step.do === "load") state.load(0);
          if (step.do !== "sync") continue;
          const now = new Map<number, number>();
          for (let row = 0; row < crates.end; row++)
            if (crates.id[row]! > 0) now.set(crates.id[row]!, crates.x[row]!);
          leaving = new Map([...leaving].map(([id, age]) => [id, age + step.ticks]));
          for (const id of live.keys()) if (!now.has(id)) leaving.set(id, 0);
          leaving = new Map([...leaving].filter(([id, age]) => !now.has(id) && age < (leaveTime ?? 0)));
          live = now;
          sprites.sync(crates, step.ticks);
          const seen = [...shown].map(({ id, x, age }) => [id, live.has(id) ? x : age] as const);
          expect(new Map(seen)).toEqual(new Map([...live, ...leaving]));
          expect(seen.length).toBe(live.size + leaving.size);
        }
      },
    ),
  );
});

test("rejects wrong handlers and tables", () => {
  const { crates } = Game.allocate().world;
  const handlers = { add: () => 0, update() {}, remove() {} };
  expect(() => syncRows(crates, { ...handlers, remove: undefined as never })).toThrow("syncRows: remove");
  expect(() => syncRows(crates, { ...handlers, removed() {} } as never)).toThrow(
    'syncRows: unknown option "removed". Did you mean "remove"?',
  );
  expect(() => syncRows(crates, { ...handlers, leave() {} })).toThrow("syncRows: leaveTime must be above 0");
  expect(() => syncRows(crates, { ...handlers, leaveTime: -1 })).toThrow("syncRows: leaveTime");
  expect(() => syncRows(undefined as never, handlers)).toThrow("RowSync.sync: table must be a table");
  expect(() => syncRows(crates, handlers).sync(crates, NaN)).toThrow("RowSync.sync: seconds");
});
