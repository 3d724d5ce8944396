import type { InputFields, InputRequest, InputSource } from "../input/index.js";
import {
  localSession,
  type EffectFields,
  type LocalSession,
  type LocalOptions,
  type ExternalStates,
  type Simulation,
} from "../sim/index.js";
import type { Fields } from "../state/index.js";
import { withoutDescription } from "../sim/bytes.js";
import { badValue } from "../errors/index.js";
import { CURE } from "./format.js";
import type { InputCursor } from "./input-cursor.js";
import type { Keyframe } from "./keyframe.js";
import type { Replay } from "./replay.js";

/** What all players did, as a session asks for it. After the end, everybody goes on as in the last tick. */
export class ReplayInputs implements InputSource {
  readonly #cursor: InputCursor;
  readonly #replay: Replay;
  #words: Uint32Array | undefined;

  constructor(replay: Replay) {
    this.#replay = replay;
    this.#cursor = replay.inputs();
  }

  // It writes the words of all players, as the first player's source.
  sample(words: Uint32Array, _at: number, { tick }: InputRequest): void {
    this.#words = words;
    const { first, last } = this.#replay;
    if (tick < first || tick >= last) return;
    this.#cursor.seek(tick);
    words.set(this.#cursor.words);
  }

  /** Nobody does anything any more. */
  letGo(): void {
    this.#words?.fill(0);
  }
}

/** Loads a state of the file; or throws, and nothing is loaded but a state that lies about its tick. */
export function loadState(
  session: { readonly tick: number; load(bytes: Uint8Array): void },
  replay: Replay,
  keyframe: Keyframe,
  size: number | undefined,
): void {
  session.load(replay.stateOf(keyframe, size));
  if (session.tick !== keyframe.tick)
    throw new RangeError(`byte ${keyframe.from}: state ${session.tick}, said to be ${keyframe.tick}`);
}

/** A session that begins as the recording does, and takes its inputs from it. */
export function sessionOf<
  S extends Fields,
  I extends InputFields,
  E extends EffectFields,
  O extends ExternalStates,
>(
  call: string,
  simulation: Simulation<S, I, E, O>,
  replay: Replay,
  options: LocalOptions<I> = {},
): { session: LocalSession<S, I, E, O>; inputs: ReplayInputs; size: number | undefined } {
  const inputs = new ReplayInputs(replay);
  const session = localSession(simulation, { ...options, seed: replay.info.seed, inputs });
  // What lives outside has no fixed size.
  const size = simulation.options.external ? undefined : withoutDescription(session.bytes()).length;
  const { startState } = replay;
  if (startState)
    try {
      loadState(session, replay, startState, size);
    } catch (error) {
      session.dispose();
      badValue(`${call}: replay`, "one whose first state can be loaded", (error as Error).message, CURE);
    }
  return { session, inputs, size };
}
