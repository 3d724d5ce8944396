// Compile-time tests: the line after each @ts-expect-error must not compile.
import {
  bool,
  f64,
  id,
  layout,
  list,
  oneOf,
  table,
  trail,
  u8,
  vec2,
  type ReadonlyTrail,
  type ReadonlyWorld,
  type RowId,
  type Trail,
} from "../../src/state/index.js";

const Mode = oneOf("idle", "run");
const Other = oneOf("idle", "run", "jump");
const Game = layout({
  past: trail(15, { x: f64, mode: Mode, on: bool, who: id, at: vec2 }),
  players: table(8, { x: f64.lerp, y: f64.lerp, name: u8, past: trail(15, { x: f64, y: f64 }) }),
  goals: list(2, { past: trail(4, { x: f64 }).secret }),
});
const state = Game.allocate();
const { past, players, goals } = state.world;

// Valid.
past.push({ x: 1, mode: Mode.run, on: true, who: 0, at: [1, 2] });
for (const player of players) {
  player.past.push(player);
  player.past.push({ x: 1, y: 2 });
  players.past.push(player.row, player);
  const x: number = player.past.at(1.5, "x");
  const { y } = player.past.read(2, { x: 0, y: 0 });
  const own: Trail<{ x: typeof f64; y: typeof f64 }> = player.past;
  players.add({ past: player.past, x: x + y + own.count });
}
const mode: typeof Mode.run = past.at(0, "mode");
const on: boolean = past.at(0, "on");
const who: RowId | 0 = past.at(0, "who");
goals.past.clear(1);
const json: { x: number | string; y: number | string }[] | undefined = state.toJSON().players[0]?.past;
export const values = [mode, on, who, json];

// @ts-expect-error y is missing
players.past.push(0, { x: 1 });
// @ts-expect-error no such field
players.past.push(0, { x: 1, y: 2, z: 3 });
// @ts-expect-error a string
players.past.push(0, { x: 1, y: "2" });
// @ts-expect-error the row number is missing
players.past.push({ x: 1, y: 2 });
// @ts-expect-error an id is not a row number
players.past.push(players.add(), { x: 1, y: 2 });
// @ts-expect-error no such field
past.at(1, "y");
// @ts-expect-error a vector is read into an array
past.at(1, "at");
// @ts-expect-error the field is missing
past.at(1);
// @ts-expect-error ticks are a number
past.at("1", "x");
// @ts-expect-error a value of another choice
past.push({ x: 1, mode: Other.jump, on: true, who: 0, at: [1, 2] });
// @ts-expect-error mode is missing
past.read(1, { x: 0, on: false, who: 0 as RowId | 0, at: [0, 0] });
// @ts-expect-error a vector needs an array
past.read(1, { x: 0, mode, on, who, at: 0 });
// @ts-expect-error the columns are not accessible
export const column = past.x;
// @ts-expect-error a trail is not assigned
state.world.past = past;
// @ts-expect-error a trail holds no groups
trail(2, { at: { x: f64 } });
// @ts-expect-error a trail holds no lists
trail(2, { at: list(2, f64) });
// @ts-expect-error the fields are missing
trail(2);
// @ts-expect-error a list holds no trails
list(2, trail(2, { x: f64 }));
// @ts-expect-error not a trail
players.add({ past: [] });

// A read-only world.
declare const seen: ReadonlyWorld<typeof Game.fields>;
const seenTrail: ReadonlyTrail<typeof Game.fields.past.values> = seen.past;
export const seenX: number = seenTrail.at(0, "x") + seen.players.past.at(0, 0, "x");
// @ts-expect-error read-only
seen.past.push({ x: 1, mode: Mode.run, on: true, who: 0, at: [1, 2] });
// @ts-expect-error read-only
seen.past.clear();
// @ts-expect-error read-only
seen.players.past.push(0, { x: 1, y: 2 });
for (const player of seen.players) {
  // @ts-expect-error read-only
  player.past.push({ x: 1, y: 2 });
}
