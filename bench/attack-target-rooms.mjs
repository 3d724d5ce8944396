// The server that is attacked: rooms of the arena, behind a proxy that says where connections come from.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { answer } from "./server-ipc.mjs";

const [folder, lateMs = 20] = process.argv.slice(2);
const library = (file) => import(pathToFileURL(join(folder, file)).href);
const { roomServer } = await library("src/server/index.js");
const { roundedArena } = await library("scenes/arena.js");

const errors = [];
const server = await roomServer(roundedArena, {
  session: { down: "states" },
  trustProxy: ["127.0.0.1"],
  limits: { lateMs: Number(lateMs) },
  log: (entry) => void (entry.level === "error" && errors.length < 10 && errors.push(entry)),
});

answer({
  port: () => server.port,
  /** The figures of the last second. `collects`: after a garbage collection, which takes time. */
  figures({ collects = false }) {
    if (collects) globalThis.gc();
    const { rss, heapUsed } = process.memoryUsage();
    return { ...server.stats(), rss, heapUsed, errors };
  },
});
