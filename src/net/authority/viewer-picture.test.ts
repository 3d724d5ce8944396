import { describe, expect, test } from "vitest";
import { f64, layout, quat, skipBlend, table, u32, vec2, type State } from "../../state/index.js";
import { ViewerPicture } from "./viewer-picture.js";

const Scene = layout({
  step: u32,
  boxes: table(4, { x: f64.lerp, angle: f64.angle, turn: quat.slerp, at: vec2.lerp }),
  cars: table(2, { x: f64.hermite("v"), v: f64 }),
});
type World = State<(typeof Scene)["fields"]>["world"];

/** A picture, and states that are written into it. */
class Gallery {
  readonly state = Scene.allocate(ViewerPicture.snapshots);
  readonly picture: ViewerPicture<(typeof Scene)["fields"]>;

  constructor(smoothing: object | false = {}) {
    this.picture = new ViewerPicture(this.state, smoothing);
  }

  /** Adds the state of a time, in milliseconds. */
  add(time: number, write: (world: World) => void): void {
    write(this.state.world);
    this.state.world.step += 1;
    this.state.save(this.picture.add(time));
  }

  draw(time: number, ticks = 1): World {
    return this.picture.draw(time, ticks);
  }
}

/** A box and a car that move by 1 per 50 ms. */
function moving(smoothing?: object | false): Gallery {
  const gallery = new Gallery(smoothing);
  gallery.add(0, ({ boxes, cars }) => {
    boxes.add({ turn: [0, 0, 0, 1] });
    cars.add({ v: 20 });
  });
  gallery.add(50, ({ boxes, cars }) => {
    boxes.x[0] = boxes.at[0] = cars.x[0] = 1;
    boxes.angle[0] = 0.1;
    boxes.turn.set([0, 0, Math.sin(0.05), Math.cos(0.05)]);
  });
  return gallery;
}

const turnOf = ({ boxes }: World): number => 2 * Math.atan2(boxes.turn[2]!, boxes.turn[3]!);

describe("between two states", () => {
  test("blends by the marks, whatever the time between the two", () => {
    const gallery = moving();
    gallery.add(250, ({ boxes, cars }) => {
      boxes.x[0] = cars.x[0] = 5;
    });
    expect(gallery.draw(25).boxes.x[0]).toBe(0.5);
    const view = gallery.draw(150);
    expect([view.boxes.x[0], view.step]).toEqual([3, 2]);
    // Even motion, as the velocities at both ends are those of the way between them.
    expect(view.cars.x[0]).toBeCloseTo(3, 12);
  });

  test("shows the first state until its time has come", () => {
    const gallery = moving();
    expect(gallery.draw(-100).boxes.x[0]).toBe(0);
  });

  test("shows rows from the state on that has them", () => {
    const gallery = moving();
    gallery.add(100, ({ boxes }) => void boxes.add({ x: 70 }));
    expect(gallery.draw(75).boxes.count).toBe(1);
    const view = gallery.draw(100);
    expect([view.boxes.count, view.boxes.x[1]]).toEqual([2, 70]);
  });

  test("stays as it is without a state", () => {
    const gallery = new Gallery();
    expect([gallery.draw(0).step, gallery.draw(100).boxes.count]).toEqual([0, 0]);
    const other = moving();
    other.draw(25);
    other.picture.clear();
    expect([other.picture.count, other.draw(1000).boxes.x[0]]).toEqual([0, 0.5]);
  });
});

