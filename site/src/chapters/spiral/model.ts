import { POLICIES } from "../../../../lab/src/spiral/policies.js";
import { PLAYABLE_RATE } from "../../../../lab/src/spiral/verdict.js";
import { DAMPING, World } from "../../../../lab/src/spiral/world.js";
import { exactSpring, START } from "../../../../scenes/spring.js";
import type { ChapterModel, Figure } from "../../figure/chapter.js";
import { Frames } from "../../figure/frames.js";
import { Track } from "../../figure/track.js";

/** Steps per second, and refreshes. If they were equal, a late frame would have two steps, and so would all frames after it. */
const RATE = 50;
const FPS = 60;
export const REFRESH = 1 / FPS;
/** Bars in the picture. */
export const BARS = 9;
/** Seconds after which a picture that does not change counts as frozen, and after which a frozen game starts again. */
export const FROZEN = 0.1;
const GIVE_UP = 1.9;
/** Numbers of a picture. Last come the seconds of work of each frame, the newest, which is not finished, first. */
export const Part = { x: 0, truth: 1, frozen: 2, owed: 3, lost: 4, cost: 5, bars: 6 } as const;

/** A machine whose steps take too long, and what its player sees. */
export class SlowMachine implements ChapterModel {
  readonly track = new Track(Part.bars + BARS);
  readonly isFixed: boolean;
  readonly #frames = new Frames(FPS);
  readonly #bars = new Float64Array(BARS);
  #world: World;
  #start = 0;
  /** Milliseconds of a step. */
  #cost: number;

  constructor(isFixed: boolean, cost: number) {
    this.isFixed = isFixed;
    this.#cost = cost;
    this.#world = this.#newWorld();
  }

  #newWorld(): World {
    const policy = POLICIES.find(({ id }) => id === (this.isFixed ? "step-budget" : "unlimited"))!;
    const costAt = () => (this.#cost / 1000) * RATE;
    return new World(policy, { cost: 0, rate: RATE, fps: FPS }, costAt);
  }

  /** Seconds since the start of the world. */
  get #now(): number {
    return this.#frames.time - this.#start;
  }
  /** Seconds for which the display has shown the same picture. */
  get #frozen(): number {
    return this.#world.frozen(this.#now);
  }
  /** Seconds that have passed, and that the picture does not show yet. */
  get #owed(): number {
    return this.#world.owed(this.#now);
  }

  advance(seconds: number): void {
    while (this.#frames.due <= seconds) {
      if (this.#frozen > GIVE_UP) this.#restart();
      this.#frames.next();
      const { seen: before, work: last } = this.#world;
      // A refresh is due even if rounding puts it just behind this time.
      this.#world.advance(this.#now + 1e-9);
      const { seen, work } = this.#world;
      if (work.from > last.from) {
        this.#bars.copyWithin(1, 0);
        this.#bars[1] = last.seconds;
      }
      this.#bars[0] = Math.min(work.seconds, this.#now - work.from);
      this.#mark(seen.lost - before.lost, seen.steps - before.steps);
      this.#show();
    }
  }

  /** Marks what the strip shows of this refresh: steps, dropped time, and time without a new picture. */
  #mark(lost: number, steps: number): void {
    const { time } = this.#frames;
    for (let i = 0; i < steps; i++) this.track.step(time);
    if (lost > 0) this.track.lost(time - Math.min(REFRESH, lost), time);
    else if (this.#frozen > FROZEN) this.track.lost(time - REFRESH, time);
  }

  #show(): void {
    const { seen } = this.#world;
    const truth = exactSpring(this.#now, DAMPING) / START;
    const picture = this.track.frame(this.#frames.time, seen.x / START, truth);
    picture[Part.x] = seen.x / START;
    picture[Part.truth] = truth;
    picture[Part.frozen] = this.#frozen;
    picture[Part.owed] = this.#owed;
    picture[Part.lost] = seen.lost;
    picture[Part.cost] = this.#cost / 1000;
    picture.set(this.#bars, Part.bars);
  }

  #restart(): void {
    this.#start = this.#frames.time;
    this.#world = this.#newWorld();
    this.#bars.fill(0);
  }

  /** Sets the milliseconds of a step. What is frozen starts again: the work of its frame is done already. */
  setCost(cost: number): void {
    this.#cost = cost;
    if (this.#frozen > FROZEN) this.#restart();
  }

  figures(): readonly Figure[] {
    const rate = this.#world.frameRate(this.#now);
    const isPlayable = rate >= PLAYABLE_RATE;
    return [
      { label: "Frames per second", value: rate.toFixed(rate < 9.95 ? 1 : 0) },
      this.isFixed
        ? { label: "Game speed", value: `${(100 * this.#world.speed(this.#now)).toFixed(0)} %` }
        : { label: "Owed", value: `${this.#owed.toFixed(2)} s` },
      { label: "Playable", value: isPlayable ? "yes" : "no", isGood: isPlayable },
    ];
  }
}
