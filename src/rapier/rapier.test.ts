import * as RAPIER from "@dimforge/rapier2d-deterministic-compat";
import { describe, expect, test, vi } from "vitest";
import { digest } from "./digest.js";
import { rapier, type RapierWorld } from "./index.js";

const make = () => new RAPIER.World({ x: 0, y: -9.81 });

/** The WebAssembly memory of Rapier, which it does not export. */
let memory: WebAssembly.Memory;

test("throws if Rapier is not initialised", async () => {
  expect(() => rapier(RAPIER, make)()).toThrow(
    "rapier: RAPIER is not initialised. Call await RAPIER.init() first.",
  );
  const spy = vi.spyOn(WebAssembly, "instantiate");
  await RAPIER.init();
  const made = (await spy.mock.results[0]!.value) as unknown as { instance: WebAssembly.Instance };
  memory = (made.instance ?? made).exports.memory as WebAssembly.Memory;
  spy.mockRestore();
  expect(() => rapier(RAPIER, make)().dispose()).not.toThrow();
});

/** A world with some balls, after 60 steps. */
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
  const old = () => {
    const saved = bytes();
    saved.set(new TextEncoder().encode("TWRP"));
    return saved;
  };
  test.each([
    ["undefined", () => undefined, "bad-value", "bytes must be a Uint8Array, got undefined"],
    ["an array", () => [1, 2], "bad-value", "bytes must be a Uint8Array, got [1,2]"],
    ["too few bytes", () => new Uint8Array(8), "corrupt-data", "the snapshot has only 8 bytes"],
    [
      "other data",
      () => new Uint8Array(100),
      "corrupt-data",
      'not a snapshot: it does not begin with "TWPH"',
    ],
    [
      "a replay or an older snapshot",
      old,
      "unsupported",
      'a replay ("TWRP"), or a snapshot of an older version',
    ],
    ["another format version", () => changed(4), "unsupported", "format version 0, not 1"],
    ["another version of Rapier", () => changed(18), "unsupported", "but this is Rapier 0."],
    ["a changed digest", () => changed(9), "corrupt-data", "its digest is wrong"],
    ["a changed bit", () => changed(5000), "corrupt-data", "its digest is wrong"],
    ["a part of a snapshot", () => bytes().slice(0, 4000), "corrupt-data", "its digest is wrong"],
  ])("load rejects %s, and loads nothing", (_, give, code, problem) => {
    const part = busy();
    const { world } = part;
    const hash = part.hash();
    expect(() => part.load(give() as Uint8Array)).toThrow(
      expect.objectContaining({ code, call: "rapier.load", problem: expect.stringContaining(problem) }),
    );
    expect(part.world).toBe(world);
    expect(part.hash()).toEqual(hash);
    part.dispose();
  });

  const older = { ...RAPIER, version: () => "0.19.3" };
  const world = { value: undefined as RAPIER.World | undefined };
  test.each([
    ["no namespace", "bad-value", () => rapier(undefined as never, make)],
    ["another namespace", "bad-value", () => rapier({} as never, make)],
    ["an old version", "unsupported", () => rapier(older, make)()],
    ["make that is not a function", "bad-value", () => rapier(RAPIER, {} as never)],
    ["an unknown hash", "bad-value", () => rapier(RAPIER, make, { hash: "all" as never })],
    ["an unknown option", "unknown-option", () => rapier(RAPIER, make, { hsah: "bodies" } as never)],
    ["options that are not an object", "bad-value", () => rapier(RAPIER, make, "bodies" as never)],
    ["no world", "bad-value", () => rapier(RAPIER, () => undefined as never)()],
    ["a promise of a world", "bad-value", () => rapier(RAPIER, (async () => make()) as never)()],
    [
      "the same world twice",
      "in-use",
      () => {
        const again = rapier(RAPIER, () => (world.value ??= make()));
        again();
        again();
      },
    ],
  ])("rapier rejects %s", (_, code, call) => {
    expect(call).toThrow(expect.objectContaining({ code, call: "rapier" }));
  });
});

test("a freed or disposed world throws, and dispose may be called twice", () => {
  const part = busy();
  const bytes = part.save();
  part.world.free();
  for (const call of [() => part.world, () => part.save(), () => part.hash(), () => part.load(bytes)])
    expect(call).toThrow("rapier: the world was freed. Let session.dispose() free it.");
  part.dispose();
  part.dispose();
  expect(() => part.save()).toThrow("rapier: the world is already disposed. Create a new session.");
});

