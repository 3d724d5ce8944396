// Compile-time tests: the line after each @ts-expect-error must not compile.
// The results of toJSON of a state, a session and a player are typed by their fields.
import { readReplay, replayPlayer } from "../../src/replay/index.js";
import { localSession, simulation } from "../../src/sim/index.js";
import { bool, f64, layout, list, oneOf, table, u32, vec2 } from "../../src/state/index.js";

const Mood = oneOf("calm", "angry");
const jsonLayout = layout({
  score: u32,
  heat: f64,
  over: bool,
  mood: Mood,
  at: vec2,
  numbers: list(2, u32),
  boss: { life: u32, at: vec2 },
  crates: table(4, { x: f64.lerp, mood: Mood, slots: list(3, u32) }),
  lamps: list(2, { on: bool }),
});
const worldJson = jsonLayout.allocate().toJSON();
export const jsonParts: [
  number,
  number,
  number | "NaN" | "Infinity" | "-Infinity" | "-0",
  boolean,
  "calm" | "angry",
  (number | "NaN" | "Infinity" | "-Infinity" | "-0")[],
  number[],
  number,
  { id: number; mood: "calm" | "angry"; slots: number[] }[],
  { on: boolean }[],
] = [
  worldJson.tick,
  worldJson.score,
  worldJson.heat,
  worldJson.over,
  worldJson.mood,
  worldJson.at,
  worldJson.numbers,
  worldJson.boss.life,
  worldJson.crates,
  worldJson.lamps,
];
// @ts-expect-error a float may be NaN, which is a string in JSON
export const heatJson: number = worldJson.heat;
// @ts-expect-error no such field
export const noJson = worldJson.nothing;

const game = simulation({ name: "json", version: 1, rate: 60, state: layout({ n: u32 }), step() {} });
export const ofSession: number = localSession(game).toJSON().n;
export const ofPlayer: number = replayPlayer(game, readReplay(new Uint8Array())).toJSON().n;
// @ts-expect-error no such field
export const nothing = localSession(game).toJSON().x;
