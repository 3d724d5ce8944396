import type { AnySimulation, LocalSession, RunOptions } from "../sim/index.js";
import { formatDifferences, type Difference, type Hash } from "../state/index.js";
import { badValue, misuse, problemOf, requireOptions, requireWhole } from "../errors/index.js";
import type { Keyframe } from "./keyframe.js";
import { requireReplay, type Replay } from "./replay.js";
import { sessionOf } from "./source.js";

/** Options of `verify`. */
export interface VerifyOptions extends Pick<RunOptions, "guard" | "kernels"> {
  /** Another build of the simulation: both run the recorded inputs and are compared with each other, not with the file. */
  readonly against?: AnySimulation | undefined;
  /**
   * Ticks between two comparisons with `against`. Where the builds differ, every tick in between is compared. Default: the
   * interval of keyframes. 1 also finds differences that vanish again.
   */
  readonly every?: number | undefined;
  /** @internal Called with the session in the last state, if nothing differs. Not with `against`. */
  readonly onEnd?: ((session: LocalSession) => void) | undefined;
}

const OPTIONS = Object.keys({ against: 1, every: 1, guard: 1, kernels: 1, onEnd: 1 } satisfies Record<
  keyof VerifyOptions,
  1
>);

/** Nothing differs. */
interface Verified {
  readonly ok: true;
  /** The number of states that were compared. */
  readonly compared: number;
  /** The hash of the last state. */
  readonly hash: Hash;
  readonly message: "";
  /** Says what is missing, if the file is truncated or was never finished. It was compared as far as it goes. */
  readonly note: string | undefined;
}

/** Something differs. */
interface Different<R extends string> {
  readonly ok: false;
  readonly reason: R;
  /** The first compared state that differs. */
  readonly tick: number;
  /** The last compared state before it, which does not differ. */
  readonly after: number;
  /** Whether no state lies between the two, so that `tick` is the first state that differs. */
  readonly exact: boolean;
  /** The state that `differences` are of: `tick`, or the next keyframe; undefined if there is none. */
  readonly fieldsAt: number | undefined;
  /** `a` is the recorded value (or that of the simulation), `b` the present one (or that of `against`). */
  readonly differences: readonly Difference[];
  /** What was found, with the fields that differ. */
  readonly problem: string;
  /** `problem`, after the name of the call. */
  readonly message: string;
}

/** The file cannot be verified: it is damaged, or has no checkpoints. */
interface Unproven<R extends string> {
  readonly ok: false;
  readonly reason: R;
  readonly tick: undefined;
  readonly after: undefined;
  readonly exact: false;
  readonly fieldsAt: undefined;
  readonly differences: readonly [];
  /** Why the file cannot be verified. */
  readonly problem: string;
  /** `problem`, after the name of the call. */
  readonly message: string;
}

/**
 * The result of a verification. If it is not `ok`, the `reason` is one of these:
 *
 * - "diverged": the simulation reaches another state than the recorded one, or the two builds differ.
 * - "keyframe": the simulation agrees with the checkpoints, but a keyframe of the file does not, or cannot be loaded.
 * - "damaged": the file is damaged.
 * - "no-checkpoints": the file has no checkpoints to compare with.
 */
export type VerifyResult =
  | Verified
  | Different<"diverged">
  | Different<"keyframe">
  | Unproven<"damaged">
  | Unproven<"no-checkpoints">;

/**
 * Simulates a recording, and compares every checkpoint and every keyframe of the file with the simulated state. Reports the first
 * one that differs, with its tick and fields. A damaged file, or a file without checkpoints, is not `ok`.
 */
export function verify(simulation: AnySimulation, replay: Replay, options: VerifyOptions = {}): VerifyResult {
  requireReplay("verify", replay, simulation);
  requireOptions("verify", options, OPTIONS);
  const { against, every = replay.info.keyframes || 600 } = options;
  requireWhole("verify: every", every, 1, 600);
  if (replay.ending === "damaged") return unproven("damaged", `the file is damaged: ${replay.message}.`);
  if (against !== undefined) return compare(simulation, against, replay, every, options);
  const { session, size } = sessionOf("verify", simulation, replay, runOptions(options));
  try {
    const result = compareStates(session, replay, size);
    if (result.ok) options.onEnd?.(session);
    return result;
  } finally {
    session.dispose();
  }
}

