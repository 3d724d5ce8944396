// In a worker: what is done with a simulation.
import { PROFILE } from "../math/index.js";
import { readReplay, replayPlayer, verify, type Replay } from "../replay/index.js";
import { guard, localSession, syncTest, type GuardOptions, type Simulation } from "../sim/index.js";
import { fieldsOfLayout } from "../state/describe-layout.js";
import { hashText, type Difference, type Layout } from "../state/index.js";
import { mismatch, type Game } from "./compare.js";
import { CliError } from "./cli-error.js";
import { END, START, StepFailed, TICK, tickOf } from "./watch.js";
import { plain, readFile, thrownText } from "./text.js";

export type Task =
  | {
      readonly kind: "verify";
      readonly file: string;
      readonly every: number | undefined;
      readonly guard: GuardOptions | undefined;
    }
  | { readonly kind: "diff"; readonly a: string; readonly b: string }
  | { readonly kind: "state"; readonly file: string; readonly tick: number }
  | {
      readonly kind: "synctest";
      readonly ticks: number | undefined;
      readonly back: number | undefined;
      readonly seed: number | string | undefined;
      readonly guard: GuardOptions | undefined;
    };

/** What a task has found. Each kind says in its own fields what there is to say. */
export type Report =
  | ({ readonly outcome: "ok"; readonly name: string; readonly version: number } & Found)
  | ({ readonly outcome: "differs"; readonly message: string } & Found)
  /** The simulation threw, crashed or did not come to an last; in the step of a tick, if that is known. */
  | {
      readonly outcome: "failed" | "timeout";
      readonly message: string;
      readonly tick?: number | undefined;
    }
  /** It is of another simulation, version or build than was given. */
  | {
      readonly outcome: "other";
      readonly message: string;
      readonly recorded: Title;
      readonly given: Title;
    }
  /** It is no replay, or has nothing to compare; if it is damaged, what is there of it. */
  | ({ readonly outcome: "unreadable"; readonly message: string } & Pick<Found, "first" | "last" | "ending">);

type Title = Omit<Game, "packing" | "state">;

interface Found {
  readonly first?: number;
  readonly last?: number;
  readonly ticks?: number;
  /** States that were compared. */
  readonly compared?: number;
  readonly hash?: string;
  /** Of the recording, if it was not finished. */
  readonly note?: string;
  /** Whether the simulation differs, or a keyframe of the file does. */
  readonly reason?: "diverged" | "keyframe";
  /** How its file ends. */
  readonly ending?: Replay["ending"];
  /** The first state that differs, and the last one before it that did not. */
  readonly tick?: number;
  readonly after?: number;
  readonly exact?: boolean;
  readonly fieldsAt?: number | undefined;
  readonly differences?: readonly Difference[];
  /** Of a state: its bytes. */
  readonly state?: Uint8Array;
}

/** Does a task. Whatever goes wrong is a report, too. */
export function report(task: Task, simulations: readonly Simulation[], pulse: Float64Array): Report {
  try {
    return TASKS[task.kind](task as never, simulations, pulse);
  } catch (error) {
    if (error instanceof StepFailed) return { outcome: "failed", message: error.message, tick: error.tick };
    if (error instanceof OtherGame) return error.report;
    // What the library refuses of the simulation, such as an async step; else it is of the file.
    if (error instanceof RangeError && /^simulation: /i.test(error.message))
      return { outcome: "failed", message: error.message, tick: tickOf(pulse[TICK]!) };
    if (error instanceof CliError || error instanceof RangeError)
      return { outcome: "unreadable", message: plain(error.message) };
    const message = (error instanceof Error && error.stack) || thrownText(error);
    return { outcome: "failed", message, tick: tickOf(pulse[TICK]!) };
  }
}

type Of<K extends Task["kind"]> = Extract<Task, { kind: K }>;
type Do<K extends Task["kind"]> = (
  task: Of<K>,
  simulations: readonly Simulation[],
  pulse: Float64Array,
) => Report;

