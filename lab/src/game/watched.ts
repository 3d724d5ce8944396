import { platformer } from "../../../scenes/platformer.js";
import { replayPlayer, type Replay } from "../../../src/replay/index.js";
import type { StepTiming } from "../../../src/sim/index.js";
import type { GameEffect, Playthrough } from "./playthrough.js";

/** A replay opened for viewing. */
export class Watched implements Playthrough {
  readonly replay: Replay;
  /** The file name. */
  readonly name: string;
  readonly #player;

  constructor(replay: Replay, name: string, onEffect: (effect: GameEffect) => void) {
    this.replay = replay;
    this.name = name;
    this.#player = replayPlayer(platformer, replay);
    this.#player.on("effect", onEffect);
  }

  get tick(): number {
    return this.#player.tick;
  }
  get first(): number {
    return this.replay.first;
  }
  get last(): number {
    return this.replay.last;
  }
  get world() {
    return this.#player.world;
  }
  get rewinding(): boolean {
    return this.#player.rewinding;
  }
  get ended(): boolean {
    return this.#player.ended;
  }
  /** The first state that diverges from the recording; -1 if none does. */
  get divergedAt(): number {
    return this.#player.divergence?.tick ?? -1;
  }

  hash() {
    return this.#player.hash();
  }
  advance(timing: StepTiming): void {
    this.#player.advance(timing);
  }
  view(alpha: number) {
    return this.#player.view(alpha);
  }
  seek(tick: number): void {
    this.#player.seek(tick);
  }
  rewind(speed: number): void {
    this.#player.rewind(speed);
  }
  endRewind(): void {
    this.#player.endRewind();
  }
  dispose(): void {
    this.#player.dispose();
  }
}