/** Compares a session with all checkpoints and keyframes, in order of their ticks. */
function compareStates(session: LocalSession, replay: Replay, size: number | undefined): VerifyResult {
  const { checkpoints, states, first, last } = replay;
  const hash: [number, number] = [0, 0];
  let after = first;
  for (let i = 0, frame = 0; i < checkpoints.count || frame < states.length;) {
    // The ticks of the next checkpoint and keyframe; NaN after the last one.
    const hashed = checkpoints.tickOf(i);
    const saved = states.tickOf(frame);
    const tick = saved < hashed || i >= checkpoints.count ? saved : hashed;
    session.skip(tick - session.tick);
    if (tick === hashed) {
      if (!checkpoints.agrees(i, session.hash(hash))) return divergence(session, replay, tick, after, size);
      i++;
    }
    if (tick === saved) {
      const found = compareKeyframe(session, replay, states.at(frame)!, after, size);
      if (found) return found;
      frame++;
    }
    after = tick;
  }
  session.skip(last - session.tick);
  const { count } = checkpoints;
  const missing = missingCheckpoints(replay);
  if (count === 0 || missing > 1)
    return unproven(
      "no-checkpoints",
      count === 0
        ? `no checkpoints were recorded in ${last - first} ticks, so there is nothing to compare.`
        : `${missing} of ${missing + count} checkpoints are missing, so the recording cannot be verified.`,
    );
  return { ok: true, compared: count, hash: session.hash(), message: "", note: noteOf(replay) };
}

/** Counts the checkpoints that the metadata promises and the file lacks. A truncated file may lack the last ones. */
function missingCheckpoints({ checkpoints, info, first, last: end, ending }: Replay): number {
  const { count } = checkpoints;
  const every = info.checkpoints;
  const last = ending === "done" ? end : checkpoints.tickOf(count - 1);
  const expected = every > 0 ? Math.floor(last / every) - Math.floor(first / every) : 0;
  // A checkpoint of the first state is compared too, but proves nothing about the inputs.
  const proving = count > 0 && checkpoints.tickOf(0) === first ? count - 1 : count;
  return Math.max(0, expected - proving);
}

/** Compares the keyframe of the session's tick; returns undefined if it is right. */
function compareKeyframe(
  session: LocalSession,
  replay: Replay,
  keyframe: Keyframe,
  after: number,
  size: number | undefined,
): VerifyResult | undefined {
  const { tick } = keyframe;
  let differences: readonly Difference[];
  try {
    const state = replay.stateOf(keyframe, size);
    if (isSame(state, session.bytes())) return undefined;
    // External state may save the same state as other bytes, so compare fields and hashes.
    differences = session.diff(state);
  } catch (error) {
    const problem = `the keyframe of state ${tick} cannot be loaded: ${problemOf(error)}`;
    return { ...failure(tick, after, problem), reason: "keyframe" };
  }
  if (differences.length === 0) return undefined;
  const isForged = agreesWithNext(session, replay);
  const head = isForged
    ? `the keyframe of state ${tick} contradicts the recording: the inputs lead to another state, which the checkpoints confirm.`
    : headOf(replay, tick, after);
  return {
    ...failure(tick, after, `${head} In state ${tick}, recorded ≠ now:\n${formatDifferences(differences)}`),
    reason: isForged ? "keyframe" : "diverged",
    exact: tick - after <= 1,
    fieldsAt: tick,
    differences,
  };
}

/** Whether the next checkpoint, at the session's tick or after it, agrees. */
function agreesWithNext(session: LocalSession, { checkpoints }: Replay): boolean {
  const index = checkpoints.from(session.tick);
  if (index >= checkpoints.count) return false;
  try {
    session.skip(checkpoints.tickOf(index) - session.tick);
    return checkpoints.agrees(index, session.hash());
  } catch {
    // After a divergence, steps may throw.
    return false;
  }
}

const isSame = (a: Uint8Array, b: Uint8Array) => a.length === b.length && a.every((byte, i) => byte === b[i]);

const noteOf = ({ message }: Replay) => (message === "" ? undefined : message);

