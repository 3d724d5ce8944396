import type { AnySimulation, LocalSession, RunOptions } from "../sim/index.js";
import { formatDifferences, type Difference, type Hash } from "../state/index.js";
import { badValue, requireType, requireWhole } from "../errors/index.js";
import type { Keyframe } from "./keyframe.js";
import { requireReplay, type Replay } from "./replay.js";
import { sessionOf } from "./source.js";

/** Options of `verify`. */
export interface VerifyOptions extends Pick<RunOptions, "guard" | "kernels"> {
  /** Another build of the simulation: both do what was recorded, and are compared with one another and not with the file. */
  readonly against?: AnySimulation | undefined;
  /**
   * Ticks from a comparison of two builds to the next; where they differ, the ticks between are looked at one by one.
   * Default: as many as from a keyframe to the next. What differs for a while and is then the same is found by 1.
   */
  readonly every?: number | undefined;
}

/** Nothing differs. */
interface Verified {
  readonly ok: true;
  /** How many states were compared, and the hash of the last one. */
  readonly compared: number;
  readonly hash: Hash;
  readonly message: "";
  /** What is missing, if the file is truncated or was never finished. It was compared as far as it goes. */
  readonly note: string | undefined;
}

/** Something differs. */
interface Different<R extends string> {
  readonly ok: false;
  readonly reason: R;
  /** The first compared state that differs, and the last one before it that does not. */
  readonly tick: number;
  readonly after: number;
  /** Whether no tick lies between the two, so that `tick` is the first state that differs at all. */
  readonly exact: boolean;
  /** The state whose fields are in `differences`: that of `tick`, or of the next keyframe; undefined if there is none. */
  readonly fieldsAt: number | undefined;
  /** `a` is the recorded value (or the simulation's), `b` the present one (or that of `against`). */
  readonly differences: readonly Difference[];
  /** All of it, as text. */
  readonly message: string;
}

/** The file proves nothing: it is damaged, or has no checkpoints. */
interface Unproven<R extends string> {
  readonly ok: false;
  readonly reason: R;
  readonly tick: undefined;
  readonly after: undefined;
  readonly exact: false;
  readonly fieldsAt: undefined;
  readonly differences: readonly [];
  readonly message: string;
}

/**
 * The result of a verification. If it is not `ok`, the `reason` is one of these:
 *
 * - "diverged": the simulation reaches another state than was recorded, or the two builds differ.
 * - "keyframe": the simulation agrees with the checkpoints, but a keyframe of the file is another state, or cannot be loaded.
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
 * Simulates a recording, and compares each checkpoint and each keyframe of the file with the simulated state. Reports the first
 * that differs, with its tick and fields. A damaged file, or one without checkpoints, is not `ok`.
 */
export function verify(simulation: AnySimulation, replay: Replay, options: VerifyOptions = {}): VerifyResult {
  requireReplay("verify", replay, simulation);
  requireType("verify: options", options, "object", "{}");
  const { against, every = replay.info.keyframes || 600 } = options;
  requireWhole("verify: every", every, 1, 600);
  if (replay.ending === "damaged")
    return unproven("damaged", `verify: the file is damaged. ${replay.message}.`);
  if (against !== undefined) return compare(simulation, against, replay, every, options);
  const { session, size } = sessionOf("verify", simulation, replay, runOptions(options));
  try {
    return compareStates(session, replay, size);
  } finally {
    session.dispose();
  }
}

/** Compares the session with all checkpoints and keyframes, in order of their ticks. */
function compareStates(session: LocalSession, replay: Replay, size: number | undefined): VerifyResult {
  const { checkpoints, states, first, last } = replay;
  const hash: [number, number] = [0, 0];
  let after = first;
  for (let i = 0, frame = 0; i < checkpoints.count || frame < states.length;) {
    // The ticks of the next checkpoint and keyframe; NaN after the last one.
    const hashed = checkpoints.tickOf(i);
    const kept = states.tickOf(frame);
    const tick = kept < hashed || i >= checkpoints.count ? kept : hashed;
    session.skip(tick - session.tick);
    if (tick === hashed) {
      if (!checkpoints.agrees(i, session.hash(hash))) return divergence(session, replay, tick, after, size);
      i++;
    }
    if (tick === kept) {
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
        ? `verify: no checkpoints were recorded in ${last - first} ticks, so there is nothing to compare.`
        : `verify: ${missing} of ${missing + count} checkpoints are missing, so most of the recording is not proven.`,
    );
  return { ok: true, compared: count, hash: session.hash(), message: "", note: noteOf(replay) };
}

/** Checkpoints that the file should have by its head and does not. A truncated file may lack its last ones. */
function missingCheckpoints({ checkpoints, info, first, last: end, ending }: Replay): number {
  const { count } = checkpoints;
  const every = info.checkpoints;
  const last = ending === "done" ? end : checkpoints.tickOf(count - 1);
  const expected = every > 0 ? Math.floor(last / every) - Math.floor(first / every) : 0;
  // The first state is compared too, but proves nothing of the inputs.
  const proving = count > 0 && checkpoints.tickOf(0) === first ? count - 1 : count;
  return Math.max(0, expected - proving);
}

/** What is wrong with the keyframe of the session's present tick; undefined if nothing is. */
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
    // External state may have other bytes for the same state, so fields and hashes decide.
    differences = session.diff(state);
  } catch (error) {
    const message = `verify: the keyframe of state ${tick} cannot be loaded: ${(error as Error).message}`;
    return { ...failure(tick, after, message), reason: "keyframe" };
  }
  if (differences.length === 0) return undefined;
  const isForged = agreesWithNext(session, replay);
  const head = isForged
    ? `verify: the keyframe of state ${tick} contradicts the recording: the inputs lead to another state, which the checkpoints confirm.`
    : headOf(replay, tick, after);
  return {
    ...failure(tick, after, `${head} In state ${tick}, recorded ≠ now:\n${formatDifferences(differences)}`),
    reason: isForged ? "keyframe" : "diverged",
    exact: tick - after <= 1,
    fieldsAt: tick,
    differences,
  };
}

