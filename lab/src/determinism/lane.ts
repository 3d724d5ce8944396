import { Loop } from "tickwise";
import { variable } from "tickwise/stepping";
import { localSession } from "../../../src/sim/index.js";
import { Display } from "../display.js";
import { hashText } from "../../../src/state/index.js";
import { sceneOf, type AnySession, type Drawn } from "../scenes/drawn.js";
import { plant, type Frame } from "./faults.js";
import { displayOf, type DeterminismSettings, type Rate } from "./settings.js";

/** One run of the scene before a display of its own. */
export class Lane {
  readonly display: Display;
  /** Hashes of states that are still to be compared, by their ticks. */
  readonly hashes = new Map<number, string>();
  readonly #session: AnySession;
  readonly #loop: Loop;
  #alpha = 0;

  constructor(scene: Drawn, fault: DeterminismSettings["fault"], rate: Rate, seed: number) {
    const frame: Frame = { seconds: 0, time: 0 };
    const { script } = sceneOf(scene);
    const faulty = plant(scene, fault, frame);
    const [numerator, denominator] = faulty.rate;
    const session = localSession(faulty, {
      // By the time, where ticks are as long as frames: so that players do the same at the same time.
      inputs: (players, { tick }) =>
        script(
          players,
          fault === "variable" ? Math.floor((frame.time * numerator) / denominator + 1e-6) : tick,
        ),
    });
    this.display = new Display(displayOf(rate, seed));
    this.#session = session;
    this.#note();
    this.#loop = new Loop({
      rate: [numerator, denominator],
      ...(fault === "variable" ? { stepping: variable() } : {}),
      step: ({ dt }) => {
        frame.seconds = dt;
        session.advance();
        frame.time += dt;
        this.#note();
      },
      render: ({ alpha }) => {
        this.#alpha = alpha;
      },
    });
  }

  get tick(): number {
    return this.#session.tick;
  }

  /** What its last frame shows. */
  view(): object {
    return this.#session.view(this.#alpha);
  }

  /** Gives it the frames that are due by then. */
  advanceTo(seconds: number): void {
    while (this.display.due <= seconds) this.#loop.advance(this.display.next());
  }

  dispose(): void {
    this.#session.dispose();
  }

  #note(): void {
    this.hashes.set(this.#session.tick, hashText(this.#session.hash()));
  }
}
