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
  /** When the frame's time ended: milliseconds of the driver's clock, or of all frames together without a driver. */
  readonly timestamp: number;
}

/** Describes time that a frame could not simulate. The loop reuses one object. */
export interface OverloadInfo {
  /** Number of the next step. */
  readonly tick: number;
  /** Seconds of virtual time that this frame threw away. */
  readonly lost: number;
  /** Seconds of virtual time that `maxFrameTime` cut off. */
  readonly clamped: number;
  /** Steps that were due but did not run, because of `maxSteps` or a step budget. */
  readonly skipped: number;
}

/** Describes a new rate. */
export interface RateInfo {
  /** Steps per second, as a fraction. */
  readonly rate: readonly [numerator: number, denominator: number];
  /** Seconds by which the owed time has changed, so that the picture does not jump: less than a step; negative if it has grown. */
  readonly lost: number;
  /** Factor from the old kernel's units to the new one's. */
  readonly units: number;
}

export type Writable<T> = { -readonly [K in keyof T]: T[K] };
