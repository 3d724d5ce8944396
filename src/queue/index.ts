/**
 * Verifies replays on many machines: a queue on Redis, by BullMQ, and its workers. For Node.
 *
 * @packageDocumentation
 */

export type { OnConnection } from "./on-connection.js";
export type { RejectedReplay, Verdict, VerifiedReplay } from "./verdict.js";
export {
  verifyQueue,
  VerifyQueue,
  type QuarantinedReplay,
  type QueueOptions,
  type SubmitOptions,
} from "./verify-queue.js";
export { verifyWorker, VerifyWorker, type WorkerOptions } from "./verify-worker.js";
export type { StopSignal } from "./waiters.js";
