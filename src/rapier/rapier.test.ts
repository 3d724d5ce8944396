import * as RAPIER from "@dimforge/rapier2d-deterministic-compat";
import { describe, expect, test, vi } from "vitest";
import { digest } from "./digest.js";
import { rapier, type RapierWorld } from "./index.js";

const make = () => new RAPIER.World({ x: 0, y: -9.81 });

/** The memory of the build, which it keeps to itself. */
let memory: WebAssembly.Memory;

test("a build that is not initialised is refused, with the cure", async () => {
  expect(() => rapier(RAPIER, make)()).toThrow(
    'rapier: RAPIER must be initialised, got "one that is not". Try await RAPIER.init() before.',
  );
  const spy = vi.spyOn(WebAssembly, "instantiate");
  await RAPIER.init();
  const made = (await spy.mock.results[0]!.value) as unknown as { instance: WebAssembly.Instance };
  memory = (made.instance ?? made).exports.memory as WebAssembly.Memory;
  spy.mockRestore();
  expect(() => rapier(RAPIER, make)().dispose()).not.toThrow();
});

/** A world with some balls, stepped for a while. */
function busy(options?: Parameters<typeof rapier>[2]) {
  const part = rapier(RAPIER, make, options)();
  const { world } = part;
  world.createCollider(RAPIER.ColliderDesc.cuboid(10, 1));
  for (let i = 0; i < 20; i++)
    world.createCollider(
      RAPIER.ColliderDesc.ball(0.4),
      world.createRigidBody(RAPIER.RigidBodyDesc.dynamic().setTranslation(i % 3, 2 + i)),
    );
  for (let i = 0; i < 60; i++) world.step();
  return part;
}

