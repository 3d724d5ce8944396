// What attackers do to the room server.
import { randomBytes } from "node:crypto";
import { ANYWHERE, dial, endAfter } from "./attack-sockets.mjs";

const join = (path, options = {}) => dial(path, { protocols: ["tickwise"], ...options });

export const ATTACKS = {
  ...ANYWHERE,
  /** As many messages as fit, small ones and large ones. */
  flood() {
    const socket = join("/rooms/quick");
    const bytes = randomBytes(1200);
    socket.on("open", () => {
      for (let i = 0; i < 400 && socket.readyState === 1; i++)
        socket.send(bytes.subarray(0, 1 + ((i * 37) % 1200)));
    });
    endAfter(socket, 3000);
  },
  /** One message of 8 MB. */
  oversized() {
    const socket = join("/rooms/quick");
    socket.on("open", () => socket.send(Buffer.alloc(8 << 20)));
    endAfter(socket, 3000);
  },
  /** Connects and falls silent: no pong, no reads. */
  halfOpen() {
    const socket = join("/rooms/quick", { autoPong: false });
    socket.on("open", () => socket._socket.pause());
  },
  /** Guesses codes and tokens. */
  guess() {
    const token = randomBytes(16).toString("base64url");
    dial(`/rooms/${randomBytes(8).toString("hex").toUpperCase()}`, {
      protocols: ["tickwise", `token.${token}`],
    });
  },
  /** A request to join with seats and ticks that do not exist, then packets of noise. */
  forge() {
    const socket = join("/rooms/quick");
    const request = JSON.stringify({
      name: "arena",
      seats: [99, -1, 1e9],
      token: "x".repeat(500),
      players: 1e9,
    });
    socket.on("open", () => {
      for (let type = 0x80; type < 0x90; type++)
        socket.send(Buffer.concat([Buffer.from([type]), Buffer.from(request)]));
      for (let i = 0; i < 200 && socket.readyState === 1; i++) socket.send(randomBytes(1 + (i % 60)));
      socket.send("x".repeat(2000));
    });
    endAfter(socket, 3000);
  },
  /** Opens rooms as fast as it can. */
  rooms() {
    endAfter(join("/rooms/new", { from: "12.0.0.1" }), 1000);
  },
};
