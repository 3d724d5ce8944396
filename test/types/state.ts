// Compile-time tests: the line after each @ts-expect-error must not compile.
import {
  bool,
  f32,
  f64,
  i16,
  id,
  layout,
  list,
  namesOf,
  oneOf,
  quat,
  table,
  skipBlend,
  syncRows,
  u8,
  vec2,
  type Difference,
  type Hash,
  type ReadonlyColumn,
  type ReadonlyRow,
  type ReadonlyWorld,
  type Row,
  type RowId,
  type World,
} from "../../src/state/index.js";
import { localSession, migrate, play, simulation } from "../../src/sim/index.js";

const Mode = oneOf("idle", "run");
const Game = layout({
  score: f64,
  on: bool,
  mode: Mode,
  target: id,
  camera: { x: f64.lerp, turn: f64.angle, shake: { x: f32.lerp } },
  at: vec2.hermite("way"),
  way: vec2,
  slots: list(8, i16),
  lamps: list(4, { x: f64, on: bool, l: list(2, u8) }),
  crates: table(16, {
    x: f64.lerp,
    hp: u8,
    on: bool,
    mode: Mode,
    turn: quat.slerp,
    body: { f: f32, at: vec2 },
    slots: list(3, i16),
    holder: id,
  }),
  lists: list(4, id),
});
const state = Game.allocate(4, { kernels: "js" });
const { world } = state;

// Valid reads and writes.
world.score += 1;
world.on = !world.on;
world.mode = Mode.run;
world.target = world.crates.add();
world.camera.shake.x = world.camera.turn;
const at: Float64Array = world.at;
const slots: Int16Array = world.slots;
const lamps: Float64Array = world.lamps.x;
const lists: Uint8Array = world.lamps.l;
const x: number | undefined = world.crates.x[3];
const turns: Float64Array = world.crates.turn;
const hps: Uint8Array = world.crates.hp;
const modes: Uint8Array = world.crates.mode;
const fs: Float32Array = world.crates.body.f;
const rowSlots: Int16Array = world.crates.slots;
const counts: number = world.crates.count + world.crates.end + world.crates.capacity;
world.crates.add({
  x: 1,
  on: true,
  mode: Mode.idle,
  turn: [0, 0, 0, 1],
  body: { at: [1, 2] },
  slots: [1, 2, 3],
});
const crate: RowId = world.crates.add();
const gone: boolean = world.crates.remove(crate);
world.crates.remove(world.crates.id[3]!);
const where: number = world.crates.row(crate);
const names: readonly ("idle" | "run")[] = namesOf(Mode);
const hash: Hash = state.hash();
const differences: Difference[] = state.diff(0, 1);
const seen: World<typeof Game.fields> = state.at(0);
skipBlend(world.crates, 3);
skipBlend(world.crates, world.crates.row(crate));
skipBlend(world.camera);

// Fields.
// @ts-expect-error misspelt
world.scor = 1;
// @ts-expect-error misspelt
const misspelt = world.crates.vx;
// @ts-expect-error misspelt
const misspeltToo = world.camera.shake.y;
// @ts-expect-error a string
world.score = "1";
// @ts-expect-error not a boolean
world.on = 1;
// @ts-expect-error a name is not its value
world.mode = "run";
// @ts-expect-error no such name
const noMode = Mode.walk;
// @ts-expect-error vectors are filled, not assigned
world.at = [1, 2];
// @ts-expect-error groups are not assigned
world.camera = { x: 1 };
// @ts-expect-error columns are not assigned
world.crates.x = new Float64Array(16);
// @ts-expect-error read-only
world.crates.count = 3;
// @ts-expect-error not a number
world.crates.x[3] = "1";

// Rows.
// @ts-expect-error misspelt
world.crates.add({ X: 1 });
// @ts-expect-error a string
world.crates.add({ x: "1" });
// @ts-expect-error not a boolean
world.crates.add({ on: 1 });
// @ts-expect-error not a vector
world.crates.add({ turn: 1 });
// @ts-expect-error misspelt
world.crates.add({ body: { g: 1 } });
// @ts-expect-error not an id
world.crates.remove("3");

