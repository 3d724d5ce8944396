import { platformer } from "../../../scenes/platformer.js";
import { replayPlayer, type Replay } from "../../../src/replay/index.js";
import type { StepTiming } from "../../../src/sim/index.js";
import type { GameEffect, Story } from "./story.js";

/** A replay that is watched. */
export class Watched implements Story {
  readonly replay: Replay;
  /** The name of its file. */
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
  /** The first state that came out otherwise than it was recorded; -1 if none has. */
  get divergedAt(): number {
    return this.#player.divergence?.tick ?? -1;
  }

  hash() {
    return this.#player.hash();
  }
  advance(place: StepTiming): void {
    this.#player.advance(place);
  }
  view(alpha: number) {
    return this.#player.view(alpha);
  }
  go(tick: number): void {
    this.#player.seek(tick);
  }
  rewind(speed: number): void {
    this.#player.rewind(speed);
  }
  resume(): void {
    this.#player.endRewind();
  }
  dispose(): void {
    this.#player.dispose();
  }
}
