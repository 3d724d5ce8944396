import { describe, expect, test } from "vitest";
import { assembleSnapshot, keptSnapshot } from "../../../scripts/kernels.mjs";
import { FULL } from "../../../test/full.js";
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
  check: (
    target: WireImage,
    shown: WireImage,
    state: Units,
    bytes: Uint8Array,
    near: number,
    far: number,
  ) => void,
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
    check(target, shown, state, out.slice(0, length), near, far);
  }
  return lengths;
}

/** Fails if two images differ. Vitest compares long arrays slowly. */
function expectSame(a: WireImage, b: WireImage): void {
  const at = a.words.findIndex((word, k) => word !== b.words[k]);
  expect(at).toBe(-1);
}

describe.each(["js", "wasm"] as const)("round trips in %s", (kernels) => {
  test("a lossless snapshot keeps every bit, with ticks, random numbers and free rows", () => {
    const codec = snapshotCodec(World, { lossless: true, kernels });
    expect(codec.kernels).toBe(kernels);
    const client = World.allocate();
    send(codec, 300, (_, shown, state) => {
      codec.write(shown, client, LIVE);
      expect(client.hash()).toEqual(state.hash());
      // Loading checks the bookkeeping of rows.
      client.loadBytes(client.bytes());
    });
    expect(client.world.units.count).toBeGreaterThan(0);
  });

  test("a rounded snapshot decodes to the words that were encoded", () => {
    const codec = snapshotCodec(World, { kernels });
    const units = codec.sections.find(({ path }) => path === "units")!;
    const { first } = units.columns.find(({ form }) => form === "quat")!;
    const client = World.allocate();
    const again = codec.image();
    send(codec, 300, (target, shown, state) => {
      expectSame(shown, target);
      codec.write(shown, client, LIVE);
      client.loadBytes(client.bytes());
      expect(client.tick).toBe(state.tick);
      codec.read(client, LIVE, again);
      // Two components of a quaternion may be equally large: it then has two codes.
      for (let row = 0; row < units.rows; row++) {
        const at = units.offset + row * units.stride + first;
        for (let k = at; k < at + 4; k++) again.words[k] = shown.words[k]!;
      }
      expectSame(again, target);
    });
  });

  test("rounded values with bookkeeping continue with the same ids", () => {
    const codec = snapshotCodec(World, { bookkeeping: true, kernels });
    const client = World.allocate();
    send(codec, 100, (_, shown, state) => {
      codec.write(shown, client, LIVE);
      client.loadBytes(client.bytes());
      const { units } = client.world;
      expect([...units.id]).toEqual([...state.world.units.id]);
      expect([...units].map(({ hp }) => hp)).toEqual([...state.world.units].map(({ hp }) => hp));
    });
  });
});

test("a decoded quaternion is the one that was sent, within the step, and 0, 0, 0, 0 stays", () => {
  const Turns = layout({ turn: quat.quantize(12) });
  const codec = snapshotCodec(Turns);
  const [state, client] = [Turns.allocate(), Turns.allocate()];
  const image = codec.image();
  const dice = random(new Uint32Array(4)).seed("turns");
  let worst = 1;
  for (let i = 0; i < 1000; i++) {
    const { turn } = state.world;
    const q = [0, 1, 2, 3].map(() => dice.gaussian());
    const length = Math.hypot(...q);
    turn.set(q.map((value) => value / length));
    codec.read(state, LIVE, image);
    codec.write(image, client, LIVE);
    const dot = client.world.turn.reduce((sum, value, k) => sum + value * turn[k]!, 0);
    worst = Math.min(worst, Math.abs(dot));
  }
  expect(worst).toBeGreaterThan(1 - 1e-6);
  state.world.turn.fill(0);
  codec.read(state, LIVE, image);
  codec.write(image, client, LIVE);
  expect([...client.world.turn]).toEqual([0, 0, 0, 0]);
});

test("both kernels write the same bytes", () => {
  for (const lossless of [false, true]) {
    const packets: Uint8Array[][] = (["js", "wasm"] as const).map((kernels) => {
      const codec = snapshotCodec(World, { lossless, kernels });
      const out: Uint8Array[] = [];
      send(codec, 200, (_, __, ___, bytes) => out.push(bytes));
      return out;
    });
    expect(packets[0]!.length).toBe(200);
    expect(packets[0]!.findIndex((bytes, i) => Buffer.compare(bytes, packets[1]![i]!) !== 0)).toBe(-1);
  }
});

