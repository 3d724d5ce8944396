import type { platformer } from "../../../scenes/platformer.js";
import type { EffectOf, Session, SessionOf, ViewOf } from "../../../src/sim/index.js";
import type { Hash } from "../../../src/state/index.js";

export type GameWorld = ViewOf<typeof platformer>;
export type GameEffect = EffectOf<typeof platformer>;
export type GameSession = SessionOf<typeof platformer>;

/** What the screen shows: the live game or a replay. Both can seek and rewind. */
export interface Playthrough {
  /** What the loop drives. */
  readonly session: Session<GameWorld, GameEffect>;
  readonly tick: number;
  /** The range of ticks that `seek` accepts. */
  readonly first: number;
  readonly last: number;
  readonly rewinding: boolean;
  /** The state at `tick`. */
  readonly world: GameWorld;
  hash(): Hash;
  seek(tick: number): void;
  /** Goes back `speed` ticks per step, until `endRewind`. */
  rewind(speed: number): void;
  endRewind(): void;
  dispose(): void;
}
