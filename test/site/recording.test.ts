// Recordings of displays: which files are read, and what figures do on them.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { manualLoop } from "tickwise/testing";
import { playsRecordings } from "../../site/pages/display.js";
import { readValues } from "../../lab/src/address.js";
import { FiveLoops } from "../../lab/src/five-loops/five-loops.js";
import { SETTINGS } from "../../lab/src/five-loops/settings.js";
import { readRecording } from "../../lab/src/recording/recording.js";
import { SixtyOnSixty } from "../../site/src/chapters/even-frames/model.js";
import { Race } from "../../site/src/chapters/speed/model.js";
import { CHAPTER_TEXTS } from "../../site/src/chapters/texts.js";
import type { ChapterScene } from "../../site/src/figure/chapter.js";
import { framesOf } from "../../site/src/figure/frames.js";
import { readFile } from "../../lab/src/recording/read-file.js";
import { DisplayRecorder, SECONDS } from "../../site/src/recorder/display-recorder.js";
import { trackOf, worstEnd } from "../../site/src/recorder/display-track.js";
import { ROOM, strainOf } from "../../scenes/jelly.js";
import { TwoJellies } from "../../site/src/start/model.js";

const NAMES = ["chromium_idle_1", "chromium_load2", "firefox_idle", "webkitgtk_idle"] as const;
const textOf = (name: (typeof NAMES)[number]) =>
  readFileSync(new URL(`../../scenes/traces/${name}.json`, import.meta.url), "utf8");
const recordingOf = (name: (typeof NAMES)[number]) => readRecording(textOf(name));
const stampsOf = (name: (typeof NAMES)[number]) => (JSON.parse(textOf(name)) as { T: number[] }).T;

/** Timestamps of an even display. */
const even = (hertz: number, seconds: number): number[] =>
  Array.from({ length: Math.round(hertz * seconds) + 1 }, (_, i) => (1000 * i) / hertz);
const fileOf = (content: unknown): string => JSON.stringify(content);

describe("a recording", () => {
  test("says what a display does", () => {
    const { hertz, uneven, missed, refreshes } = recordingOf("chromium_load2");
    expect([hertz, uneven.toFixed(2), missed, refreshes]).toMatchInlineSnapshot(`
      [
        "60.00 Hz",
        "0.04",
        18,
        603,
      ]
    `);
    // No even rate fits these.
    const uneasy = recordingOf("webkitgtk_idle");
    expect([uneasy.hertz, uneasy.uneven.toFixed(2), uneasy.missed]).toMatchInlineSnapshot(`
      [
        "52.35 Hz",
        "4.03",
        0,
      ]
    `);
  });

  test("finds the rate of a display, and its missed refreshes", () => {
    const T = even(59.94, 10).filter((_, i) => i % 100 !== 50);
    const { hertz, uneven, missed, refreshes } = readRecording(fileOf({ T }));
    expect([hertz, uneven < 1e-6, missed, refreshes]).toEqual(["59.94 Hz", true, 6, 599]);
  });

  test("is the same after it was saved and read again", () => {
    const recording = recordingOf("firefox_idle");
    const again = readRecording(recording.text);
    expect(again.text).toBe(recording.text);
    expect(again.frames).toEqual(recording.frames);
    expect(JSON.parse(recording.text)).toMatchObject({ format: "tickwise-trace", version: 1 });
  });

  test("has at most a minute, no doubled frames, and a bounded name", () => {
    const T = even(100, 70).flatMap((stamp, i) => (i % 10 === 0 ? [stamp, stamp + 0.01] : [stamp, stamp]));
    const { frames, text } = readRecording(fileOf({ T, ua: "x".repeat(100_000) }));
    expect(frames.length).toBe(6001);
    expect(frames.at(-1)!.stamp).toBe(60_000);
    expect(text.length).toBeLessThan(100_000);
  });

  test("repeats without a seam", () => {
    const recording = recordingOf("chromium_idle_1");
    const { length } = recording.frames;
    const stamps = Array.from({ length: 3 * length }, (_, i) => recording.frameAt(i).stamp);
    const spans = stamps.slice(1).map((stamp, i) => stamp - stamps[i]!);
    expect(Math.min(...spans)).toBeGreaterThan(16);
    expect(Math.max(...spans)).toBeLessThan(17);
    const round = recording.frames.at(-1)!.stamp - recording.frames[0]!.stamp;
    expect(stamps[length - 1]).toBe(stamps[0]! + round);
    expect(recording.stampAt(2 * length)).toBeCloseTo(stamps[2 * length]! - stamps[0]!, 6);
  });

  test.each([
    [even(60, 0.9), "it is 0.90 s long, but needs at least 1 s", "Record for a few seconds."],
    [
      [...even(60, 2), 5],
      "T[121] is 5 ms, which is before T[120] with 2000 ms",
      "Sort the timestamps, or record again.",
    ],
    [
      [-5, ...even(60, 2)],
      "T[0] is -5 ms",
      "Timestamps count from the moment the page was opened, so none is negative.",
    ],
    [
      [...even(60, 2), ...even(60, 2).map((stamp) => stamp + 40_000)],
      "no frame follows for 38.0 s after T[120]",
      "Record again, and keep the page visible.",
    ],
  ])("%# is rejected with what is wrong, the value and the fix", (T, message, fix) => {
    expect(() => readRecording(fileOf({ T }))).toThrow(expect.objectContaining({ message, fix }));
  });

  test("may have a gap after its first minute, as that is cut off", () => {
    const T = [...even(60, 59), ...even(60, 2).map((stamp) => stamp + 95_000)];
    expect(readRecording(fileOf({ T })).frames.length).toBe(59 * 60 + 1);
  });

  test("is rejected if its clock jumps: a loop would take as many steps", () => {
    const T = even(60, 2);
    const N = T.map((stamp, i) => (i === 7 ? 3e6 : stamp + 1));
    expect(() => readRecording(fileOf({ T, N }))).toThrow("N[7] is 3000000 ms, which is 2999.9 s away");
  });
});

