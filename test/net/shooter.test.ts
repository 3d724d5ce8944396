// "Favour the shooter" between a server and a client that are 100 ± 20 ms apart: what was hit on the screen is hit on the server.
import { expect, test } from "vitest";
import { agoInput, FIELD, hitDistance, MAX_AGO, shooter, shooterScript } from "../../scenes/shooter.js";
import { random } from "../../src/math/index.js";
import { simulatedNetwork } from "../../src/net/simulated.js";
import type { Down } from "../../src/net/authority/messages.js";
import type { InputValues } from "../../src/sim/index.js";

type Player = InputValues<(typeof shooter)["options"]["input"] & {}>;

const TARGETS = [1, 2, 3];
/** Ticks from one shot to the next, and for which the button is held: if the first inputs are late, the others arrive. */
const SHOT_EVERY = 24;
const HELD = 6;
/** The lead is known before the first one, and the last one arrives before the end. */
const FIRST_SHOT = 240;
const LAST_SHOT = 1320;
const SECONDS = 24;

/** Plays. `claims`: the shooter sends the age of its picture. Returns the outcome of each shot on the screen of the shooter and on the server. */
function play(down: Down, claims: boolean) {
  const network = simulatedNetwork({ network: { latency: 100, jitter: 20, loss: 0.01 }, seed: "shooter" });
  const server = network.server(shooter, { down, stateRate: 60 });
  const dice = random(new Uint32Array(4)).seed("aim");
  /** How many ticks ago the others were where they are drawn. The inputs of that time are known, so this is certain. */
  let lag = 0;
  const shot = { tick: -100, shown: 0, aimX: 0, aimY: 0 };
  const onScreen: boolean[] = [];
  const onServer: boolean[] = [];
  /** Where another player is drawn; undefined if it respawned since then. */
  const drawn = (seat: number) => {
    const { past } = me.session.world.players;
    return lag > past.count(seat) - 1 ? undefined : past.read(seat, lag, { x: 0, y: 0 });
  };
  const me = network.client(shooter, server, {
    seats: [0],
    inputs([player], { tick }) {
      // The newest tick that is certain; half a tick more, so that jitter does not move the picture.
      const { window } = me.session.net;
      lag = Math.min(MAX_AGO, Math.max(lag - 0.02, window + 0.5));
      if (tick > FIRST_SHOT && tick < LAST_SHOT && tick >= shot.tick + SHOT_EVERY) {
        const seen = drawn(TARGETS[dice.int(0, 2)]!);
        if (!seen) return;
        const near = (at: number) => Math.max(-FIELD, Math.min(FIELD, Math.round(at) + dice.int(-20, 20)));
        Object.assign(shot, { tick, shown: tick - lag, aimX: near(seen.x), aimY: near(seen.y) });
        const { x, y } = me.session.world.players;
        onScreen.push(
          TARGETS.some((seat) => {
            const at = drawn(seat);
            return at && hitDistance(x[0]!, y[0]!, shot.aimX, shot.aimY, at.x, at.y) < Infinity;
          }),
        );
      }
      player.fire = tick < shot.tick + HELD;
      player.aimX = shot.aimX;
      player.aimY = shot.aimY;
      player.ago = claims ? agoInput(tick, shot.shown) : 0;
    },
  });
  network.client(shooter, server, {
    seats: TARGETS,
    inputs(players: readonly Player[], { tick }) {
      const all = [{} as Player, ...players];
      shooterScript(all, tick);
      for (const player of players) player.fire = false;
    },
  });
  server.session.on("effect", ({ name, ...effect }) => {
    if (name === "shot") onServer.push(false);
    if (name === "hit" && "by" in effect && effect.by === 0) onServer[onServer.length - 1] = true;
  });
  network.run(SECONDS);
  const { lateInputs, inTimeInputs } = server.session.net.clients[0]!;
  const late = lateInputs / (lateInputs + inTimeInputs);
  network.dispose();
  return { onScreen, onServer, late };
}

test.each(["inputs", "states"] as const)("what was hit on screen is hit on the server, by %s", (down) => {
  const { onScreen, onServer, late } = play(down, true);
  expect(onServer).toEqual(onScreen);
  expect(onScreen.filter((isHit) => isHit).length).toBeGreaterThan(20);
  expect(onScreen.filter((isHit) => !isHit).length).toBeGreaterThan(5);
  expect(late).toBeLessThan(0.01);
});

test("without the age of the picture, most of these shots miss", () => {
  const { onScreen, onServer } = play("inputs", false);
  const hits = onServer.filter((_, shot) => onScreen[shot]);
  expect(hits.filter((isHit) => isHit).length / hits.length).toBeLessThan(0.6);
});
