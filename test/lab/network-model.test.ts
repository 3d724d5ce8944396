// The model of "Network", without a page: machines on a simulated network, and what happens to them.
import { expect, test } from "vitest";
import { NetworkGame } from "../../lab/src/network/network-game.js";
import type { PlaySeat } from "../../lab/src/arena/inputs.js";
import type { Machine } from "../../lab/src/network/machine.js";
import type { NetworkSettings } from "../../lab/src/network/settings.js";
import { TickRecord } from "../../lab/src/network/tick-record.js";
import { bannerOf, describeDiagnosis, verdictOf } from "../../lab/src/network/describe.js";
import { arena, BALL, playBot } from "../../scenes/arena.js";
import { readReport } from "../../src/net/index.js";
import { localSession } from "../../src/sim/index.js";

const NORMAL: NetworkSettings = {
  players: "2",
  model: "rollback",
  delay: "2",
  latency: 60,
  jitter: 10,
  loss: 5,
  burst: 1,
};

/** Creates a game. Notes the hash of each confirmed state, and fails if two machines differ. */
function newGame(changes: Partial<NetworkSettings> = {}, play: PlaySeat = () => false) {
  const game = new NetworkGame({ ...NORMAL, ...changes }, play);
  const hashes = new Map<number, string>();
  let differing = 0;
  const watched = new Set<unknown>();
  const watch = ({ session }: Machine) => {
    if (watched.has(session)) return;
    watched.add(session);
    session.on("confirmed", (confirmed) => {
      const hash = confirmed.hash().join();
      if ((hashes.get(confirmed.tick) ?? hash) !== hash) differing++;
      hashes.set(confirmed.tick, hash);
    });
  };
  /** Runs frames of a display, as a page would. */
  const run = (seconds: number) => {
    for (let i = 0; i < 60 * seconds; i++) {
      game.machines.forEach(watch);
      game.advance(1 / 60);
      for (const machine of game.machines) machine.view();
    }
  };
  return { game, run, differing: () => differing, compared: () => hashes.size };
}

const textsOf = ({ events }: NetworkGame) => events.map(({ text }) => text).join("\n");
const stateOf = ({ session }: Machine) => session.net.state;

/** Counts ticks of a machine's record. */
function marksOf({ record, session }: Machine) {
  const marks = { resimulated: 0, stalled: 0, effects: 0, withdrawn: 0 };
  for (let tick = Math.max(record.first, session.tick - 400); tick <= session.tick; tick++)
    for (const [name, count] of Object.entries(record.at(tick))) marks[name as keyof typeof marks] += count;
  return marks;
}

test.each(["2", "4"] as const)(
  "rollback: %s players predict, correct, and agree on every state",
  (players) => {
    const { game, run, differing, compared } = newGame({ players });
    run(8);
    expect(game.machines.length).toBe(Number(players));
    for (const machine of game.machines) {
      const { session, figures, advantages } = machine;
      expect(stateOf(machine)).toBe("playing");
      expect(session.tick).toBeGreaterThan(300);
      expect(session.confirmed).toBeLessThan(session.tick);
      expect(figures.rollbacks).toBeGreaterThan(10);
      expect(figures.resimulatedPerTick).toBeGreaterThan(0);
      expect(figures.roundTrip).toBeGreaterThan(100);
      expect(figures.loss).toBeGreaterThan(0);
      expect(figures.bytesPerPacket).toBeGreaterThan(3);
      expect(marksOf(machine).resimulated).toBeGreaterThan(10);
      expect(marksOf(machine).effects).toBeGreaterThan(0);
      expect(advantages.length).toBe(240);
      // Seats without a player are played by the simulation's own bot.
      const bots = [...session.world.players.isBot];
      expect(bots.filter((isBot) => isBot === 1).length).toBe(4 - Number(players));
    }
    expect([differing(), compared() > 300]).toEqual([0, true]);
    expect(game.diagnosis).toBe(undefined);
    game.dispose();
  },
);

