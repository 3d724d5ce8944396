// A plain Colyseus room with schema state: fixed timestep, messages with inputs, and patches.
import { matchMaker, Room, Server } from "@colyseus/core";
import { schema, t } from "@colyseus/schema";
import { WebSocketTransport } from "@colyseus/ws-transport";
import { host, PeerGame, STATE_RATE, TICK_RATE, watchTimers } from "./server-child.mjs";
import { place, SEATS, speed } from "./server-state.mjs";

watchTimers();

const Body = schema({
  x: t.int16(),
  y: t.int16(),
  vx: t.int16(),
  vy: t.int16(),
  pusher: t.uint8(),
  blame: t.uint8(),
});
const Player = schema({
  aimX: t.int8(),
  aimY: t.int8(),
  rest: t.uint8(),
  away: t.uint8(),
  isBot: t.boolean(),
  points: t.uint16(),
  falls: t.uint16(),
});
const Ring = schema({ bodies: t.array(Body), players: t.array(Player) });

class ArenaRoom extends Room {
  maxClients = SEATS;
  autoDispose = false;
  patchRate = 1000 / STATE_RATE;
  game = new PeerGame();
  seats = new Map();

  onCreate() {
    this.state = new Ring();
    for (let i = 0; i <= SEATS; i++) this.state.bodies.push(new Body());
    for (let i = 0; i < SEATS; i++) this.state.players.push(new Player());
    this.onMessage("input", ({ sessionId }, input) => this.game.input(this.seats.get(sessionId), input));
    this.setFixedTimestep(() => this.game.step(), TICK_RATE);
  }
  onJoin({ sessionId }) {
    const seat = this.seats.size;
    this.seats.set(sessionId, seat);
    this.game.join(seat);
  }
  /** Copies the world once per patch. A schema assigns only what changes. */
  onBeforePatch() {
    const { bodies, players } = this.game.run.world;
    for (let i = 0; i <= SEATS; i++) {
      const body = this.state.bodies[i];
      body.x = place(bodies.x[i]);
      body.y = place(bodies.y[i]);
      body.vx = speed(bodies.vx[i]);
      body.vy = speed(bodies.vy[i]);
      body.pusher = bodies.pusher[i];
      body.blame = bodies.blame[i];
    }
    for (let i = 0; i < SEATS; i++) {
      const player = this.state.players[i];
      player.aimX = players.aimX[i];
      player.aimY = players.aimY[i];
      player.rest = players.rest[i];
      player.away = players.away[i];
      player.isBot = players.isBot[i] === 1;
      player.points = players.points[i];
      player.falls = players.falls[i];
    }
  }
}

const transport = new WebSocketTransport();
const server = new Server({ transport, greet: false, gracefullyShutdown: false });
server.define("arena", ArenaRoom);
await server.listen(0, "127.0.0.1");

host({
  port: transport.server.address().port,
  async open() {
    const cache = await matchMaker.createRoom("arena", {});
    const sessions = [];
    for (let i = 0; i < SEATS; i++) sessions.push((await matchMaker.reserveSeatFor(cache, {})).sessionId);
    const room = matchMaker.getLocalRoomById(cache.roomId);
    return { join: { path: `${cache.processId}/${cache.roomId}`, sessions }, room };
  },
  close: ({ room }) => room.disconnect(),
  observe: ({ room }, onStep) => room.game.observe(onStep),
});
