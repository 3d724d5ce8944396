import { Loop } from "tickwise";
import { random } from "tickwise/math";
import { localSession } from "tickwise/sim";
import type { ChapterModel, Figure } from "../../figure/chapter.js";
import { Frames } from "../../figure/frames.js";
import { Track } from "../../figure/track.js";
import { COUNT, pucks } from "./pucks.js";

const FPS = 60;
/** Seconds of a game. Then both machines begin again. */
export const GAME = 8;
/** States whose hashes are kept. */
const HASHES = 2048;
/** Metres per second that a cushion adds at most, at 100 %. */
const ROUGHEST = 2;

/** Parts of a picture: x and y of each puck, on the first machine and then on the second one; and the number of states so far. */
export const SECOND = 2 * COUNT;
export const STATES = 4 * COUNT;

/** One of two machines that play the same game. */
function machine(roughness: number, isFixed: boolean, seed: number) {
  // Stands for Math.random, which is different on each machine. Seeded, so that a link shows the same moment again.
  const dice = random(new Uint32Array(4)).seed(seed);
  return localSession(pucks(roughness, isFixed ? undefined : () => dice.float()));
}

/** Two machines that play the same game, with the same steps. */
export class TwoMachines implements ChapterModel {
  readonly track = new Track(STATES + 1);
  readonly #frames = new Frames(FPS);
  readonly #hashes = [new Uint32Array(HASHES), new Uint32Array(HASHES)] as const;
  readonly #open: () => readonly ReturnType<typeof machine>[];
  #machines: readonly ReturnType<typeof machine>[];
  readonly #loop: Loop;
  #alpha = 1;
  #start = 0;
  /** States of all games. */
  #states = 0;
  /** The first state of this game that differs; -1 if none does. */
  #firstDifference = -1;
  #apart = 0;

  constructor(isFixed: boolean, percent: number) {
    const roughness = (ROUGHEST * percent) / 100;
    this.#open = () => [1, 2].map((seed) => machine(roughness, isFixed, seed));
    this.#machines = this.#open();
    this.#loop = new Loop({
      rate: 60,
      step: () => {
        for (const session of this.#machines) session.advance();
        this.#compare();
        this.track.step(this.#frames.time);
      },
      render: ({ alpha }) => {
        this.#alpha = alpha;
      },
    });
    this.#compare();
  }

  /** The hash of a state on one of the machines, by its number since the start. */
  hashOf(machine: 0 | 1, state: number): number {
    return this.#hashes[machine][state % HASHES]!;
  }

  advance(seconds: number): void {
    while (this.#frames.due <= seconds) {
      if (this.#frames.due >= this.#start + GAME) this.#restart();
      this.#loop.advance(this.#frames.next());
      const views = this.#machines.map((session) => session.view(this.#alpha).pucks);
      const [first, second] = views as [(typeof views)[0], (typeof views)[0]];
      const picture = this.track.frame(this.#frames.time, second.x[0]!, first.x[0]!);
      this.#apart = 0;
      for (let i = 0; i < COUNT; i++) {
        picture[2 * i] = first.x[i]!;
        picture[2 * i + 1] = first.y[i]!;
        picture[SECOND + 2 * i] = second.x[i]!;
        picture[SECOND + 2 * i + 1] = second.y[i]!;
        this.#apart = Math.max(
          this.#apart,
          Math.hypot(first.x[i]! - second.x[i]!, first.y[i]! - second.y[i]!),
        );
      }
      picture[STATES] = this.#states;
    }
  }

  figures(): readonly Figure[] {
    const isGood = this.#firstDifference < 0;
    return [
      { label: "Hashes differ", value: isGood ? "never" : `since tick ${this.#firstDifference}`, isGood },
      { label: "Apart by up to", value: `${this.#apart.toFixed(2)} m` },
    ];
  }

  #restart(): void {
    this.#start += GAME;
    for (const session of this.#machines) session.dispose();
    this.#machines = this.#open();
    this.#firstDifference = -1;
    this.#loop.reset();
    this.#compare();
  }

  #compare(): void {
    const slot = this.#states++ % HASHES;
    this.#machines.forEach((session, i) => (this.#hashes[i]![slot] = session.hash()[0]));
    const [first, second] = this.#hashes;
    if (first[slot] !== second[slot] && this.#firstDifference < 0)
      this.#firstDifference = this.#machines[0]!.tick;
  }
}
