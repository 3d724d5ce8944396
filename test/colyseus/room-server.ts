// A server with rooms of all modes, as a user would write it. The test starts several.
import * as colyseus from "@colyseus/core";
import { RedisDriver } from "@colyseus/redis-driver";
import { RedisPresence } from "@colyseus/redis-presence";
import { WebSocketTransport } from "@colyseus/ws-transport";
import { Redis } from "ioredis";
import { gameRooms, type GameRoomsOptions } from "../../src/colyseus/index.js";
import { answer, settingsOf } from "./answers.js";
import { GAME } from "./game.js";

export interface ServerSettings {
  readonly port: number;
  readonly redis: string;
  readonly replays?: string;
  readonly options?: GameRoomsOptions;
}

interface ExpressResponse {
  type(type: string): ExpressResponse;
  send(text: string): void;
}

const { port, redis, replays, options } = settingsOf<ServerSettings>();
// Commands wait for as long as Redis is gone.
const connect = () => new Redis(redis, { maxRetriesPerRequest: null }).on("error", () => {});

const problems: string[] = [];
const rooms = gameRooms(colyseus, {
  redis: connect(),
  replays,
  // On a busy machine, a step may wait for long.
  hangAfter: 30_000,
  onProblem: (problem, error) =>
    problems.push(`${problem}: ${error instanceof Error ? error.stack : String(error)}`),
  ...options,
});
const server = new colyseus.Server({
  transport: new WebSocketTransport(),
  driver: new RedisDriver(connect()),
  presence: new RedisPresence(connect()),
  publicAddress: `127.0.0.1:${port}`,
  // The server that is asked creates the room. Otherwise the one with the fewest rooms would, as it was up to a second ago.
  selectProcessIdToCreateRoom: async () => colyseus.matchMaker.processId,
  greet: false,
  express: (app) => {
    app.get("/metrics", (_request: unknown, response: ExpressResponse) => {
      response.type("text/plain").send(rooms.metrics());
    });
  },
});
// Silence is long, as the machine may be busy.
const session = { timeout: 15 };
server.define("arena", rooms.classFor(GAME, { session, watchers: 2 })).filterBy(["open" as never]);
server.define("relay", rooms.classFor(GAME, { mode: "relay", session, replay: false }));
server.define("lockstep", rooms.classFor(GAME, { mode: "lockstep", session, replay: false }));

answer({
  async ready() {
    await server.listen(port, "127.0.0.1");
    return colyseus.matchMaker.processId;
  },
  status() {
    global.gc?.();
    return {
      processId: colyseus.matchMaker.processId,
      rooms: [...rooms.hosted.values()].map(({ id, room }) => ({
        id,
        mode: room.mode,
        tick: room.tick,
        players: room.players,
        watchers: room.watchers,
        links: room.links,
      })),
      heap: process.memoryUsage().heapUsed,
      memory: process.memoryUsage().rss,
      problems,
    };
  },
  metrics: () => rooms.metrics(),
});

export interface ServerStatus {
  readonly processId: string;
  readonly rooms: readonly {
    readonly id: string;
    readonly mode: string;
    readonly tick: number;
    readonly players: number;
    readonly watchers: number;
    readonly links: number;
  }[];
  readonly heap: number;
  readonly memory: number;
  readonly problems: readonly string[];
}
