// A room server. Start as many as you like, each with another PORT and PUBLIC_ADDRESS; Redis connects them.
import * as colyseus from "@colyseus/core";
import { RedisDriver } from "@colyseus/redis-driver";
import { RedisPresence } from "@colyseus/redis-presence";
import { WebSocketTransport } from "@colyseus/ws-transport";
import { Redis } from "ioredis";
import { gameRooms } from "tickwise/colyseus";
import { game } from "./game.mjs";

const { PORT = "2567", HOST, REDIS_URL = "redis://127.0.0.1:6379", PUBLIC_ADDRESS, REPLAYS } = process.env;

// Commands wait for as long as Redis is gone, and games play on.
const connect = () =>
  new Redis(REDIS_URL, { maxRetriesPerRequest: null }).on("error", (error) =>
    console.error("redis:", error.message),
  );

const rooms = gameRooms(colyseus, { redis: connect(), replays: REPLAYS, onProblem: console.error });

const server = new colyseus.Server({
  transport: new WebSocketTransport(),
  driver: new RedisDriver(connect()),
  presence: new RedisPresence(connect()),
  // Where the WebSockets of this process are reached: the load balancer sends this path here.
  publicAddress: PUBLIC_ADDRESS,
  greet: false,
  express(app) {
    // nginx.conf does not pass these on.
    app.get("/healthz", (_request, response) => response.send("ok"));
    app.get("/metrics", (_request, response) => response.type("text/plain").send(rooms.metrics()));
  },
});
server.define("push", rooms.classFor(game));

await server.listen(Number(PORT), HOST);
console.log(`listening on port ${PORT}`);
