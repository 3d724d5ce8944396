export type { Driver } from "./drivers/index.js";
export { Loop } from "./loop/index.js";
export type {
  Beat,
  Figures,
  FrameInfo,
  LoopEvents,
  LoopOptions,
  LoopSettings,
  LoopStats,
  OverloadInfo,
  PolicyOptions,
  StepInfo,
  Stepping,
  System,
} from "./loop/index.js";
export type { Rate } from "./time/index.js";
