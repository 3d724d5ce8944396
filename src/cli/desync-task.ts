// In a worker: simulates what the two sides of a desync recorded.
import { isTickwiseError } from "../errors/index.js";
import { readReport, type DesyncReport, type ReportSide } from "../net/index.js";
import { readReplay, replayPlayer, verify, type Replay } from "../replay/index.js";
import { guard, localSession, type Simulation } from "../sim/index.js";
import type { Difference } from "../state/index.js";
import { CliError } from "./cli-error.js";
import { readDesyncFile, replayOf } from "./desync-file.js";
import { errorText } from "./text.js";
import { END, START, StepFailed } from "./watch.js";

export interface DesyncTask {
  readonly kind: "desync";
  readonly file: string;
  /** For each side, a recording from the common state to the state that differs. */
  readonly fromCommon: { readonly a: Uint8Array | undefined; readonly b: Uint8Array | undefined };
}

/** What simulating a side's inputs here has shown. */
export interface SideFindings {
  /** What differs between its state and the one that follows from the common state; undefined if either is missing. */
  readonly fromCommon?: readonly Difference[] | undefined;
  /** The last state that its recording and the simulation agree in, as far as both were compared. */
  readonly agreesTo?: number | undefined;
  /** The first compared state that differs from it. */
  readonly differsAt?: number | undefined;
  /** Whether a step threw. */
  readonly hasFailed: boolean;
  /** Why something could not be compared. */
  readonly problem?: string | undefined;
}

export interface DesyncFindings {
  readonly a: SideFindings;
  readonly b: SideFindings;
  /** The same inputs led to different states: from the common state and from the start, or twice from the same state. */
  readonly hasHiddenState: boolean;
  /** A call that is not deterministic, found by a guard. */
  readonly forbidden: string | undefined;
}

/** Simulates both sides. `requireSame` throws if a recording is of another simulation. */
export function findDesync(
  { file, fromCommon }: DesyncTask,
  simulation: Simulation,
  pulse: Float64Array,
  requireSame: (replay: Replay) => void,
): DesyncFindings {
  const report = readDesyncFile(file, readReport);
  if (typeof report === "string") throw new CliError(report);
  requireTitle(report, simulation);
  const replays = [report.a, report.b]
    .map((side) => replayOf(side, readReplay))
    .filter((replay) => typeof replay === "object");
  replays.forEach(requireSame);
  pulse[START] = 0;
  pulse[END] = Math.max(report.tick, ...replays.map(({ last }) => last));
  const { tick } = report;
  const [a, b] = (["a", "b"] as const).map((side) =>
    findingsOf(simulation, report, report[side], fromCommon[side]),
  ) as [Findings, Findings];
  const short = fromCommon.a ?? fromCommon.b;
  const again = short ? readReplay(short) : replays[0];
  return {
    a: a.findings,
    b: b.findings,
    hasHiddenState:
      a.isHidden || b.isHidden || (again !== undefined && !isRepeatable(simulation, again, tick)),
    forbidden: again && forbiddenCall(simulation, again, tick),
  };
}

/** Throws if the report is of another simulation. Recordings say more precisely what differs. */
function requireTitle(
  { simulation: { name, version, fingerprint }, a, b }: DesyncReport,
  own: Simulation,
): void {
  if (
    fingerprint === own.fingerprint ||
    typeof replayOf(a, readReplay) === "object" ||
    typeof replayOf(b, readReplay) === "object"
  )
    return;
  throw new CliError(
    `it is a report of ${JSON.stringify(name)}, version ${version}, with fingerprint ${fingerprint}, but the module exports ${JSON.stringify(own.name)}, version ${own.version}, with fingerprint ${own.fingerprint}. Use the build that it was recorded with.`,
  );
}

interface Findings {
  readonly findings: SideFindings;
  readonly isHidden: boolean;
}

