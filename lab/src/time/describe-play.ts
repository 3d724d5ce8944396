import type { TimeSettings } from "./settings.js";

/** Says who plays, and how the visitor can. */
export function describePlay({ by, scene }: TimeSettings, isTouch: boolean): string {
  const again = isTouch ? "Hold to rewind, and try again." : "Hold B to rewind and try again.";
  if (by === "script")
    return isTouch
      ? "The script is playing. Touch the controls to take over, hold to rewind, or drag the slider."
      : "The script is playing. Press an arrow key to take over, hold B to rewind, or drag the slider.";
  if (scene === "platformer")
    return isTouch
      ? `You are playing: ◀ and ▶ run, Jump jumps, ↺ rewinds. ${again}`
      : `You are playing: run with the arrow keys, jump with Space. ${again}`;
  return isTouch
    ? `You are playing: move the bumper with the stick, and kick. ${again}`
    : `You are playing: move the bumper with the arrow keys, kick with Space. ${again}`;
}
