// Our server process: the room server as `npx tickwise serve` runs it, without limits that a load from one address would meet.
import { behind, counts, host, lateAfterLast, lateness, library, STATE_RATE } from "./server-child.mjs";

const { GameRoom } = await library("src/server/rooms/game-room.js");
const { Lateness } = await library("src/server/rooms/lateness.js");
const { roomServer } = await library("src/server/index.js");
const { roundedArena } = await library("scenes/arena.js");

// The server resets the figures of its schedule every second, so they are kept here, too.
const add = Lateness.prototype.add;
Lateness.prototype.add = function (late) {
  add.call(this, late);
  if (this !== lateness) add.call(behind, late);
};
const advance = GameRoom.prototype.advance;
GameRoom.prototype.advance = function (now) {
  this.note ??= lateAfterLast();
  this.note();
  advance.call(this, now);
};
const rooms = new Set();
const connect = GameRoom.prototype.connect;
GameRoom.prototype.connect = function (link) {
  rooms.add(this);
  connect.call(this, link);
};

const server = await roomServer(roundedArena, {
  // What the peers send: the world, and nothing about inputs, random numbers or effects.
  session: { down: "states", stateRate: STATE_RATE, secretive: true, effects: false },
  keepSeat: 0,
  limits: {
    connections: 1e6,
    connectionsPerAddress: 1e6,
    rooms: 1e6,
    newRoomsPerMinute: 1e6,
    empty: 0,
    lateMs: 1e6,
  },
});

// What the server counts anyway. Nearly all messages are inputs.
for (const [count, figure] of Object.entries({ ticks: "ticks", inputs: "messagesIn" })) {
  let before = 0;
  Object.defineProperty(counts, count, {
    get: () => server.stats()[figure] - before,
    set() {
      before = server.stats()[figure];
    },
  });
}

host({
  port: server.port,
  // The first player opens a room. It ends when all have left.
  open: () => ({ join: {} }),
  async close() {
    while (server.stats().rooms > 0) await new Promise((done) => void setTimeout(done, 50));
    rooms.clear();
  },
  observe(_, onStep) {
    const [{ session }] = rooms;
    return session.on("confirmed", () => onStep(session.world));
  },
});
