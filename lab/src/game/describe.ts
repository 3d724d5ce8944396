import type { Game } from "./game.js";
import type { GameSettings } from "./settings.js";

const hasFingers = () => matchMedia("(pointer: coarse)").matches;

/** Where the game stands, and what can be done now. */
export function describe(
  { story, watched }: Game,
  { rewind, speed }: GameSettings,
  isPaused: boolean,
): string {
  const { tick, first, last, rewinding } = story;
  if (rewinding && tick === first)
    return "This is the oldest state that is kept. Let go, and play on from here.";
  if (rewinding) return `Going back at ${rewind}×. Let go, and it goes on from there.`;
  if (watched) return describeReplay(watched, isPaused ? `stands at tick ${tick}` : `plays at ${speed}×`);
  if (tick < last) return "A state of the past. Play on from here: what lies ahead of it is then forgotten.";
  if (isPaused) return "Paused. P goes on; the slider and the keys , and . go through what was.";
  const how = hasFingers()
    ? "◀ and ▶ run, Jump jumps, at a wall too. Hold ↺ to go back and try again."
    : "Arrow keys or A and D run, space jumps, at a wall too; or a gamepad. Hold R to go back and try again.";
  return `${how} Coins, a flag to go on from, and a door far to the right.`;
}

function describeReplay(
  { name, replay, ended, divergedAt }: NonNullable<Game["watched"]>,
  doing: string,
): string {
  const damage = replay.message ? ` It is not whole: ${replay.message}.` : "";
  const drift = divergedAt < 0 ? "" : ` State ${divergedAt} came out otherwise than it was recorded.`;
  const how = ended ? "has ended" : doing;
  return `${name} ${how}. Take over (T) to play on from the tick that is shown.${damage}${drift}`;
}
