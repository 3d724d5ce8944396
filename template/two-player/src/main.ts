import { mountHud } from "tickwise/hud";
import { clientSession, keepInRoom } from "tickwise/net";
import { drive } from "tickwise/sim";
import { bindControls } from "./controls.ts";
import { game } from "./game.ts";
import { canvas, say, showScore } from "./page.ts";
import { joinAgain } from "./room.ts";
import { View } from "./view.ts";

const NAMES = ["amber", "blue"];
const view = new View(canvas);
const controls = bindControls(canvas);

say("Connecting …");
const link = await joinAgain("/").catch((error: Error) => {
  say(error.message);
  throw error;
});
// Predicts the game here at once. The server decides, and corrects what was guessed wrong.
const session = clientSession(game, link, { token: link.token, inputs: controls });
keepInRoom(session, link, { onLost: (reason) => say(`Connection lost: ${reason}. Reload the page.`) });

const running = drive(session, {
  effect: (effect) => view.effect(effect),
  render(world, { delta }) {
    view.draw(world, session.seats[0], delta);
    showScore(world);
  },
});
running.loop.on("resume", () => controls.forget());
mountHud(running, { key: "KeyH" }).hidden = true;

/** Says which ship is whose. */
function greet() {
  const [own] = session.seats;
  if (own === undefined) return;
  const players = session.net.members.filter(({ seats }) => seats.length > 0).length;
  const rival = players > 1 ? "The other one is a player." : "The other one is a bot until somebody joins.";
  say(`You are the ${NAMES[own]} ship. ${rival}`);
}
session.net.on("server", greet);
session.net.on("players", greet);
