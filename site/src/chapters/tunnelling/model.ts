import { Loop } from "tickwise";
import { variable } from "tickwise/stepping";
import type { DisplayRecording } from "../../../../lab/src/recording/recording.js";
import { END, isInWall, meetsWall, SPEED, WALL, WALL_WIDTH } from "../../../../scenes/bullet-wall.js";
import type { ChapterModel, Figure } from "../../figure/chapter.js";
import { framesOf, type FrameSource } from "../../figure/frames.js";
import { Track } from "../../figure/track.js";

export const LANES = 3;
/** Seconds between two volleys. */
const ROUND = 1.4;
/** Steps per second of the fixed side. */
const RATE = 60;
/** Where the guns stand, in pixels; up to one move of a frame closer to the wall. */
const GUNS = 50;
/** Spreads the guns evenly over any number of volleys. */
const GOLDEN = (Math.sqrt(5) - 1) / 2;
/** Numbers of a picture: its own frame and the first one of the volley; then the bullets. */
export const Part = { frame: 0, first: 1, bullets: 2 } as const;

class Bullet {
  gun = 0;
  x = 0;
  before = 0;
  shown = 0;
  isFlying = false;

  fire(gun: number): void {
    this.gun = this.x = this.before = this.shown = gun;
    this.isFlying = true;
  }

  /** Moves, and tests where it lands. */
  jump(dt: number): void {
    this.x += SPEED * dt;
    this.isFlying = !isInWall(this.x);
  }

  /** Moves, and tests the whole path. */
  sweep(dt: number): void {
    const to = this.x + SPEED * dt;
    const met = meetsWall(this.x, to);
    this.isFlying = met < 0;
    this.x = this.isFlying ? to : met;
  }

  get hasPassed(): boolean {
    return this.x > WALL + WALL_WIDTH;
  }
}

/** Three bullets at a time, and a wall. */
export class Volleys implements ChapterModel {
  readonly track = new Track(Part.bullets + LANES);
  readonly bullets = Array.from({ length: LANES }, () => new Bullet());
  readonly #frames: FrameSource;
  readonly #loop: Loop;
  readonly #isFixed: boolean;
  #volleys = 0;
  #first = 0;
  #firedAt = 0;
  /** Bullets of earlier volleys that passed through the wall. */
  #passed = 0;

  constructor(isFixed: boolean, fps: number, recording?: DisplayRecording) {
    this.#isFixed = isFixed;
    this.#frames = framesOf(fps, recording);
    this.#loop = new Loop({
      rate: RATE,
      ...(isFixed ? {} : { stepping: variable() }),
      step: ({ dt }) => {
        this.track.step(this.#frames.time);
        for (const bullet of this.bullets) {
          bullet.before = bullet.x;
          if (bullet.isFlying && isFixed) bullet.sweep(dt);
          else if (bullet.isFlying) bullet.jump(dt);
        }
      },
      render: ({ alpha }) => {
        for (const bullet of this.bullets)
          bullet.shown = isFixed ? bullet.before + (bullet.x - bullet.before) * alpha : bullet.x;
      },
    });
    this.#fire();
    this.#show();
  }

  advance(seconds: number): void {
    while (this.#frames.due <= seconds) {
      if (this.#frames.due >= this.#volleys * ROUND) this.#fire();
      this.#loop.advance(this.#frames.next());
      this.#show();
    }
  }

  #fire(): void {
    this.#passed += this.#passing;
    this.bullets.forEach((bullet, lane) => {
      const part = ((this.#volleys * LANES + lane + 1) * GOLDEN) % 1;
      bullet.fire(GUNS + (part * SPEED) / this.#frames.fps);
    });
    this.#loop.reset();
    this.#volleys++;
    this.#first = this.track.frames;
    this.#firedAt = this.#frames.time;
  }

  #show(): void {
    const { time } = this.#frames;
    const { gun, shown } = this.bullets[0]!;
    const truth = Math.min(WALL, gun + SPEED * (time - this.#firedAt));
    const frame = this.track.frames;
    const picture = this.track.frame(time, Math.min(END, shown), truth);
    picture[Part.frame] = frame;
    picture[Part.first] = this.#first;
    this.bullets.forEach((bullet, lane) => {
      picture[Part.bullets + lane] = bullet.shown;
    });
  }

  get #passing(): number {
    return this.bullets.reduce((sum, bullet) => sum + (bullet.hasPassed ? 1 : 0), 0);
  }

  figures(): readonly Figure[] {
    const passed = this.#passed + this.#passing;
    const fired = this.#volleys * LANES;
    const move = SPEED / (this.#isFixed ? RATE : this.#frames.fps);
    return [
      { label: "Wall", value: `${WALL_WIDTH} px` },
      { label: "Per step", value: `${move.toFixed(1)} px` },
      { label: "Flew through", value: `${passed} of ${fired}`, isGood: passed === 0 },
    ];
  }
}
