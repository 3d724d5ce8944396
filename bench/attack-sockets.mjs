// The connections of attackers: all are kept in one list, so that they can be ended.
import { randomBytes } from "node:crypto";
import { connect } from "node:net";
import WebSocket from "ws";

/** The connections that are open. */
export const open = new Set();
let port = 0;

/** Chooses the server that is attacked. */
export const aimAt = (target) => (port = target);
export const address = () => `127.0.0.1:${port}`;

function keep(socket) {
  open.add(socket);
  const forget = () => open.delete(socket);
  socket.on("close", forget);
  socket.on("error", forget);
  return socket;
}

/** Connects as a browser would, from an address of its own, as a proxy would report it. */
export function dial(path, { protocols = [], from, ...options } = {}) {
  return keep(
    new WebSocket(`ws://${address()}${path}`, protocols, {
      headers: { "x-forwarded-for": from ?? [11, ...randomBytes(3)].join(".") },
      perMessageDeflate: false,
      handshakeTimeout: 10_000,
      ...options,
    }),
  );
}

/** A TCP connection that need not speak HTTP at all. */
export const raw = () => keep(connect(port, "127.0.0.1"));

export const endAfter = (socket, milliseconds) => void setTimeout(() => socket.terminate(), milliseconds);

/** Ends all connections. */
export function endAll() {
  for (const socket of open) (socket.terminate ?? socket.destroy).call(socket);
  open.clear();
}

/** What can be done to any server. */
export const ANYWHERE = {
  /** Sends a request byte by byte, and never ends it. */
  slowLoris() {
    const socket = raw();
    socket.write("GET /rooms/quick HTTP/1.1\r\nHost: x\r\n");
    const timer = setInterval(() => socket.write("X-A: b\r\n"), 1000);
    socket.on("close", () => clearInterval(timer));
  },
  /** Bytes that are not HTTP. */
  noise() {
    const socket = raw();
    socket.write(randomBytes(4096));
    socket.on("data", () => {});
    setTimeout(() => socket.destroy(), 3000);
  },
};
