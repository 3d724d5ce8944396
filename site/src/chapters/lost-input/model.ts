import { button, inputLatch, type InputLatch } from "tickwise/input";
import { play, simulation, type Drive, type LocalSession } from "tickwise/sim";
import { bool, layout, u32 } from "tickwise/state";
import { manualDriver } from "tickwise/testing";
import type { DisplayRecording } from "../../../../lab/src/recording/recording.js";
import type { ChapterModel, Figure } from "../../figure/chapter.js";
import { framesOf, type FrameSource } from "../../figure/frames.js";
import { Track } from "../../figure/track.js";
import { TapScript } from "./script.js";

const FPS = 60;
/** Taps that a picture holds. */
export const TAPS = 24;
/** Numbers per tap: when it began, when it ended and when the game saw it. NaN for not yet. */
export const PER_TAP = 3;
/** Seconds without a tap of the visitor until the script goes on. */
const IDLE = 4;

const state = { taps: u32, isDown: bool };
const input = { fire: button };

/** Counts taps. */
const counter = (rate: number) =>
  simulation({
    name: "taps",
    version: 1,
    rate,
    state: layout(state),
    input,
    step(world, [player]) {
      world.isDown = player!.fire;
      if (player!.pressed.fire) world.taps++;
    },
  });

interface Tap {
  readonly down: number;
  up: number;
  seen: number;
}

/** A finger that taps fast, and a game with few steps. A picture: the time, whether the script taps, and the last taps. */
export class Tapping implements ChapterModel {
  readonly track = new Track(2 + PER_TAP * TAPS);
  readonly rate: number;
  /** Whether a latch keeps the taps for the game. */
  readonly isLatched: boolean;
  readonly #frames: FrameSource;
  readonly #driver = manualDriver();
  readonly #drive: Drive<LocalSession<typeof state, typeof input>>;
  readonly #latch: InputLatch<typeof input>;
  readonly #script = new TapScript();
  readonly #taps: Tap[] = [];
  #count = 0;
  #seen = 0;
  #lost = 0;
  #now = 0;
  /** Whether the visitor holds the button, and when that changed. */
  #isHeld = false;
  #tappedAt = -Infinity;

  constructor(isFixed: boolean, rate: number, recording?: DisplayRecording) {
    this.#frames = framesOf(FPS, recording);
    this.rate = rate;
    this.isLatched = isFixed;
    const game = counter(rate);
    this.#latch = inputLatch(game.packing);
    this.#drive = play(game, {
      driver: this.#driver,
      inputs: isFixed
        ? this.#latch
        : ([player]) => {
            player.fire = this.#isDown;
          },
    });
    this.#driver.play([0]);
  }

  get #isDown(): boolean {
    return Number.isNaN(this.#taps.at(-1)?.up ?? 0);
  }
  get #isScripted(): boolean {
    return !this.#isHeld && this.#now - this.#tappedAt > IDLE;
  }

  point(_x: number, _y: number, isDown: boolean): void {
    if (isDown === this.#isHeld) return;
    this.#isHeld = isDown;
    this.#tappedAt = this.#now;
    // Also ends a tap of the script.
    if (this.#isDown) this.#release(this.#now);
    if (isDown) this.#press(this.#now);
  }

  key(code: string, isDown: boolean): boolean {
    if (code !== "Space") return false;
    this.point(0, 0, isDown);
    return true;
  }

  #press(time: number): void {
    this.#taps.push({ down: time, up: NaN, seen: NaN });
    if (this.#taps.length > TAPS) this.#taps.shift();
    this.#count++;
    if (this.isLatched) this.#latch.press("fire", 1000 * time);
  }

  #release(time: number): void {
    const tap = this.#taps.at(-1)!;
    tap.up = time;
    if (this.isLatched) return this.#latch.release("fire", 1000 * time);
    if (!Number.isNaN(tap.seen)) return;
    this.#lost++;
    this.track.lost(tap.down, tap.up);
  }

  advance(seconds: number): void {
    while (this.#frames.due <= seconds) {
      this.#frames.next();
      const { time } = this.#frames;
      this.#now = time;
      this.#tapByScript(time);
      this.#step();
      const { isDown } = this.#drive.session.world;
      const picture = this.track.frame(time, isDown ? 1 : 0, this.#isDown ? 1 : 0).fill(NaN);
      picture[0] = time;
      picture[1] = this.#isScripted ? 1 : 0;
      for (let i = 0; i < this.#taps.length; i++) {
        const { down, up, seen } = this.#taps[i]!;
        picture[2 + PER_TAP * i] = down;
        picture[3 + PER_TAP * i] = up;
        picture[4 + PER_TAP * i] = seen;
      }
    }
    this.#now = seconds;
  }

  /** Taps as the script says, up to the time of a frame. */
  #tapByScript(time: number): void {
    if (!this.#isScripted) return this.#script.skipTo(time);
    for (;;) {
      const { down, up } = this.#script;
      if (!this.#isDown && down <= time) this.#press(down);
      if (!this.#isDown || up > time) return;
      this.#release(up);
      this.#script.skipTo(up);
    }
  }

  /** Takes the steps of a frame, and notes which taps the game has seen. */
  #step(): void {
    const { session } = this.#drive;
    const { tick } = session;
    this.#driver.play([1000 * this.#now]);
    for (let step = tick; step < session.tick; step++) this.track.step((step + 1) / this.rate);
    for (; this.#seen < session.world.taps; this.#seen++) {
      // A latch shows the taps in order; without one, a step sees the tap that is going on.
      const tap = this.isLatched ? this.#taps.find(({ seen }) => Number.isNaN(seen)) : this.#taps.at(-1);
      if (tap) tap.seen = session.tick / this.rate;
    }
  }

  figures(): readonly Figure[] {
    return [
      { label: "Taps", value: String(this.#count) },
      { label: "Counted", value: String(this.#seen) },
      {
        label: "Lost",
        value: String(this.#lost + this.#latch.lost),
        isGood: this.#lost + this.#latch.lost === 0,
      },
    ];
  }
}
