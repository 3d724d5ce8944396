/**
 * The loop: exact fixed steps from the uneven time of a display, and drivers that call it.
 *
 * @packageDocumentation
 */

export { browserDriver, timerDriver } from "./drivers/index.js";
export type {
  BrowserOptions,
  Driver,
  DriverHost,
  DriverNotice,
  OnFrame,
  TimerOptions,
} from "./drivers/index.js";
export { TickwiseError, type ErrorCode } from "./errors/index.js";
export { Loop, suggestRate } from "./loop/index.js";
export type {
  Beat,
  BeatEvents,
  DisplayInfo,
  Figures,
  FiguresData,
  FrameInfo,
  LoopEvents,
  LoopOptions,
  LoopSettings,
  LoopStats,
  LoopStatsData,
  MonitorValue,
  OverloadInfo,
  PolicyOptions,
  RateSuggestion,
  StepInfo,
  Stepping,
  SuggestRateOptions,
  System,
} from "./loop/index.js";
export { ramp, slowMotion, type Easing, type Ramp, type Rate, type SlowMotionOptions } from "./time/index.js";
