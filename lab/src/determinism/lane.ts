import { Loop } from "tickwise";
import { variable } from "tickwise/stepping";
import { localSession } from "../../../src/sim/index.js";
import { Display } from "../display.js";
import { hashText } from "../../../src/state/index.js";
import { sceneOf, type AnySession, type DrawableScene } from "../scenes/drawable.js";
import { plant, type Frame } from "./faults.js";
import { displayOf, type DeterminismSettings, type Rate } from "./settings.js";

/** One run of the scene on its own simulated display. */
export class Lane {
  readonly display: Display;
  /** Hashes not compared yet, by tick. */
  readonly hashes = new Map<number, string>();
  readonly #session: AnySession;
  readonly #loop: Loop;
  #alpha = 0;

  constructor(scene: DrawableScene, fault: DeterminismSettings["fault"], rate: Rate, seed: number) {
    const frame: Frame = { seconds: 0, time: 0 };
    const { script } = sceneOf(scene);
    const faulty = plant(scene, fault, frame);
    const [numerator, denominator] = faulty.rate;
    const session = localSession(faulty, {
      // With variable steps, look the script up by time, so that both lanes get the same input at the same time.
      inputs: (players, { tick }) =>
        script(
          players,
          fault === "variable" ? Math.floor((frame.time * numerator) / denominator + 1e-6) : tick,
        ),
    });
    this.display = new Display(displayOf(rate, seed));
    this.#session = session;
    this.#storeHash();
    this.#loop = new Loop({
      rate: [numerator, denominator],
      ...(fault === "variable" ? { stepping: variable() } : {}),
      step: ({ dt }) => {
        frame.seconds = dt;
        session.advance();
        frame.time += dt;
        this.#storeHash();
      },
      render: ({ alpha }) => {
        this.#alpha = alpha;
      },
    });
  }

  get tick(): number {
    return this.#session.tick;
  }

  /** The blended state of the last frame. */
  view(): object {
    return this.#session.view(this.#alpha);
  }

  /** Runs the frames due by then. */
  advanceTo(seconds: number): void {
    while (this.display.due <= seconds) this.#loop.advance(this.display.next());
  }

  dispose(): void {
    this.#session.dispose();
  }

  #storeHash(): void {
    this.hashes.set(this.#session.tick, hashText(this.#session.hash()));
  }
}
