import type { SoundNode } from "./sound-nodes.js";

/** Options of `playMusic`. */
export interface MusicOptions {
  /** The shown time at which the music begins, in seconds. Default: as soon as the context runs. */
  at?: number | undefined;
  /** Whether it starts again at its end. Default true. */
  repeat?: boolean | undefined;
  /** What it is connected to, such as the gain of a volume control. Default: the context's destination. */
  destination?: SoundNode | undefined;
  /**
   * What slow motion does to the music. "bend": it plays slower and lower, like a tape, and is silent in a hit-stop. "keep": it
   * plays on, and is synchronized when the speed is 1 again. Default "bend".
   */
  slowMotion?: "bend" | "keep" | undefined;
  /** Seconds that a crossfade takes: from 0.005 to 1. Default 0.03. */
  fade?: number | undefined;
}

/** Music that follows a loop. Create it with `playMusic`. */
export interface Music {
  /** Whether it sounds, or is about to. It is silent while the loop is paused, the page hidden or the context suspended. */
  readonly isPlaying: boolean;
  /** Seconds by which it lagged behind the loop in the last frame; negative if it was ahead. */
  readonly error: number;
  /** How many times it was moved to another position by a crossfade. */
  readonly jumps: number;
  /** Fades out and ends. */
  dispose(): void;
}
