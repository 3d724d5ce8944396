import { Loop } from "tickwise";
import type { Motion } from "tickwise/integrate";
import { variable } from "tickwise/stepping";
import type { ChapterModel, Figure, Picked, PictureSize } from "../../figure/chapter.js";
import { Frames } from "../../figure/frames.js";
import { Track } from "../../figure/track.js";
import { ExactSpring } from "./exact-spring.js";
import { layoutOf, within } from "./layout.js";
import { DAMPING, FIXED_RATE, INTEGRATORS, isStable, neededRate, rateOf, RATES } from "./map.js";

/** Metres by which the block is pulled, and at which it leaves the room. */
const PULL = 0.16;
export const ROOM = 1.5;
/** Seconds until the block is pulled again. */
const ROUND = 2;
/** How many past frames the picture shows. */
export const GHOSTS = 7;
/** Numbers of a picture. The positions come last, the newest first. */
export const Part = { truth: 0, boomFor: 1, row: 2, column: 3, stiffness: 4, isHeld: 5, places: 6 } as const;

/** The keys that go to the next cell of the map: by rows and by columns. */
const MOVES: Readonly<Record<string, readonly [number, number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

/** What the pointer holds. */
type Grip = "nothing" | "block" | "map";

/** A block on a spring, with an integrator and a display that the visitor picks from a map. */
export class Explosion implements ChapterModel {
  readonly track = new Track(Part.places + GHOSTS);
  readonly isFixed: boolean;
  row = 1;
  column = 2;
  #stiffness: number;
  readonly #block: Motion = { position: PULL, velocity: 0 };
  readonly #exact = new ExactSpring();
  readonly #places = new Float64Array(GHOSTS).fill(PULL);
  #loop: Loop;
  #frames: Frames;
  /** When the display was switched on; when the block was let go; when it left the room. */
  #start = 0;
  #released = 0;
  #boomAt = Infinity;
  #before = PULL;
  #shown = PULL;
  #grip: Grip = "nothing";
  #held = 0;

  constructor(isFixed: boolean, stiffness: number, row = 1, column = 2) {
    this.isFixed = isFixed;
    this.#stiffness = stiffness;
    [this.row, this.column] = [row, column];
    this.#frames = new Frames(RATES[column]!);
    this.#loop = this.#newLoop();
    this.#release(PULL);
  }

  get #time(): number {
    return this.#start + this.#frames.time;
  }

  #newLoop(): Loop {
    const { step } = INTEGRATORS[this.row]!;
    const pull = (x: number, v: number) => -this.#stiffness * x - DAMPING * v;
    return new Loop({
      ...(this.isFixed ? { rate: FIXED_RATE } : { rate: 60, stepping: variable() }),
      step: ({ time, dt }) => {
        this.track.step(this.#time);
        this.#before = this.#block.position;
        if (this.#grip !== "block") step(this.#block, pull, time, dt);
      },
      render: ({ alpha }) => {
        const { position } = this.#block;
        this.#shown = this.isFixed ? this.#before + (position - this.#before) * alpha : position;
      },
    });
  }

  advance(seconds: number): void {
    while (this.#start + this.#frames.due <= seconds) {
      if (this.#grip === "block") this.#release(this.#held);
      else if (this.#start + this.#frames.due >= this.#released + ROUND) this.#release(PULL);
      this.#loop.advance(this.#frames.next());
      this.#show();
    }
  }

  #show(): void {
    const time = this.#time;
    const isGone = Math.abs(this.#block.position) > ROOM;
    if (isGone) this.#boomAt = Math.min(this.#boomAt, time);
    this.#places.copyWithin(1, 0);
    this.#places[0] = this.#shown;
    const truth = this.#grip === "block" ? this.#held : this.#exact.at(time)[0];
    const picture = this.track.frame(time, Math.max(-1.1, Math.min(1.1, this.#shown)), truth);
    picture[Part.truth] = truth;
    picture[Part.boomFor] = time - this.#boomAt;
    picture[Part.row] = this.row;
    picture[Part.column] = this.column;
    picture[Part.stiffness] = this.#stiffness;
    picture[Part.isHeld] = this.#grip === "block" ? 1 : 0;
    picture.set(this.#places, Part.places);
  }

  /** Puts the block somewhere and lets it go. */
  #release(x: number): void {
    this.#block.position = this.#before = this.#shown = x;
    this.#block.velocity = 0;
    this.#places.fill(x);
    this.#released = this.#time;
    this.#boomAt = Infinity;
    this.#exact.release(this.#time, x, 0, this.#stiffness);
  }

  setStiffness(stiffness: number): void {
    this.#stiffness = stiffness;
    this.#exact.change(this.#time, stiffness);
    if (this.#boomAt < Infinity) this.#release(PULL);
  }

  /** Plays a cell of the map. */
  pick(row: number, column: number): void {
    this.#start = this.#time;
    [this.row, this.column] = [row, column];
    this.#frames = new Frames(RATES[column]!);
    this.#loop = this.#newLoop();
    this.#release(PULL);
    this.#show();
  }

  get picked(): Picked {
    const { name, label } = INTEGRATORS[this.row]!;
    const fps = RATES[this.column]!;
    return {
      code: `${name}-${fps}`,
      text: `${label} at ${fps} frames per second: ${this.#verdict}.`,
      since: this.#start,
    };
  }

  choose(code: string): void {
    const [name, fps] = code.split("-");
    const row = INTEGRATORS.findIndex((integrator) => integrator.name === name);
    const column = RATES.findIndex((rate) => String(rate) === fps);
    if (row >= 0 && column >= 0) this.pick(row, column);
  }

  key(code: string, isDown: boolean): boolean {
    const move = MOVES[code];
    if (move && isDown) {
      const row = Math.min(INTEGRATORS.length - 1, Math.max(0, this.row + move[0]));
      const column = Math.min(RATES.length - 1, Math.max(0, this.column + move[1]));
      if (row !== this.row || column !== this.column) this.pick(row, column);
    }
    return move !== undefined;
  }

  get #verdict(): string {
    return isStable(this.row, this.column, this.#stiffness, this.isFixed) ? "stable" : "explodes";
  }

  point(x: number, y: number, isDown: boolean, size: PictureSize): void {
    if (!isDown) {
      this.#grip = "nothing";
      return;
    }
    const { room, map } = layoutOf(size);
    const cell = within(map, x * size.width, y * size.height);
    if (this.#grip === "nothing") this.#grip = cell ? "map" : "block";
    if (this.#grip === "block") {
      const across = (x * size.width - room.x) / room.width;
      this.#held = Math.max(-1, Math.min(1, (across - 0.5) / 0.42));
    } else if (cell) {
      const row = Math.floor(cell[1] * INTEGRATORS.length);
      const column = Math.floor(cell[0] * RATES.length);
      if (row !== this.row || column !== this.column) this.pick(row, column);
    }
  }

  figures(): readonly Figure[] {
    const needed = neededRate(this.row, this.#stiffness);
    const isGood = isStable(this.row, this.column, this.#stiffness, this.isFixed);
    return [
      { label: "Steps per second", value: String(rateOf(this.column, this.isFixed)) },
      { label: "Needs more than", value: needed.toFixed(1) },
      { label: "Verdict", value: this.#verdict, isGood },
    ];
  }
}
