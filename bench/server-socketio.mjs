// socket.io with JSON: one timer per room, and the whole state to all of a room.
import { createServer } from "node:http";
import { Server } from "socket.io";
import { host, PeerGame, STATE_RATE, TICK_RATE, watchTimers } from "./server-child.mjs";
import { plainState } from "./server-state.mjs";

watchTimers();

const http = createServer();
const io = new Server(http, {
  serveClient: false,
  transports: ["websocket"],
  perMessageDeflate: false,
  maxHttpBufferSize: 4096,
});
const rooms = new Map();
io.on("connection", (socket) => {
  const room = rooms.get(socket.handshake.query.room);
  if (!room) return socket.disconnect(true);
  const seat = room.seats++;
  room.game.join(seat);
  socket.join(room.name);
  socket.on("input", (input) => room.game.input(seat, input));
});
await new Promise((done) => http.listen(0, "127.0.0.1", done));

const TICK_MS = 1000 / TICK_RATE;
const STATE_EVERY = TICK_RATE / STATE_RATE;
let opened = 0;
host({
  port: http.address().port,
  open() {
    const name = `room${opened++}`;
    const game = new PeerGame();
    let last = performance.now();
    let left = 0;
    let ticks = 0;
    const timer = setInterval(() => {
      const now = performance.now();
      left += now - last;
      last = now;
      for (let steps = 0; left >= TICK_MS; steps++) {
        left -= TICK_MS;
        // As Colyseus does: at most five steps, then the rest is lost.
        if (steps === 5) left = 0;
        game.step();
        if (++ticks % STATE_EVERY === 0) io.to(name).emit("state", plainState(game.run.world));
      }
    }, TICK_MS);
    rooms.set(name, { name, game, seats: 0 });
    return { join: { path: name }, name, timer, game };
  },
  close({ name, timer }) {
    clearInterval(timer);
    rooms.delete(name);
    io.in(name).disconnectSockets(true);
  },
  observe: ({ game }, onStep) => game.observe(onStep),
});
