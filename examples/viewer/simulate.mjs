// Simulates, draws nothing, and waits for nobody: `node examples/viewer/simulate.mjs [PORT]`.
import { WebSocketServer } from "ws";
import { serverSession, websocketLink } from "tickwise/net";
import { nodeTimer } from "tickwise/node";
import { drive } from "tickwise/sim";
import { game } from "./game.mjs";

const [, , port = "8090"] = process.argv;
// Viewers get 30 states per second, and blend between them.
const server = serverSession(game, { seed: 7, stateRate: 30 });

const sockets = new WebSocketServer({ host: "127.0.0.1", port: Number(port) });
sockets.on("connection", (socket) => server.connect(websocketLink(socket)));
sockets.on("listening", () => console.log(`ws://127.0.0.1:${sockets.address().port}`));

drive(server, { driver: nodeTimer({ precision: "high" }) });
server.on("confirmed", ({ tick }) => {
  if (tick % 60 === 0) console.log(`tick ${tick}, ${server.net.clients.length} viewers`);
});
