import { platformer } from "../../../scenes/platformer.js";
import type { InputSource } from "../../../src/input/index.js";
import { inputRuns, record, replayPlayer, type Replay } from "../../../src/replay/index.js";
import { localSession } from "../../../src/sim/index.js";
import type { GameSession, Playthrough } from "./playthrough.js";

/** Seconds of history that can be rewound during play. The recording keeps everything. */
const HISTORY = 120;

/** The live game: with history, and recorded from its first tick. */
export class Live implements Playthrough {
  readonly session: GameSession;
  readonly #recorder;
  /** Whether there has been any input yet. */
  isPlayed = false;

  /** Starts a new game, or continues a replay from `tick` and keeps everything before it. */
  constructor(inputs: InputSource, from?: Replay, tick = 0) {
    const session = localSession(platformer, {
      seed: from?.info.seed,
      history: { seconds: HISTORY },
      inputs: from ? inputsOf(from) : inputs,
    });
    if (from) start(session, from);
    this.session = session;
    this.#recorder = record(session, { meta: { made: new Date().toISOString(), by: "Tickwise lab" } });
    if (from) session.skip(tick - session.tick);
    this.isPlayed = from !== undefined;
    session.setInputs(inputs);
    session.on("confirmed", ({ words }) => {
      this.isPlayed ||= words.some((word) => word !== 0);
    });
  }

  get tick(): number {
    return this.session.tick;
  }
  get first(): number {
    return this.session.first;
  }
  get last(): number {
    return this.session.last;
  }
  get world() {
    return this.session.world;
  }
  get rewinding(): boolean {
    return this.session.rewinding;
  }
  /** Number of recorded ticks. */
  get recorded(): number {
    return this.#recorder.last - this.#recorder.first;
  }

  hash() {
    return this.session.hash();
  }
  seek(tick: number): void {
    this.session.seek(tick);
  }
  rewind(speed: number): void {
    this.session.rewind(speed);
  }
  endRewind(): void {
    this.session.endRewind();
  }

  /** Returns the recording so far as an uncompressed file. */
  bytes(): Uint8Array {
    return this.#recorder.bytes();
  }
  /** Returns the recording so far as a compressed file. */
  save(): Promise<Uint8Array> {
    return this.#recorder.save();
  }

  dispose(): void {
    this.#recorder.stop();
    this.session.dispose();
  }
}

/** Returns the inputs of a replay, tick by tick. */
function inputsOf(replay: Replay) {
  const runs = inputRuns(replay);
  let run = runs.next().value;
  return (players: readonly object[], { tick }: { readonly tick: number }) => {
    while (run && run.to <= tick) run = runs.next().value;
    if (run) Object.assign(players[0]!, run.values);
  };
}

/** Loads the first state of the replay, if it differs from the initial one. */
function start(session: GameSession, replay: Replay): void {
  const player = replayPlayer(platformer, replay, { rewind: false });
  if (player.hash().join() !== session.hash().join()) session.load(player.bytes());
  player.dispose();
}
