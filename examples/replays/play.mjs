// Plays the lander for a minute with a simple bot and records it: `node examples/replays/play.mjs FILE`.
// Appends to the file every five seconds, so a crash loses at most the last five.
import { appendFileSync, writeFileSync } from "node:fs";
import { record } from "tickwise/replay";
import { localSession } from "tickwise/sim";
import { game } from "./game.mjs";

const [, , file = "last-game.twr"] = process.argv;
const session = localSession(game, {
  seed: "report",
  inputs([player]) {
    const { height, speed } = session.world;
    player.thrust = speed < -Math.max(1, height / 4);
  },
});
const recorder = record(session, { meta: { player: "someone", says: "the third landing was too hard" } });

writeFileSync(file, "");
for (let tick = 1; tick <= 60 * 30; tick++) {
  session.advance();
  if (tick % 150 === 0) appendFileSync(file, recorder.take());
}
console.log(`${session.world.landings} landings, ${session.world.crashes} crashes: ${file}`);
