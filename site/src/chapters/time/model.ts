import type { DisplayRecording } from "../../../../lab/src/recording/recording.js";
import { localSession } from "../../../../src/sim/index.js";
import { TILE } from "../../../../scenes/level.js";
import type { ChapterModel, Figure } from "../../figure/chapter.js";
import { framesOf, type FrameSource } from "../../figure/frames.js";
import { Track } from "../../figure/track.js";
import { GROUND, leap, LEAP, play, RATE } from "./leap.js";
import { DeltaTake, ScaledTake, type Take } from "./takes.js";

const FPS = 60;
/** Level pixels that count as off the path. */
export const TOLERANCE = 0.5;

/** What is in a picture. */
export const Part = {
  x: 0,
  y: 1,
  vx: 2,
  vy: 3,
  facing: 4,
  grounded: 5,
  wall: 6,
  time: 7,
  truthX: 8,
  truthY: 9,
  speed: 10,
  /** The frame's own number, and that of the first frame of this take. */
  frame: 11,
  first: 12,
} as const;

/** The path at normal speed: x and y of each step. */
function pathOf(): Float64Array {
  const session = localSession(leap(), { inputs: (players, { tick }) => play(players, tick / RATE) });
  const steps = Math.round(LEAP.end * RATE) + 1;
  const path = new Float64Array(2 * (steps + 1));
  for (let i = 0; i <= steps; i++) {
    path.set([session.world.player.x, session.world.player.y], 2 * i);
    session.advance();
  }
  session.dispose();
  return path;
}

/** A leap over a pit, at the speed of a jog wheel. */
export class Leap implements ChapterModel {
  readonly track = new Track(Object.keys(Part).length);
  readonly path = pathOf();
  readonly #frames: FrameSource;
  readonly #take: Take & { toEnd(): void };
  #first = 0;
  #off = 0;

  constructor(isFixed: boolean, speed: number, recording?: DisplayRecording) {
    this.#frames = framesOf(FPS, recording);
    const onStep = () => this.track.step(this.#frames.time);
    this.#take = isFixed ? new ScaledTake(onStep) : new DeltaTake(onStep);
    if (speed < 0) this.#take.toEnd();
    this.#take.setSpeed(speed);
  }

  setSpeed(speed: number): void {
    this.#take.setSpeed(speed);
  }

  advance(seconds: number): void {
    const take = this.#take;
    while (this.#frames.due <= seconds) {
      const before = take.time;
      take.frame(this.#frames.next());
      // A new take.
      if (Math.abs(take.time - before) > LEAP.end / 2) {
        this.#first = this.track.frames;
        this.#off = 0;
      }
      const { player } = take.view();
      const [x, y] = this.#truthAt(take.time);
      this.#off = Math.max(this.#off, Math.hypot(player.x - x, player.y - y));
      const { frames } = this.track;
      const picture = this.track.frame(this.#frames.time, GROUND - player.y, GROUND - y);
      picture.set([
        player.x,
        player.y,
        player.vx,
        player.vy,
        player.facing,
        player.grounded ? 1 : 0,
        player.wall,
      ]);
      picture.set([take.time, x, y, take.speed, frames, this.#first], Part.time);
    }
  }

  figures(): readonly Figure[] {
    const isGood = this.#off < TOLERANCE;
    return [
      { label: "Game time", value: `${Math.max(0, this.#take.time).toFixed(2)} s` },
      { label: "Off the path by", value: `${(this.#off / TILE).toFixed(1)} tiles`, isGood },
    ];
  }

  #truthAt(time: number): readonly [number, number] {
    const at = Math.min(this.path.length / 2 - 1.001, Math.max(0, time * RATE));
    const i = 2 * Math.floor(at);
    const alpha = at - Math.floor(at);
    const blend = (from: number) => this.path[from]! + (this.path[from + 2]! - this.path[from]!) * alpha;
    return [blend(i), blend(i + 1)];
  }
}
