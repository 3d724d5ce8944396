// The server of Colyseus that is attacked: rooms of the arena in one process, without Redis.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import * as colyseus from "@colyseus/core";
import { WebSocketTransport } from "@colyseus/ws-transport";
import { answer } from "./server-ipc.mjs";

const [folder] = process.argv.slice(2);
const library = (file) => import(pathToFileURL(join(folder, file)).href);
const { gameRooms } = await library("src/colyseus/index.js");
const { roundedArena } = await library("scenes/arena.js");

// Colyseus reports every bad request.
console.error = console.warn = console.info = console.log = () => {};

/** Attackers must not find all places taken. */
const WATCHERS = 100;
const errors = [];
const rooms = gameRooms(colyseus, {
  onProblem: (problem, error) => errors.length < 10 && errors.push(`${problem}: ${error}`),
});
const transport = new WebSocketTransport();
const server = new colyseus.Server({ transport, greet: false, gracefullyShutdown: false });
server.define("arena", rooms.classFor(roundedArena, { session: { down: "states" }, watchers: WATCHERS }));
await server.listen(0, "127.0.0.1");
process.on("uncaughtException", (error) => errors.push(error.stack));

answer({
  port: () => transport.server.address().port,
  /** The figures of the last second. `collects`: after a garbage collection, which takes time. */
  figures({ collects = false }) {
    if (collects) globalThis.gc();
    const { rss, heapUsed } = process.memoryUsage();
    const { lateness } = rooms;
    return {
      lateP50: lateness.quantile(0.5),
      lateP99: lateness.quantile(0.99),
      rss,
      heapUsed,
      errors,
      connections: transport.wss.clients.size,
    };
  },
});
