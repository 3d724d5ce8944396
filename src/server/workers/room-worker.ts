// In a worker: runs rooms for the process that listens.
import type { Socket } from "node:net";
import type { AnySimulation } from "../../sim/index.js";
import { checkedServerOptions } from "../options.js";
import { RoomHost } from "../room-host.js";
import { logRejections } from "./rejections.js";
import { STATS_EVERY, type FromWorker, type PlainOptions, type ToWorker } from "./messages.js";

const send = (message: FromWorker): void => {
  // The other process may have ended.
  if (process.connected) process.send!(message, undefined, undefined, () => {});
};

/** Runs rooms of a game, until the process that listens says that it is enough, or dies. */
export async function runRoomWorker(game: AnySimulation, options: PlainOptions): Promise<void> {
  const checked = checkedServerOptions({ ...options, log: (entry) => send({ type: "log", entry }) });
  logRejections(checked.log);
  const host = await RoomHost.open(game, checked, {
    listed: (listing) => send({ type: "listed", listing }),
    unlisted: (code) => send({ type: "unlisted", code }),
    left: (id, refused) => send({ type: "left", id, refused }),
  });
  const sendStats = () => send({ type: "stats", stats: host.stats(), overload: host.overload });
  const timer = setInterval(sendStats, STATS_EVERY);
  const stop = async () => {
    await host.close();
    sendStats();
    clearInterval(timer);
    // Sockets may still wait for the answers to their closes.
    setTimeout(() => process.exit(), 500);
  };
  // Ctrl-C reaches all processes, but only the one that listens decides what happens.
  process.on("SIGINT", () => {});
  process.on("SIGTERM", () => {});
  process.on("disconnect", () => void stop());
  process.on("message", (message: ToWorker, socket?: Socket) => {
    if (message.type === "accept") {
      // It may have closed on the way.
      if (socket) host.accept(message.ticket, socket, message.head);
      else host.miss(message.ticket);
    } else if (message.type === "resume")
      void host.resume(message.id).then((isRunning) => send({ type: "resumed", id: message.id, isRunning }));
    else void stop();
  });
  send({ type: "ready" });
  sendStats();
}

/** Says why rooms cannot be run, and ends the process. */
export function failRoomWorker(reason: string): void {
  if (!process.connected) process.exit(1);
  process.send!({ type: "unready", reason } satisfies FromWorker, undefined, undefined, () =>
    process.exit(1),
  );
}