test("effects of wrong guesses are withdrawn, and marked", () => {
  const { game, run } = newGame({ players: "4", latency: 150, jitter: 75, loss: 20, burst: 8 });
  run(10);
  const withdrawn = game.machines.reduce((sum, machine) => sum + machine.withdrawn, 0);
  expect(withdrawn).toBeGreaterThan(0);
  expect(game.machines.reduce((sum, machine) => sum + marksOf(machine).withdrawn, 0)).toBeGreaterThan(0);
  game.dispose();
});

test("lockstep never corrects; without input delay it stalls most of the time", () => {
  const auto = newGame({ model: "lockstep", delay: "auto" });
  const none = newGame({ model: "lockstep", delay: "0", latency: 100, loss: 0 });
  for (const { game, run, differing } of [auto, none]) {
    run(8);
    for (const { figures } of game.machines) {
      expect(figures.rollbacks).toBe(0);
      expect(figures.window).toBe(0);
    }
    expect(differing()).toBe(0);
  }
  expect(auto.game.machines[0]!.figures.stalled).toBeLessThan(0.2);
  expect(auto.game.machines[0]!.figures.delay).toBeGreaterThan(2);
  expect(none.game.machines[0]!.figures.stalled).toBeGreaterThan(0.5);
  expect(marksOf(none.game.machines[0]!).stalled).toBeGreaterThan(50);
  auto.game.dispose();
  none.game.dispose();
});

test("sliders take effect at once", () => {
  const settings = { ...NORMAL, latency: 0, jitter: 0, loss: 0 };
  const game = new NetworkGame(settings, () => false);
  game.advance(6);
  expect(game.machines[0]!.figures.roundTrip).toBeLessThan(60);
  Object.assign(settings, { latency: 200, loss: 30 });
  game.applyConditions();
  game.advance(6);
  expect(game.machines[0]!.figures.roundTrip).toBeGreaterThan(300);
  expect(game.machines[0]!.figures.loss).toBeGreaterThan(0.1);
  game.dispose();
});

test.each(["2", "4"] as const)(
  "of %s players, one is killed, replaced by a bot, and comes back",
  (players) => {
    const { game, run, differing } = newGame({ players });
    run(5);
    const { victim } = game;
    const other = game.machines[0]!;
    game.kill(true);
    // Predicts for half a second, then waits.
    run(0.95);
    expect(bannerOf(victim)).toBe("gone");
    expect(bannerOf(other)).toBe("waiting for inputs…");
    run(2.5);
    expect(textsOf(game)).toMatch(
      /Player 2 is dropped \(it stopped responding\)\. A bot plays for it from tick \d+ on\./,
    );
    expect([...other.session.world.players.isBot][1]).toBe(1);
    const tick = other.session.tick;
    run(1);
    expect(other.session.tick).toBeGreaterThan(tick + 50);
    game.kill(false);
    run(4);
    expect(stateOf(victim)).toBe("playing");
    expect(victim.session.seats).toEqual([1]);
    expect([...other.session.world.players.isBot][1]).toBe(0);
    expect(Math.abs(victim.session.tick - other.session.tick)).toBeLessThan(8);
    expect([differing(), game.diagnosis]).toEqual([0, undefined]);
    game.dispose();
  },
);

test("a cut line: of two players, the host continues; with four, the others relay", () => {
  const two = newGame();
  two.run(5);
  two.game.cut(true);
  two.run(3);
  expect(textsOf(two.game)).toContain("Player 2 is dropped (it stopped responding).");
  expect(bannerOf(two.game.victim)).toBe("alone, waits for the others…");
  two.game.cut(false);
  two.run(4);
  expect(two.game.victim.session.seats).toEqual([1]);

  const four = newGame({ players: "4" });
  four.run(5);
  four.game.cut(true);
  const tick = four.game.victim.session.tick;
  four.run(3);
  expect(textsOf(four.game)).not.toContain("dropped");
  expect(four.game.victim.session.tick).toBeGreaterThan(tick + 120);
  expect([two.differing(), four.differing()]).toEqual([0, 0]);
  two.game.dispose();
  four.game.dispose();
});