describe("a file", () => {
  const read = (content: string, name = "my.json") => readFile(new File([content], name));

  test.each([
    ["", "“my.json” cannot be played: it is not JSON. Choose a file that “Record your display” has saved."],
    [
      "TWRP\u0001\u0000",
      "“my.json” cannot be played: it is a replay of a game. Open replays on the lab’s Game page.",
    ],
    [
      '{"version":3,"T":[]}',
      "“my.json” cannot be played: its version is 3, and this page reads version 1. Record your display again on this site.",
    ],
    [
      '{"T":[0,16,NaN]}',
      "“my.json” cannot be played: it is not JSON. Choose a file that “Record your display” has saved.",
    ],
    [" ".repeat(5e6 + 1), "“my.json” cannot be played: it is larger than 5 MB. Record a minute or less."],
    [
      `{"T":[0,${"[".repeat(1e5)}`,
      "“my.json” cannot be played: it is not JSON. Choose a file that “Record your display” has saved.",
    ],
  ])("%# is rejected in a sentence", async (content, problem) => {
    expect(await read(content)).toBe(problem);
  });

  test("that is not a file, or cannot be read, is rejected, too", async () => {
    expect(await readFile(undefined)).toBe(
      "The dropped item cannot be played: it is not a file. Choose a file that “Record your display” has saved.",
    );
    const folder = Object.assign(new File([], "folder"), { text: () => Promise.reject(new Error("no")) });
    expect(await readFile(folder)).toBe("“folder” cannot be played: it could not be read. Try again.");
    const deep = `{"T":[0,16,${"[".repeat(2e5)}${"]".repeat(2e5)}]}`;
    expect(await read(deep)).toContain("cannot be played: T[2] is not a number of milliseconds: a list.");
  });

  test.each(NAMES)("%s is played", async (name) => {
    expect(await read(textOf(name))).toHaveProperty("rate");
  });
});

