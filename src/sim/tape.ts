import type { PackedCommand } from "./commands.js";

/** Supplies the commands and the absent seats of each step, for a session that plays a recording. */
export interface Tape {
  commandsAt(tick: number): readonly PackedCommand[];
  /** Sets `absent` to 1 for each absent seat, and to 0 for all others. */
  absentAt(tick: number, absent: Uint8Array): void;
}
