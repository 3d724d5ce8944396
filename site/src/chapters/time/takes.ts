import { Loop, timeScale } from "tickwise";
import { localSession, type LocalSession } from "../../../../src/sim/index.js";
import type { platformer } from "../../../../scenes/platformer.js";
import { leap, LEAP, play, RATE, type Clock } from "./leap.js";

type Session = LocalSession<
  (typeof platformer)["layout"]["fields"],
  NonNullable<(typeof platformer)["options"]["input"]>,
  NonNullable<(typeof platformer)["options"]["effects"]>
>;
export type View = ReturnType<Session["view"]>;

/** Steps of a take. */
const STEPS = Math.round(LEAP.end * RATE);

/** A way to play the leap at any speed, forward and backward. It begins again at its end. */
export interface Take {
  /** Seconds of game time that are shown. */
  readonly time: number;
  readonly speed: number;
  setSpeed(speed: number): void;
  frame(seconds: number): void;
  view(): View;
}

/** The time scale of the loop, and the history of the session. */
export class ScaledTake implements Take {
  speed = 1;
  time = 0;
  readonly #session = localSession(leap(), {
    history: { seconds: LEAP.end + 1 },
    inputs: (players, { tick }) => play(players, tick / RATE),
  });
  readonly #loop: Loop;
  #alpha = 1;
  /** Where the last step went: 1 forward, -1 back. Between a turn and the next step, 0: the picture is the current state. */
  #direction = 0;

  constructor(onStep: () => void) {
    const session = this.#session;
    this.#loop = new Loop({
      rate: RATE,
      step: () => {
        // At its end it begins again, from either side.
        if (!session.rewinding && session.tick >= STEPS) session.seek(0);
        if (session.rewinding && session.tick === 0) this.toEnd();
        session.advance();
        this.#direction = session.rewinding ? -1 : 1;
        onStep();
      },
      render: ({ alpha }) => {
        this.#alpha = alpha;
      },
    });
  }

  setSpeed(speed: number): void {
    this.speed = speed;
    timeScale(this.#loop).set(Math.abs(speed));
    if (speed < 0 === this.#session.rewinding) return;
    if (speed < 0) this.#session.rewind();
    else this.#session.endRewind();
    this.#direction = 0;
  }

  /** Goes to the end. */
  toEnd(): void {
    const session = this.#session;
    const isRewinding = session.rewinding;
    if (isRewinding) session.endRewind();
    if (session.last >= STEPS) session.seek(STEPS);
    else session.skip(STEPS - session.tick);
    if (isRewinding) session.rewind();
  }

  frame(seconds: number): void {
    this.#loop.advance(seconds);
    this.time = (this.#session.tick - this.#direction * (1 - this.#alpha)) / RATE;
  }

  view(): View {
    return this.#session.view(this.#alpha);
  }
}

/** A step per frame, as long as the frame times the speed. */
export class DeltaTake implements Take {
  speed = 1;
  time = 0;
  readonly #clock: Clock = { time: 0, dt: 0 };
  readonly #onStep: () => void;
  #session = this.#open();

  constructor(onStep: () => void) {
    this.#onStep = onStep;
  }

  setSpeed(speed: number): void {
    this.speed = speed;
  }

  frame(seconds: number): void {
    if (this.time >= LEAP.end) this.#restart();
    if (this.time < 0) {
      this.#restart();
      this.toEnd();
    }
    this.#step(seconds * this.speed);
    this.#onStep();
  }

  view(): View {
    return this.#session.view(1);
  }

  /** Goes to the end at normal speed. */
  toEnd(): void {
    while (this.time < LEAP.end) this.#step(1 / RATE);
  }

  #step(dt: number): void {
    this.#clock.time = this.time;
    this.#clock.dt = dt;
    this.#session.advance();
    this.time += dt;
  }

  #restart(): void {
    this.time = 0;
    this.#session.dispose();
    this.#session = this.#open();
  }

  #open(): Session {
    return localSession(leap(this.#clock), { inputs: (players) => play(players, this.#clock.time) });
  }
}