// Ids and row numbers.
const row: number = 3;
// @ts-expect-error a row number is not an id
world.crates.remove(row);
// @ts-expect-error a number is not an id
world.crates.remove(1);
// @ts-expect-error 0 is not an id, but a row number
world.crates.remove(0);
// @ts-expect-error may be 0
world.crates.remove(world.crates.holder[3]!);
// @ts-expect-error a row number is not an id
world.crates.remove(world.crates.row(crate));
// @ts-expect-error a row number is not an id
world.crates.row(row);
// @ts-expect-error an id is not a row number
skipBlend(world.crates, crate);
// @ts-expect-error an id is not a row number
skipBlend(world.crates, world.crates.add());
// @ts-expect-error a row number is not an id
world.target = row;
// @ts-expect-error a row number is not an id
world.crates.holder[row] = row;
// @ts-expect-error a row number is not an id
world.crates.add({ holder: row });
// @ts-expect-error only the table assigns ids
world.crates.id[row] = crate;
// @ts-expect-error only the table assigns ids
world.crates.id.fill(0);
// An id is a number, and 0 stands for none.
const asNumber: number = crate;
world.target = 0;
world.target = crate;
world.crates.add({ holder: crate });
world.crates.add({ holder: 0 });
world.crates.holder[row] = world.crates.id[row]!;
world.crates.row(world.target);
world.crates.row(world.crates.holder[row]!);
if (world.target !== 0) world.crates.remove(world.target);
for (const each of world.crates.id) if (each > 0) world.crates.remove(each);
for (const each of world.crates.holder) world.crates.row(each);
for (const each of world.lists) world.crates.row(each);
world.crates.id.forEach((each) => world.crates.remove(each));
world.crates.holder.forEach((each) => world.crates.row(each));
const holders: Float64Array = world.crates.holder;

// Rows as objects.
type CrateFields = typeof Game.fields.crates.row;
for (const each of world.crates) {
  each.x += each.hp;
  each.on = !each.on;
  each.mode = Mode.run;
  each.holder = each.id;
  each.holder = 0;
  each.turn.set([0, 0, 0, 1]);
  each.body.f -= each.body.at[0]!;
  each.slots[1] = each.slots.length;
  const typed: Row<CrateFields> = each;
  const parts: [Float64Array, Float64Array, Int16Array] = [each.turn, each.body.at, each.slots];
  const value: number = each.x + world.crates.x[each.row]! + typed.x + parts.length;
  if (value < 0) world.crates.remove(each);
  skipBlend(each);
  skipBlend(world.crates, each.row);
  world.crates.add(each);
  world.crates.add({ ...each, x: 5 });
  // @ts-expect-error misspelt
  each.vx = 1;
  // @ts-expect-error a string
  each.x = "1";
  // @ts-expect-error not a boolean
  each.on = 1;
  // @ts-expect-error vectors are filled, not assigned
  each.turn = [0, 0, 0, 1];
  // @ts-expect-error lists are filled, not assigned
  each.slots = new Int16Array(3);
  // @ts-expect-error groups are not assigned
  each.body = { f: 1 };
  // @ts-expect-error only the table assigns ids
  each.id = crate;
  // @ts-expect-error row numbers cannot change
  each.row = 3;
  // @ts-expect-error a row number is not an id
  each.holder = each.row;
  // @ts-expect-error a row number is not a row
  world.crates.remove(each.row);
}
const got: Row<CrateFields> | undefined = world.crates.get(crate);
world.crates.get(world.target);
world.crates.get(world.crates.holder[3]!);
// @ts-expect-error may be undefined
world.crates.get(crate).x = 1;
// @ts-expect-error may be undefined
world.crates.remove(world.crates.get(crate));
// @ts-expect-error a row number is not an id
world.crates.get(row);
// @ts-expect-error lists have no row objects
for (const each of world.lamps) void each;

// Declarations.
// @ts-expect-error not a field
layout({ x: 1 });
// @ts-expect-error a class
layout({ x: Float64Array });
// @ts-expect-error integers are not blended
const whole = u8.lerp;
// @ts-expect-error quaternions have no lerp
const lerped = quat.lerp;
// @ts-expect-error only one blend mode
const twice = f64.lerp.angle;
// @ts-expect-error a table in a row
table(4, { inner: table(4, { x: f64 }) });
// @ts-expect-error a list of groups in a row
table(4, { inner: list(4, { x: f64 }) });
// @ts-expect-error a list of tables
list(4, table(4, { x: f64 }));
// @ts-expect-error a row must be a group
table(4, f64);
// @ts-expect-error no names
oneOf();
// @ts-expect-error names must be strings
oneOf("a", 1);

