import type { ChapterModel, Figure } from "../../figure/chapter.js";
import { Frames } from "../../figure/frames.js";
import { Track } from "../../figure/track.js";
import { placeAt } from "./game.js";
import { onOneThread, onTwoThreads, type Page } from "./threads.js";

const FPS = 60;
/** Seconds until a worker's delay has settled. */
const WARM_UP = 5;
/** Past frames that the picture shows as outlines. */
export const GHOSTS = 12;
/** The work that a picture shows: how many pieces, of how many seconds. */
export const PIECES = 56;
export const WINDOW = 0.4;

/** Where the parts of a picture are. */
export const Part = {
  /** Where the disc is shown: now, and in the frames before. */
  places: 0,
  truth: GHOSTS,
  isFixed: GHOSTS + 1,
  /** For each piece of work: its age at its start and at its end in seconds, and its kind: see `kindOf`. */
  work: GHOSTS + 2,
} as const;

const KINDS = ["none", "step", "heavy", "draw"] as const;

/** A game with a heavy step, on one thread or on two. */
export class Threads implements ChapterModel {
  readonly track = new Track(Part.work + 3 * PIECES);
  readonly #page: Page;
  readonly #isFixed: boolean;
  readonly #frames = new Frames(FPS);
  readonly #places = new Float64Array(GHOSTS);
  /** Whether each of the last frames repeated the one before. */
  readonly #repeats = new Uint8Array(FPS);
  /** How late the last frames were, in milliseconds. */
  readonly #late = new Float64Array(FPS);
  #longest = 0;
  #steps = 0;

  constructor(isFixed: boolean, heavy: number) {
    this.#isFixed = isFixed;
    this.#page = isFixed ? onTwoThreads(heavy) : onOneThread(heavy);
    this.#page.run(this.#page.start + 1000 * WARM_UP);
    this.#steps = this.#page.steps;
  }

  /** Changes what a heavy step costs, in milliseconds. */
  changeCost(heavy: number): void {
    this.#page.heavy = heavy;
  }

  advance(seconds: number): void {
    while (this.#frames.due <= seconds) {
      this.#frames.next();
      this.#show(this.#frames.time, this.#page.start + 1000 * (WARM_UP + this.#frames.time));
    }
  }

  figures(): readonly Figure[] {
    const repeats = this.#repeats.reduce((sum, each) => sum + each, 0);
    const late =
      this.#late.reduce((sum, each) => sum + each, 0) / Math.min(FPS, Math.max(1, this.#frames.count));
    return [
      { label: "Frames that repeat", value: `${repeats} of ${FPS}`, isGood: repeats === 0 },
      { label: "Longest frame", value: `${this.#longest.toFixed(0)} ms` },
      { label: "Picture is late by", value: `${late.toFixed(0)} ms` },
    ];
  }

  /** Shows what the display shows at a time: in seconds of the figure, and in milliseconds of the page. */
  #show(time: number, now: number): void {
    this.#page.run(now);
    const { work, presented, origin, steps } = this.#page;
    // Half a frame of tolerance, as refreshes add up to rounded times.
    while (presented.length > 1 && presented[1]!.at < now + 500 / FPS) presented.shift();
    while (work[0]!.to < now - 1000 * WINDOW) work.shift();
    const { x, at, time: shown } = presented[0]!;
    const isRepeated = at < now - 500 / FPS || x === this.#places[0];
    if (isRepeated) this.track.lost(time - 1 / FPS, time);
    this.#repeats[this.#frames.count % FPS] = isRepeated ? 1 : 0;
    this.#late[this.#frames.count % FPS] = now - origin - shown;
    this.#measure();
    for (; this.#steps < steps; this.#steps++) this.track.step(time);
    this.#places.copyWithin(1, 0);
    this.#places[0] = x;
    const truth = placeAt((now - origin) / 1000);
    const picture = this.track.frame(time, x, truth);
    picture.set(this.#places, Part.places);
    picture[Part.truth] = truth;
    picture[Part.isFixed] = this.#isFixed ? 1 : 0;
    const newest = work.slice(-PIECES);
    for (let i = 0; i < PIECES; i++) {
      const piece = newest[i];
      picture[Part.work + 3 * i] = piece ? (now - piece.from) / 1000 : 0;
      picture[Part.work + 3 * i + 1] = piece ? (now - piece.to) / 1000 : 0;
      picture[Part.work + 3 * i + 2] = piece
        ? KINDS.indexOf(piece.kind) + (piece.isWorker ? KINDS.length : 0)
        : 0;
    }
  }

  /** Measures the longest frame of the last second. */
  #measure(): void {
    let [longest, current] = [1, 1];
    for (let i = 1; i <= FPS; i++) {
      current = this.#repeats[(this.#frames.count + i) % FPS] === 1 ? current + 1 : 1;
      longest = Math.max(longest, current);
    }
    this.#longest = (1000 * longest) / FPS;
  }
}

/** Returns the kind of a piece of work in a picture, and whether the worker did it. */
export const kindOf = (
  code: number,
): { readonly kind: (typeof KINDS)[number]; readonly isWorker: boolean } => ({
  kind: KINDS[code % KINDS.length]!,
  isWorker: code >= KINDS.length,
});