describe("on a recorded display", () => {
  test.each(NAMES)("%s: a loop takes the steps of the manual driver with these timestamps", (name) => {
    const T = stampsOf(name);
    const driven = manualLoop({ rate: 60 });
    const advanced = manualLoop({ rate: 60 });
    const frames = framesOf(0, readRecording(fileOf({ T })));
    driven.driver.play([T[0]!]);
    for (const stamp of T.slice(1)) {
      driven.driver.play([stamp]);
      advanced.advance(frames.next());
      expect([advanced.tick, advanced.alpha.toFixed(6)]).toEqual([driven.tick, driven.alpha.toFixed(6)]);
    }
  });

  test("Speed: a runner is where the manual driver puts it", () => {
    const T = stampsOf("chromium_load2");
    const stamps = T.filter((stamp) => stamp - T[0]! <= 4000);
    for (const isFixed of [true, false]) {
      let x = 0;
      let before = 0;
      const loop = manualLoop({
        rate: 60,
        step({ dt }) {
          before = x;
          x += 3 * dt;
        },
      });
      loop.driver.play(stamps);
      const shown = isFixed ? before + (x - before) * loop.alpha : (stamps.length - 1) * 0.05;
      const race = new Race(isFixed, 144, recordingOf("chromium_load2"));
      race.advance(4);
      expect(race.figures()[1]!.value).toBe(`${shown.toFixed(1)} m`);
    }
  });

  test("60 on 60: odd frames with the clock, none with the display clock", () => {
    const recording = recordingOf("chromium_idle_1");
    const [broken, fixed] = [false, true].map((isFixed) => {
      const model = new SixtyOnSixty(isFixed, 0, recording);
      let odd = 0;
      let judder = 0;
      // Each time shows the frames after those of the last one.
      for (let seconds = 6; seconds <= 60; seconds += 6) {
        model.advance(seconds);
        odd += model.odd;
        judder = Math.max(judder, model.judder);
      }
      return { odd, judder };
    });
    expect(broken!.odd).toBeGreaterThan(0);
    expect(fixed!.odd).toBe(0);
    expect(fixed!.judder).toBeLessThan(broken!.judder);
  });

  test("Five loops: all lanes get the recorded frames, and a stall delays them", () => {
    const T = stampsOf("firefox_idle");
    const loops = new FiveLoops(readValues(SETTINGS, new URLSearchParams()), recordingOf("firefox_idle"));
    for (let i = 1; i <= 100; i++) {
      loops.frame();
      expect(loops.display.time).toBeCloseTo((T[i]! - T[0]!) / 1000, 9);
    }
    loops.stall();
    loops.frame();
    expect(loops.display.time).toBeCloseTo((T[101]! - T[0]!) / 1000 + 0.5, 9);
    for (const { loop } of loops.lanes)
      expect(loop.frame.timestamp).toBeCloseTo(1000 * loops.display.time, 6);
  });

  test("Start: the left jelly is whole on a 60 Hz display, and explodes on one with 30 Hz", () => {
    const strainOn = (hertz: number) => {
      const jellies = new TwoJellies(40);
      jellies.setDisplay(40, readRecording(fileOf({ T: even(hertz, 2) })));
      jellies.advance(5);
      return jellies.strain;
    };
    expect(strainOn(60)).toBeLessThan(0.4);
    expect(strainOn(30)).toBeGreaterThan(1);
  });

  test.each([15, 30, 40, 60])(
    "Start: at %i fps, both jellies are still in the room after two minutes",
    (fps) => {
      const jellies = new TwoJellies(fps);
      jellies.advance(120);
      for (const { place } of [jellies.left, jellies.right])
        for (const x of place) expect(x >= 0 && x <= ROOM).toBe(true);
      expect(strainOf(jellies.right)).toBeLessThan(0.4);
    },
  );

  test.each(CHAPTER_TEXTS.filter(playsRecordings).map(({ id, control }) => [id, control] as const))(
    "%s: the recording decides what is shown, and when",
    async (id, { initial }) => {
      const { default: scene } = (await import(`../../site/src/chapters/${id}/scene.ts`)) as {
        default: ChapterScene;
      };
      const shownOn = (name?: (typeof NAMES)[number]) => {
        const model = scene.create(false, initial, undefined, name && recordingOf(name));
        model.advance(1.5);
        const { track } = model;
        return Array.from({ length: track.frames }, (_, i) => [track.timeOf(i), ...track.pictureOf(i)]);
      };
      const shown = shownOn("firefox_idle");
      expect(shown).toEqual(shownOn("firefox_idle"));
      expect(shown).not.toEqual(shownOn());
      expect(shown).not.toEqual(shownOn("webkitgtk_idle"));
      for (const [time] of shown) expect(time).toBeLessThanOrEqual(1.5);
    },
  );
});

describe("the recorder", () => {
  test("leaves out the first frames, and stops by itself", () => {
    const recorder = new DisplayRecorder();
    for (const stamp of even(60, 20)) recorder.add({ stamp, now: stamp + 1 });
    expect(recorder.isComplete).toBe(true);
    expect(recorder.T[0]).toBe(500);
    expect(recorder.seconds).toBeCloseTo(SECONDS, 6);
    expect(recorder.recording("me").hertz).toBe("60.00 Hz");
  });

  test("begins again after the page was hidden", () => {
    const recorder = new DisplayRecorder();
    for (const stamp of even(60, 5)) recorder.add({ stamp, now: stamp });
    for (const stamp of even(60, 1)) recorder.add({ stamp: 65_000 + stamp, now: stamp });
    expect([recorder.restarts, recorder.T[0]]).toEqual([1, 65_500]);
  });

  test("shows the longest frame, and red where refreshes were missed", () => {
    const T = even(60, 10).filter((_, i) => i < 300 || i > 304);
    const recording = readRecording(fileOf({ T }));
    const end = worstEnd(recording);
    expect(end).toBeCloseTo(305 / 60 + 0.75, 6);
    const track = trackOf(recording, end);
    const lost: number[] = [];
    track.eachLoss(0, (from, to) => lost.push(60 * from, 60 * to));
    expect(lost.map((time) => Math.round(time))).toEqual([300, 305]);
    expect(track.frames).toBeLessThan(100);
    const dots = Array.from({ length: track.frames }, (_, i) => track.shownOf(i) - track.truthOf(i));
    expect(dots.filter(Number.isNaN)).toHaveLength(5);
    for (const error of dots.filter((dot) => !Number.isNaN(dot))) expect(error).toBeCloseTo(0, 6);
  });
});
