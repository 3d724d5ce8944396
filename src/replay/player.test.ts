import { describe, expect, test } from "vitest";
import { errorWith } from "../../test/error-with.js";
import { ALL_SCENES } from "../../scenes/index.js";
import { inputsOf } from "../../scenes/scene.js";
import { duel, duelSession, fidgets } from "../../test/replay/duel.js";
import { Loop, timeScale } from "../index.js";
import { localSession, simulation } from "../sim/index.js";
import { layout, u32 } from "../state/index.js";
import { playReplay, readReplay, record, replayPlayer, type RecordOptions } from "./index.js";

const textOf = (session: { hash(): readonly [number, number] }) => session.hash().join();

/** Returns a recording, and the hash of every state. */
function recorded(ticks = 400, options: RecordOptions = { keyframes: 1 }) {
  const session = duelSession();
  const recorder = record(session, options);
  const hashes = [textOf(session)];
  for (let i = 0; i < ticks; i++) {
    session.advance();
    hashes.push(textOf(session));
  }
  return { game: session.simulation, replay: readReplay(recorder.bytes()), hashes };
}

describe("a replay player", () => {
  test.each(ALL_SCENES)("replays %s exactly", (_, scene) => {
    const session = localSession(scene.simulation, { seed: "scene", inputs: inputsOf(scene) });
    const recorder = record(session, { keyframes: 2 });
    session.skip(400);
    const player = replayPlayer(scene.simulation, readReplay(recorder.bytes()));
    for (let i = 0; i < 400; i++) player.advance();
    expect(textOf(player)).toBe(textOf(session));
    expect(player.divergence).toBeUndefined();
  });

  test("stops at the end of the recording, and shows its last state", () => {
    const { game, replay, hashes } = recorded(50);
    const player = replayPlayer(game, replay);
    for (let i = 0; i < 60; i++) player.advance();
    expect([player.tick, player.ended, textOf(player)]).toEqual([50, true, hashes[50]]);
    expect(player.view(0.3).at.x[0]).toBe(player.world.at.x[0]);
  });

  test.each([
    ["keyframes of the file", { keyframes: 1 }],
    ["no keyframes", { keyframes: 0 }],
    ["rare keyframes", { keyframes: 100 }],
  ])("seeks in both directions with %s, and reaches the recorded state", (_, options) => {
    const { game, replay, hashes } = recorded(1500, options);
    const player = replayPlayer(game, replay);
    let at = 1;
    for (let i = 0; i < 60; i++) {
      at = (at * 7919 + i) % 1501;
      player.seek(at);
      expect([player.tick, textOf(player)]).toEqual([at, hashes[at]]);
      expect(player.view(0.5).at.x[0]).toBe(player.world.at.x[0]);
      if (i % 3 === 0) player.advance();
      expect(textOf(player)).toBe(hashes[player.tick]);
    }
  });

  test("a seek takes no more steps than lie between two keyframes", () => {
    let steps = 0;
    const game = duel({ change: () => steps++ });
    const session = duelSession(1, game);
    const recorder = record(session, { keyframes: 2 });
    session.skip(3000);
    const player = replayPlayer(game, readReplay(recorder.bytes()));
    for (let i = 0; i < 200; i++) {
      steps = 0;
      player.seek((i * 1237) % 3001);
      expect(steps).toBeLessThan(120);
    }
  });

  test("steps tick by tick in both directions", () => {
    const { game, replay, hashes } = recorded(200);
    const player = replayPlayer(game, replay);
    player.seek(130);
    for (const way of [1, 1, -1, -1, -1, -1, 1]) {
      player.seek(player.tick + way);
      expect(textOf(player)).toBe(hashes[player.tick]);
    }
    expect(player.tick).toBe(129);
  });

  test.each([1, 3, 2.5, 90])("rewinds across keyframes by %f ticks per move", (speed) => {
    const { game, replay, hashes } = recorded(1700, { keyframes: 5 });
    const player = replayPlayer(game, replay);
    player.seek(1700);
    player.rewind(speed);
    expect(player.rewinding).toBe(true);
    let before = player.view(1).at.x[0]!;
    for (let moves = 1; player.tick > 0; moves++) {
      player.advance();
      // Extending the history loses a fraction of a tick.
      const slack = speed % 1 === 0 ? 0.5 : 5;
      expect(Math.abs(player.tick - Math.max(0, 1700 - speed * moves))).toBeLessThan(slack);
      expect(textOf(player)).toBe(hashes[player.tick]);
      // No jump: each move starts where the one before it ended.
      expect(player.view(0).at.x[0]).toBeCloseTo(before, 1);
      before = player.view(1).at.x[0]!;
    }
    player.endRewind();
    for (let i = 0; i < 10; i++) player.advance();
    expect([player.tick, textOf(player)]).toEqual([10, hashes[10]]);
  });

  test("rewinds by more ticks per move than its history holds", () => {
    const { game, replay, hashes } = recorded(3000, { keyframes: 5 });
    const player = replayPlayer(game, replay);
    player.seek(3000);
    player.rewind(1234);
    const ticks = Array.from({ length: 4 }, () => {
      player.advance();
      expect(textOf(player)).toBe(hashes[player.tick]);
      return player.tick;
    });
    expect(ticks).toEqual([1766, 532, 0, 0]);
  });

  test("after takeOver, new inputs are used, and held buttons are released", () => {
    const { game, replay, hashes } = recorded(200);
    const player = replayPlayer(game, replay);
    player.seek(80);
    player.takeOver(undefined);
    expect(player.live).toBe(true);
    const straight = localSession(game);
    straight.load(player.bytes());
    for (let i = 0; i < 300; i++) player.advance();
    straight.skip(300);
    expect([player.tick, player.ended, textOf(player)]).toEqual([380, false, textOf(straight)]);
    player.seek(90);
    expect([player.live, textOf(player)]).toEqual([false, hashes[90]]);
    player.takeOver(fidgets(1));
    for (let i = 0; i < 20; i++) player.advance();
    // The new inputs equal the recorded ones.
    expect(textOf(player)).toBe(hashes[110]);
  });

  test("runs in a loop like any session: paused, and at any speed", () => {
    const { game, replay } = recorded(300);
    const player = replayPlayer(game, replay);
    const shown: string[] = [];
    player.on("effect", ({ tick }) => shown.push(`${tick}`));
    const loop = new Loop({
      rate: game.rate,
      step: () => player.advance(),
      render: ({ alpha }) => player.view(alpha),
    });
    timeScale(loop).set(2);
    loop.advance(0.25);
    expect(player.tick).toBe(30);
    timeScale(loop).set(0.5);
    loop.advance(0.25);
    expect(player.tick).toBe(37);
    loop.pause();
    loop.advance(0.25);
    expect(player.tick).toBe(37);
    expect(shown.length).toBeGreaterThan(0);
    expect(new Set(shown).size).toBe(shown.length);
  });

  test.each([
    ["forward", 40],
    ["to a keyframe", 130],
    ["back", 5],
  ])("a seek discards an effect that was not shown yet: %s", (_, to) => {
    const game = simulation({
      name: "bang",
      version: 1,
      rate: 60,
      state: layout({ n: u32 }),
      effects: { bang: {} },
      step: (_world, _inputs, { tick, emit }) => void (tick === 9 && emit("bang", {})),
    });
    const session = localSession(game);
    const recorder = record(session, { keyframes: 1 });
    session.skip(200);
    const player = replayPlayer(game, readReplay(recorder.bytes()));
    const told: number[] = [];
    player.on("effect", ({ tick }) => told.push(tick));
    for (let i = 0; i < 10; i++) player.advance();
    player.view(0.5);
    player.seek(to);
    player.view(1);
    expect(told).toEqual([]);
  });

  test("reports the first checkpoint at which another build diverges, and continues", () => {
    const { replay } = recorded(300);
    const told: number[] = [];
    const other = duel({ change: (world, tick) => tick === 70 && (world.heat += 1) });
    const player = replayPlayer(other, replay, { diverged: ({ tick }) => told.push(tick) });
    for (let i = 0; i < 300; i++) player.advance();
    expect([player.tick, player.divergence, told]).toEqual([300, { tick: 120 }, [120]]);
  });

  test("the diverged callback may seek", () => {
    const { replay } = recorded(300);
    const other = duel({ change: (world, tick) => tick === 70 && (world.heat += 1) });
    for (const seek of [0, 50, 130]) {
      const player = replayPlayer(other, replay, { diverged: () => player.seek(seek) });
      while (!player.divergence) player.advance();
      expect(player.tick).toBe(seek);
    }
  });

  test("rejects ticks, simulations and values that it cannot play", () => {
    const { game, replay } = recorded(10);
    const player = replayPlayer(game, replay);
    expect(() => player.seek(11)).toThrow(
      errorWith("bad-value", "ReplayPlayer.seek: tick must be a whole number from 0 to 10, got 11."),
    );
    expect(() => player.view(2)).toThrow(
      errorWith("bad-value", "Session.view: alpha must be a number from 0 to 1, got 2."),
    );
    expect(() => replayPlayer(duel({ players: 3 }), replay)).toThrow(/^replayPlayer: .*players/);
    expect(() => replayPlayer(game, {} as never)).toThrow("replayPlayer: replay must be a replay");
    expect(() => replayPlayer(game, replay, { rewind: false }).rewind()).toThrow(
      errorWith(
        "not-ready",
        "ReplayPlayer.rewind: this player cannot rewind. Create the player with { rewind: true }.",
      ),
    );
    player.takeOver(undefined);
    expect(() => player.rewind()).toThrow(
      errorWith("not-ready", "ReplayPlayer.rewind: cannot rewind after takeOver. Call seek(tick) first."),
    );
    expect(() => replayPlayer(game, replay, { guard: true as never })).toThrow(
      errorWith("bad-value", "replayPlayer: guard must be a guard, got true"),
    );
    expect(() => playReplay(game, new Blob([]) as never)).toThrow(
      errorWith(
        "bad-value",
        "playReplay: replay must be a replay or its bytes, got a Blob. Try await readReplay(blob) first.",
      ),
    );
    expect(() => playReplay(game, Promise.resolve(replay) as never)).toThrow(
      errorWith("bad-value", "got a Promise, did you forget `await`?"),
    );
    expect(() => playReplay(game, replay, { rewind: "no" as never })).toThrow(
      errorWith("bad-value", 'playReplay: rewind must be a boolean, got "no".'),
    );
    expect(() => playReplay(game, replay, { kernels: "gpu" as never })).toThrow(
      errorWith("bad-value", "playReplay: kernels must be"),
    );
    expect(() => replayPlayer(game, replay, { rewnd: true } as never)).toThrow(
      errorWith("unknown-option", 'replayPlayer: unknown option "rewnd". Did you mean "rewind"?'),
    );
  });
});