test("load frees the previous world, and dispose the last one", () => {
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

test("thousands of loads do not leak memory", () => {
  const part = busy();
  const bytes = part.save();
  for (let i = 0; i < 100; i++) part.load(bytes);
  const before = memory.buffer.byteLength;
  for (let i = 0; i < 3000; i++) part.load(bytes);
  expect(memory.buffer.byteLength).toBe(before);
  part.dispose();
});

test("a loaded snapshot is saved as the same bytes, also from the middle of a buffer", () => {
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

const { RigidBodyDesc, ColliderDesc, JointData } = RAPIER;

/** A world with all kinds of bodies, shapes and joints, and with colliders without a body, after some steps. */
function allKinds() {
  const part = rapier(RAPIER, make)();
  const { world } = part;
  const kinds = [
    RigidBodyDesc.dynamic(),
    RigidBodyDesc.kinematicPositionBased(),
    RigidBodyDesc.kinematicVelocityBased(),
    RigidBodyDesc.fixed(),
  ];
  const bodies = Array.from({ length: 12 }, (_, i) =>
    world.createRigidBody(
      kinds[i % 4]!.setTranslation(i * 1.1, 3 + i * 0.1)
        .setLinearDamping(0.1)
        .setGravityScale(0.7),
    ),
  );
  const corners = new Float32Array([0, 0, 1.1, 0, 2, 1]);
  const [a, b, c] = [
    { x: 0.1, y: 0 },
    { x: 1.1, y: 0.3 },
    { x: 0.4, y: 0.9 },
  ];
  const shapes = [
    ColliderDesc.ball(0.4),
    ColliderDesc.cuboid(0.3, 0.7),
    ColliderDesc.roundCuboid(0.3, 0.7, 0.1),
    ColliderDesc.capsule(0.3, 0.4),
    ColliderDesc.segment(a, b),
    ColliderDesc.polyline(corners),
    ColliderDesc.triangle(a, b, c),
    ColliderDesc.roundTriangle(a, b, c, 0.1),
    ColliderDesc.halfspace({ x: 0.1, y: 1 }),
    ColliderDesc.trimesh(corners, new Uint32Array([0, 1, 2])),
    ColliderDesc.heightfield(new Float32Array([0, 0.1, 0.3]), { x: 3.3, y: 1 }),
    ColliderDesc.convexHull(corners)!,
    ColliderDesc.roundConvexHull(corners, 0.1)!,
    ColliderDesc.compound([new RAPIER.Ball(0.4)], [{ x: 0.1, y: 0.2 }], [0.3]),
  ];
  shapes.forEach((shape, i) => {
    // Rapier does not support collisions of all pairs of shapes.
    shape
      .setFriction(0.3)
      .setDensity(1.3)
      .setCollisionGroups(i < 4 ? 0x10001 : 0x20000);
    world.createCollider(shape.setTranslation(0.1, 0.2), i % 3 === 0 ? undefined : bodies[i % 12]);
  });
  const zero = { x: 0, y: 0 };
  [
    JointData.revolute(a, b),
    JointData.prismatic(a, b, { x: 1, y: 0.1 }),
    JointData.fixed(zero, 0.1, a, 0.2),
    JointData.rope(1.1, zero, zero),
    JointData.spring(1.1, 2.2, 0.3, zero, zero),
  ].forEach((joint, i) => world.createImpulseJoint(joint, bodies[i]!, bodies[i + 1]!, true));
  world.removeRigidBody(bodies[7]!);
  const again = world.createRigidBody(RigidBodyDesc.dynamic().setTranslation(30, 2));
  const last = world.createRigidBody(RigidBodyDesc.dynamic().setTranslation(31, 2));
  for (const body of [again, last]) world.createCollider(ColliderDesc.ball(0.1), body);
  world.createMultibodyJoint(JointData.revolute(a, b), again, last, true);
  for (let i = 0; i < 20; i++) world.step();
  world.colliders.getAll()[1]!.setShape(new RAPIER.Cuboid(0.35, 0.75));
  world.createCollider(ColliderDesc.ball(0.9));
  return part;
}

/** Accessors without arguments that change nothing. */
const ACCESSORS =
  /^(is|num|linvel|angvel|translation|next|rotation|mass|effective|local|worldCom|principal|dominance|gravityScale|linearDamping|angularDamping|userForce|userTorque|bodyType|softCcd|kineticEnergy|additionalSolver|shape|half|radius|round|vertices|indices|heightfield|density|volume|friction|restitution|collisionGroups|solverGroups|active|contactSkin|contactForce|parent|body\d|type|anchor|frame|contactsEnabled|limits)/;

/** Formats a value so that every bit shows. */
const text = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) => {
    if (ArrayBuffer.isView(part)) return [...(part as unknown as number[])].map(String);
    if (typeof part === "number") return Object.is(part, -0) ? "-0" : String(part);
    return typeof part === "object" && part !== null && "handle" in part ? `#${String(part.handle)}` : part;
  }) ?? "undefined";

/** The results of all accessors of all parts of a world. */
function readAll(world: RAPIER.World): Record<string, string> {
  const all: Record<string, string> = {};
  for (const set of ["bodies", "colliders", "impulseJoints", "multibodyJoints"] as const)
    world[set].getAll().forEach((part, i) => {
      const names = new Set<string>();
      let holder = Object.getPrototypeOf(part) as object;
      for (; holder !== Object.prototype; holder = Object.getPrototypeOf(holder) as object)
        Object.getOwnPropertyNames(holder).forEach((name) => names.add(name));
      for (const name of [...names].filter((each) => ACCESSORS.test(each))) {
        const member = (part as unknown as Record<string, unknown>)[name];
        all[`${set}[${i}].${name}`] = text(
          typeof member === "function" ? (member as () => unknown).call(part) : member,
        );
      }
      all[`${set}[${i}]`] = `${part.constructor.name} ${part.handle}`;
    });
  return all;
}

test("all accessors of bodies, colliders and joints return the same after a load", () => {
  const part = allKinds();
  const before = readAll(part.world);
  const parents = part.world.colliders.getAll().map((collider) => collider.parent()?.handle ?? null);
  part.load(part.save());
  expect(Object.keys(before).length).toBeGreaterThan(800);
  expect(readAll(part.world)).toEqual(before);
  expect(part.world.colliders.getAll().map((collider) => collider.parent()?.handle ?? null)).toEqual(parents);
  expect(parents.filter((parent) => parent === null).length).toBe(6);
  part.dispose();
});

test("a collider without a body has no parent after a load, even if body 0 was removed", () => {
  for (const isRemoved of [false, true]) {
    const part = rapier(RAPIER, make)();
    const body = part.world.createRigidBody(RigidBodyDesc.dynamic());
    const { handle } = part.world.createCollider(ColliderDesc.cuboid(10, 1));
    if (isRemoved) part.world.removeRigidBody(body);
    for (let i = 0; i < 2; i++) {
      part.load(part.save());
      expect(part.world.getCollider(handle).parent()).toBe(null);
    }
    part.dispose();
  }
});

test("rays and other queries return the same after a load, with any filter", () => {
  const part = allKinds();
  const ask = (world: RAPIER.World) => {
    const found: string[] = [];
    const { QueryFilterFlags: flags } = RAPIER;
    const body = world.bodies.getAll()[0]!;
    const isOfBody0 = (collider: RAPIER.Collider) => collider.parent()?.handle === body.handle;
    for (const which of [undefined, flags.EXCLUDE_FIXED, flags.EXCLUDE_DYNAMIC, flags.ONLY_FIXED])
      for (const filter of [undefined, isOfBody0, (each: RAPIER.Collider) => each.parent() === null])
        for (let y = -1; y < 6; y += 0.5) {
          const ray = new RAPIER.Ray({ x: -20, y }, { x: 1, y: 0.01 });
          const hit = world.castRayAndGetNormal(
            ray,
            100,
            true,
            which,
            undefined,
            undefined,
            undefined,
            filter,
          );
          found.push(text(hit && [hit.collider, hit.timeOfImpact, hit.normal]));
          const around = world.projectPoint({ x: y, y }, true, which, undefined, undefined, body, filter);
          found.push(text(around && [around.collider, around.point]));
          world.intersectionsWithRay(ray, 100, true, ({ collider }) => {
            found.push(text(collider));
            return true;
          });
        }
    world.forEachActiveRigidBody((each) => found.push(text(each)));
    world.colliders.forEach((each) =>
      world.contactPairsWith(each, (other) => found.push(text([each, other]))),
    );
    return found;
  };
  const before = ask(part.world);
  part.load(part.save());
  expect(new Set(before).size).toBeGreaterThan(30);
  expect(ask(part.world)).toEqual(before);
  part.dispose();
});

describe("an error in a callback of Rapier", () => {
  const ray = new RAPIER.Ray({ x: 0, y: 50 }, { x: 0, y: -1 });
  type Act = () => void;
  const QUERIES: Record<string, (world: RAPIER.World, act: Act) => unknown> = {
    "world.castRay": (world, act) =>
      world.castRay(ray, 100, true, undefined, undefined, undefined, undefined, () => (act(), true)),
    "world.intersectionsWithRay": (world, act) =>
      world.intersectionsWithRay(ray, 100, true, () => (act(), true)),
    "world.intersectionsWithShape": (world, act) =>
      world.intersectionsWithShape({ x: 0, y: 1 }, 0, new RAPIER.Ball(9), () => (act(), true)),
    "world.projectPoint": (world, act) =>
      world.projectPoint(
        { x: 0, y: 1 },
        true,
        undefined,
        undefined,
        undefined,
        undefined,
        () => (act(), true),
      ),
    "world.collidersWithAabbIntersectingAabb": (world, act) =>
      world.collidersWithAabbIntersectingAabb({ x: 0, y: 1 }, { x: 9, y: 9 }, () => (act(), true)),
    "world.debugRender": (world, act) => world.debugRender(undefined, () => (act(), true)),
    "controller.computeColliderMovement": (world, act) =>
      world
        .createCharacterController(0.01)
        .computeColliderMovement(
          world.colliders.getAll()[1]!,
          { x: 0, y: -9 },
          undefined,
          undefined,
          () => (act(), true),
        ),
  };
  test.each(Object.entries(QUERIES))("%s throws if its callback changes a body", (name, query) => {
    const part = busy();
    const saved = part.save();
    const body = part.world.bodies.getAll()[3]!;
    expect(() => query(part.world, () => body.setLinvel({ x: 1, y: 0 }, true))).toThrow(
      `rapier: the callback of ${name} cannot change the world while Rapier is reading it. Collect the colliders`,
    );
    // Rapier can no longer free this world, but load still works.
    part.load(saved);
    part.world.step();
    expect(() => query(part.world, () => {})).not.toThrow();
    part.dispose();
  });

  test("a step throws if a physics hook reads a body", () => {
    const part = rapier(RAPIER, make)();
    const { world } = part;
    const body = world.createRigidBody(RigidBodyDesc.dynamic().setTranslation(0, 1.3));
    world.createCollider(
      ColliderDesc.ball(0.4).setActiveHooks(RAPIER.ActiveHooks.FILTER_CONTACT_PAIRS),
      body,
    );
    world.createCollider(ColliderDesc.cuboid(10, 1));
    const saved = part.save();
    const events = new RAPIER.EventQueue(true);
    const hooks = (act: Act) => ({
      filterContactPair: () => (act(), RAPIER.SolverFlags.COMPUTE_IMPULSE),
      filterIntersectionPair: () => true,
    });
    expect(() =>
      world.step(
        events,
        hooks(() => body.linvel()),
      ),
    ).toThrow("rapier: physics hooks cannot read");
    part.load(saved);
    let count = 0;
    part.world.step(
      events,
      hooks(() => count++),
    );
    expect(count).toBe(1);
    events.free();
    part.dispose();
  });

  test("of the game itself is thrown by the query", () => {
    const part = busy();
    const fail = () => {
      throw new TypeError("of the game");
    };
    for (const query of Object.values(QUERIES)) expect(() => query(part.world, fail)).toThrow("of the game");
    expect(() => part.world.forEachActiveRigidBody(fail)).toThrow("of the game");
    part.world.step();
    part.dispose();
  });
});

describe.each(["snapshot", "bodies"] as const)("the hash of %s", (hash) => {
  const changes: Record<string, (body: RAPIER.RigidBody, world: RAPIER.World) => void> = {
    position: (body) => body.setTranslation({ x: 0, y: Math.fround(2.0000002) }, false),
    rotation: (body) => body.setRotation(1e-6, false),
    velocity: (body) => body.setLinvel({ x: -0, y: 1e-30 }, false),
    spin: (body) => body.setAngvel(1e-30, false),
    sleep: (body) => body.sleep(),
    "another body": (_, world) => world.createRigidBody(RAPIER.RigidBodyDesc.fixed()),
    "one body less": (body, world) => world.removeRigidBody(body),
  };
  test.each(Object.entries(changes))("changes with %s", (_, change) => {
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

test("the hash of bodies treats all NaNs as equal, and supports any number of bodies", () => {
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

test("the digest differs for every single bit, at any length", () => {
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

test("the digest differs for every pair of changed signs", () => {
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
