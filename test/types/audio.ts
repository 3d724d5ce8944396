// Checked by tsc alone: each line below a @ts-expect-error must not compile.
import {
  audioClock,
  audioTime,
  playMusic,
  type AudioClock,
  type AudioClockContext,
} from "../../src/audio/index.js";
import { display, Loop, type Clock } from "../../src/index.js";
import { play, simulation } from "../../src/sim/index.js";
import { f64, layout } from "../../src/state/index.js";
import { manualDisplay } from "../../src/testing/index.js";

declare const context: AudioContext;
declare const buffer: AudioBuffer;
/** A context of a test: enough for a clock, but it cannot play. */
declare const bare: AudioClockContext;
const loop = new Loop({ rate: 60 });
const game = play(
  simulation({
    name: "types",
    version: 1,
    rate: 60,
    state: layout({ x: f64 }),
    effects: { thud: { x: f64 } },
    step() {},
  }),
  { effect: (effect) => void clock.timeOfEffect(effect) },
);

// Valid calls.
const clock: AudioClock<AudioContext> = audioClock(context, game);
audioClock(bare, loop, { delay: 0.05, extraLatency: 0.1 });
audioClock(bare, { loop, session: game.session });
const heard: Clock = audioTime(context, { extraLatency: 0.1 });
loop.start(display({ clock: heard }));
loop.start(manualDisplay({ clock: audioTime(bare) }));
playMusic(clock, buffer, {
  at: 0,
  repeat: false,
  slowMotion: "keep",
  destination: context.createGain(),
}).dispose();
const time: number =
  clock.timeOf(0) + clock.timeOfShown(0.5) + clock.shownAt(1) + clock.timeAt(1) + clock.timestampAt(1);
void time;

// @ts-expect-error A clock needs a loop.
audioClock(context);
// @ts-expect-error A session alone has no frames.
audioClock(context, game.session);
// @ts-expect-error Misspelt.
audioClock(context, loop, { dely: 0 });
// @ts-expect-error It is a clock, not a driver.
loop.start(audioTime(context));
// @ts-expect-error A clock for sounds is not one for frames.
display({ clock });
// @ts-expect-error Misspelt.
audioTime(context, { latency: 0.1 });
// @ts-expect-error Music needs a context that can play.
playMusic(audioClock(bare, loop), buffer);
// @ts-expect-error Encoded bytes must be decoded first.
playMusic(clock, new ArrayBuffer(8));
// @ts-expect-error No such way.
playMusic(clock, buffer, { slowMotion: "bent" });
// @ts-expect-error An effect has a tick.
clock.timeOfEffect({ name: "thud" });
// @ts-expect-error Read only.
clock.late = 0;
