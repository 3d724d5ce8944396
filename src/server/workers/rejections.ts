import { systemNow, systemWall } from "../../platform/index.js";
import { logTo, textOf, type LogEntry } from "../log.js";
import { Bucket } from "../rate-limit.js";

/** Rejections per second that are logged. */
const LOGGED = 5;

/** Logs promises that a game rejects and does not handle, instead of ending the process with the rooms of all others. */
export function logRejections(write: (entry: LogEntry) => void): void {
  const log = logTo(write, systemWall);
  const bucket = new Bucket(LOGGED, LOGGED, systemNow());
  process.on("unhandledRejection", (error) => {
    if (bucket.take(1, systemNow())) log("error", "unhandled rejection", { reason: textOf(error) });
  });
}
