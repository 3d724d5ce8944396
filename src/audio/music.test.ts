import { describe, expect, test } from "vitest";
import { AudioDevice } from "../../test/shared/audio-device.js";
import { timeScale } from "../index.js";
import { manualLoop } from "../testing/index.js";
import { audioClock, playMusic, type MusicOptions } from "./index.js";

/** What a source was told. */
interface Source {
  at: number;
  offset: number;
  rates: number[];
  stopAt: number;
}

/** A sound card with sources that only remember what they were told. */
class Studio extends AudioDevice {
  readonly sources: Source[] = [];
  readonly destination = node() as AudioNode;

  createGain(): GainNode {
    const gain = { setValueAtTime() {}, linearRampToValueAtTime() {} };
    return { ...node(), gain } as unknown as GainNode;
  }

  createBufferSource(): AudioBufferSourceNode {
    const source: Source = { at: NaN, offset: NaN, rates: [], stopAt: Infinity };
    this.sources.push(source);
    return {
      ...node(),
      playbackRate: { value: 1, setValueAtTime: (rate: number) => void source.rates.push(rate) },
      start: (at: number, offset: number) => Object.assign(source, { at, offset }),
      stop: (at = 0) => Object.assign(source, { stopAt: at }),
    } as unknown as AudioBufferSourceNode;
  }
}
function node() {
  return { connect: (to: unknown) => to, disconnect() {} } as object;
}

/** A loop with music of ten seconds, which begins after half a second. */
function setUp(options: MusicOptions = {}, drift = 0) {
  const loop = manualLoop({ rate: 60 });
  const studio = new Studio(() => loop.driver.time, { output: "chromium", drift });
  const clock = audioClock(studio, loop, { delay: 0.05 });
  const music = playMusic(clock, { duration: 10 } as AudioBuffer, { at: 0.5, ...options });
  const run = (seconds: number) => loop.driver.display(60, seconds);
  const hide = () => loop.emit("driver", { kind: "hidden", reason: "" });
  return { studio, loop, clock, music, run, hide, sources: studio.sources };
}

test("is scheduled before it begins, and once", () => {
  const { run, sources, music, clock } = setUp();
  run(0.3);
  expect([sources.length, music.isPlaying]).toEqual([0, false]);
  run(0.15);
  expect([sources.length, music.isPlaying]).toEqual([1, true]);
  expect(sources[0]!.offset).toBe(0);
  expect(Math.abs(sources[0]!.at - clock.timeOfShown(0.5))).toBeLessThan(0.001);
  run(5);
  expect([sources.length, music.jumps, sources[0]!.rates]).toEqual([1, 0, []]);
});

test("is scheduled again if the game is paused before it begins", () => {
  const { run, sources, loop } = setUp();
  run(0.45);
  loop.pause();
  expect(sources[0]!.stopAt).toBeLessThanOrEqual(sources[0]!.at);
  run(1);
  loop.resume();
  run(1);
  expect([sources.length, sources[1]!.offset, sources[1]!.stopAt]).toEqual([2, 0, Infinity]);
  expect(sources[1]!.at).toBeGreaterThan(1.4);
});

test("begins at once without `at`, as soon as the context runs", () => {
  const { run, sources, studio, music } = setUp({ at: undefined });
  studio.suspend();
  run(1);
  expect(sources).toEqual([]);
  studio.resume();
  run(5);
  // The clock was not exact yet. That is no reason to correct the music.
  expect([sources.length, sources[0]!.offset, sources[0]!.rates]).toEqual([1, 0, []]);
  expect(Math.abs(music.error)).toBeLessThan(0.001);
});

describe("is silent", () => {
  test.each<[string, (game: ReturnType<typeof setUp>) => void]>([
    ["while the loop is paused", ({ loop }) => loop.pause()],
    ["after the loop was stopped", ({ loop }) => loop.stop()],
    ["while the page is hidden", ({ hide }) => hide()],
    ["after it was disposed", ({ music }) => music.dispose()],
  ])("%s", (_, act) => {
    const game = setUp();
    game.run(2);
    act(game);
    expect(game.music.isPlaying).toBe(false);
    const { stopAt } = game.sources[0]!;
    // It fades out, a little ahead.
    expect(stopAt - game.studio.currentTime).toBeGreaterThan(0.05);
    expect(stopAt - game.studio.currentTime).toBeLessThan(0.07);
  });

  test("in a hit-stop, or it goes on if it ignores slow motion", () => {
    for (const slowMotion of ["bend", "keep"] as const) {
      const { run, loop, music } = setUp({ slowMotion });
      run(2);
      timeScale(loop).set(0);
      run(0.2);
      expect(music.isPlaying).toBe(slowMotion === "keep");
    }
  });

  test("after its end, unless it repeats", () => {
    const once = setUp({ repeat: false });
    once.run(12);
    expect([once.music.isPlaying, once.sources.length]).toEqual([false, 1]);
    const again = setUp();
    again.run(12);
    expect([again.music.isPlaying, again.sources.length]).toEqual([true, 1]);
    // A position in the second repetition.
    again.loop.pause();
    again.loop.resume();
    again.run(0.1);
    expect(again.sources[1]!.offset).toBeLessThan(2);
  });
});

test("comes back at the right position", () => {
  const { run, loop, sources, clock } = setUp();
  run(2);
  loop.pause();
  run(3);
  loop.resume();
  run(1);
  expect(sources).toHaveLength(2);
  expect(sources[1]!.offset).toBeCloseTo(clock.shownAt(sources[1]!.at) - 0.5, 3);
});

test("follows a sound card that drifts, by small changes of its rate", () => {
  const { run, sources, music } = setUp({}, 150e-6);
  const errors: number[] = [];
  for (let second = 0; second < 180; second++) {
    run(1);
    errors.push(Math.abs(music.error));
  }
  // At the first change, another source takes over at the same position.
  expect([sources.length, music.jumps, sources[0]!.rates]).toEqual([2, 0, []]);
  // After three minutes, it would be off by 27 ms.
  expect(Math.max(...errors)).toBeLessThan(0.0045);
  for (const rate of sources[1]!.rates) expect(Math.abs(rate - 1)).toBeLessThanOrEqual(0.0051);
  expect(sources[1]!.rates.length).toBeGreaterThan(2);
});

test("a disposed one no longer follows", () => {
  const { run, music, sources } = setUp();
  run(1);
  music.dispose();
  run(1);
  expect([sources.length, music.isPlaying]).toEqual([1, false]);
});
