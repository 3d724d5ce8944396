import { describe, expect, test } from "vitest";
import { random } from "../../math/index.js";
import {
  bool,
  f32,
  f64,
  i16,
  i32,
  id,
  layout,
  list,
  LIVE,
  oneOf,
  quat,
  table,
  u16,
  u32,
  u8,
  vec2,
  vec3,
  type State,
} from "../../state/index.js";
import { snapshotCodec, type SnapshotCodec } from "./snapshot-codec.js";
import type { WireImage } from "./wire-image.js";

const Mode = oneOf("idle", "run", "fly");
const World = layout({
  score: u32,
  mode: Mode,
  wind: vec2.quantize(0.01),
  camera: { x: f64.lerp.quantize(1 / 16), zoom: f32, on: bool },
  board: list(20, u8),
  units: table(40, {
    position: vec3.lerp.quantize(1 / 512),
    turn: quat.slerp.quantize(9),
    angle: f32.angle.quantize(0.001),
    exact: f64,
    single: f32,
    hp: i16,
    mode: Mode,
    alive: bool,
    target: id,
    slots: list(3, u16),
    inner: { count: i32 },
  }),
  trees: list(5, { x: f64.quantize(0.5), kind: u8 }),
  empty: table(7, { x: f64 }),
});
type Units = State<(typeof World)["fields"]>;

/** Changes some of everything. */
function live(state: Units, dice: ReturnType<typeof random>): void {
  const { world } = state;
  const { units } = world;
  state.tick++;
  world.score += Math.floor(dice.float() * 3);
  if (dice.float() < 0.1) world.mode = dice.float() < 0.5 ? Mode.run : Mode.fly;
  world.wind[0] = dice.float() - 0.5;
  world.camera.x += 0.25;
  world.camera.zoom = dice.float();
  world.camera.on = dice.float() < 0.5;
  if (dice.float() < 0.2) world.board[Math.floor(dice.float() * 20)] = dice.float() * 256;
  world.trees.x[2] = world.trees.x[2]! + 0.7;
  state.random.float();
  if (units.count < units.capacity && dice.float() < 0.5)
    units.add({
      position: [dice.float() * 100 - 50, dice.float() * 10, 1e12 * dice.float()],
      turn: [dice.float() - 0.5, dice.float() - 0.5, dice.float() - 0.5, dice.float() - 0.5],
      hp: 100,
      alive: true,
    });
  for (const unit of units) {
    if (dice.float() < 0.05) {
      units.remove(unit);
      continue;
    }
    if (dice.float() < 0.3) continue;
    unit.position[0]! += 0.1;
    unit.position[1]! -= dice.float() * 0.02;
    unit.turn[0]! += dice.float() * 0.01;
    unit.angle += 0.05;
    unit.exact = Math.sqrt(state.tick) * (dice.float() < 0.5 ? 1 : -1);
    unit.single = Math.fround(1 / state.tick);
    unit.hp -= Math.floor(dice.float() * 300);
    if (dice.float() < 0.1) unit.mode = Mode.fly;
    unit.alive = unit.hp > 0;
    unit.target = dice.float() < 0.1 ? unit.id : 0;
    unit.slots[1] = dice.float() * 65536;
    unit.inner.count = dice.u32() | 0;
  }
}

/** Sends states over a line that loses packets, with baselines some ticks back. Returns the bytes of each packet. */
function send(
  codec: SnapshotCodec,
  ticks: number,
  check: (target: WireImage, shown: WireImage, state: Units) => void,
): number[] {
  const state = World.allocate();
  const dice = random(new Uint32Array(4)).seed("send");
  const out = new Uint8Array(100_000);
  const sent: WireImage[] = [];
  const got: WireImage[] = [];
  const lengths: number[] = [];
  for (let i = 0; i < ticks; i++) {
    live(state, dice);
    const target = codec.image();
    codec.read(state, LIVE, target);
    sent.push(target);
    const back = Math.floor(dice.float() * 4);
    const near = i - 3 - back;
    const far = near - 1 - Math.floor(dice.float() * 6);
    const length = codec.encode(target, sent[near], sent[far], out);
    expect(length).toBeGreaterThanOrEqual(0);
    lengths.push(length);
    const shown = codec.image();
    expect(codec.decode(out.slice(0, length), state.tick, got[near], got[far], shown)).toBe(true);
    got.push(shown);
    check(target, shown, state);
  }
  return lengths;
}

describe("round trips", () => {
  test("a lossless snapshot keeps every bit, with ticks, random numbers and free rows", () => {
    const codec = snapshotCodec(World, { lossless: true });
    const client = World.allocate();
    send(codec, 300, (_, shown, state) => {
      codec.write(shown, client, LIVE);
      expect(client.diffFrom(state, LIVE)).toEqual([]);
      expect(client.hash()).toEqual(state.hash());
      // Loading checks the bookkeeping of rows.
      client.loadBytes(client.bytes());
    });
  });

  test("a rounded snapshot decodes to the words that were encoded", () => {
    const codec = snapshotCodec(World);
    const units = codec.sections.find(({ path }) => path === "units")!;
    const turn = { ...units, first: units.columns.find(({ form }) => form === "quat")!.first };
    const client = World.allocate();
    send(codec, 300, (target, shown, state) => {
      expect(shown.words).toEqual(target.words);
      codec.write(shown, client, LIVE);
      client.loadBytes(client.bytes());
      expect(client.tick).toBe(state.tick);
      const again = codec.image();
      codec.read(client, LIVE, again);
      // Two components of a quaternion may be equally large: it then has two codes.
      const isTurn = (k: number) =>
        k >= turn.offset &&
        (k - turn.offset) % turn.stride >= turn.first &&
        (k - turn.offset) % turn.stride < turn.first + 4 &&
        k < turn.offset + 40 * turn.stride;
      const changed = [...again.words.keys()].filter((k) => again.words[k] !== target.words[k]);
      expect(changed.filter((k) => !isTurn(k))).toEqual([]);
    });
  });

  test("rounded values with bookkeeping continue with the same ids", () => {
    const codec = snapshotCodec(World, { bookkeeping: true });
    const client = World.allocate();
    send(codec, 100, (_, shown, state) => {
      codec.write(shown, client, LIVE);
      client.loadBytes(client.bytes());
      expect([...client.world.units.id]).toEqual([...state.world.units.id]);
    });
  });
});
