import { describe, expect, test } from "vitest";
import { errorWith } from "../../test/error-with.js";
import { Loop, type LoopOptions } from "../index.js";
import { localSession, simulation } from "../sim/index.js";
import { f64, layout } from "../state/index.js";
import { trackersOf } from "./trackers.js";
import {
  angle,
  dispose,
  extrapolate,
  hold,
  rotation,
  scalar,
  shift,
  smooth,
  smoothAll,
  teleport,
  teleportOnChange,
  vector2,
  vector3,
} from "./index.js";

/** A loop of ten steps per second. */
function looped(step: NonNullable<LoopOptions["step"]>) {
  return new Loop({ rate: 10, step });
}
/** A ship that moves ten units per step, shown half a step after the first. */
function flight() {
  const ship = { x: 0, y: 5 };
  const loop = looped(() => void (ship.x += 10));
  const shown = smooth(loop, ship, { x: scalar, y: scalar });
  return { ship, loop, shown };
}

describe("one object", () => {
  test("is blended between its states before and after the last step", () => {
    const { loop, ship, shown } = flight();
    expect(shown).toEqual({ x: 0, y: 5 });
    loop.advance(0.15);
    expect([shown.x, ship.x]).toEqual([5, 10]);
    loop.advance(0.025);
    expect([shown.x, ship.x]).toEqual([7.5, 10]);
  });

  test("is read before each step, not before each frame", () => {
    const { loop, shown } = flight();
    loop.advance(0.25);
    expect(shown.x).toBe(15);
  });

  test("is never changed by blending", () => {
    const seen: number[] = [];
    const ship = { x: 0 };
    const loop = looped(() => void seen.push((ship.x += 10)));
    smooth(loop, ship, { x: scalar });
    for (let i = 0; i < 12; i++) loop.advance(0.03);
    expect(seen).toEqual([10, 20, 30]);
  });

  test("is shown exactly when it is at rest", () => {
    const rest = { x: 0.1 + 0.2, y: -0, heading: 7.123456789, big: 1e300 };
    const loop = looped(() => {});
    const shown = smooth(loop, rest, { x: scalar, y: scalar, heading: angle, big: scalar });
    for (let i = 0; i < 40; i++) {
      loop.advance(0.037);
      expect(Object.is(shown.y, -0)).toBe(true);
      expect(shown).toEqual(rest);
    }
  });

  test("supports all kinds in objects, arrays and typed arrays", () => {
    const half = Math.SQRT1_2;
    const thing = {
      heading: 3,
      place: { x: 0, y: 0, z: 0 },
      local: [0, 0],
      float: Float32Array.of(0, 0, 0),
      turn: { x: 0, y: 0, z: 0, w: 1 },
      spin: [0, 0, 0, 1],
      frame: 3,
      name: "a",
    };
    const loop = looped(() => {
      thing.heading = -3;
      thing.place.z = 4;
      thing.local[1] = 4;
      thing.float[2] = 4;
      thing.turn = { x: 0, y: 0, z: 1, w: 0 };
      thing.spin = [0, 0, 1, 0];
      thing.frame = 4;
      thing.name = "b";
    });
    const shown = smooth(loop, thing, {
      heading: angle,
      place: vector3,
      local: vector2,
      float: vector3,
      turn: rotation,
      spin: rotation.nlerp,
      frame: hold,
      name: hold,
    });
    loop.advance(0.15);
    expect(shown.heading).toBeCloseTo(-Math.PI, 14);
    expect(shown.place).toEqual({ x: 0, y: 0, z: 2 });
    expect(shown.local).toEqual([0, 2]);
    expect(shown.float).toEqual([0, 0, 2]);
    expect(shown.turn.z).toBeCloseTo(half, 15);
    expect(shown.spin[3]).toBeCloseTo(half, 15);
    // Held values change only when alpha is 1.
    expect([shown.frame, shown.name]).toEqual([3, "a"]);
    loop.runSteps();
    expect([shown.frame, shown.name, shown.place.z]).toEqual([4, "b", 4]);
  });

  test("is shown in its current state at alpha 1", () => {
    const ship = { x: 0, frame: 0 };
    const listeners = new Map<string, (info: never) => void>();
    const on = (event: string, listener: (info: never) => void) => {
      listeners.set(event, listener);
      return () => {};
    };
    const shown = smooth({ on } as unknown as Loop, ship, { x: scalar, frame: hold });
    listeners.get("enterStep")!({ dt: 0.1 } as never);
    Object.assign(ship, { x: 0.1, frame: 1 });
    listeners.get("leaveStep")!({ dt: 0.1 } as never);
    listeners.get("beforeRender")!({ alpha: 1 } as never);
    expect(shown).toEqual({ x: 0.1, frame: 1 });
  });
});

