export type { Beat } from "./beats.js";
export type { LoopEvents } from "./events.js";
export type { DisplayInfo, FrameInfo, OverloadInfo, StepInfo } from "./info.js";
export { Loop } from "./loop.js";
export type { LoopOptions, LoopSettings, System } from "./options.js";
export type { PolicyOptions } from "./policy.js";
export { Roster } from "./roster.js";
export type { Figures, LoopStats } from "./stats.js";
export type { Stepping } from "./stepping.js";
