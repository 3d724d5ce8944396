// What attackers load in the control: a server that accepts everything, and does nothing with it.
import { WebSocketServer } from "ws";
import { answer } from "./server-ipc.mjs";

const server = new WebSocketServer({ port: 0, host: "127.0.0.1", perMessageDeflate: false });
server.on("connection", (socket) => {
  socket.on("message", () => {});
  socket.on("error", () => {});
});
await new Promise((resolve) => server.once("listening", resolve));
answer({ port: () => server.address().port });