describe("teleport", () => {
  test("a field written outside a step is shown at once, while others are blended", () => {
    const { loop, ship, shown } = flight();
    loop.advance(0.15);
    ship.y = 100;
    loop.advance(0.02);
    expect(shown).toEqual({ x: 7, y: 100 });
    ship.x = 1000;
    loop.advance(0);
    expect(shown.x).toBe(1000);
    loop.advance(0.08);
    // Blended from the new position.
    expect([ship.x, shown.x]).toEqual([1010, 1005]);
  });

  test("a held value written outside a step is shown at once", () => {
    const door = { open: false, y: 0 };
    const loop = looped(() => void (door.y += 10));
    const shown = smooth(loop, door, { open: hold, y: scalar });
    loop.advance(0.15);
    door.open = true;
    loop.advance(0);
    expect(shown).toEqual({ open: true, y: 5 });
  });

  test.each(["beforeStep", "afterStep"] as const)("a %s listener runs outside the step", (event) => {
    const { loop, ship, shown } = flight();
    loop.advance(0.1);
    loop.on(event, () => void (ship.x = 1000));
    loop.advance(0.15);
    expect(shown.x).toBe(event === "beforeStep" ? 1005 : 1000);
  });

  test("a step must call teleport", () => {
    const ship = { x: 0, y: 0 };
    const loop = looped(({ tick }) => {
      ship.y += 2;
      ship.x += 10;
      if (tick !== 1) return;
      teleport(ship);
      ship.x = 1000;
    });
    const shown = smooth(loop, ship, { x: scalar, y: scalar });
    loop.advance(0.15);
    expect(shown).toEqual({ x: 5, y: 1 });
    loop.advance(0.1);
    expect(shown).toEqual({ x: 1000, y: 4 });
    loop.advance(0.1);
    expect(shown).toEqual({ x: 1005, y: 5 });
  });

  test("outside a step, teleport ends the blending of all fields", () => {
    const { loop, ship, shown } = flight();
    loop.advance(0.15);
    teleport(ship);
    loop.advance(0);
    expect(shown.x).toBe(10);
    loop.advance(0.1);
    expect(shown.x).toBe(15);
  });

  test("a change of a teleportOnChange field is a teleport, in a step and outside", () => {
    const camera = { x: 0, shot: "near" };
    const loop = looped(({ tick }) => {
      camera.x += 10;
      if (tick === 1) Object.assign(camera, { x: 500, shot: "far" });
    });
    const shown = smooth(loop, camera, { x: scalar, shot: teleportOnChange });
    loop.advance(0.15);
    expect(shown).toEqual({ x: 5, shot: "near" });
    loop.advance(0.1);
    expect(shown).toEqual({ x: 500, shot: "far" });
    loop.advance(0.1);
    expect(shown.x).toBe(505);
    camera.shot = "near";
    loop.advance(0);
    expect(shown).toEqual({ x: 510, shot: "near" });
  });

  test("ignores objects that have no view", () => {
    expect(() => teleport({})).not.toThrow();
  });
});

