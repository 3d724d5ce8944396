import { Loop, timeScale } from "tickwise";
import { nlerp, rotation, slerp, smooth } from "tickwise/blend";
import { degreesBetween, stepTumble, tumble, type Tumble } from "../../../scenes/tumble.js";
import type { ThreeDSettings } from "./settings.js";
import { BLEND_MODES, type BlendMode } from "./blend-modes.js";

/** Seconds between two samples, and how many are kept: one second. */
const SAMPLE_INTERVAL = 1 / 60;
const MAX_SAMPLES = 60;
/** Points between two states at which nlerp is compared with slerp. */
const POINTS = 64;

const copy = ({ turn, spin }: Tumble): Tumble => ({ turn: [...turn], spin: [...spin] });

/** Measurements of a picture over 1/60 s, in degrees. */
interface Sample {
  /** How far it turned. */
  readonly turned: number;
  /** Distance from the exact orientation, and from the slerp picture. */
  readonly offTruth: number;
  readonly offSlerp: number;
}

/** A tumbling body simulated at a low rate, and three pictures of it. */
export class Tumbling {
  /** Real seconds elapsed. */
  now = 0;
  /** The orientation of each picture, and the exact motion at the time they show. */
  readonly shown: Readonly<Record<BlendMode["id"], ArrayLike<number>>>;
  truth: Tumble;
  /** Samples of the last second. */
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
      step: ({ dt }) => {
        this.#before = copy(this.#body);
        stepTumble(this.#body, dt);
      },
    });
    timeScale(this.#loop).set(scale);
    this.shown = {
      slerp: smooth(this.#loop, this.#body, { turn: rotation }).turn,
      nlerp: smooth(this.#loop, this.#body, { turn: rotation.nlerp }).turn,
      none: this.#body.turn,
    };
  }

  /** Advances to this time, in real seconds. */
  advanceTo(seconds: number): void {
    while (this.now < seconds) {
      const isWhole = this.now + SAMPLE_INTERVAL < seconds;
      const piece = isWhole ? SAMPLE_INTERVAL : seconds - this.now;
      const before = BLEND_MODES.map(({ id }) => Array.from(this.shown[id]));
      this.#loop.advance(piece);
      this.now = isWhole ? this.now + SAMPLE_INTERVAL : seconds;
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
      turned: (degreesBetween(before, shown) * SAMPLE_INTERVAL) / seconds,
      offTruth: degreesBetween(shown, this.truth.turn),
      offSlerp: degreesBetween(shown, this.shown.slerp),
    });
    if (samples.length > MAX_SAMPLES) samples.shift();
  }

  /** The maximum of a measurement over the last second. */
  max(id: BlendMode["id"], measurement: keyof Sample): number {
    return Math.max(0, ...this.samples[id].map((sample) => sample[measurement]));
  }

  /** Height of the chart, in degrees per 1/60 s: nlerp peaks about half above slerp; without blending, a whole step. */
  chartTop(id: BlendMode["id"]): number {
    const { rate, turns, scale } = this.#settings;
    return Math.ceil(
      id === "none" ? Math.min(180, (400 * turns) / rate) : 540 * turns * scale * SAMPLE_INTERVAL,
    );
  }

  /** Degrees turned in the last step. */
  get degreesPerStep(): number {
    return degreesBetween(this.#before.turn, this.#body.turn);
  }

  /** Largest difference between nlerp and slerp within the last step, in degrees. */
  get nlerpOffSlerp(): number {
    const from = Float64Array.from(this.#before.turn);
    const to = Float64Array.from(this.#body.turn);
    const [arc, chord] = [new Float64Array(4), new Float64Array(4)];
    let max = 0;
    for (let point = 0.5; point < POINTS; point++) {
      const t = point / POINTS;
      max = Math.max(max, degreesBetween(slerp(arc, from, to, t), nlerp(chord, from, to, t)));
    }
    return max;
  }
}
