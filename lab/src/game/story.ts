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

/** What can be on the screen: the game that is played, or a replay. Both can be gone about in. */
export interface Story {
  readonly tick: number;
  /** The states that it can go to. */
  readonly first: number;
  readonly last: number;
  readonly rewinding: boolean;
  /** The state at `tick`. */
  readonly world: GameWorld;
  hash(): Hash;
  advance(place: StepTiming): void;
  view(alpha: number): GameWorld;
  /** Goes to a state, exactly. */
  go(tick: number): void;
  /** Goes back from now on, so many ticks a step; or forward again. */
  rewind(speed: number): void;
  resume(): void;
  dispose(): void;
}
