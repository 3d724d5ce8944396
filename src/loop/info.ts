/** Describes a step. The loop reuses one object: copy what you keep. */
export interface StepInfo {
  /** Number of this step, which turns state `tick` into state `tick + 1`. */
  readonly tick: number;
  /** Seconds to simulate: `1 / rate`, never scaled. */
  readonly dt: number;
  /** Simulated seconds before this step: `tick / rate`, computed and never summed; after a change of the rate, counted from there. */
  readonly time: number;
}

/** Describes a frame. The loop reuses one object: copy what you keep. */
export interface FrameInfo {
  /** Where the picture lies between the previous state (0) and the current one (1). */
  readonly alpha: number;
  /** Number of the current state, and of the next step. */
  readonly tick: number;
  /** Steps that this frame ran. */
  readonly steps: number;
  /** Simulated seconds that the picture shows, for sprite animation. Never runs backwards. */
  readonly shownTime: number;
  /** Virtual seconds since the last frame, for particles and effects: scaled, and 0 while paused. */
  readonly delta: number;
  /** Real seconds since the last frame, for menus that stay alive while the game is paused. */
  readonly realDelta: number;
}

/** Describes time that a frame could not simulate. The loop reuses one object. */
export interface OverloadInfo {
  /** Number of the next step. */
  readonly tick: number;
  /** Seconds of virtual time that this frame threw away. */
  readonly lost: number;
  /** Seconds of virtual time still owed. */
  readonly debt: number;
  /** Seconds of virtual time that `maxFrameTime` cut off. */
  readonly clamped: number;
  /** Steps that were due but did not run, because of `maxSteps` or `stepBudget`. */
  readonly skipped: number;
}

/** What the loop knows about the display, from the timestamps of its frames. */
export interface DisplayInfo {
  /** Seconds between two refreshes, as far as is known. */
  readonly period: number;
  /** The shortest period of the last minute that was known well, in seconds; 0 before. If `period` is twice as long, frames may be too slow for the display. */
  readonly fastest: number;
  /** Whether timestamps follow the display's refreshes, so that each frame takes a whole number of them. */
  readonly locked: boolean;
  /** Periods between the last two frames; 0 if unknown. */
  readonly refreshes: number;
  /** Whether timestamps are whole milliseconds. */
  readonly coarse: boolean;
}

export type Writable<T> = { -readonly [K in keyof T]: T[K] };
