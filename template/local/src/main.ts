import { mountHud } from "tickwise/hud";
import { inputLatch } from "tickwise/input";
import { play } from "tickwise/sim";
import { bindControls } from "./controls.ts";
import { chase, game } from "./game.ts";
import { canvas, say, showScore } from "./page.ts";
import { View } from "./view.ts";

const view = new View(canvas);
const controls = bindControls(canvas);
const bot = inputLatch(game.packing);

const running = play(game, {
  seed: String(Math.random()), // other stars every time
  inputs: [controls, bot], // one for each player; bind a second gamepad instead of the bot
  effect: (effect) => view.effect(effect),
  render(world, { delta }) {
    view.draw(world, 0, delta);
    showScore(world);
  },
});
bot.onSample(() => {
  const { x, y } = chase(running.session.world, 1);
  bot.set("x", x);
  bot.set("y", y);
});
running.loop.on("resume", () => controls.forget());
mountHud(running, { key: "KeyH" }).hidden = true;
say("You are the amber ship. Catch more stars than the blue one.");
