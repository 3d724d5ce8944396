import { requireRead, type Replay } from "./replay.js";

/** A command of a recording. */
export interface RecordedCommand {
  /** The step that executed it. */
  readonly tick: number;
  /** The player who issued it. */
  readonly player: number;
  readonly name: string;
  /** Its fields. */
  readonly values: { readonly [field: string]: unknown };
}

/** Lists the commands of all players: in order of their ticks, then of the players, then of issue. */
export function* recordedCommands(replay: Replay): Generator<RecordedCommand, void> {
  requireRead("recordedCommands", replay);
  const spec = replay.info.commands;
  if (!spec) return;
  const cursor = replay.commands();
  for (let tick = cursor.from(replay.first); tick < replay.last; tick = cursor.from(tick + 1))
    for (const { player, bytes } of cursor.at(tick)) {
      const { name, player: _, ...values } = spec.decode(bytes, player);
      yield { tick, player, name, values };
    }
}
