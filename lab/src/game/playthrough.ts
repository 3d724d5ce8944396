import type { platformer } from "../../../scenes/platformer.js";
import type { Effect, LocalSession, Simulation, StepTiming } from "../../../src/sim/index.js";
import type { Hash, ReadonlyWorld } from "../../../src/state/index.js";

type Parts =
  typeof platformer extends Simulation<infer S, infer I, infer E, infer O>
    ? { s: S; i: I; e: E; o: O }
    : never;

export type GameWorld = ReadonlyWorld<Parts["s"]>;
export type GameEffect = Effect<Parts["e"]>;
export type GameSession = LocalSession<Parts["s"], Parts["i"], Parts["e"], Parts["o"]>;

/** What the screen shows: the live game or a replay. Both can seek and rewind. */
export interface Playthrough {
  readonly tick: number;
  /** The range of ticks that `seek` accepts. */
  readonly first: number;
  readonly last: number;
  readonly rewinding: boolean;
  /** The state at `tick`. */
  readonly world: GameWorld;
  hash(): Hash;
  advance(timing: StepTiming): void;
  view(alpha: number): GameWorld;
  seek(tick: number): void;
  /** Goes back `speed` ticks per step, until `endRewind`. */
  rewind(speed: number): void;
  endRewind(): void;
  dispose(): void;
}