test("a frozen player is dropped, and gets its seat back when it wakes up", () => {
  const { game, run, differing } = newGame();
  run(5);
  game.freeze();
  run(0.5);
  expect(bannerOf(game.victim)).toBe("frozen");
  run(5);
  expect(textsOf(game)).toContain("Player 2 is dropped");
  expect([stateOf(game.victim), game.victim.session.seats, differing()]).toEqual(["playing", [1], 0]);
  // Frozen and then killed, it stays away.
  game.freeze();
  game.kill(true);
  run(4);
  expect(bannerOf(game.victim)).toBe("gone");
  game.dispose();
});

test.each(["2", "4"] as const)(
  "of %s players, a planted desync is found and named; repairing ends it",
  (players) => {
    const { game, run } = newGame({ players });
    run(0.3);
    expect(verdictOf(game)).toEqual(["comparing…", undefined]);
    expect(describeDiagnosis(game)).toContain("No states compared yet");
    run(4.7);
    expect(verdictOf(game)).toEqual(["✓ no desync", true]);
    expect(describeDiagnosis(game)).toContain("All states that were compared are equal");
    const before = game.machines[0]!.session.confirmed;
    game.plant(true);
    run(3);
    const { diagnosis } = game;
    expect(diagnosis).toMatchObject({ stage: "found", name: "Player 2" });
    expect(diagnosis!.fields.map(({ path }) => path)).toEqual([`bodies[${BALL}].vx`]);
    expect(Math.abs(diagnosis!.tick - before)).toBeLessThan(20);
    const [{ a, b } = { a: 0, b: 0 }] = diagnosis!.fields;
    expect(Number(b) - Number(a)).toBeCloseTo(0.25, 6);
    expect(verdictOf(game)).toEqual(["✗ states differ", false]);
    const text = describeDiagnosis(game);
    expect(text).toContain(`At tick ${diagnosis!.tick} they differ:`);
    expect(text).toContain(
      `bodies[4].vx, the speed to the right of the ball:\n  ${a} for Player 1\n  ${b} for Player 2`,
    );
    const report = readReport(diagnosis!.report!());
    expect(report.tick).toBe(diagnosis!.tick);
    expect(report.fields).toEqual(diagnosis!.fields);

    game.plant(false);
    run(6);
    expect(game.diagnosis).toBe(undefined);
    expect(stateOf(game.victim)).toBe("playing");
    const balls = game.machines.map(({ session }) => session.world.bodies.vx[BALL]!);
    expect(Math.max(...balls) - Math.min(...balls)).toBeLessThan(200);
    game.dispose();
  },
);

test("a player's keys reach the machines of all others", () => {
  const { game, run, differing } = newGame({}, (seat, player) => {
    if (seat !== 0) return false;
    player.x = -1;
    player.y = 0;
    player.dash = false;
    return true;
  });
  run(4);
  // It runs out of the ring, again and again.
  for (const { session } of game.machines) expect(session.world.players.falls[0]).toBeGreaterThan(0);
  expect(differing()).toBe(0);
  game.dispose();
});

test("bots push each other out of the ring", () => {
  const session = localSession(arena, {
    inputs: (players, { tick }) =>
      players.forEach((player, seat) => playBot(player, seat, tick, session.world)),
  });
  while (session.tick < 3600) session.advance();
  const { points, falls } = session.world.players;
  const sum = (list: Iterable<number>) => [...list].reduce((total, each) => total + each, 0);
  expect(sum(points)).toBeGreaterThan(8);
  expect(sum(falls)).toBeGreaterThanOrEqual(sum(points));
});

test("a record keeps the latest ticks, and forgets those before a loaded state", () => {
  const record = new TickRecord();
  record.mark(5, "stalled");
  record.mark(5, "stalled");
  record.mark(5, "effects");
  expect(record.at(5)).toEqual({ resimulated: 0, stalled: 2, effects: 1, withdrawn: 0 });
  expect(record.at(4).stalled).toBe(0);
  record.mark(5 + 512, "withdrawn");
  expect([record.at(5).stalled, record.at(517).withdrawn]).toEqual([0, 1]);
  // Too late for a tick whose place is taken.
  record.mark(5, "stalled");
  expect(record.at(517)).toEqual({ resimulated: 0, stalled: 0, effects: 0, withdrawn: 1 });
  record.clear(600);
  expect([record.first, record.at(517).withdrawn]).toEqual([600, 0]);
});
