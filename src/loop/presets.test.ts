import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { server } from "./presets.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("a game that is an instance of a class works too", () => {
  class Game {
    readonly #ticks: number[] = [];
    player = "Ada";
    step({ tick }: { readonly tick: number }) {
      this.#ticks.push(tick);
    }
    get count() {
      return this.#ticks.length;
    }
  }
  const game = new Game();
  const loop = server(game);
  vi.advanceTimersByTime(500);
  loop.stop();
  expect(game.count).toBeGreaterThan(25);
});

test("options override those of the preset, and unknown ones are rejected", () => {
  const loop = server({ rate: 30 });
  expect(loop.rate).toEqual([30, 1]);
  loop.stop();
  expect(() => server({ rat: 30 } as never)).toThrow('Loop: unknown option "rat". Did you mean "rate"?');
  expect(() => server(5 as never)).toThrow("preset: options must be an object, got 5");
});
