// Random use of smoothAll, compared with a simple model.
import fc from "fast-check";
import { expect, test } from "vitest";
import { Loop } from "../index.js";
import { extrapolate, lerp, scalar, shift, smoothAll, teleport } from "./index.js";

interface Crate {
  x: number;
}
/** The model of a crate: its states, and whether it was in the list when the last step began and ended. */
interface Memory {
  previous: number;
  current: number;
  /** Both states, extrapolated. */
  before: number;
  after: number;
  entered: boolean;
  left: boolean;
}

const LIST_CHANGES = ["spawn", "remove", "return", "reverse"] as const;
const act = fc.record({
  what: fc.constantFrom("write", "teleport", "shift", ...LIST_CHANGES),
  which: fc.nat(9),
  by: fc.integer({ min: -64, max: 64 }),
});
const frame = fc.record({
  outside: fc.array(act, { maxLength: 3 }),
  inside: fc.array(act, { maxLength: 3 }),
  /** In quarters of a step, so that all results are exact. */
  quarters: fc.nat(11),
});

class Model {
  readonly list: Crate[] = [{ x: 0 }, { x: 256 }];
  readonly removed: Crate[] = [];
  readonly #memories = new Map<Crate, Memory>();
  #isInStep = false;
  /** The list as it was read last: when a step began, or a frame was drawn. */
  #known: readonly Crate[] = [];

  memory(crate: Crate): Memory {
    const known = this.#memories.get(crate);
    const memory = known ?? { previous: 0, current: 0, before: 0, after: 0, entered: false, left: false };
    this.#memories.set(crate, memory);
    return memory;
  }

  act({ what, which, by }: { what: string; which: number; by: number }): void {
    const { list, removed } = this;
    if (what === "spawn") list.push({ x: by });
    if (what === "reverse") list.reverse();
    if (what === "return" && removed.length > 0) list.unshift(removed.pop()!);
    const crate = list[which % list.length];
    if (!crate) return;
    const memory = this.memory(crate);
    if (what === "write") crate.x += by;
    if (what === "remove") removed.push(...list.splice(which % list.length, 1));
    if (what === "teleport") {
      teleport(crate);
      memory.entered = memory.left = false;
    }
    if (what === "shift") {
      if (this.#isInStep ? memory.entered : memory.left && crate.x === memory.current) {
        for (const state of ["previous", "current", "before", "after"] as const) memory[state] += by;
      }
      shift(crate, { x: by });
    }
  }

  enter(): void {
    this.#isInStep = true;
    for (const memory of this.#memories.values()) memory.entered = false;
    this.#known = [...this.list];
    for (const crate of this.list) {
      const memory = this.memory(crate);
      const isKnown = memory.left && crate.x === memory.current;
      Object.assign(memory, { previous: crate.x, before: isKnown ? memory.after : crate.x, entered: true });
    }
  }

  leave(): void {
    this.#isInStep = false;
    for (const memory of this.#memories.values()) memory.left = false;
    for (const crate of this.#known) {
      const memory = this.memory(crate);
      if (!memory.entered) memory.previous = memory.before = crate.x;
      Object.assign(memory, { current: crate.x, after: 2 * crate.x - memory.previous, left: true });
    }
  }

  /** Returns what a view shows, and what an extrapolated one shows. */
  shown(alpha: number): [straight: number[], ahead: number[]] {
    this.#known = [...this.list];
    const memories = this.list.map((crate) => {
      const memory = this.memory(crate);
      const { x } = crate;
      if (!memory.left) Object.assign(memory, { previous: x, current: x, before: x, after: x, left: true });
      return { ...memory, x };
    });
    return [
      memories.map(({ x, previous, current }) => (x === current ? lerp(previous, current, alpha) : x)),
      memories.map(({ x, before, after, current }) => (x === current ? lerp(before, after, alpha) : x)),
    ];
  }
}

test("shows what the model predicts for any adds, removals, moves, writes, teleports and shifts", () => {
  fc.assert(
    fc.property(fc.array(frame, { maxLength: 12 }), (frames) => {
      const model = new Model();
      let inside: (typeof frames)[number]["inside"] = [];
      const loop = new Loop({
        rate: 4,
        maxFrameTime: 4,
        step() {
          for (const crate of model.list) crate.x += 16;
          for (const one of inside) model.act(one);
        },
      });
      loop.on("enterStep", () => model.enter());
      loop.on("leaveStep", () => model.leave());
      const views = smoothAll(loop, model.list, { x: scalar });
      const ahead = smoothAll(loop, model.list, { x: scalar }, { ahead: extrapolate(1) });
      model.shown(1);
      for (const { outside, inside: acts, quarters } of frames) {
        for (const one of outside) model.act(one);
        inside = acts;
        loop.advance(quarters / 16);
        expect([views, ahead].map((shown) => shown.map(({ x }) => x))).toEqual(model.shown(loop.alpha));
      }
    }),
    { numRuns: 1000 },
  );
});