const headOf = ({ info }: Replay, tick: number, after: number) =>
  `${info.name} diverges from the recording: ${tick === after ? `the first state, ${tick}, differs` : `state ${tick} differs, state ${after} did not`}.`;

/** Reports a checkpoint that differs, with the fields of the next keyframe. */
function divergence(
  session: LocalSession,
  replay: Replay,
  tick: number,
  after: number,
  size: number | undefined,
): VerifyResult {
  const exact = tick - after <= 1;
  const head = headOf(replay, tick, after);
  const { states } = replay;
  const keyframe = states.at(states.indexBefore(tick - 1) + 1);
  const failed = (problem: string) => ({ ...failure(tick, after, problem), exact });
  if (!keyframe) return failed(`${head} No keyframe follows, so the differing fields cannot be listed.`);
  try {
    session.skip(keyframe.tick - session.tick);
    const differences = session.diff(replay.stateOf(keyframe, size));
    const fields =
      differences.length > 0 ? formatDifferences(differences) : "No field: the states are equal again.";
    const problem = `${head} In state ${keyframe.tick}, recorded ≠ now:\n${fields}`;
    return { ...failed(problem), fieldsAt: keyframe.tick, differences };
  } catch (error) {
    // After a divergence, steps may throw.
    return failed(`${head} State ${keyframe.tick} cannot be compared: ${problemOf(error)}`);
  }
}

/** Compares two builds, both with the recorded inputs. */
function compare(
  simulation: AnySimulation,
  against: AnySimulation,
  replay: Replay,
  every: number,
  options: VerifyOptions,
): VerifyResult {
  if (typeof against?.fingerprint !== "string")
    badValue("verify: against", "a simulation", against, "another build of the simulation");
  if (against.fingerprint !== simulation.fingerprint)
    misuse(
      "wrong-simulation",
      "verify",
      `against has the fingerprint ${against.fingerprint}, but the simulation has ${simulation.fingerprint}`,
      "Compare builds with the same name, version, state and inputs",
    );
  const { session: a } = sessionOf("verify", simulation, replay, runOptions(options));
  let other: LocalSession | undefined;
  try {
    const { session: b } = sessionOf("verify", against, replay, runOptions(options));
    other = b;
    const areSame = () => a.hash().join() === b.hash().join();
    let after = replay.first;
    if (!areSame()) return firstDifference(a, b, after, after);
    let compared = 1;
    while (a.tick < replay.last) {
      // Both have this state.
      const bytes = a.bytes();
      const from = after;
      const next = Math.min(after + every, replay.last);
      a.skip(next - after);
      b.skip(next - after);
      compared++;
      if (!areSame()) {
        a.load(bytes);
        b.load(bytes);
        for (; a.tick < next; after = a.tick) {
          a.skip(1);
          b.skip(1);
          if (!areSame()) return firstDifference(a, b, a.tick, after);
        }
        return failure(
          next,
          from,
          `the builds of ${simulation.name} differ in state ${next}, but not when both continue from state ${from}: one of them is not deterministic. Run a sync test.`,
        );
      }
      after = next;
    }
    return { ok: true, compared, hash: a.hash(), message: "", note: noteOf(replay) };
  } finally {
    a.dispose();
    other?.dispose();
  }
}

/** Reports the first state in which two builds differ; both sessions are there. */
function firstDifference(a: LocalSession, b: LocalSession, tick: number, after: number): VerifyResult {
  const differences = b.diff(a.bytes());
  const problem = `the builds of ${a.simulation.name} first differ in state ${tick}:\n${formatDifferences(differences)}`;
  return { ...failure(tick, after, problem), exact: true, fieldsAt: tick, differences };
}

const failure = (tick: number, after: number, problem: string) =>
  ({
    ok: false,
    reason: "diverged",
    tick,
    after,
    exact: false,
    fieldsAt: undefined,
    differences: [],
    problem,
    message: `verify: ${problem}`,
  }) as const;

const unproven = <R extends string>(reason: R, problem: string): Unproven<R> => ({
  ok: false,
  reason,
  tick: undefined,
  after: undefined,
  exact: false,
  fieldsAt: undefined,
  differences: [],
  problem,
  message: `verify: ${problem}`,
});

const runOptions = ({ guard, kernels }: Pick<RunOptions, "guard" | "kernels">) => ({ guard, kernels });
