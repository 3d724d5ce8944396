import { platformer } from "../../../scenes/platformer.js";
import type { InputSource } from "../../../src/input/index.js";
import { inputRuns, record, replayPlayer, type Replay } from "../../../src/replay/index.js";
import { localSession, type StepTiming } from "../../../src/sim/index.js";
import type { GameEffect, GameSession, Story } from "./story.js";

/** Seconds that can be gone back while one plays. The recording has all. */
const HISTORY = 120;

/** The game as it is played: with a past, and recorded from its first tick on. */
export class Live implements Story {
  readonly #session: GameSession;
  readonly #recorder;
  /** Whether anything was done yet. */
  isPlayed = false;

  /** A new game; or one that goes on from a state of a replay, with all that was before it. */
  constructor(inputs: InputSource, onEffect: (effect: GameEffect) => void, from?: Replay, tick = 0) {
    const session = localSession(platformer, {
      seed: from?.info.seed,
      history: { seconds: HISTORY },
      inputs: from ? inputsOf(from) : inputs,
    });
    if (from) start(session, from);
    this.#session = session;
    this.#recorder = record(session, { meta: { made: new Date().toISOString(), by: "Tickwise lab" } });
    if (from) session.skip(tick - session.tick);
    this.isPlayed = from !== undefined;
    session.setInputs(inputs);
    session.on("effect", onEffect);
    session.on("confirmed", ({ words }) => {
      this.isPlayed ||= words.some((word) => word !== 0);
    });
  }

  get tick(): number {
    return this.#session.tick;
  }
  get first(): number {
    return this.#session.first;
  }
  get last(): number {
    return this.#session.last;
  }
  get world() {
    return this.#session.world;
  }
  get rewinding(): boolean {
    return this.#session.rewinding;
  }
  /** Ticks that are recorded. */
  get recorded(): number {
    return this.#recorder.last - this.#recorder.first;
  }

  hash() {
    return this.#session.hash();
  }
  advance(place: StepTiming): void {
    this.#session.advance(place);
  }
  view(alpha: number) {
    return this.#session.view(alpha);
  }
  go(tick: number): void {
    this.#session.seek(tick);
  }
  rewind(speed: number): void {
    this.#session.rewind(speed);
  }
  resume(): void {
    this.#session.endRewind();
  }

  /** The recording up to now, as a file: at once, or packed. */
  bytes(): Uint8Array {
    return this.#recorder.bytes();
  }
  save(): Promise<Uint8Array> {
    return this.#recorder.save();
  }

  dispose(): void {
    this.#recorder.stop();
    this.#session.dispose();
  }
}

/** What was done in a replay, tick by tick. */
function inputsOf(replay: Replay) {
  const runs = inputRuns(replay);
  let run = runs.next().value;
  return (players: readonly object[], { tick }: { readonly tick: number }) => {
    while (run && run.to <= tick) run = runs.next().value;
    if (run) Object.assign(players[0]!, run.values);
  };
}

/** Begins as the replay does: with another state than the initial one, if it was recorded from there. */
function start(session: GameSession, replay: Replay): void {
  const player = replayPlayer(platformer, replay, { rewind: false });
  if (player.hash().join() !== session.hash().join()) session.load(player.bytes());
  player.dispose();
}
