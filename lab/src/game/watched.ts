import { platformer } from "../../../scenes/platformer.js";
import { replayPlayer, type Replay } from "../../../src/replay/index.js";
import type { Playthrough } from "./playthrough.js";

/** A replay opened for viewing. */
export class Watched implements Playthrough {
  readonly replay: Replay;
  /** The file name. */
  readonly name: string;
  readonly session;

  constructor(replay: Replay, name: string) {
    this.replay = replay;
    this.name = name;
    this.session = replayPlayer(platformer, replay);
  }

  get tick(): number {
    return this.session.tick;
  }
  get first(): number {
    return this.replay.first;
  }
  get last(): number {
    return this.replay.last;
  }
  get world() {
    return this.session.world;
  }
  get rewinding(): boolean {
    return this.session.rewinding;
  }
  get ended(): boolean {
    return this.session.ended;
  }
  /** The first state that diverges from the recording; -1 if none does. */
  get divergedAt(): number {
    return this.session.divergence?.tick ?? -1;
  }

  hash() {
    return this.session.hash();
  }
  seek(tick: number): void {
    this.session.seek(tick);
  }
  rewind(speed: number): void {
    this.session.rewind(speed);
  }
  endRewind(): void {
    this.session.endRewind();
  }
  dispose(): void {
    this.session.dispose();
  }
}
