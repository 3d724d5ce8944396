// A save of a room is a short replay: it begins with the state of the room, and its meta says whose seats are kept. The inputs
// of later ticks can be appended to it, so that little is lost if the process dies.
import { misuse } from "../../errors/index.js";
import type { ServerSession } from "../../net/index.js";
import { handoverBytes, type KeptSeats } from "../../net/authority/handover.js";
import { readReplay, record, replayPlayer, type Recorder } from "../../replay/index.js";
import type { AnySimulation } from "../../sim/index.js";

/** Records a session from its current state on, with all that another process needs to continue it. */
export function recordSave(session: ServerSession): Recorder {
  return record(session, { checkpoints: 1, keyframes: 0, keep: false, meta: { kept: session.seatTokens } });
}

/** Returns the game of a save, with the inputs that were appended to it, for the option `from` of `serverSession`. */
export function gameOfSave(call: string, simulation: AnySimulation, bytes: Uint8Array): Uint8Array {
  const replay = readReplay(bytes);
  const { kept = [] } = replay.info.meta as { readonly kept?: readonly KeptSeats[] };
  let isDiverged = false;
  const player = replayPlayer(simulation, replay, { rewind: false, diverged: () => (isDiverged = true) });
  try {
    player.seek(replay.last);
    if (isDiverged)
      misuse(
        "wrong-simulation",
        call,
        "the inputs of the save lead to another state than in the room that saved it",
        "Use the build that saved it",
      );
    return handoverBytes({ seed: player.seed, state: player.bytes(), kept });
  } finally {
    player.dispose();
  }
}