test("kernel-code.ts is made of kernel.ts", async () => {
  expect(keptSnapshot()).toBe(await assembleSnapshot());
});

test("a state that did not change takes two bytes at most", () => {
  const codec = snapshotCodec(World, { lossless: true });
  const state = World.allocate();
  const dice = random(new Uint32Array(4)).seed(1);
  for (let i = 0; i < 50; i++) live(state, dice);
  const [old, now] = [codec.image(), codec.image()];
  codec.read(state, LIVE, old);
  state.tick++;
  codec.read(state, LIVE, now);
  expect(codec.encode(now, old, undefined, new Uint8Array(100))).toBeLessThanOrEqual(2);
});

test("a packet that does not fit is refused", () => {
  const codec = snapshotCodec(World, { lossless: true });
  const state = World.allocate();
  const dice = random(new Uint32Array(4)).seed(1);
  for (let i = 0; i < 50; i++) live(state, dice);
  const image = codec.image();
  codec.read(state, LIVE, image);
  const out = new Uint8Array(5000);
  const length = codec.encode(image, undefined, undefined, out);
  expect(length).toBeGreaterThan(500);
  for (let room = 0; room < length; room += 7)
    expect(codec.encode(image, undefined, undefined, new Uint8Array(room))).toBe(-1);
  expect(codec.encode(image, undefined, undefined, new Uint8Array(length + 3), 3)).toBe(length);
});

test.each(["js", "wasm"] as const)("numbers without any pattern fit, and arrive (%s)", (kernels) => {
  const Noise = layout({ noise: table(3000, { a: i32, b: u32, c: f64, d: f32 }), many: list(5000, i32) });
  const codec = snapshotCodec(Noise, { lossless: true, kernels });
  const [state, client] = [Noise.allocate(), Noise.allocate()];
  const dice = random(new Uint32Array(4)).seed("noise");
  const { noise, many } = state.world;
  const bits = new Uint32Array(noise.c.buffer, noise.c.byteOffset, 6000);
  for (let i = 0; i < 3000; i++) noise.add({ a: dice.u32() | 0, b: dice.u32(), d: dice.float() });
  for (let i = 0; i < 6000; i++) bits[i] = dice.u32();
  for (let i = 0; i < 5000; i++) many[i] = dice.u32();
  const [target, shown] = [codec.image(), codec.image()];
  codec.read(state, LIVE, target);
  const out = new Uint8Array(codec.maxBytes);
  const length = codec.encode(target, undefined, undefined, out);
  expect(length).toBeGreaterThan(70_000);
  expect(length).toBeLessThan(110_000);
  expect(codec.decode(out.subarray(0, length), 0, undefined, undefined, shown)).toBe(true);
  codec.write(shown, client, LIVE);
  expect(client.hash()).toEqual(state.hash());
});

