// A player without a page, to try a deployment: node bot.mjs http://localhost:8080 [SECONDS]
import { Client } from "@colyseus/sdk";
import { clientSession, colyseusLink, keepJoined } from "tickwise/net";
import { nodeTimer } from "tickwise/node";
import { drive } from "tickwise/sim";
import { game } from "./game.mjs";

const [address = "http://localhost:8080", seconds = "Infinity"] = process.argv.slice(2);

const client = new Client(address);
const room = await client.joinOrCreate("push");
const link = colyseusLink(room);
const session = clientSession(game, link, {
  inputs([me], { tick }) {
    me.x = (Math.floor(tick / 40) % 3) - 1;
    me.y = (Math.floor(tick / 70) % 3) - 1;
  },
});
const joined = keepJoined(session, link, client, {
  onRejoined: () => console.log("joined again"),
  onLost(reason) {
    console.error(reason);
    process.exit(1);
  },
});
let hash = "";
session.on("confirmed", (confirmed) => {
  if (confirmed.tick % 60 === 0) hash = `${confirmed.tick} ${confirmed.hash().join()}`;
});
const running = drive(session, { driver: nodeTimer() });

const print = () =>
  console.log(
    `room ${room.roomId} seat ${session.seats} ${session.net.state} tick ${session.tick} hash ${hash}`,
  );
const printing = setInterval(print, 500);
if (Number(seconds) < Infinity)
  setTimeout(
    () => {
      clearInterval(printing);
      joined.stop();
      running.dispose();
      setTimeout(() => process.exit(), 200);
    },
    Number(seconds) * 1000,
  );
