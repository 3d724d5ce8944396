import { fork } from "node:child_process";
import { isTickwiseError } from "../errors/index.js";
import type { LogEntry, RoomServer } from "../server/index.js";
import { logRejections } from "../server/workers/rejections.js";
import { CliError } from "./cli-error.js";
import type { Command } from "./command.js";
import { EXIT_FAILED, EXIT_ERROR, EXIT_OK } from "./exit-status.js";
import { loadSimulation } from "./load.js";
import { moduleOf } from "./module.js";
import { print } from "./screen.js";
import { SERVE_OPTIONS, serverOptionsOf } from "./serve-options.js";
import type { ToServeWorker } from "./serve-worker.js";
import { ServeStatus } from "./serve-status.js";
import { optionText } from "./text.js";

export const serve: Command = {
  name: "serve",
  usage: "MODULE [--port N] [--host ADDRESS] [--page FOLDER] [OPTIONS]",
  summary: "Host rooms of a game over WebSockets",
  about: [
    "Hosts rooms of the simulation that MODULE exports: quick play, private rooms by code, spectators, reconnection, and meetings for peer-to-peer games. Pages join with joinRoom(address) of tickwise/net. Needs the package ws: npm install ws.",
    "On a terminal, it prints one line of figures per second. SIGTERM and Ctrl-C stop it: no new rooms are created, and running ones go on for --grace seconds, or are saved with --saves. A second signal stops it at once.",
  ],
  operands: [1, 1, "game file"],
  options: SERVE_OPTIONS,
  examples: [
    "tickwise serve game.ts",
    "tickwise serve game.ts --host 0.0.0.0 --page dist --replays replays",
    "tickwise serve game.ts --saves saves --workers 4 --metrics 9464 --json",
  ],
  async run(args) {
    const options = serverOptionsOf(args);
    const spec = moduleOf("serve", args.operands[0]!, args.text("export"));
    const workers = args.whole("workers", 1) ?? 1;
    const isJson = args.has("json");
    const status = new ServeStatus(isJson);
    // stdout is for figures, not for what the game prints.
    for (const name of ["log", "info", "debug"] as const) console[name] = console.error;
    logRejections(status.log);
    const server = await start(async () => {
      if (workers > 1) return withWorkers({ spec, options }, workers, status.log);
      const { roomServer } = await import("../server/index.js");
      return roomServer(await loadSimulation(spec), { ...options, log: status.log });
    });
    const address = options.page === undefined ? server.address : server.address.replace(/^ws/, "http");
    if (!isJson) print(`Serving ${spec.shown} at ${address} (press Ctrl-C to stop)`);
    status.start(() => server.stats());
    await ended(server);
    status.stop();
    return EXIT_OK;
  },
};

/** Starts a server whose rooms run in other processes. */
async function withWorkers(
  first: ToServeWorker,
  count: number,
  log: (entry: LogEntry) => void,
): Promise<RoomServer> {
  const { workerServer } = await import("../server/workers/worker-server.js");
  const startWorker = () => {
    // Typed arrays are sent as they are.
    const child = fork(new URL("./serve-worker.js", import.meta.url), { serialization: "advanced" });
    child.send(first);
    return child;
  };
  return workerServer(first.options, { count, fork: startWorker, log });
}

/** Starts the server. What is wrong with its options, or missing, is said without a stack. */
async function start(create: () => Promise<RoomServer>): Promise<RoomServer> {
  try {
    return await create();
  } catch (error) {
    // A port in use is not wrong usage: the same command may work a moment later.
    if (isTickwiseError(error))
      throw new CliError(
        `serve: ${optionText(error, SERVE_OPTIONS)}`,
        error.code === "in-use" ? EXIT_FAILED : EXIT_ERROR,
      );
    throw error;
  }
}

/** Waits for a signal, and stops the server. */
async function ended(server: RoomServer): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const stop = () => void server.close().then(resolve, reject);
    process.on("SIGTERM", stop);
    process.on("SIGINT", stop);
  });
}
