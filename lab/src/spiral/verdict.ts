import type { World } from "./world.js";

/** Longer without a new picture, in seconds, the game counts as frozen. */
export const FREEZE = 0.5;
/** With fewer pictures per second, it cannot be played. */
export const PLAYABLE_RATE = 10;

interface Verdict {
  readonly isGood: boolean;
  readonly isFrozen: boolean;
  readonly text: string;
}

/** Says whether a world can be played: without freezes, and with enough pictures per second. Slow motion can. */
export function verdictOf(world: World, now: number): Verdict {
  const frozen = world.frozen(now);
  const longest = world.longestFreeze(now);
  const rate = world.frameRate(now);
  if (frozen > FREEZE) return { isGood: false, isFrozen: true, text: `Frozen for ${frozen.toFixed(1)} s` };
  if (longest > FREEZE)
    return { isGood: false, isFrozen: false, text: `Froze for up to ${longest.toFixed(1)} s` };
  if (rate < PLAYABLE_RATE)
    return { isGood: false, isFrozen: false, text: `A slide show: ${rate.toFixed(1)} frames/s` };
  const speed = Math.round(100 * world.speed(now));
  return {
    isGood: true,
    isFrozen: false,
    text: speed < 98 ? `Playable, in slow motion: ${speed} %` : "Playable, at full speed",
  };
}
