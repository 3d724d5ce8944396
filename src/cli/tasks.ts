// In a worker: runs tasks with the simulation.
import { isTickwiseError, type ErrorCode } from "../errors/index.js";
import { PROFILE } from "../math/index.js";
import { readReplay, replayPlayer, verify, type Replay } from "../replay/index.js";
import { guard, localSession, syncTest, type GuardOptions, type Simulation } from "../sim/index.js";
import { fieldsOfLayout } from "../state/describe-layout.js";
import { formatDifferences, hashText, type Difference, type Layout } from "../state/index.js";
import { mismatch, type Game } from "./compare.js";
import { CliError } from "./cli-error.js";
import { findDesync, type DesyncFindings, type DesyncTask } from "./desync-task.js";
import { findStability, type StabilityFindings, type StabilityTask } from "./stability-task.js";
import { END, START, StepFailed, TICK, tickOf } from "./watch.js";
import { resultReader, type ReadResult } from "./read-result.js";
import { errorText, readBytes, readFile, thrownText } from "./text.js";

interface VerifyTask {
  readonly kind: "verify";
  readonly file: string;
  /** The bytes of the file, if they are not to be read from it. */
  readonly bytes?: Uint8Array;
  /** What messages call the simulation. Default: "--sim". */
  readonly label?: string;
  readonly every: number | undefined;
  readonly guard: GuardOptions | undefined;
}

export type Task =
  | VerifyTask
  | { readonly kind: "diff"; readonly a: string; readonly b: string }
  | { readonly kind: "state"; readonly file: string; readonly tick: number }
  | DesyncTask
  | StabilityTask
  | {
      readonly kind: "synctest";
      readonly ticks: number | undefined;
      readonly back: number | undefined;
      readonly seed: number | string | undefined;
      readonly guard: GuardOptions | undefined;
    };

/** The result of a task. Which fields of `Found` are set depends on the kind of task. */
export type Report =
  | ({ readonly outcome: "ok"; readonly name: string; readonly version: number } & Found)
  | ({ readonly outcome: "differs"; readonly message: string } & Found)
  /** The simulation threw, crashed or hung; in the step of a tick, if that is known. */
  | {
      readonly outcome: "failed" | "timeout";
      readonly message: string;
      readonly tick?: number | undefined;
    }
  /** The recording is of another simulation, version or layout. */
  | {
      readonly outcome: "other";
      readonly message: string;
      readonly recorded: Title;
      /** The simulation; undefined if a worker of a queue has none with this name and version. */
      readonly given?: Title;
    }
  /** The file is not a replay, is damaged, or has nothing to compare. */
  | ({ readonly outcome: "unreadable"; readonly message: string } & Pick<Found, "first" | "last" | "ending">);

export type Title = Omit<Game, "packing" | "commands" | "state">;

interface Found {
  readonly first?: number;
  readonly last?: number;
  readonly ticks?: number;
  /** The number of compared states. */
  readonly compared?: number;
  readonly hash?: string;
  /** What the recording begins with: the initial state of the simulation, or a state in the file, which may be any. */
  readonly starts?: "init" | "state";
  /** What `readResult` of the module returned for the last state. */
  readonly result?: unknown;
  /** Says what is missing, if the recording was not finished. */
  readonly note?: string;
  /** Whether the simulation differs, or a keyframe of the file does. */
  readonly reason?: "diverged" | "keyframe";
  /** How the file ends. */
  readonly ending?: Replay["ending"];
  /** The first state that differs. */
  readonly tick?: number;
  /** The last compared state before it, which does not differ. */
  readonly after?: number;
  readonly exact?: boolean;
  readonly fieldsAt?: number | undefined;
  readonly differences?: readonly Difference[];
  /** The bytes of a state. */
  readonly state?: Uint8Array;
  /** What simulating both sides of a desync has shown. */
  readonly findings?: DesyncFindings;
  /** The rates at which the simulation is stable. */
  readonly stability?: StabilityFindings;
}

/** Errors that are the fault of a file, not of the simulation. */
const FILE_ERRORS: ReadonlySet<ErrorCode> = new Set(["corrupt-data", "unsupported", "wrong-simulation"]);

/** Runs a task. Errors become reports. */
export function report(task: Task, simulations: readonly Simulation[], pulse: Float64Array): Report {
  try {
    return TASKS[task.kind](task as never, simulations, pulse);
  } catch (error) {
    if (error instanceof StepFailed) return { outcome: "failed", message: error.message, tick: error.tick };
    if (error instanceof OtherGame) return error.report;
    if (error instanceof CliError) return { outcome: "unreadable", message: error.message };
    const tick = tickOf(pulse[TICK]!);
    if (isTickwiseError(error))
      return FILE_ERRORS.has(error.code)
        ? { outcome: "unreadable", message: errorText(error) }
        : { outcome: "failed", message: error.message, tick };
    return { outcome: "failed", message: (error instanceof Error && error.stack) || thrownText(error), tick };
  }
}

