import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { CODE_OF_END, type RoomEnd } from "../net/room-lobby.js";
import { closeReason, expectClose, stopReading } from "./end-socket.js";
import type { Handshakes, ServerSocket } from "./ws-package.js";

/** Why somebody is not let in. */
export interface Objection {
  readonly end: RoomEnd;
  /** For a person. */
  readonly reason: string;
}

/** For everybody whose room goes on in the next process. */
export const RESTARTING: Objection = {
  end: "restarting",
  reason: "the server restarts: join again in a few seconds",
};

/** Closes a socket with the reason why it is not let in. */
export function refuseSocket(socket: ServerSocket, { end, reason }: Objection): void {
  socket.on("error", () => stopReading(socket));
  socket.close(CODE_OF_END[end], closeReason(reason));
  expectClose(socket);
}

/** Completes a handshake. `onClosed` is called once, also if the handshake fails. */
export function completeHandshake(
  handshakes: Handshakes,
  headers: Readonly<Record<string, unknown>>,
  socket: Duplex,
  head: Uint8Array,
  onOpen: (socket: ServerSocket) => void,
  onClosed: () => void,
): void {
  let isDone = false;
  const done = () => {
    if (!isDone) onClosed();
    isDone = true;
  };
  // Before the handshake is complete, only this tells.
  socket.on("close", done);
  socket.on("error", () => {});
  // All that a handshake needs of a request.
  const request = { method: "GET", url: "/", headers } as unknown as IncomingMessage;
  try {
    handshakes.handleUpgrade(request, socket, Buffer.from(head), (ws) => {
      ws.on("close", done);
      onOpen(ws);
    });
  } catch {
    socket.destroy();
  }
}
