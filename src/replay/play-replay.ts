import { badValue, onBehalfOf, requireOptions } from "../errors/index.js";
import type { InputFields } from "../input/index.js";
import type {
  CommandFields,
  Drive,
  DriveOptions,
  Effect,
  EffectFields,
  ExternalStates,
  Simulation,
} from "../sim/index.js";
import { DRIVE_OPTIONS, driveOwn, rejectMisplaced } from "../sim/drive.js";
import type { Fields, ReadonlyWorld } from "../state/index.js";
import { isBlob, type ReplayBytes } from "./bytes.js";
import { PLAYER_OPTIONS, replayPlayer, type PlayerOptions, type ReplayPlayer } from "./player.js";
import { readReplay, Replay } from "./replay.js";

/** Options of `playReplay`: those of `replayPlayer` and of `drive`. */
export interface PlayReplayOptions<S extends Fields, E extends EffectFields>
  extends PlayerOptions, Omit<DriveOptions<ReadonlyWorld<S>, Effect<E>>, "withdrawn"> {}

const OPTIONS = [...PLAYER_OPTIONS, ...DRIVE_OPTIONS.filter((name) => name !== "withdrawn")];

/** Plays a recording on this screen: reads it, creates a player, and drives it with a loop. */
export function playReplay<
  S extends Fields,
  I extends InputFields,
  E extends EffectFields,
  X extends ExternalStates,
  P extends number,
  C extends CommandFields,
>(
  simulation: Simulation<S, I, E, X, P, C>,
  replay: Replay | ReplayBytes,
  options: PlayReplayOptions<S, E> = {},
): Drive<ReplayPlayer<S, I, E, X, P, C>> {
  rejectMisplaced("playReplay", options);
  requireOptions("playReplay", options, OPTIONS, "{ render(view) {} }");
  if (isBlob(replay))
    badValue("playReplay: replay", "a replay or its bytes", replay, "await readReplay(blob) first");
  const { guard, kernels, rewind, diverged, ...settings } = options;
  const player = onBehalfOf("playReplay", ["readReplay", "replayPlayer"], () =>
    replayPlayer(simulation, replay instanceof Replay ? replay : readReplay(replay), {
      guard,
      kernels,
      rewind,
      diverged,
    }),
  );
  return driveOwn("playReplay", player, settings as DriveOptions<unknown, unknown>);
}