describe("secrets", () => {
  const Secret = layout({
    open: u8,
    hidden: u8.secret,
    cards: table(4, { face: u8.secret, back: u8 }),
    plans: table(4, { x: f64 }).secret,
    hand: { ace: bool.secret, king: bool, best: Mode.secret },
  });

  test.each([false, true])("secret fields and tables are 0 for a client (lossless: %s)", (lossless) => {
    const codec = snapshotCodec(Secret, { lossless });
    const [server, client] = [Secret.allocate(), Secret.allocate()];
    const { world } = server;
    world.open = 1;
    world.hidden = 2;
    world.cards.add({ face: 3, back: 4 });
    world.plans.add({ x: 5 });
    world.hand.ace = true;
    world.hand.king = true;
    world.hand.best = Mode.fly;
    client.world.hidden = 99;
    client.world.plans.add({ x: 98 });
    const [target, shown] = [codec.image(), codec.image()];
    codec.read(server, LIVE, target);
    const out = new Uint8Array(1000);
    const length = codec.encode(target, undefined, undefined, out);
    expect(codec.decode(out.subarray(0, length), 0, undefined, undefined, shown)).toBe(true);
    codec.write(shown, client, LIVE);
    expect(client.toJSON()).toMatchObject({
      open: 1,
      hidden: 0,
      cards: [{ face: 0, back: 4 }],
      plans: [],
      hand: { ace: false, king: true, best: "idle" },
    });
    client.loadBytes(client.bytes());

    // What is secret does not change what is sent.
    world.hidden = 200;
    world.cards.face[0] = 77;
    world.plans.clear();
    world.hand.best = Mode.run;
    codec.read(server, LIVE, shown);
    expectSame(shown, target);
  });

  test.each([false, true])("a removed row is not seen (bookkeeping: %s)", (bookkeeping) => {
    const codec = snapshotCodec(World, { bookkeeping });
    const [server, client] = [World.allocate(), World.allocate()];
    const ids = [10, 20, 30].map((hp) => server.world.units.add({ hp }));
    const image = codec.image();
    codec.read(server, LIVE, image);
    const units = codec.sections.find(({ path }) => path === "units")!;
    codec.removeRow(image, units, 1);
    codec.write(image, client, LIVE);
    client.loadBytes(client.bytes());
    expect(client.world.units.count).toBe(2);
    expect(client.world.units.row(ids[1]!)).toBe(-1);
    expect(client.world.units.get(ids[2]!)?.hp).toBe(30);
    expect(client.world.units.hp[1]).toBe(0);
  });
});

describe("fingerprints", () => {
  test("differ by marks and options, and not otherwise", () => {
    const print = (x: number, options = {}) =>
      snapshotCodec(layout({ a: f64.quantize(x), b: quat }), options).fingerprint;
    expect(print(1)).toBe(print(1));
    const all = [print(1), print(0.5), print(1, { lossless: true }), print(1, { bookkeeping: true })];
    all.push(snapshotCodec(layout({ a: f64.quantize(1), b: quat.quantize(9) })).fingerprint);
    all.push(snapshotCodec(layout({ a: f64.quantize(1), b: quat.secret })).fingerprint);
    expect(new Set(all).size).toBe(all.length);
  });

  test("marks do not change the layout", () => {
    const plain = layout({ a: f64, b: quat, c: table(2, { d: u8 }) }).fingerprint;
    expect(
      layout({ a: f64.quantize(1), b: quat.quantize(9), c: table(2, { d: u8.secret }).secret }).fingerprint,
    ).toBe(plain);
  });
});

describe("hostile bytes", () => {
  test.each([false, true])(
    `${FULL ? "a million" : "100,000"} mutated packets decode to valid states or to nothing (lossless: %s)`,
    (lossless) => {
      const codec = snapshotCodec(World, { lossless });
      const packets: { bytes: Uint8Array; near: number; far: number }[] = [];
      const images: WireImage[] = [];
      send(codec, 60, (target, _, __, bytes, near, far) => {
        images.push(target);
        packets.push({ bytes, near, far });
      });
      const client = World.allocate();
      const dice = random(new Uint32Array(4)).seed("hostile");
      const into = codec.image();
      const buffer = new Uint8Array(4096);
      let accepted = 0;
      let wrongModes = 0;
      const count = FULL ? 500_000 : 50_000;
      for (let i = 0; i < count; i++) {
        const { bytes, near, far } = dice.pick(packets);
        buffer.set(bytes);
        let length = Math.min(bytes.length, 4096);
        for (let k = dice.below(4); k >= 0; k--) buffer[dice.below(length + 1)] = dice.below(256);
        if (dice.chance(0.2)) length = dice.below(length + 1);
        else if (dice.chance(0.1)) length = Math.min(4096, length + dice.below(9));
        const isRight = codec.decode(buffer.subarray(0, length), 100, images[near], images[far], into);
        if (!isRight) continue;
        accepted++;
        codec.write(into, client, LIVE);
        // Throws if the bookkeeping is invalid.
        client.loadBytes(client.bytes());
        for (const unit of client.world.units) if (unit.mode > 2) wrongModes++;
      }
      expect(wrongModes).toBe(0);
      expect(accepted).toBeGreaterThan(count / 200);
      expect(accepted).toBeLessThan(count);
    },
    600_000,
  );
});