/** What a sync test compared a state with. */
const COMPARED: Readonly<Record<string, string>> = {
  rollback: "after a rollback",
  "straight run": "from a run without rollbacks",
  "fresh copy": "in a copy made from a snapshot",
};

type Of<K extends Task["kind"]> = Extract<Task, { kind: K }>;
type Do<K extends Task["kind"]> = (
  task: Of<K>,
  simulations: readonly Simulation[],
  pulse: Float64Array,
) => Report;

const TASKS: { readonly [K in Task["kind"]]: Do<K> } = {
  verify({ file, bytes, label, every, guard: guarding }, [simulation, against], pulse) {
    const replay = opened(file, simulation!, pulse, bytes, label);
    const { first, last, ending, message: note } = replay;
    const reader = against ? undefined : resultReader(simulation!);
    let read: ReadResult = {};
    const result = verify(simulation!, replay, {
      against,
      every,
      guard: guarding && guard(guarding),
      onEnd: reader && ((session) => (read = reader(session))),
    });
    if (!result.ok) {
      const { reason, problem: message } = result;
      if (reason === "damaged" || reason === "no-checkpoints")
        return { outcome: "unreadable", message, first, last, ending };
      const { tick, after, exact, fieldsAt, differences } = result;
      return { outcome: "differs", message, reason, first, last, tick, after, exact, fieldsAt, differences };
    }
    if (read.problem !== undefined) return { outcome: "failed", message: read.problem };
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
      starts: first > 0 || replay.startState ? "state" : "init",
      ending,
      note,
      ...("result" in read ? { result: read.result } : {}),
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
          : `the simulation diverges from the recording in state ${divergence.tick}, so the part would not match it.`,
      };
    return { outcome: "ok", name, version, state: player.bytes() };
  },

  desync(task, [simulation], pulse) {
    const { name, version } = simulation!;
    const findings = findDesync(task, simulation!, pulse, (replay) => requireSame(replay, simulation!));
    return { outcome: "ok", name, version, findings };
  },

  stability(task, [simulation]) {
    const { name, version } = simulation!;
    return { outcome: "ok", name, version, stability: findStability(task, simulation!) };
  },

  synctest({ ticks, back, seed, guard: guarding }, [simulation]) {
    const { name, version } = simulation!;
    const result = syncTest(simulation!, { ticks, back, seed, guard: guarding && guard(guarding) });
    if (!result.ok) {
      const { tick, against, differences } = result;
      const problem =
        against === "finite numbers"
          ? `state ${tick} has numbers that are not finite:`
          : `${name} is not deterministic: state ${tick} differs ${COMPARED[against] ?? `(${against})`}:`;
      const message = `${problem}\n${formatDifferences(differences)}`;
      return { outcome: "differs", message, tick, differences };
    }
    return { outcome: "ok", name, version, ticks: result.ticks, hash: hashText(result.hash) };
  },
};

/** Reads a recording of this simulation. Throws `OtherGame` if it is of another one. */
function opened(
  file: string,
  simulation: Simulation,
  pulse: Float64Array,
  bytes?: Uint8Array,
  label?: string,
): Replay {
  const replay = bytes ? readBytes(bytes, readReplay) : readFile(file, readReplay);
  if (typeof replay === "string") throw new CliError(replay);
  requireSame(replay, simulation, label);
  pulse[START] = replay.first;
  pulse[END] = replay.last;
  return replay;
}

/** Throws `OtherGame` if the recording is of another simulation. */
function requireSame(replay: Replay, simulation: Simulation, label = "--sim"): void {
  const [recorded, given] = [replay.info, gameOf(simulation)];
  const difference = mismatch(recorded, given, "it is a recording of", label);
  if (difference !== undefined)
    throw new OtherGame({
      outcome: "other",
      message: `${difference}. Use the build that it was recorded with.`,
      recorded: titleOf(recorded),
      given: titleOf(given),
    });
}

/** The recording is of another simulation. */
class OtherGame extends Error {
  constructor(readonly report: Extract<Report, { outcome: "other" }>) {
    super(report.message);
  }
}

/** The identity of a simulation, as a recording of it has it. */
export const gameOf = (simulation: Simulation): Game => {
  const { name, version, rate, players, packing, commands, fingerprint, layout } = simulation;
  const state = fieldsOfLayout(layout as Layout);
  return { name, version, rate, players, packing, commands, profile: PROFILE, fingerprint, state };
};

export const titleOf = ({ name, version, rate, players, profile, fingerprint }: Game): Title => ({
  name,
  version,
  rate,
  players,
  profile,
  fingerprint,
});