function findingsOf(
  simulation: Simulation,
  report: DesyncReport,
  side: ReportSide,
  short: Uint8Array | undefined,
): Findings {
  const { tick, after } = report;
  const problems = new Set<string>();
  let hasFailed = false;
  const attempt = <T>(run: () => T): T | undefined => {
    try {
      return run();
    } catch (error) {
      problems.add(problemText(error));
      hasFailed ||= error instanceof StepFailed;
      return undefined;
    }
  };
  const fromCommon = attempt(() => short && statesOf(simulation, readReplay(short), [tick])[0]);
  const replay = replayOf(side, readReplay);
  if (typeof replay === "string") problems.add(replay);
  const recorded =
    typeof replay === "object" ? attempt(() => compared(simulation, report, side, replay)) : undefined;
  const points = recorded?.points ?? [];
  const firstBad = points.findIndex(([, isSame]) => !isSame);
  // The start must lead to the common state.
  const isComparable = points.some(([at, isSame]) => at === after && isSame);
  return {
    findings: {
      fromCommon: attempt(() => fromCommon && side.state && differences(simulation, side.state, fromCommon)),
      agreesTo: points[firstBad < 0 ? points.length - 1 : firstBad - 1]?.[0],
      differsAt: points[firstBad]?.[0],
      hasFailed,
      problem: problems.size > 0 ? [...problems].join("\n") : undefined,
    },
    isHidden:
      isComparable &&
      fromCommon !== undefined &&
      recorded?.state !== undefined &&
      differences(simulation, fromCommon, recorded.state).length > 0,
  };
}

/** Compares a recording with the simulation: at its checkpoints, in the common state and in the state that differs. */
function compared(
  simulation: Simulation,
  { tick, after, common }: DesyncReport,
  side: ReportSide,
  replay: Replay,
): { points: [tick: number, isSame: boolean][]; state: Uint8Array | undefined } {
  const points = comparedStates(simulation, replay);
  if (tick < replay.first || tick > replay.last) return { points, state: undefined };
  const isSame = (recorded: Uint8Array, here: Uint8Array) =>
    differences(simulation, recorded, here).length === 0;
  const before = common && after !== undefined && after >= replay.first ? after : undefined;
  const [beforeIt, state] = statesOf(simulation, replay, [before ?? tick, tick]) as [Uint8Array, Uint8Array];
  if (before !== undefined) points.push([before, isSame(common!, beforeIt)]);
  if (side.state) points.push([tick, isSame(side.state, state)]);
  points.sort(([one], [other]) => one - other);
  return { points, state };
}

/** Simulates a recording from its start, and returns the states of some ticks, in order. */
function statesOf(simulation: Simulation, replay: Replay, ticks: readonly number[]): Uint8Array[] {
  const player = replayPlayer(simulation, replay, { rewind: false });
  try {
    return ticks.map((tick) => {
      while (player.tick < tick && player.advance() !== "ended");
      return player.bytes();
    });
  } finally {
    player.dispose();
  }
}

/** Whether simulating a recording twice leads to the same state. */
function isRepeatable(simulation: Simulation, replay: Replay, tick: number): boolean {
  try {
    const [one, other] = [0, 1].map(() => statesOf(simulation, replay, [Math.min(tick, replay.last)])[0]!);
    return differences(simulation, one!, other!).length === 0;
  } catch {
    // Reported for the side of the recording.
    return true;
  }
}

/** Compares two states: `a` is the recorded one, `b` the one that was simulated here. */
function differences(simulation: Simulation, recorded: Uint8Array, here: Uint8Array): Difference[] {
  const session = localSession(simulation);
  try {
    session.load(here);
    return session.diff(recorded);
  } finally {
    session.dispose();
  }
}

/** Verifies a recording. Returns the ticks of states that agree, or not. */
function comparedStates(simulation: Simulation, replay: Replay): [tick: number, isSame: boolean][] {
  const result = verify(simulation, replay);
  if (result.ok) return [[replay.checkpoints.tickOf(replay.checkpoints.count - 1), true]];
  if (result.reason !== "diverged") return [];
  const { tick, after } = result;
  return after < tick && after > replay.first
    ? [
        [after, true],
        [tick, false],
      ]
    : [[tick, false]];
}

/** Simulates up to a tick with a guard. Returns what it forbids; undefined if that is nothing. */
function forbiddenCall(simulation: Simulation, replay: Replay, tick: number): string | undefined {
  try {
    const player = replayPlayer(simulation, replay, { rewind: false, guard: guard() });
    try {
      while (player.tick < Math.min(tick, replay.last) && player.advance() !== "ended");
    } finally {
      player.dispose();
    }
  } catch (error) {
    const cause = error instanceof StepFailed ? error.cause : error;
    if (isTickwiseError(cause) && (cause.code === "forbidden-call" || cause.code === "not-finite"))
      return problemText(error);
  }
  return undefined;
}

const problemText = (error: unknown): string =>
  error instanceof StepFailed ? error.message : errorText(error);