// Calls.
// @ts-expect-error no such kernels
Game.allocate(1, { kernels: "gpu" });
// @ts-expect-error not a number
state.save("0");
// @ts-expect-error alpha is missing
state.blend(0, 1, 2);
// @ts-expect-error not an object
skipBlend(5);
// @ts-expect-error another layout
state.diffFrom(layout({ x: f64 }).allocate(), 0);

// Layouts can be exported from a module that emits declarations.
export { Game, Mode };
export { at, counts, differences, fs, gone, hash, hps, lamps, lerped, lists, misspelt, misspeltToo, modes };
export { got, names, noMode, rowSlots, seen, slots, turns, twice, whole, x };

// The world of a session is read-only.
const session = localSession(
  simulation({
    name: "a",
    version: 1,
    rate: 60,
    state: Game,
    effects: { click: {}, thud: { x: f64 } },
    step(_, __, { emit }) {
      emit("click");
      emit("thud", { x: 1 });
      // @ts-expect-error a field is missing
      emit("thud");
    },
  }),
);
const { world: shown } = session;
const view = session.view(0.5);
const draw = (drawn: ReadonlyWorld<typeof Game.fields>) => drawn.crates.x[0];
draw(view);
// A writable world is assignable to a read-only one.
draw(world);
const drawMore = (
  xs: ReadonlyColumn,
  turns: ReadonlyColumn<Float64Array>,
  ids: ReadonlyColumn<Float64Array, RowId>,
) => xs.length + turns.length + ids.length;
drawMore(view.crates.x, view.crates.turn, view.crates.id);
drawMore(world.crates.x, world.crates.turn, world.crates.id);
// @ts-expect-error a read-only world where a writable one is expected
((step: World<typeof Game.fields>) => void step)(view);

// Valid reads.
const total: number = shown.score + shown.at[0]! + shown.camera.shake.x + shown.slots[0]!;
const on: boolean = shown.on;
const target: RowId | 0 = shown.target;
const sizes: number = shown.crates.count + shown.crates.end + shown.crates.capacity;
const place: number = shown.crates.row(shown.crates.id[0]!) + shown.crates.row(shown.crates.holder[0]!);
const copied: Float64Array = view.crates.x.slice(0, 3);
const turned: Float32Array = view.crates.body.f.map((f) => f + 1);
const largest: number = view.crates.x.reduce((a, b) => Math.max(a, b));
const both: number = view.crates.x.reduce((sum, each) => sum + each, 0);
const spread = Math.max(...view.crates.x, ...view.at.subarray(0, 1));
new Float64Array(16).set(view.crates.x);
Float64Array.from(view.lamps.l);
const uploaded: ArrayBufferView = view.crates.turn;

for (const each of view.crates) {
  const drawn: number = each.x + each.turn[0]! + each.body.at[1]! + each.slots[2]! + each.row;
  const isOn: boolean = each.on || each.id === each.holder;
  const readable: ReadonlyRow<CrateFields> = each;
  void [drawn, isOn, readable];
  // @ts-expect-error read-only number
  each.x = 1;
  // @ts-expect-error read-only boolean
  each.on = true;
  // @ts-expect-error read-only vector
  each.turn[0] = 1;
  // @ts-expect-error read-only list
  each.slots.fill(0);
  // @ts-expect-error read-only group
  each.body.f = 1;
  // @ts-expect-error read-only table
  view.crates.remove(each);
  // @ts-expect-error a read-only row
  world.crates.remove(each);
  // @ts-expect-error a read-only world where a writable one is expected
  ((written: Row<CrateFields>) => void written)(each);
}
const seenCrate: ReadonlyRow<CrateFields> | undefined = shown.crates.get(crate);
// A writable row is assignable to a read-only one.
((each: ReadonlyRow<CrateFields>) => void each)(world.crates.get(crate)!);
// @ts-expect-error read-only row
if (seenCrate) seenCrate.x = 1;

