import { badValue } from "../errors/index.js";
import type { Loop } from "../loop/index.js";
import type { NetInfo } from "../net/index.js";
import type { Session } from "../sim/index.js";
import type { WorkerSession } from "../worker/index.js";

/** What the HUD looks at: a loop; or a loop and the session that it runs, such as what `drive` and `play` return. */
export type HudSubject = Loop | { readonly loop: Loop; readonly session: unknown };

/** A session that plays with others. */
export interface NetSession extends Pick<Session<unknown>, "simulation" | "tick" | "confirmed" | "pace"> {
  readonly net: NetInfo;
  /** The seats of this peer. */
  readonly seats: readonly number[];
}

/** Returns the loop to look at. */
export function loopOf(call: string, subject: HudSubject): Loop {
  const loop = hasLoop(subject) ? subject.loop : subject;
  if (typeof loop?.on !== "function" || typeof loop.use !== "function")
    badValue(`${call}: loop`, "a Loop, or what drive returned", subject, "new Loop({ rate: 60 })");
  return loop;
}

/** Returns the session, if it plays with others. Ask each time, as a drive may use another one. */
export function netSessionOf(subject: HudSubject): NetSession | undefined {
  if (!hasLoop(subject)) return undefined;
  const session = subject.session as Partial<NetSession> | null | undefined;
  const net = session?.net as Partial<NetInfo> | null | undefined;
  return typeof net?.state === "string" && typeof net.on === "function" ? (session as NetSession) : undefined;
}

/** Returns the session, if a worker simulates it. */
export function workerSessionOf(subject: HudSubject): WorkerSession | undefined {
  if (!hasLoop(subject)) return undefined;
  const session = subject.session as Partial<WorkerSession> | null | undefined;
  const isWorker = typeof session?.memory === "string" && typeof session.timing?.lagOf === "function";
  return isWorker ? (session as WorkerSession) : undefined;
}

/** Returns the tick of the session that a loop drives, if there is one. The loop's own differs once the session waits, loads a state or rewinds. */
export function tickOf(subject: HudSubject): number | undefined {
  const { session } = (
    hasLoop(subject) ? subject : (subject.parts.find(({ name }) => name === "drive") ?? {})
  ) as { session?: { readonly tick?: unknown } | null };
  return typeof session?.tick === "number" ? session.tick : undefined;
}

function hasLoop(subject: HudSubject): subject is Exclude<HudSubject, Loop> {
  return typeof subject === "object" && subject !== null && "loop" in subject;
}
