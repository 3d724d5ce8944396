import type { InputFields, InputRequest, InputSource } from "../input/index.js";
import {
  localSession,
  type CommandFields,
  type EffectFields,
  type LocalSession,
  type LocalOptions,
  type ExternalStates,
  type PackedCommand,
  type Simulation,
} from "../sim/index.js";
import type { Fields } from "../state/index.js";
import { withoutDescription } from "../sim/bytes.js";
import { NO_COMMANDS } from "../sim/commands.js";
import type { Tape } from "../sim/tape.js";
import { misuse, problemOf, onBehalfOf } from "../errors/index.js";
import type { CommandCursor } from "./command-cursor.js";
import { FIX } from "./format.js";
import type { InputCursor } from "./input-cursor.js";
import type { Keyframe } from "./keyframe.js";
import type { Replay } from "./replay.js";
import type { SeatCursor } from "./seats.js";

/** Supplies the recorded inputs, commands and absent seats of all players. After the last tick, everybody goes on as in that tick. */
export class ReplayInputs implements InputSource, Tape {
  readonly allPlayers = true;
  readonly #cursor: InputCursor;
  readonly #commands: CommandCursor;
  readonly #seats: SeatCursor;
  readonly #replay: Replay;
  #words: Uint32Array | undefined;

  constructor(replay: Replay) {
    this.#replay = replay;
    this.#cursor = replay.inputs();
    this.#commands = replay.commands();
    this.#seats = replay.seatCursor();
  }

  sample(words: Uint32Array, _at: number, { tick }: InputRequest): void {
    this.#words = words;
    const { first, last } = this.#replay;
    if (tick < first || tick >= last) return;
    this.#cursor.seek(tick);
    words.set(this.#cursor.words);
  }

  commandsAt(tick: number): readonly PackedCommand[] {
    const { first, last } = this.#replay;
    return tick < first || tick >= last ? NO_COMMANDS : this.#commands.at(tick);
  }

  absentAt(tick: number, absent: Uint8Array): void {
    this.#seats.seek(tick);
    absent.set(this.#seats.absent);
  }

  /** Returns the names of who sits in the seats in a tick. */
  namesAt(tick: number): readonly string[] {
    this.#seats.seek(tick);
    return this.#seats.names;
  }

  /** Releases everything that the recording held. */
  releaseAll(): void {
    this.#words?.fill(0);
  }
}

/** Loads a state of the file. Throws if it is none of this simulation, or of another tick than the file says. */
export function loadState(
  session: { readonly tick: number; load(bytes: Uint8Array): void },
  replay: Replay,
  keyframe: Keyframe,
  size: number | undefined,
): void {
  session.load(replay.stateOf(keyframe, size));
  if (session.tick !== keyframe.tick)
    misuse(
      "corrupt-data",
      "readReplay",
      `byte ${keyframe.from} holds state ${session.tick}, but the file calls it state ${keyframe.tick}`,
      FIX,
    );
}

/** Creates a session in the first state of a recording that takes its inputs and commands from it. */
export function sessionOf<
  S extends Fields,
  I extends InputFields,
  E extends EffectFields,
  X extends ExternalStates,
  P extends number,
  C extends CommandFields,
>(
  call: string,
  simulation: Simulation<S, I, E, X, P, C>,
  replay: Replay,
  options: LocalOptions<I, P> = {},
): { session: LocalSession<S, I, E, X, P, C>; inputs: ReplayInputs; size: number | undefined } {
  const inputs = new ReplayInputs(replay);
  const session = onBehalfOf(call, ["localSession"], () =>
    localSession(simulation, { ...options, seed: replay.info.seed, inputs }),
  );
  session.setTape(inputs);
  // External state has no fixed size.
  const size = simulation.options.external ? undefined : withoutDescription(session.bytes()).length;
  const { startState } = replay;
  if (startState)
    try {
      loadState(session, replay, startState, size);
    } catch (error) {
      session.dispose();
      misuse(
        "corrupt-data",
        call,
        `the first state of the recording cannot be loaded: ${problemOf(error)}`,
        FIX,
        error,
      );
    }
  return { session, inputs, size };
}
