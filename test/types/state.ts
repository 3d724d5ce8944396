// Checked by tsc alone: each line below a @ts-expect-error must be refused by the types.
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
  u8,
  vec2,
  type Difference,
  type Hash,
  type World,
} from "../../src/state/index.js";
import { localSession, play, simulation } from "../../src/sim/index.js";

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
  }),
});
const state = Game.allocate(4, { kernels: "js" });
const { world } = state;

// What a caller may say, and what there is to read.
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
const gone: boolean = world.crates.remove(3);
const names: readonly ("idle" | "run")[] = namesOf(Mode);
const hash: Hash = state.hash();
const differences: Difference[] = state.diff(0, 1);
const seen: World<typeof Game.fields> = state.at(0);
skipBlend(world.crates, 3);
skipBlend(world.camera);

// Fields.
// @ts-expect-error misspelt
world.scor = 1;
// @ts-expect-error misspelt
const misspelt = world.crates.vx;
// @ts-expect-error misspelt
const misspeltToo = world.camera.shake.y;
// @ts-expect-error a text
world.score = "1";
// @ts-expect-error a number
world.on = 1;
// @ts-expect-error a name is not its number
world.mode = "run";
// @ts-expect-error no such name
const noMode = Mode.walk;
// @ts-expect-error vectors are filled, not assigned
world.at = [1, 2];
// @ts-expect-error groups are not assigned
world.camera = { x: 1 };
// @ts-expect-error columns are not assigned
world.crates.x = new Float64Array(16);
// @ts-expect-error only to be read
world.crates.count = 3;
// @ts-expect-error columns of numbers
world.crates.x[3] = "1";

// Rows.
// @ts-expect-error misspelt
world.crates.add({ X: 1 });
// @ts-expect-error a text
world.crates.add({ x: "1" });
// @ts-expect-error a number is no boolean
world.crates.add({ on: 1 });
// @ts-expect-error a number is no vector
world.crates.add({ turn: 1 });
// @ts-expect-error misspelt
world.crates.add({ body: { g: 1 } });
// @ts-expect-error an id is a number
world.crates.remove("3");

// Declarations.
// @ts-expect-error no field
layout({ x: 1 });
// @ts-expect-error a class
layout({ x: Float64Array });
// @ts-expect-error whole numbers are not blended
const whole = u8.lerp;
// @ts-expect-error a quaternion is no vector
const lerped = quat.lerp;
// @ts-expect-error blended by one mark
const twice = f64.lerp.angle;
// @ts-expect-error no table in a table
table(4, { inner: table(4, { x: f64 }) });
// @ts-expect-error no list of groups in a row
table(4, { inner: list(4, { x: f64 }) });
// @ts-expect-error no list of tables
list(4, table(4, { x: f64 }));
// @ts-expect-error a row is a group
table(4, f64);
// @ts-expect-error a choice has names
oneOf();
// @ts-expect-error names are texts
oneOf("a", 1);

// Calls.
// @ts-expect-error no such kernels
Game.allocate(1, { kernels: "gpu" });
// @ts-expect-error a snapshot is a number
state.save("0");
// @ts-expect-error an alpha is wanted
state.blend(0, 1, 2);
// @ts-expect-error a part is an object
skipBlend(5);
// @ts-expect-error of another layout
state.diffFrom(layout({ x: f64 }).allocate(), 0);

// Layouts can be exported where declarations are emitted: all their types have names.
export { Game, Mode };
export { at, counts, differences, fs, gone, hash, hps, lamps, lerped, lists, misspelt, misspeltToo, modes };
export { names, noMode, rowSlots, seen, slots, turns, twice, whole, x };

// What a session shows is read.
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
      // @ts-expect-error It has a field.
      emit("thud");
    },
  }),
);
const draw = (shown: World<typeof Game.fields>) => shown.crates.x[0];
draw(session.view(0.5));
// @ts-expect-error Only a step writes.
session.world.score = 1;
// @ts-expect-error Nor a column.
session.world.crates.x[0] = 1;
// @ts-expect-error Nor a part of a group, nor of a vector.
[session.view(1).camera.shake.x, session.view(1).at[0]] = [1, 2];
play(session.simulation, {
  render(shown) {
    // @ts-expect-error Nor what is drawn.
    shown.on = true;
  },
});
