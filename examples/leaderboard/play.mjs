// Plays the lander for a minute with a simple bot, and submits the replay: `node examples/leaderboard/play.mjs URL NAME [CAUTION]`.
import { record } from "tickwise/replay";
import { localSession } from "tickwise/sim";
import { game } from "../replays/game.mjs";

const [, , url = "http://127.0.0.1:8080/scores", name = "someone", caution = "4"] = process.argv;
const session = localSession(game, {
  seed: "monday",
  inputs([player]) {
    const { height, speed } = session.world;
    player.thrust = speed < -Math.max(1, height / Number(caution));
  },
});
const recorder = record(session);
for (let tick = 0; tick < 60 * 30; tick++) session.advance();
const response = await fetch(`${url}/${name}`, { method: "POST", body: recorder.bytes() });
console.log(response.status, await response.json());