const FORM = /^rapier[\w.]*: [\w.' ]+ must be .+, got .+\. Try .+\.$/s;

describe("bad input", () => {
  const bytes = () => {
    const part = busy();
    const saved = part.save();
    part.dispose();
    return saved;
  };
  const changed = (at: number) => {
    const saved = bytes();
    saved[at]! ^= 1;
    return saved;
  };
  test.each([
    ["nothing", () => undefined, "a Uint8Array"],
    ["an array", () => [1, 2], "a Uint8Array"],
    ["too few", () => new Uint8Array(8), "at least 32 bytes"],
    ["those of something else", () => new Uint8Array(100), "TWRP"],
    ["another form", () => changed(4), "version 1"],
    ["another version of Rapier", () => changed(18), "Rapier 0."],
    ["a changed digest", () => changed(9), "the digest of the rest"],
    ["a changed bit", () => changed(5000), "the digest of the rest"],
    ["a part", () => bytes().slice(0, 4000), "the digest of the rest"],
  ])("bytes that are %s are refused, and nothing is loaded", (_, give, rule) => {
    const part = busy();
    const { world } = part;
    const hash = part.hash();
    expect(() => part.load(give() as Uint8Array)).toThrow(FORM);
    expect(() => part.load(give() as Uint8Array)).toThrow(rule);
    expect(part.world).toBe(world);
    expect(part.hash()).toEqual(hash);
    part.dispose();
  });

  const old = { ...RAPIER, version: () => "0.19.3" };
  const world = { value: undefined as RAPIER.World | undefined };
  test.each([
    ["RAPIER", () => rapier(undefined as never, make)],
    ["RAPIER", () => rapier({} as never, make)],
    ["an old one", () => rapier(old, make)()],
    ["make", () => rapier(RAPIER, {} as never)],
    ["hash", () => rapier(RAPIER, make, { hash: "all" as never })],
    ["no world", () => rapier(RAPIER, () => undefined as never)()],
    ["a promise", () => rapier(RAPIER, (async () => make()) as never)()],
    [
      "the same world twice",
      () => {
        const again = rapier(RAPIER, () => (world.value ??= make()));
        again();
        again();
      },
    ],
  ])("%s", (_, call) => {
    expect(call).toThrow(FORM);
  });
});

test("what was freed or disposed of is refused, and may be disposed of twice", () => {
  const part = busy();
  const bytes = part.save();
  part.world.free();
  for (const call of [() => part.world, () => part.save(), () => part.hash(), () => part.load(bytes)])
    expect(call).toThrow(/^rapier: world must be in use, got "one that was freed"/);
  part.dispose();
  part.dispose();
  expect(() => part.save()).toThrow('"one that was disposed of"');
});

test("every world is freed: by a load the one before, by dispose the last", () => {
  const worlds: RapierWorld[] = [];
  const part = busy();
  const bytes = part.save();
  for (let i = 0; i < 3; i++) {
    worlds.push(part.world);
    part.load(bytes);
    expect(part.world).not.toBe(worlds.at(-1));
  }
  worlds.push(part.world);
  part.dispose();
  expect(worlds.map(({ bodies }) => bodies)).toEqual([undefined, undefined, undefined, undefined]);
});

test("thousands of loads take no more memory", () => {
  const part = busy();
  const bytes = part.save();
  for (let i = 0; i < 100; i++) part.load(bytes);
  const before = memory.buffer.byteLength;
  for (let i = 0; i < 3000; i++) part.load(bytes);
  expect(memory.buffer.byteLength).toBe(before);
  part.dispose();
});

test("a snapshot that is loaded is saved as the same bytes, also from the middle of others", () => {
  const part = busy();
  const bytes = part.save();
  const longer = new Uint8Array(bytes.length + 3);
  longer.set(bytes, 3);
  part.world.step();
  part.load(longer.subarray(3));
  expect(part.save()).toEqual(bytes);
  part.dispose();
});

test("a step reads the same gravity before and after a load", () => {
  const part = busy();
  const { gravity } = part.world;
  part.load(part.save());
  expect(part.world.gravity).toMatchObject({ x: gravity.x, y: gravity.y });
  expect(gravity.y).toBe(Math.fround(-9.81));
  part.dispose();
});

describe.each(["snapshot", "bodies"] as const)("the hash of %s", (hash) => {
  const changes: Record<string, (body: RAPIER.RigidBody, world: RAPIER.World) => void> = {
    position: (body) => body.setTranslation({ x: 0, y: Math.fround(2.0000002) }, false),
    rotation: (body) => body.setRotation(1e-6, false),
    velocity: (body) => body.setLinvel({ x: -0, y: 1e-30 }, false),
    spin: (body) => body.setAngvel(1e-30, false),
    sleep: (body) => body.sleep(),
    "another body": (_, world) => world.createRigidBody(RAPIER.RigidBodyDesc.fixed()),
    "a body less": (body, world) => world.removeRigidBody(body),
  };
  test.each(Object.entries(changes))("tells a change of %s", (_, change) => {
    const part = busy({ hash });
    const body = part.world.bodies.getAll()[7]!;
    body.setRotation(0, false);
    body.setLinvel({ x: 0, y: 0 }, false);
    const before = part.hash();
    expect(part.hash()).toEqual(before);
    change(body, part.world);
    expect(part.hash()).not.toEqual(before);
    part.dispose();
  });
});

test("the hash of bodies takes all NaNs for one, and grows with its world", () => {
  const body = (handle: number, x: number) => ({
    handle,
    translation: () => ({ x, y: 0, z: 1 }),
    rotation: () => ({ x: 0, y: 0, z: 0, w: 1 }),
    linvel: () => ({ x: 0, y: 0, z: 0 }),
    angvel: () => ({ x: 0, y: 0, z: 0 }),
    isSleeping: () => false,
  });
  const of = (bodies: ReturnType<typeof body>[]) => {
    const world = make();
    world.forEachRigidBody = (visit) => bodies.forEach((each) => visit(each as never));
    const part = rapier(RAPIER, () => world, { hash: "bodies" })();
    const hash = part.hash();
    part.dispose();
    return hash;
  };
  const negative = new Float64Array(new BigUint64Array([0xfff8000000000001n]).buffer)[0]!;
  expect(of([body(1, NaN)])).toEqual(of([body(1, negative)]));
  expect(of([body(1, NaN)])).not.toEqual(of([body(1, 0)]));
  expect(of([body(1, 0)])).not.toEqual(of([body(1, -0)]));
  const many = Array.from({ length: 500 }, (_, i) => body(i * 5e-324, i));
  const hashes = [0, 63, 64, 499].map((i) =>
    of(many.map((each, at) => (at === i ? body(each.handle, 0.5) : each))),
  );
  expect(new Set([...hashes, of(many)].map(String)).size).toBe(5);
});

test("the digest tells any bit from any other, of any length", () => {
  const digests = new Set<string>();
  let count = 0;
  for (const length of [0, 1, 3, 4, 15, 16, 17, 64, 101]) {
    const bytes = new Uint8Array(length);
    digests.add(String(digest(bytes)));
    count++;
    for (let bit = 0; bit < 8 * length; bit++) {
      bytes[bit >> 3]! ^= 1 << (bit & 7);
      digests.add(String(digest(bytes)));
      count++;
      bytes[bit >> 3] = 0;
    }
  }
  expect(digests.size).toBe(count);
});

test("the digest tells two signs that changed", () => {
  const numbers = new Float32Array(64).fill(1.5);
  const bytes = new Uint8Array(numbers.buffer);
  const digests = new Set([String(digest(bytes))]);
  for (let i = 0; i < 64; i++)
    for (let j = 0; j < i; j++) {
      numbers[i] = numbers[j] = -1.5;
      digests.add(String(digest(bytes)));
      numbers[i] = numbers[j] = 1.5;
    }
  expect(digests.size).toBe(1 + (64 * 63) / 2);
});