describe("positions that follow velocities", () => {
  const Balls = layout({
    balls: table(20, {
      x: f64.hermite("vx").quantize(1 / 64),
      spot: vec2.hermite("speed").quantize(1 / 64),
      vx: f64.quantize(1 / 4),
      speed: vec2.quantize(1 / 4),
      /** Counts down to 0, and starts again. */
      rest: u8,
    }),
  });
  const rate = [60, 1] as const;

  /** Balls that are pushed at random. Returns the bytes of each packet, and checks what arrives. */
  function bytesOf(codec: SnapshotCodec, ticksApart: number): Uint8Array[] {
    const state = Balls.allocate();
    const { balls } = state.world;
    const dice = random(new Uint32Array(4)).seed("balls");
    const images = [codec.image(), codec.image(), codec.image()];
    const shown = [codec.image(), codec.image(), codec.image()];
    const out = new Uint8Array(10_000);
    const packets: Uint8Array[] = [];
    for (let i = 0; i < 20; i++) balls.add({ x: i, vx: 5, spot: [i, 0], speed: [0, 3] });
    for (let packet = 0; packet < 60; packet++) {
      for (let tick = 0; tick < ticksApart; tick++, state.tick++)
        for (const ball of balls) {
          if (dice.chance(0.05)) ball.vx += dice.int(-40, 40);
          if (dice.chance(0.05)) ball.speed[1]! += dice.int(-40, 40);
          ball.x += ball.vx / 60;
          ball.spot[0]! += ball.speed[0]! / 60;
          ball.spot[1]! += ball.speed[1]! / 60;
          ball.rest = ball.rest > 0 ? ball.rest - 1 : dice.chance(0.1) ? 40 : 0;
        }
      const [target, baseline, older] = [0, 1, 2].map((back) => (packet + 3 - back) % 3);
      codec.read(state, LIVE, images[target!]!);
      const near = packet > 0 ? images[baseline!] : undefined;
      const far = packet > 1 ? images[older!] : undefined;
      const length = codec.encode(images[target!]!, near, far, out);
      packets.push(out.slice(0, length));
      const isDecoded = codec.decode(
        packets.at(-1)!,
        state.tick,
        near && shown[baseline!],
        far && shown[older!],
        shown[target!]!,
      );
      expect(isDecoded).toBe(true);
      expect(shown[target!]!.words).toEqual(images[target!]!.words);
    }
    return packets;
  }
  const total = (packets: readonly Uint8Array[]) => packets.reduce((sum, { length }) => sum + length, 0);

  test.each([1, 3])("arrive, and take fewer bytes if the rate is known; %d ticks apart", (ticksApart) => {
    const [known, unknown] = [snapshotCodec(Balls, { rate }), snapshotCodec(Balls)].map((codec) =>
      total(bytesOf(codec, ticksApart)),
    );
    expect(known! / unknown!).toBeLessThan(0.85);
    expect(snapshotCodec(Balls, { rate }).fingerprint).not.toBe(snapshotCodec(Balls).fingerprint);
  });

  test("are the same bytes with both kernels", () => {
    const [js, wasm] = (["js", "wasm"] as const).map((kernels) =>
      bytesOf(snapshotCodec(Balls, { rate, kernels }), 2),
    );
    expect(js).toEqual(wasm);
  });

  test("at extreme velocities arrive, too", () => {
    const codec = snapshotCodec(Balls, { rate });
    const state = Balls.allocate();
    const { balls } = state.world;
    const [a, b, c] = [codec.image(), codec.image(), codec.image()];
    const out = new Uint8Array(10_000);
    const dice = random(new Uint32Array(4)).seed("extreme");
    const extreme = () => dice.int(-1, 1) * 10 ** dice.int(0, 300);
    for (let i = 0; i < 20; i++)
      balls.add({ x: extreme(), vx: extreme(), spot: [extreme(), 1], speed: [0, extreme()] });
    state.tick = 5;
    codec.read(state, LIVE, a);
    for (const ball of balls) {
      ball.x = extreme();
      ball.vx = extreme();
    }
    state.tick = 5000;
    codec.read(state, LIVE, b);
    const length = codec.encode(b, a, undefined, out);
    expect(codec.decode(out.slice(0, length), 5000, a, undefined, c)).toBe(true);
    expect(c.words).toEqual(b.words);
  });
});
