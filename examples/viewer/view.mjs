// Shows what another process simulates, and simulates nothing: `node examples/viewer/view.mjs ws://127.0.0.1:8090`.
// Stop it, suspend it (Ctrl-Z), start two: the simulation goes on.
import WebSocket from "ws";
import { viewerSession, websocketLink } from "tickwise/net";
import { nodeTimer } from "tickwise/node";
import { drive } from "tickwise/sim";
import { game } from "./game.mjs";

const [, , address = "ws://127.0.0.1:8090"] = process.argv;
const link = websocketLink(new WebSocket(address));
const session = viewerSession(game, link);
const { dispose } = drive(session, {
  driver: nodeTimer(),
  render({ angle }) {
    if (session.net.state !== "watching") return;
    const column = Math.round(30 + 30 * Math.sin(angle));
    const { tick, world, net } = session;
    const figures = `shows ${angle.toFixed(4)}, state ${tick}: ${world.angle}, ${net.delay} ms behind`;
    process.stdout.write(`${" ".repeat(column)}o${" ".repeat(60 - column)} ${figures}${end}`);
  },
});
// One line that moves, or one for each picture if they go to a file.
const end = process.stdout.isTTY ? "\r" : "\n";

link.on("close", (reason) => {
  console.log(`\nThe simulation is gone: ${reason}`);
  dispose();
});