describe("shift", () => {
  test("moves both states outside a step, so that the motion continues", () => {
    const { loop, ship, shown } = flight();
    loop.advance(0.15);
    shift(ship, { x: 1000 });
    expect(ship.x).toBe(1010);
    loop.advance(0);
    expect(shown.x).toBe(1005);
    loop.advance(0.025);
    expect(shown.x).toBe(1007.5);
  });

  test("moves an object through a portal in a step", () => {
    const ball = { place: { x: 0, y: 0 } };
    const loop = looped(() => {
      ball.place.x += 10;
      if (ball.place.x >= 30) shift(ball, { place: { x: -30 } });
    });
    const shown = smooth(loop, ball, { place: vector2 });
    const seen: number[] = [];
    for (let i = 0; i < 8; i++) {
      loop.advance(0.05);
      seen.push(shown.place.x);
    }
    expect(seen).toEqual([0, 0, 5, 10, 15, -10, -5, 0]);
  });

  test("is not a teleport, even if a vector stores few digits", () => {
    const ball = { place: Float32Array.of(0.1, 0, 0) };
    const loop = looped(() => void (ball.place[0]! += 0.1));
    const shown = smooth(loop, ball, { place: vector3 });
    loop.advance(0.15);
    shift(ball, { place: [100.3, 0, 0] });
    loop.advance(0);
    expect(shown.place[0]).toBeCloseTo(100.45, 4);
  });

  test("shows fields that were written after the step as they are", () => {
    const { loop, ship, shown } = flight();
    loop.advance(0.15);
    ship.x = 300;
    shift(ship, { x: 1000 });
    loop.advance(0);
    expect(shown.x).toBe(1300);
  });

  test("moves an object that has no view yet", () => {
    const crate = { x: 1 };
    shift(crate, { x: 2 });
    expect(crate.x).toBe(3);
  });

  test("rejects rotations, and then moves nothing", () => {
    const thing = { x: 0, turn: [0, 0, 0, 1] };
    smooth(
      looped(() => {}),
      thing,
      { x: scalar, turn: rotation },
    );
    expect(() => shift(thing, { x: 5, turn: [0, 0, 0, 1] })).toThrow(
      "shift: turn is a rotation field, which cannot be shifted. Call teleport(object) instead.",
    );
    expect(thing.x).toBe(0);
  });
});

describe("with a loop", () => {
  test("shows the state that a failed step left behind, and blends from it", () => {
    const ship = { x: 0 };
    let isBroken = true;
    const loop = looped(({ tick }) => {
      ship.x += 10;
      if (tick === 1 && isBroken) throw new Error("broken");
      ship.x += 10;
    });
    const shown = smooth(loop, ship, { x: scalar });
    loop.advance(0.15);
    expect(shown.x).toBe(10);
    expect(() => loop.advance(0.1)).toThrow("broken");
    loop.pause();
    loop.advance(0.01);
    expect([ship.x, shown.x]).toEqual([30, 30]);
    // The step is still owed.
    isBroken = false;
    loop.resume();
    loop.advance(0);
    expect([ship.x, shown.x]).toEqual([50, 40]);
  });

  test("follows alpha after runSteps", () => {
    const { loop, shown } = flight();
    loop.advance(0.05);
    loop.runSteps(3);
    expect(shown.x).toBe(25);
  });

  test("shows the current state after reset", () => {
    const { loop, ship, shown } = flight();
    loop.advance(0.15);
    ship.y = 7;
    loop.reset();
    loop.advance(0.05);
    expect(shown).toEqual({ x: 10, y: 7 });
    loop.advance(0.1);
    expect(shown.x).toBe(15);
  });

  test("an object smoothed by two loops is blended by the steps of each", () => {
    const ship = { x: 0 };
    const fast = looped(() => void (ship.x += 10));
    const slow = new Loop({ rate: 5 });
    const [a, b] = [smooth(fast, ship, { x: scalar }), smooth(slow, ship, { x: scalar })];
    fast.advance(0.15);
    slow.advance(0.15);
    // For the slow loop, it was written outside a step.
    expect([a.x, b.x]).toEqual([5, 10]);
    shift(ship, { x: 100 });
    fast.advance(0);
    slow.advance(0);
    expect([a.x, b.x]).toEqual([105, 110]);
  });

  test("smooth() in a step starts at the end of that step; in render, at once", () => {
    const ship = { x: 0 };
    let shown: { readonly x: number } | undefined;
    const loop = looped(({ tick }) => {
      ship.x += 10;
      if (tick === 0) shown = smooth(loop, ship, { x: scalar });
      ship.x += 10;
    });
    loop.advance(0.15);
    expect(shown!.x).toBe(20);
    loop.advance(0.1);
    expect(shown!.x).toBe(30);
  });

  test("a disposed view keeps its last values", () => {
    const { loop, ship, shown } = flight();
    loop.advance(0.15);
    dispose(shown);
    dispose(shown);
    loop.advance(0.1);
    expect([shown.x, ship.x]).toEqual([5, 20]);
    expect(trackersOf(ship)).toEqual([]);
  });

  test("an object smoothed twice has two independent views", () => {
    const { loop, ship, shown } = flight();
    const ahead = smooth(loop, ship, { x: scalar }, { ahead: extrapolate(1) });
    loop.advance(0.25);
    expect([shown.x, ahead.x]).toEqual([15, 25]);
    dispose(shown);
    shift(ship, { x: 100 });
    loop.advance(0);
    expect([shown.x, ahead.x]).toEqual([15, 125]);
  });

  test("teleport and shift reject a view", () => {
    const { shown } = flight();
    expect(() => teleport(shown)).toThrow(
      "teleport: the object is a view. Pass the object that you passed to smooth.",
    );
  });
});

