// Our server process: rooms of the arena over ws.
import { WebSocketServer } from "ws";
import { counts, host, lateness, library, STATE_RATE } from "./server-child.mjs";

const { websocketLink } = await library("src/net/index.js");
const { GameRoom } = await library("src/server/rooms/game-room.js");
const { RoomSchedule } = await library("src/server/rooms/room-schedule.js");
const { roundedArena } = await library("scenes/arena.js");

const schedule = new RoomSchedule({
  onFailed(_, reason, error) {
    throw new Error(reason, { cause: error });
  },
});
const rooms = new Map();
const server = new WebSocketServer({
  port: 0,
  host: "127.0.0.1",
  perMessageDeflate: false,
  maxPayload: 4096,
});
server.on("connection", (socket, { url }) => {
  const room = rooms.get(url.slice(1));
  if (room) room.connect(websocketLink(socket));
  else socket.close();
});
await new Promise((done) => void server.on("listening", done));

// The schedule has figures of its own.
lateness.reset = () => {
  schedule.lateness.reset();
  for (const { stats } of rooms.values()) stats.ticks = 0;
};
lateness.quantile = (part) => schedule.lateness.quantile(part);
Object.defineProperty(lateness, "max", { get: () => schedule.lateness.max });
Object.defineProperty(counts, "ticks", {
  get: () => [...rooms.values()].reduce((sum, { stats }) => sum + stats.ticks, 0),
  set() {},
});
Object.defineProperty(counts, "inputs", {
  get: () =>
    [...rooms.values()].reduce(
      (sum, { session }) => sum + session.net.clients.reduce((a, b) => a + b.inTimeInputs, 0),
      0,
    ),
  set() {},
});

let opened = 0;
host({
  port: server.address().port,
  open() {
    const path = `room${opened++}`;
    const room = new GameRoom(roundedArena, {
      session: { down: "states", stateRate: STATE_RATE, effects: false },
      seed: path,
    });
    rooms.set(path, room);
    schedule.add(room);
    return { join: { path }, room, path };
  },
  close({ room, path }) {
    rooms.delete(path);
    schedule.remove(room);
    room.close();
  },
  observe: ({ room: { session } }, onStep) => session.on("confirmed", () => onStep(session.world)),
});
