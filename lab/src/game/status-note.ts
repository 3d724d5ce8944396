import { hasTouch } from "../game-keys.js";
import type { Game } from "./game.js";
import type { GameSettings } from "./settings.js";

/** Says what is on screen, and what the visitor can do now. */
export function statusNote(
  { current, watched }: Game,
  { rewind, speed }: GameSettings,
  isPaused: boolean,
): string {
  const { tick, first, last, rewinding } = current;
  if (rewinding && tick === first)
    return "This is the oldest state in the history. Release to play from here.";
  if (rewinding) return `Rewinding at ${rewind}×. Release to play from here.`;
  if (watched) return replayNote(watched, isPaused ? `is paused at tick ${tick}` : `plays at ${speed}×`);
  if (tick < last) return "A past state. Playing on from here discards the states after it.";
  if (isPaused)
    return "Paused. Press P to resume; use the slider or the , and . keys to look at past states.";
  const controls = hasTouch()
    ? "◀ and ▶ run, Jump jumps, also off walls. Hold ↺ to rewind and try again."
    : "Run with the arrow keys or A and D, jump with Space, also off walls. Gamepads work too. Hold B to rewind and try again.";
  return `${controls} Collect coins, touch flags to set a checkpoint, and find the door far to the right.`;
}

function replayNote(
  { name, replay, ended, divergedAt }: NonNullable<Game["watched"]>,
  status: string,
): string {
  const damage = replay.message ? ` The file is damaged or incomplete: ${replay.message}.` : "";
  const divergence = divergedAt < 0 ? "" : ` It diverges from the recording at state ${divergedAt}.`;
  return `${name} ${ended ? "has ended" : status}. Press T to take over from the tick shown.${damage}${divergence}`;
}