/** Whether the first checkpoint at the session's tick or after it agrees. */
function agreesWithNext(session: LocalSession, { checkpoints }: Replay): boolean {
  const index = checkpoints.from(session.tick);
  if (index >= checkpoints.count) return false;
  try {
    session.skip(checkpoints.tickOf(index) - session.tick);
    return checkpoints.agrees(index, session.hash());
  } catch {
    // After a divergence, a step may well throw.
    return false;
  }
}

const isSame = (a: Uint8Array, b: Uint8Array) => a.length === b.length && a.every((byte, i) => byte === b[i]);

const noteOf = ({ message }: Replay) => (message === "" ? undefined : message);

const headOf = ({ info }: Replay, tick: number, after: number) =>
  `verify: ${info.name} diverges from the recording: ${tick === after ? `the first state, ${tick}, differs` : `state ${tick} differs, state ${after} did not`}.`;

/** What is to be said of a state that differs; the fields are those of the next state that was recorded. */
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
  const failed = (message: string) => ({ ...failure(tick, after, message), exact });
  if (!keyframe) return failed(`${head} No state was recorded after it, so that fields could be told.`);
  try {
    session.skip(keyframe.tick - session.tick);
    const differences = session.diff(replay.stateOf(keyframe, size));
    const fields =
      differences.length > 0 ? formatDifferences(differences) : "Nothing: the state is the same again.";
    const message = `${head} In state ${keyframe.tick}, recorded ≠ now:\n${fields}`;
    return { ...failed(message), fieldsAt: keyframe.tick, differences };
  } catch (error) {
    // What went another way may well fail on it.
    return failed(`${head} On the way to state ${keyframe.tick}: ${(error as Error).message}`);
  }
}

/** Two builds do the same. */
function compare(
  simulation: AnySimulation,
  against: AnySimulation,
  replay: Replay,
  every: number,
  options: VerifyOptions,
): VerifyResult {
  if (against?.fingerprint !== simulation.fingerprint)
    badValue(
      "verify: against",
      `a build with the fingerprint ${simulation.fingerprint}`,
      against?.fingerprint,
      "the same version, state and inputs",
    );
  const { session: a } = sessionOf("verify", simulation, replay, runOptions(options));
  const { session: b } = sessionOf("verify", against, replay, runOptions(options));
  const areSame = () => a.hash().join() === b.hash().join();
  try {
    let after = replay.first;
    if (!areSame()) return parted(a, b, after, after);
    let compared = 1;
    while (a.tick < replay.last) {
      // The same in both.
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
          if (!areSame()) return parted(a, b, a.tick, after);
        }
        return failure(
          next,
          from,
          `verify: the builds of ${simulation.name} differ in state ${next}, but not if both are loaded before: one of them is not deterministic. Try syncTest.`,
        );
      }
      after = next;
    }
    return { ok: true, compared, hash: a.hash(), message: "", note: noteOf(replay) };
  } finally {
    a.dispose();
    b.dispose();
  }
}

/** Both stand where they first differ. */
function parted(a: LocalSession, b: LocalSession, tick: number, after: number): VerifyResult {
  const differences = b.diff(a.bytes());
  const message = `verify: the builds of ${a.simulation.name} differ first in state ${tick}:\n${formatDifferences(differences)}`;
  return { ...failure(tick, after, message), exact: true, fieldsAt: tick, differences };
}

const failure = (tick: number, after: number, message: string) =>
  ({
    ok: false,
    reason: "diverged",
    tick,
    after,
    exact: false,
    fieldsAt: undefined,
    differences: [],
    message,
  }) as const;

const unproven = <R extends string>(reason: R, message: string): Unproven<R> => ({
  ok: false,
  reason,
  tick: undefined,
  after: undefined,
  exact: false,
  fieldsAt: undefined,
  differences: [],
  message,
});

const runOptions = ({ guard, kernels }: Pick<RunOptions, "guard" | "kernels">) => ({ guard, kernels });
