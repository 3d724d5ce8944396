// Attackers: everything that a program on the internet can do to a server, from many addresses, again and again.
import { randomBytes } from "node:crypto";
import { connect } from "node:net";
import WebSocket from "ws";
import { answer } from "./server-ipc.mjs";

let port = 0;
let isOn = false;
const sent = {};
const open = new Set();
const timers = new Set();

const addressOf = () => [11, ...randomBytes(3)].join(".");
const count = (name) => (sent[name] = (sent[name] ?? 0) + 1);

function keep(socket) {
  open.add(socket);
  const forget = () => open.delete(socket);
  socket.on("close", forget);
  socket.on("error", forget);
  return socket;
}

/** Connects as a browser would, from an address of its own. */
function dial(path, protocols = ["tickwise"], options = {}) {
  return keep(
    new WebSocket(`ws://127.0.0.1:${port}${path}`, protocols, {
      headers: { "x-forwarded-for": options.address ?? addressOf() },
      perMessageDeflate: false,
      handshakeTimeout: 10_000,
      ...options,
    }),
  );
}

/** A TCP connection that need not speak HTTP at all. */
const raw = () => keep(connect(port, "127.0.0.1"));

const ATTACKS = {
  /** As many messages as fit, small ones and large ones. */
  flood() {
    const socket = dial("/rooms/quick");
    const bytes = randomBytes(1200);
    socket.on("open", () => {
      for (let i = 0; i < 400 && socket.readyState === 1; i++)
        socket.send(bytes.subarray(0, 1 + ((i * 37) % 1200)));
    });
    setTimeout(() => socket.terminate(), 3000);
  },
  /** One message of 8 MB. */
  oversized() {
    const socket = dial("/rooms/quick");
    socket.on("open", () => socket.send(Buffer.alloc(8 << 20)));
    setTimeout(() => socket.terminate(), 3000);
  },
  /** Sends a request byte by byte, and never ends it. */
  slowLoris() {
    const socket = raw();
    socket.write("GET /rooms/quick HTTP/1.1\r\nHost: x\r\n");
    const timer = setInterval(() => socket.write("X-A: b\r\n"), 1000);
    timers.add(timer);
    socket.on("close", () => clearInterval(timer));
  },
  /** Connects and falls silent: no pong, no reads. */
  halfOpen() {
    const socket = dial("/rooms/quick", ["tickwise"], { autoPong: false });
    socket.on("open", () => socket._socket.pause());
  },
  /** Guesses codes and tokens. */
  guess() {
    const token = randomBytes(16).toString("base64url");
    dial(`/rooms/${randomBytes(8).toString("hex").toUpperCase()}`, ["tickwise", `token.${token}`]);
  },
  /** A request to join with seats and ticks that do not exist, then packets of noise. */
  forge() {
    const socket = dial("/rooms/quick");
    const join = JSON.stringify({
      name: "arena",
      seats: [99, -1, 1e9],
      token: "x".repeat(500),
      players: 1e9,
    });
    socket.on("open", () => {
      for (let type = 0x80; type < 0x90; type++)
        socket.send(Buffer.concat([Buffer.from([type]), Buffer.from(join)]));
      for (let i = 0; i < 200 && socket.readyState === 1; i++) socket.send(randomBytes(1 + (i % 60)));
      socket.send("x".repeat(2000));
    });
    setTimeout(() => socket.terminate(), 3000);
  },
  /** Bytes that are not HTTP. */
  noise() {
    const socket = raw();
    socket.write(randomBytes(4096));
    socket.on("data", () => {});
    setTimeout(() => socket.destroy(), 3000);
  },
  /** Opens rooms as fast as it can. */
  rooms() {
    const socket = dial("/rooms/new", ["tickwise"], { address: "12.0.0.1" });
    setTimeout(() => socket.terminate(), 1000);
  },
};

const NAMES = Object.keys(ATTACKS);

async function attack(perSecond, most) {
  for (let i = 0; isOn; i++) {
    const name = NAMES[i % NAMES.length];
    if (open.size < most) {
      count(name);
      try {
        ATTACKS[name]();
      } catch {
        count("refused");
      }
    }
    if (i % Math.max(1, Math.round(perSecond / 50)) === 0)
      await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

answer({
  /** Attacks a port until `stop`. Also holds up to `most` connections at a time. */
  start({ target, perSecond, most }) {
    port = target;
    isOn = true;
    void attack(perSecond, most);
  },
  async stop() {
    isOn = false;
    for (const timer of timers) clearInterval(timer);
    for (const socket of open) (socket.terminate ?? socket.destroy).call(socket);
    open.clear();
    await new Promise((resolve) => setTimeout(resolve, 500));
    return { ...sent };
  },
  /** Opens many connections at once, and keeps them. Returns how many are open. */
  async crowd({ target, connections }) {
    port = target;
    for (let i = 0; i < connections; i++) {
      raw();
      if (i % 200 === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    }
    await new Promise((resolve) => setTimeout(resolve, 2000));
    return open.size;
  },
});
process.on("uncaughtException", () => count("uncaught"));
