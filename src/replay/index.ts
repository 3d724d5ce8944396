/**
 * Records sessions; reads, plays and verifies recordings.
 *
 * @packageDocumentation
 */

export type { ReplayBlob, ReplayBytes } from "./bytes.js";
export type { ReplayInfo, ReplayMeta } from "./head.js";
export { inputRuns, type InputRun } from "./input-runs.js";
export type { Keyframe } from "./keyframe.js";
export { replayPlayer, type Divergence, type ReplayPlayer, type PlayerOptions } from "./player.js";
export { playReplay, type PlayReplayOptions } from "./play-replay.js";
export { recordedCommands, type RecordedCommand } from "./recorded-commands.js";
export type { SeatChange } from "./seats.js";
export { record, type Recordable, type Recorder, type RecordOptions } from "./recorder.js";
export { readReplay, readReplayInfo, type Replay } from "./replay.js";
export { verify, type VerifyOptions, type VerifyResult } from "./verify.js";
