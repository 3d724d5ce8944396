/** What a step is told. One object for the life of the loop: copy what you keep. */
export interface StepInfo {
  /** This step's number: it takes state `tick` to state `tick + 1`. */
  readonly tick: number;
  /** Seconds to simulate: `1 / rate`, never scaled. */
  readonly dt: number;
  /** Simulated seconds before this step: `tick / rate`, computed and never summed. */
  readonly time: number;
}

/** What a frame is told. One object for the life of the loop: copy what you keep. */
export interface FrameInfo {
  /** Where the picture lies between the previous state (0) and the current one (1). */
  readonly alpha: number;
  /** Number of the current state; the next step's number. */
  readonly tick: number;
  /** Steps that this frame ran. */
  readonly steps: number;
  /** Simulated seconds that the picture shows; for sprite animation. Never runs backwards. */
  readonly shownTime: number;
  /** Virtual seconds since the last frame: scaled, 0 while paused; for particles and effects. */
  readonly delta: number;
  /** Real seconds since the last frame; for menus that live on while the game is paused. */
  readonly realDelta: number;
}

/** What a frame could not simulate. One object for the life of the loop. */
export interface OverloadInfo {
  /** The next step's number. */
  readonly tick: number;
  /** Seconds of virtual time that this frame threw away. */
  readonly lost: number;
  /** Seconds of virtual time still owed. */
  readonly debt: number;
  /** Seconds of virtual time that `maxFrameTime` cut off. */
  readonly clamped: number;
  /** Whole steps that `maxSteps` or `stepBudget` left out. */
  readonly skipped: number;
}

/** What a loop knows about a display, from the timestamps of its frames. */
export interface DisplayInfo {
  /** Seconds between two refreshes, as far as is known. */
  readonly period: number;
  /** The shortest period of the last minute that was known well, in seconds; 0 before. If `period` is twice as long, frames may be too slow for the display. */
  readonly fastest: number;
  /** Whether timestamps follow a display's refreshes, so that each frame is a whole number of them. */
  readonly locked: boolean;
  /** Periods between the last two frames; 0 if unknown. */
  readonly refreshes: number;
  /** Whether timestamps are whole milliseconds. */
  readonly coarse: boolean;
}

export type Writable<T> = { -readonly [K in keyof T]: T[K] };