describe("a list", () => {
  interface Crate {
    id: string;
    x: number;
  }
  function crates(...ids: string[]) {
    const list: Crate[] = ids.map((id, i) => ({ id, x: 100 * i }));
    const acts: ((tick: number) => void)[] = [];
    const loop = looped(({ tick }) => {
      for (const crate of list) crate.x += 10;
      for (const act of acts) act(tick);
    });
    const shown = smoothAll(loop, list, { id: hold, x: scalar });
    const seen = () => shown.map(({ id, x }) => `${id} ${x}`).join(", ");
    return { list, loop, shown, seen, acts };
  }

  test("has views in the order of its objects", () => {
    const { loop, seen } = crates("a", "b");
    expect(seen()).toBe("a 0, b 100");
    loop.advance(0.15);
    expect(seen()).toBe("a 5, b 105");
  });

  test("does not blend new objects, drops removed ones, and keeps blending reordered ones", () => {
    const { list, loop, seen, acts } = crates("a", "b", "c");
    acts.push((tick) => {
      if (tick === 1) list.push({ id: "d", x: 999 });
      if (tick === 2) list.reverse();
      if (tick === 3) list.splice(1, 2);
    });
    loop.advance(0.15);
    loop.advance(0.1);
    expect(seen()).toBe("a 15, b 115, c 215, d 999");
    loop.advance(0.1);
    expect(seen()).toBe("d 1004, c 225, b 125, a 25");
    loop.advance(0.1);
    expect(seen()).toBe("d 1014, a 35");
    list.unshift({ id: "e", x: -1 });
    loop.advance(0);
    expect(seen()).toBe("e -1, d 1014, a 35");
    list.length = 0;
    loop.advance(0);
    expect(seen()).toBe("");
  });

  test("keeps the view of an object that is reordered", () => {
    const { list, loop, shown } = crates("a", "b");
    const [a, b] = shown;
    list.reverse();
    loop.advance(0.1);
    expect(shown[0] === b && shown[1] === a).toBe(true);
  });

  test("does not blend an object that comes back", () => {
    const { list, loop, seen } = crates("a", "b");
    loop.advance(0.15);
    const [b] = list.splice(1);
    loop.advance(0.1);
    list.push(b!);
    loop.advance(0);
    expect(seen()).toBe("a 15, b 110");
  });

  test("shows the current states after reset", () => {
    const { loop, seen } = crates("a", "b");
    loop.advance(0.15);
    loop.reset();
    loop.advance(0.05);
    expect(seen()).toBe("a 10, b 110");
  });

  test("teleport and shift accept an object of the list", () => {
    const { list, loop, seen, acts } = crates("a", "b");
    acts.push(() => teleport(list[0]!));
    loop.advance(0.15);
    shift(list[1]!, { x: 1000 });
    loop.advance(0);
    expect(seen()).toBe("a 10, b 1105");
  });

  test("may be a function that returns another array each time", () => {
    let list = [{ x: 0 }, { x: 100 }];
    const loop = looped(() => {
      for (const crate of list) crate.x += 10;
      list = list.filter(({ x }) => x !== 10);
    });
    const shown = smoothAll(loop, () => list, { x: scalar });
    loop.advance(0.15);
    expect(shown).toEqual([{ x: 105 }]);
  });

  test("may contain objects of different forms", () => {
    const list = [{ place: { x: 0, y: 0 } }, { place: [0, 0] }];
    const loop = looped(() => (list[0]!.place = { x: 4, y: 0 }));
    const shown = smoothAll(loop, list, { place: vector2 });
    loop.advance(0.15);
    expect(shown).toEqual([{ place: { x: 2, y: 0 } }, { place: [0, 0] }]);
  });

  test("rejects elements that are not objects, and names the index", () => {
    const list: { x: number }[] = [{ x: 0 }, null as never];
    expect(() =>
      smoothAll(
        looped(() => {}),
        list,
        { x: scalar },
      ),
    ).toThrow("smoothAll: list[1] must be an object, got null. Try an array that contains only objects.");
  });

  test("can be disposed", () => {
    const { list, loop, shown, seen } = crates("a");
    loop.advance(0.15);
    dispose(shown);
    expect(trackersOf(list[0]!)).toEqual([]);
    list.pop();
    loop.advance(0.1);
    expect(seen()).toBe("a 5");
  });
});

