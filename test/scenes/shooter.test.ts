import fc from "fast-check";
import { expect, test } from "vitest";
import {
  agoInput,
  AGO_STEPS,
  hitDistance,
  LIVES,
  MAX_AGO,
  shooter,
  shooterScript,
  FIELD,
} from "../../scenes/shooter.js";
import { random } from "../../src/math/index.js";
import { localSession, type InputValues } from "../../src/sim/index.js";

type Player = InputValues<(typeof shooter)["options"]["input"] & {}>;

/**
 * Plays 600 ticks. Seat 0 shoots at what a screen shows that is `late` ticks behind. `claims` says whether it sends the age of
 * its picture. Returns the outcome of each shot on the screen and in the simulation.
 */
function duel(late: number, seed: number, claims: boolean) {
  const dice = random(new Uint32Array(4)).seed(seed);
  const log: Partial<Player>[] = [];
  /** Seat 0 stands still and shoots, the others move by the script. */
  const inputs = (players: readonly Player[], { tick }: { tick: number }) => {
    shooterScript(players, tick + seed);
    for (const player of players) player.fire = false;
    Object.assign(players[0]!, { x: 0, y: 0, ...log[tick] });
  };
  const server = localSession(shooter, { inputs });
  const screen = localSession(shooter, { inputs });
  const outcomes: { onScreen: boolean; onServer: boolean }[] = [];
  while (server.tick < 600) {
    const { tick } = server;
    const shown = tick - late;
    if (tick > MAX_AGO + 1 && tick % 12 === 0) {
      while (screen.tick < Math.ceil(shown)) screen.advance();
      const view = screen.view(1 - (Math.ceil(shown) - shown)).players;
      const victim = 1 + dice.int(0, 2);
      const near = (x: number) => Math.max(-FIELD, Math.min(FIELD, Math.round(x) + dice.int(-20, 20)));
      const [aimX, aimY] = [near(view.x[victim]!), near(view.y[victim]!)];
      const { x, y, deaths } = server.world.players;
      const onScreen = [1, 2, 3].some(
        (seat) =>
          // A shot at a player that has respawned by now hits nobody.
          view.deaths[seat] === deaths[seat] &&
          hitDistance(x[0]!, y[0]!, aimX, aimY, view.x[seat]!, view.y[seat]!) < Infinity,
      );
      log[tick] = { fire: true, aimX, aimY, ago: claims ? agoInput(tick, shown) : 0 };
      const before = server.world.players.hits[0]!;
      server.advance();
      outcomes.push({ onScreen, onServer: server.world.players.hits[0]! > before });
    } else server.advance();
  }
  return outcomes;
}

test("what was hit on screen is hit on the server, and what was missed is missed", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: MAX_AGO * AGO_STEPS }), fc.nat(10_000), (steps, seed) => {
      const outcomes = duel(steps / AGO_STEPS, seed, true);
      for (const { onScreen, onServer } of outcomes) expect(onServer).toBe(onScreen);
      expect(outcomes.filter(({ onScreen }) => onScreen).length).toBeGreaterThan(5);
    }),
    { numRuns: 40 },
  );
});

test("without the age of the picture, most shots at a moving target miss", () => {
  const count = (claims: boolean) => {
    const hits = [1, 2, 3].flatMap((seed) => duel(12, seed, claims)).filter(({ onScreen }) => onScreen);
    return hits.filter(({ onServer }) => onServer).length / hits.length;
  };
  expect(count(true)).toBe(1);
  expect(count(false)).toBeLessThan(0.6);
});

test("the age is bounded, whatever a client claims", () => {
  expect([agoInput(100, 97.5), agoInput(100, 101), agoInput(100, -1e9)]).toEqual([
    20,
    0,
    MAX_AGO * AGO_STEPS,
  ]);
  const session = localSession(shooter);
  expect(session.world.players.past.capacity).toBe(MAX_AGO + 1);
});

test("a respawned player cannot be hit where it was before", () => {
  const log: Partial<Player>[] = [];
  const session = localSession(shooter, {
    inputs: (players, { tick }) => {
      for (const player of players) Object.assign(player, { x: 0, y: 0, fire: false });
      // Seat 1 walks towards the middle, and then stands there.
      players[1]!.x = tick < 40 ? -1 : 0;
      Object.assign(players[0]!, log[tick]);
    },
  });
  while (session.tick < 60) session.advance();
  const [aimX, aimY] = [Math.round(session.world.players.x[1]!), Math.round(session.world.players.y[1]!)];
  const corner = 0.7 * FIELD;
  for (let shot = 1; shot <= LIVES; shot++) {
    log[session.tick] = { fire: true, aimX, aimY, ago: 40 };
    for (let i = 0; i < 12; i++) session.advance();
    expect(session.world.players.hits[0]).toBe(shot);
  }
  expect(session.world.players.x[1]).toBe(corner);
  expect(session.world.players.lives[1]).toBe(LIVES);
  expect(session.world.players.deaths[1]).toBe(1);
  // Its trail begins with the respawn, so a shot at a picture from before hits nobody.
  expect(session.world.players.past.count(1)).toBe(12);
  log[session.tick] = { fire: true, aimX, aimY, ago: 12 * AGO_STEPS };
  session.advance();
  expect(session.world.players.hits[0]).toBe(LIVES);
});