describe("after the newest state", () => {
  test("goes on as before, by velocities where they are known, then holds", () => {
    const gallery = moving();
    gallery.state.world.cars.v[0] = 40;
    gallery.add(100, ({ boxes, cars }) => {
      boxes.x[0] = boxes.at[0] = cars.x[0] = 2;
      boxes.angle[0] = 0.2;
      boxes.turn.set([0, 0, Math.sin(0.1), Math.cos(0.1)]);
    });
    const view = gallery.draw(200);
    expect(view.boxes.x[0]).toBeCloseTo(4, 12);
    expect(view.boxes.at[0]).toBeCloseTo(4, 12);
    expect(view.boxes.angle[0]).toBeCloseTo(0.4, 12);
    expect(turnOf(view)).toBeCloseTo(0.4, 9);
    expect(view.cars.x[0]).toBeCloseTo(6, 12);
    for (const time of [350, 400, 10_000]) {
      gallery.draw(time);
      expect(view.boxes.x[0]).toBeCloseTo(7, 12);
      expect(view.cars.x[0]).toBeCloseTo(12, 12);
      expect(turnOf(view)).toBeCloseTo(0.7, 9);
    }
  });

  test("takes the short way round, and never more than half a turn", () => {
    const gallery = moving();
    gallery.add(100, ({ boxes }) => {
      boxes.angle[0] = 0.1 + 2 * Math.PI - 3;
      boxes.turn.set([0, 0, Math.sin(-1.45), Math.cos(-1.45)]);
    });
    const view = gallery.draw(100 + 250);
    expect(view.boxes.angle[0]).toBeCloseTo(0.1 + 2 * Math.PI - 3 - 0.9 * Math.PI, 9);
    expect(Math.cos(turnOf(view))).toBeCloseTo(Math.cos(2.9 + 0.9 * Math.PI), 9);
  });

  test("holds rows that are new or were moved on purpose", () => {
    const gallery = moving();
    gallery.add(100, ({ boxes }) => {
      boxes.x[0] = 50;
      skipBlend(boxes, 0);
      boxes.add({ x: 70, turn: [0, 0, 0, 1] });
    });
    const view = gallery.draw(200);
    expect([view.boxes.x[0], view.boxes.x[1]]).toEqual([50, 70]);
  });

  test("holds a single state, unless it has velocities", () => {
    const gallery = new Gallery();
    gallery.add(0, ({ boxes, cars }) => {
      boxes.add({ x: 3, turn: [0, 0, 0, 1] });
      cars.add({ x: 3, v: 10 });
    });
    const view = gallery.draw(100);
    expect([view.boxes.x[0], view.cars.x[0]]).toEqual([3, 4]);
  });
});

describe("when states arrive again", () => {
  test("goes on where it was, and the error fades", () => {
    const gallery = moving();
    const view = gallery.draw(150);
    expect(view.boxes.x[0]).toBeCloseTo(3, 12);
    // It has stopped in the meantime, at 1.
    gallery.add(100, () => {});
    gallery.add(300, () => {});
    let last = 3;
    gallery.draw(150);
    expect(view.boxes.x[0]).toBeCloseTo(3, 12);
    for (let i = 1; i < 120; i++) {
      gallery.draw(150 + i);
      const moved = last - view.boxes.x[0]!;
      expect(moved).toBeGreaterThanOrEqual(0);
      expect(moved).toBeLessThanOrEqual(0.15 * (last - 1) + 1e-9);
      last = view.boxes.x[0]!;
    }
    expect(last).toBeCloseTo(1, 2);
  });

  test("shows what is right at once without smoothing", () => {
    const gallery = moving(false);
    gallery.draw(150);
    gallery.add(100, () => {});
    gallery.add(300, () => {});
    expect(gallery.draw(151).boxes.x[0]).toBe(1);
  });

  test("goes on extrapolating from a newer state without a jump", () => {
    const gallery = moving();
    gallery.draw(200);
    gallery.add(100, ({ boxes }) => (boxes.x[0] = 1.5));
    // Without the error, it would be 2.5 now.
    expect(gallery.draw(200, 0).boxes.x[0]).toBeCloseTo(4, 12);
  });
});

test("leaves states out if there are too many, but neither those that are shown nor the newest", () => {
  const gallery = moving();
  for (let i = 2; i < 200; i++) gallery.add(50 * i, ({ boxes }) => (boxes.x[0] = i));
  expect(gallery.picture.count).toBe(32);
  expect(gallery.draw(25).boxes.x[0]).toBe(0.5);
  for (let time = 25; time <= 199 * 50; time += 125)
    expect(gallery.draw(time).boxes.x[0]).toBeCloseTo(time / 50, 9);
  expect(gallery.draw(199 * 50).boxes.x[0]).toBe(199);
  expect(gallery.picture.count).toBe(2);
});
