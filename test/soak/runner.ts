import type { Scene } from "../../scenes/index.js";
import { localSession } from "../../src/sim/index.js";
import { hashText } from "../../src/state/index.js";

/** A session that follows the script of its scene, unless it is led astray. */
export class Runner {
  readonly #scene: Scene;
  readonly #seconds: number;
  #session;
  /** Players do something else: what they did so many ticks later, or earlier. */
  #astray = 0;
  /** Steps that were taken in all. */
  steps = 0;

  constructor(scene: Scene, seconds = 0) {
    this.#scene = scene;
    this.#seconds = seconds;
    this.#session = this.#open();
  }

  #open() {
    const session = localSession(this.#scene.simulation, {
      ...(this.#seconds > 0 ? { history: { seconds: this.#seconds } } : {}),
      inputs: (players, { tick }) => this.#scene.script(players, Math.max(0, tick + this.#astray)),
    });
    session.on("confirmed", () => void this.steps++);
    return session;
  }

  get tick(): number {
    return this.#session.tick;
  }
  get session() {
    return this.#session;
  }

  goTo(tick: number): void {
    while (this.#session.tick < tick) this.#session.advance();
  }

  /** Takes so many steps of another future, and comes back. */
  stray(by: number, ticks: number): void {
    const { tick } = this;
    this.#astray = by;
    this.goTo(tick + ticks);
    this.#astray = 0;
    this.#session.seek(tick);
  }

  /** Goes on in a new session, from bytes. */
  move(): void {
    const bytes = this.#session.bytes();
    this.#session.dispose();
    this.#session = this.#open();
    this.#session.load(bytes);
  }

  hash(): string {
    return hashText(this.#session.hash());
  }

  dispose(): void {
    this.#session.dispose();
  }
}
