import type { Scene } from "../../scenes/index.js";
import { localSession } from "../../src/sim/index.js";
import { hashText } from "../../src/state/index.js";

/** A session that follows the script of its scene, except in `stray`. */
export class Runner {
  readonly #scene: Scene;
  readonly #seconds: number;
  #session;
  /** Offset in ticks into the script, to give players other inputs. */
  #offset = 0;
  /** The total number of steps. */
  steps = 0;

  constructor(scene: Scene, seconds = 0) {
    this.#scene = scene;
    this.#seconds = seconds;
    this.#session = this.#open();
  }

  #open() {
    const session = localSession(this.#scene.simulation, {
      ...(this.#seconds > 0 ? { history: { seconds: this.#seconds } } : {}),
      inputs: (players, { tick }) => this.#scene.script(players, Math.max(0, tick + this.#offset)),
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

  /** Simulates another future for some ticks, and seeks back. */
  stray(by: number, ticks: number): void {
    const { tick } = this;
    this.#offset = by;
    this.goTo(tick + ticks);
    this.#offset = 0;
    this.#session.seek(tick);
  }

  /** Continues in a new session, loaded from bytes. */
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
