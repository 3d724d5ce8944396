import { Loop } from "tickwise";
import { nlerp, rotation, slerp, smooth } from "tickwise/blend";
import { degreesBetween, stepTumble, tumble, type Tumble } from "../../../scenes/tumble.js";
import type { ThreeDSettings } from "./settings.js";
import { BLEND_MODES, type BlendMode } from "./blend-modes.js";

/** Seconds between two samples, and how many are kept: a second's. */
const PIECE = 1 / 60;
const KEPT = 60;
/** Places between two states that are looked at, to find where nlerp is farthest from slerp. */
const PLACES = 64;

const copy = ({ turn, spin }: Tumble): Tumble => ({ turn: [...turn], spin: [...spin] });

/** What a picture did in 1/60 s, in degrees. */
interface Sample {
  /** How far it turned. */
  readonly turned: number;
  /** How far it is off the truth, and off the picture by slerp. */
  readonly offTruth: number;
  readonly offSlerp: number;
}

/** A tumbling body at a low rate, and three pictures of it. */
export class Tumbling {
  /** Real seconds that have passed. */
  now = 0;
  /** What is drawn: the turn of each picture, and where the body truly is at the time they show. */
  readonly shown: Readonly<Record<BlendMode["id"], ArrayLike<number>>>;
  truth: Tumble;
  /** Of the last second. */
  readonly samples: Readonly<Record<BlendMode["id"], Sample[]>> = { slerp: [], nlerp: [], none: [] };
  readonly #settings: ThreeDSettings;
  readonly #loop: Loop;
  readonly #body: Tumble;
  /** The state before the last step. */
  #before: Tumble;

  constructor(settings: ThreeDSettings) {
    this.#settings = { ...settings };
    const { rate, turns, scale } = settings;
    this.#body = tumble(turns);
    this.#before = copy(this.#body);
    this.truth = copy(this.#body);
    this.#loop = new Loop({
      rate,
      timeScale: scale,
      step: ({ dt }) => {
        this.#before = copy(this.#body);
        stepTumble(this.#body, dt);
      },
    });
    this.shown = {
      slerp: smooth(this.#loop, this.#body, { turn: rotation }).turn,
      nlerp: smooth(this.#loop, this.#body, { turn: rotation.nlerp }).turn,
      none: this.#body.turn,
    };
  }

  /** Lets time pass up to so many real seconds. */
  advanceTo(seconds: number): void {
    while (this.now < seconds) {
      const isWhole = this.now + PIECE < seconds;
      const piece = isWhole ? PIECE : seconds - this.now;
      const before = BLEND_MODES.map(({ id }) => Array.from(this.shown[id]));
      this.#loop.advance(piece);
      this.now = isWhole ? this.now + PIECE : seconds;
      this.#findTruth();
      BLEND_MODES.forEach(({ id }, index) => this.#sample(id, before[index]!, piece));
    }
  }

  #findTruth(): void {
    const { alpha, dt, tick } = this.#loop;
    this.truth = copy(this.#before);
    if (tick > 0 && alpha > 0) stepTumble(this.truth, alpha * dt);
  }

  #sample(id: BlendMode["id"], before: readonly number[], seconds: number): void {
    const shown = this.shown[id];
    const samples = this.samples[id];
    samples.push({
      turned: (degreesBetween(before, shown) * PIECE) / seconds,
      offTruth: degreesBetween(shown, this.truth.turn),
      offSlerp: degreesBetween(shown, this.shown.slerp),
    });
    if (samples.length > KEPT) samples.shift();
  }

  /** The most of it in the last second. */
  most(id: BlendMode["id"], what: keyof Sample): number {
    return Math.max(0, ...this.samples[id].map((sample) => sample[what]));
  }

  /** About the most degrees that a picture turns in 1/60 s: nlerp half as much again as slerp; without blending, a step. */
  usual(id: BlendMode["id"]): number {
    const { rate, turns, scale } = this.#settings;
    return Math.ceil(id === "none" ? Math.min(180, (400 * turns) / rate) : 540 * turns * scale * PIECE);
  }

  /** Degrees from the last state but one to the last. */
  get turnOfStep(): number {
    return degreesBetween(this.#before.turn, this.#body.turn);
  }

  /** The most degrees that nlerp is off slerp between these two states. */
  get nlerpOffSlerp(): number {
    const from = Float64Array.from(this.#before.turn);
    const to = Float64Array.from(this.#body.turn);
    const [arc, chord] = [new Float64Array(4), new Float64Array(4)];
    let most = 0;
    for (let place = 0.5; place < PLACES; place++) {
      const t = place / PLACES;
      most = Math.max(most, degreesBetween(slerp(arc, from, to, t), nlerp(chord, from, to, t)));
    }
    return most;
  }
}