const TASKS: { readonly [K in Task["kind"]]: Do<K> } = {
  verify({ file, every, guard: guarding }, [simulation, against], pulse) {
    const replay = opened(file, simulation!, pulse);
    const { first, last, ending, message: note } = replay;
    const result = verify(simulation!, replay, { against, every, guard: guarding && guard(guarding) });
    if (!result.ok) {
      const { reason } = result;
      if (reason === "damaged") return { outcome: "unreadable", message: note, first, last, ending };
      if (reason === "no-checkpoints") {
        const message = `no checkpoints were recorded in its ${last - first} ticks: there is nothing to compare`;
        return { outcome: "unreadable", message, first, last, ending };
      }
      const { tick, after, exact, fieldsAt, differences } = result;
      const message = plain(result.message);
      return { outcome: "differs", message, reason, first, last, tick, after, exact, fieldsAt, differences };
    }
    const { name, version } = simulation!;
    const { compared, hash } = result;
    return {
      outcome: "ok",
      name,
      version,
      first,
      last,
      compared,
      hash: hashText(hash),
      ending,
      note,
    };
  },

  diff({ a: fileA, b: fileB }, [simulation], pulse) {
    const [a, b] = [opened(fileA, simulation!, pulse), opened(fileB, simulation!, pulse)];
    const first = Math.max(a.first, b.first);
    const last = Math.min(a.last, b.last);
    pulse[START] = first;
    pulse[END] = last;
    const { name, version } = simulation!;
    const [one, other] = [a, b].map((replay) => replayPlayer(simulation!, replay, { rewind: false })) as [
      ReturnType<typeof replayPlayer>,
      ReturnType<typeof replayPlayer>,
    ];
    one.seek(first);
    other.seek(first);
    for (let tick = first; tick <= last; tick++) {
      if (one.hash().join() !== other.hash().join()) {
        const session = localSession(simulation!);
        session.load(other.bytes());
        const differences = session.diff(one.bytes());
        const after = Math.max(first, tick - 1);
        return { outcome: "differs", message: "", first, last, tick, after, exact: true, differences };
      }
      if (tick === last) break;
      one.advance();
      other.advance();
    }
    return { outcome: "ok", name, version, first, last, compared: last - first + 1 };
  },

  state({ file, tick }, [simulation], pulse) {
    const replay = opened(file, simulation!, pulse);
    const player = replayPlayer(simulation!, replay, { rewind: false });
    player.seek(tick);
    const { divergence } = player;
    const { name, version } = simulation!;
    if (divergence)
      return {
        outcome: "differs",
        tick: divergence.tick,
        message: divergence.keyframe
          ? `the keyframe of state ${divergence.tick} contradicts its checkpoint: the file was altered. replay verify shows the fields.`
          : `state ${divergence.tick} comes out otherwise than it was recorded: what would be cut out is another game.`,
      };
    return { outcome: "ok", name, version, state: player.bytes() };
  },

  synctest({ ticks, back, seed, guard: guarding }, [simulation]) {
    const result = syncTest(simulation!, { ticks, back, seed, guard: guarding && guard(guarding) });
    if (!result.ok) {
      const { tick, differences } = result;
      return { outcome: "differs", message: plain(result.message), tick, differences };
    }
    const { name, version } = simulation!;
    return { outcome: "ok", name, version, ticks: result.ticks, hash: hashText(result.hash) };
  },
};

/** A recording of this simulation. */
function opened(file: string, simulation: Simulation, pulse: Float64Array): Replay {
  const replay = readFile(file, readReplay);
  if (typeof replay === "string") throw new CliError(replay);
  const [recorded, given] = [replay.info, gameOf(simulation)];
  const difference = mismatch(recorded, given, "it is of", "--sim");
  if (difference !== undefined)
    throw new OtherGame({
      outcome: "other",
      message: `${difference}. Try the build that it was recorded with.`,
      recorded: titleOf(recorded),
      given: titleOf(given),
    });
  pulse[START] = replay.first;
  pulse[END] = replay.last;
  return replay;
}

/** A recording of something else. */
class OtherGame extends Error {
  constructor(readonly report: Extract<Report, { outcome: "other" }>) {
    super(report.message);
  }
}

/** What a simulation is, as a recording of it would tell. */
export const gameOf = (simulation: Simulation): Game => {
  const { name, version, rate, players, packing, fingerprint, layout } = simulation;
  const state = fieldsOfLayout(layout as Layout);
  return { name, version, rate, players, packing, profile: PROFILE, fingerprint, state };
};

const titleOf = ({ name, version, rate, players, profile, fingerprint }: Game): Title => ({
  name,
  version,
  rate,
  players,
  profile,
  fingerprint,
});