// @ts-expect-error read-only number
shown.score = 1;
// @ts-expect-error read-only choice, boolean and id
[shown.mode, shown.on, shown.target] = [Mode.run, true, 0];
// @ts-expect-error read-only column
shown.crates.x[0] = 1;
// @ts-expect-error columns are not assigned
shown.crates.x = new Float64Array(16);
// @ts-expect-error read-only group and vector
[view.camera.shake.x, view.at[0]] = [1, 2];
// @ts-expect-error groups are not assigned
view.camera = { x: 1, turn: 0, shake: { x: 0 } };
// @ts-expect-error read-only count
shown.crates.count = 0;
// @ts-expect-error only steps add rows
shown.crates.add({ x: 1 });
// @ts-expect-error only steps remove rows
shown.crates.remove(crate);
// @ts-expect-error only steps clear tables
view.crates.clear();
// @ts-expect-error only the table assigns ids
view.crates.id[0] = crate;
// @ts-expect-error read-only: fill
shown.crates.x.fill(0);
// @ts-expect-error read-only: set
shown.crates.turn.set([0, 0, 0, 1]);
// @ts-expect-error read-only: copyWithin
shown.crates.x.copyWithin(0, 1);
// @ts-expect-error read-only: sort
view.crates.hp.sort();
// @ts-expect-error read-only: reverse
view.crates.mode.reverse();
// @ts-expect-error read-only subarray
view.crates.x.subarray(0, 2)[0] = 1;
// @ts-expect-error read-only subarray of a subarray
view.crates.x.subarray(0, 2).subarray(0, 1).fill(1);
// @ts-expect-error read-only column in a callback
view.crates.x.forEach((_, i, column) => (column[i] = 1));
// @ts-expect-error read-only column of a group
view.crates.body.f[0] = 1;
// @ts-expect-error read-only vectors of a group
view.crates.body.at.fill(1);
// @ts-expect-error read-only lists of rows
view.crates.slots.set([1, 2, 3]);
// @ts-expect-error read-only ids of rows
view.crates.holder[0] = crate;
// @ts-expect-error read-only vector
view.at.set([1, 2]);
// @ts-expect-error read-only list
view.slots.fill(1);
// @ts-expect-error read-only list of ids
view.lists[0] = crate;
// @ts-expect-error read-only list of groups
view.lamps.x[0] = 1;
// @ts-expect-error read-only lists in a list of groups
view.lamps.l.fill(1);
// @ts-expect-error read-only nested group
shown.camera.shake.x = 1;
const asColumns: { x: Float64Array } = {
  // @ts-expect-error a read-only column where a writable array is expected
  x: view.crates.x,
};
export { asColumns, asNumber, both, copied, holders, largest, on, place, sizes, spread, target, total };
export { turned, uploaded, where };
play(session.simulation, {
  render(shown) {
    // @ts-expect-error the view is read-only
    shown.on = true;
    // @ts-expect-error its tables are read-only
    shown.crates.clear();
    // @ts-expect-error its columns are read-only
    shown.crates.x.fill(0);
  },
});

// syncRows infers the type of objects from `add`, and the type of the table from its argument.
const sprites = syncRows(view.crates, {
  add: (crates, row, id) => ({ size: crates.hp[row]!, id: id satisfies RowId }),
  update(sprite, { x, body }, row) {
    sprite.size = x[row]! + body.f[row]!;
    // @ts-expect-error no such property
    sprite.width = 1;
  },
  leaveTime: 0.5,
  leave: (sprite, age) => void (sprite.size = age),
  remove: ({ id }) => void crates.delete(id),
});
const crates = new Set<RowId>();
sprites.sync(shown.crates, 0);
sprites.sync(view.crates, 0.1);
syncRows(world.crates, {
  add: () => 0,
  update(_, { x }) {
    x[0] = 1;
  },
  remove() {},
});
// @ts-expect-error another table
sprites.sync(world.lamps);
// @ts-expect-error remove is missing
syncRows(view.crates, { add: () => 0, update() {} });
syncRows(view.crates, {
  add: () => 0,
  update(_, { x }) {
    // @ts-expect-error views are read-only
    x[0] = 1;
  },
  remove() {},
});

// Migrations.
const bytes = session.bytes();
const current: Uint8Array = migrate(session.simulation, bytes);
migrate(session.simulation, current, {
  from: Game,
  fields: {
    score: "points",
    crates: "boxes",
    "crates.body.f": (old) => old.get("mass") + (old.has("more") ? old.version : 0),
    "lamps.on": (old) => old.get<boolean>("on"),
    mode: (old) => old.get<string>("mode"),
    at: () => [1, 2],
  },
  ids: { target: "crates", "crates.holder": "crates" },
  external: { physics: (saved) => saved ?? new Uint8Array(1) },
});
// @ts-expect-error not a field of the new state
migrate(session.simulation, bytes, { fields: { "crates.z": "x" } });
// @ts-expect-error not a value of a field
migrate(session.simulation, bytes, { fields: { score: () => ({}) } });
// @ts-expect-error unknown option
migrate(session.simulation, bytes, { field: {} });
// @ts-expect-error not bytes
migrate(session.simulation, "bytes");
