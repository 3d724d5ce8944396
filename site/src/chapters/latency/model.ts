import { Loop } from "tickwise";
import { extrapolate, scalar, smooth } from "tickwise/blend";
import { axis, localSession, simulation, type LocalSession } from "tickwise/sim";
import { f64, layout } from "tickwise/state";
import type { DisplayRecording } from "../../../../lab/src/recording/recording.js";
import type { ChapterModel, Figure } from "../../figure/chapter.js";
import { framesOf, type FrameSource } from "../../figure/frames.js";
import { Track } from "../../figure/track.js";
import { LagMeter } from "./lag.js";
import { DragPointer, scripted } from "./pointer.js";

const FPS = 60;
/** Frames between two measurements of the lags. */
const MEASURE_EVERY = 12;
/** Where the wall stops the disc, from 0 to 1 across the picture. */
export const WALL = 0.78;
/** The four ways to draw one game, as they are numbered in a picture: the pointer, four places, four lags in milliseconds. */
export const WAYS = ["Newest", "Blended", "Extrapolated", "Speculated"] as const;
const BLENDED = 1;
const SPECULATED = 3;

const state = { x: f64.lerp };
const input = { x: axis(16) };

/** A disc that the pointer drags up to a wall. */
const drag = (rate: number) =>
  simulation({
    name: "drag",
    version: 1,
    rate,
    state: layout(state),
    input,
    init(world) {
      world.x = Math.min(scripted(0), WALL);
    },
    step(world, [player]) {
      world.x = Math.min(player!.x, WALL);
    },
  });

/** One game, drawn in four ways. */
export class Drag implements ChapterModel {
  readonly track = new Track(1 + 2 * WAYS.length);
  /** The way that the strip and the figures show. */
  readonly way: number;
  readonly #rate: number;
  readonly #frames: FrameSource;
  readonly #pointer = new DragPointer();
  readonly #loop: Loop;
  readonly #blended: LocalSession<typeof state, typeof input>;
  readonly #speculated: LocalSession<typeof state, typeof input>;
  readonly #meters: readonly LagMeter[];
  readonly #lags = new Float64Array(WAYS.length).fill(NaN);
  readonly #shown = new Float64Array(WAYS.length);
  /** Where the pointer is in this frame. */
  #place = 0;
  #now = 0;

  constructor(isFixed: boolean, rate: number, recording?: DisplayRecording) {
    this.#frames = framesOf(FPS, recording);
    this.#meters = WAYS.map(() => new LagMeter(this.#frames.fps));
    this.way = isFixed ? SPECULATED : BLENDED;
    this.#rate = rate;
    const game = drag(rate);
    const inputs = ([player]: readonly { x: number }[]) => {
      player!.x = this.#place;
    };
    this.#blended = localSession(game, { inputs });
    this.#speculated = localSession(game, { inputs, present: "speculate" });
    const disc = { x: this.#blended.world.x };
    this.#loop = new Loop({
      rate,
      step: () => {
        this.#blended.advance();
        this.#speculated.advance();
        disc.x = this.#blended.world.x;
        this.track.step(this.#frames.time);
      },
      render: ({ alpha }) => {
        this.#shown.set([
          disc.x,
          this.#blended.view(alpha).x,
          extrapolated.x,
          this.#speculated.view(alpha).x,
        ]);
      },
    });
    const extrapolated = smooth(this.#loop, disc, { x: scalar }, { ahead: extrapolate(1) });
  }

  point(x: number): void {
    this.#pointer.move(Math.min(1, Math.max(0, x)), this.#now);
  }

  advance(seconds: number): void {
    this.#now = seconds;
    while (this.#frames.due <= seconds) {
      const elapsed = this.#frames.next();
      const { time, count } = this.#frames;
      this.#place = this.#pointer.at(time);
      this.#loop.advance(elapsed);
      const truth = Math.min(this.#place, WALL);
      this.#meters.forEach((meter, way) => meter.add(this.#shown[way]!, truth));
      if (count % MEASURE_EVERY === 0) this.#measure();
      const picture = this.track.frame(time, this.#shown[this.way]!, truth);
      picture[0] = this.#place;
      picture.set(this.#shown, 1);
      picture.set(this.#lags, 1 + WAYS.length);
    }
  }

  #measure(): void {
    this.#meters.forEach((meter, way) => {
      const lag = meter.measure();
      // While nothing moves, the last figure stands.
      if (!Number.isNaN(lag)) this.#lags[way] = 1000 * lag;
    });
  }

  figures(): readonly Figure[] {
    const lag = this.#lags[this.way]!;
    return [
      { label: "Behind the pointer", value: Number.isNaN(lag) ? "–" : `${lag.toFixed(0)} ms` },
      {
        label: "Steps per second",
        value: `${this.#rate + (this.way === SPECULATED ? Math.round(this.#frames.fps) : 0)}`,
      },
    ];
  }
}
