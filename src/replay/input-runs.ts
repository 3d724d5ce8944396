import type { InputFields, InputValues } from "../input/index.js";
import { requireRead, type Replay } from "./replay.js";

/** Ticks during which the inputs of a player stay the same. */
export interface InputRun {
  /** The first tick. */
  readonly from: number;
  /** The first tick after the run. */
  readonly to: number;
  readonly player: number;
  readonly values: InputValues<InputFields>;
}

/** Lists the inputs of all players as runs of equal inputs, in order of their ends. */
export function* inputRuns(replay: Replay): Generator<InputRun, void> {
  requireRead("inputRuns", replay);
  const { players, packing } = replay.info;
  const width = packing.words;
  const cursor = replay.inputs();
  const before = cursor.words.slice();
  const since = Array.from({ length: players }, () => replay.first);
  const run = (player: number, to: number): InputRun => ({
    from: since[player]!,
    to,
    player,
    values: packing.unpack(before, player * width),
  });
  for (let tick = replay.first; tick < replay.last; tick = cursor.until) {
    cursor.seek(tick);
    for (let player = 0; player < players; player++) {
      const at = player * width;
      let isSame = true;
      for (let i = at; i < at + width; i++) isSame &&= before[i] === cursor.words[i];
      if (isSame) continue;
      if (tick > since[player]!) yield run(player, tick);
      since[player] = tick;
      for (let i = at; i < at + width; i++) before[i] = cursor.words[i]!;
    }
  }
  for (let player = 0; player < players; player++)
    if (replay.last > since[player]!) yield run(player, replay.last);
}