describe("objects that move together", () => {
  test("a camera that follows rigidly does not jitter", () => {
    const hero = { x: 0, y: 0 };
    const camera = { x: -160, y: -90 };
    const loop = looped(({ tick }) => {
      hero.x += 3 + (tick % 3);
      hero.y += tick % 5;
      camera.x = hero.x - 160;
      camera.y = hero.y - 90;
    });
    const seen = smooth(loop, hero, { x: scalar, y: scalar });
    const from = smooth(loop, camera, { x: scalar, y: scalar });
    const gaps = new Set<string>();
    const places = new Set<number>();
    for (let i = 0; i < 500; i++) {
      loop.advance(1 / 64);
      gaps.add(`${(seen.x - from.x).toFixed(9)} ${(seen.y - from.y).toFixed(9)}`);
      places.add(seen.x);
    }
    expect([...gaps]).toEqual(["160.000000000 90.000000000"]);
    expect(places.size).toBeGreaterThan(400);
  });

  test("a hat is blended relative to its head, and not across a change of heads", () => {
    const heads = [
      { x: 0, heading: 0 },
      { x: 1000, heading: 0 },
    ];
    const hat = { up: 1, head: heads[0]! };
    const loop = looped(({ tick }) => {
      for (const head of heads) head.heading += Math.PI / 2;
      if (tick === 1) Object.assign(hat, { up: 3, head: heads[1] });
    });
    const shownHeads = smoothAll(loop, heads, { x: scalar, heading: angle });
    const shownHat = smooth(loop, hat, { up: scalar, head: teleportOnChange });
    const place = () => {
      const head = shownHeads[heads.indexOf(shownHat.head)]!;
      return [head.x + shownHat.up * Math.cos(head.heading), shownHat.up * Math.sin(head.heading)];
    };
    loop.advance(0.15);
    // On the circle around the head, not on the chord.
    expect(Math.hypot(...place())).toBeCloseTo(1, 14);
    loop.advance(0.1);
    const [x, y] = place();
    expect(Math.hypot(x! - 1000, y!)).toBeCloseTo(3, 12);
  });
});

describe("unknown options", () => {
  test("are rejected", () => {
    const loop = new Loop({ rate: 10 });
    const ship = { x: 0 };
    expect(() => smooth(loop, ship, { x: scalar }, { extrapolate: 1 } as never)).toThrow(
      'smooth: unknown option "extrapolate". Known: ahead.',
    );
    expect(() => smoothAll(loop, [ship], { x: scalar }, { ahed: extrapolate(1) } as never)).toThrow(
      'smoothAll: unknown option "ahed". Did you mean "ahead"?',
    );
    expect(() => smooth(loop, ship, { x: scalar }, { ahead: 1 as never })).toThrow(
      "smooth: ahead must be what extrapolate returns, got 1. Try extrapolate(1).",
    );
    expect(() => smooth(loop, ship, { x: scalar }, { count: () => 1 } as never)).toThrow(
      expect.objectContaining({ code: "unknown-option", call: "smooth" }),
    );
  });
});

test("rejects values that are not loops, sessions too", () => {
  const game = simulation({ name: "s", version: 1, rate: 10, state: layout({ x: f64 }), step() {} });
  const fields = { x: scalar };
  for (const [loop, message] of [
    [undefined, "must be a Loop or a Beat, got undefined. Try new Loop({ rate: 60 })."],
    ["loop", 'must be a Loop or a Beat, got "loop". Try new Loop({ rate: 60 }).'],
    [
      localSession(game),
      "must be a Loop or a Beat, got a LocalSession. Try drive(session).loop, or session.view(alpha), which is smooth already.",
    ],
  ] as const) {
    expect(() => smooth(loop as never, { x: 0 }, fields)).toThrow(
      errorWith("bad-value", `smooth: loop ${message}`),
    );
    expect(() => smoothAll(loop as never, [{ x: 0 }], fields)).toThrow(
      errorWith("bad-value", `smoothAll: loop ${message}`),
    );
  }
});
