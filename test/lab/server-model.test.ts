// The model of "Server", without a page: a server, two clients and a viewer on a simulated network.
import { expect, test } from "vitest";
import type { PlaySeat } from "../../lab/src/arena/inputs.js";
import type { Client } from "../../lab/src/server/client.js";
import { ServerGame } from "../../lab/src/server/server-game.js";
import type { ServerSettings } from "../../lab/src/server/settings.js";

const NORMAL: ServerSettings = {
  prediction: "on",
  reconciliation: "on",
  smoothing: "on",
  down: "states",
  rate: "20",
  latency: 100,
  jitter: 20,
  loss: 5,
  burst: 1,
};

/** Creates a game whose settings can change. */
function newGame(changes: Partial<ServerSettings> = {}, play: PlaySeat = () => false) {
  const settings = { ...NORMAL, ...changes };
  const game = new ServerGame(settings, play);
  /** Runs frames of a display, as a page would. */
  const run = (seconds: number) => {
    for (let i = 0; i < 60 * seconds; i++) game.advance(1 / 60);
  };
  return { game, run, settings };
}

const largestJump = ({ meter }: Client) => Math.max(...meter.jumps.all);
const bytesPerSecond = ({ traffic }: ServerGame) => traffic[0]!.bytes.perSecond;

test.each(["states", "inputs"] as const)("clients predict the game from %s, ahead of the server", (down) => {
  const { game, run } = newGame({ down });
  run(8);
  for (const client of game.clients) {
    const { session, guesses, rollbacks, predicted, shownDelay } = client;
    expect(session.net.state).toBe("playing");
    expect(session.tick - game.server.session.tick).toBeGreaterThan(5);
    expect(session.net.margin).toBeGreaterThan(0.5);
    expect(session.net.roundTrip).toBeGreaterThan(180);
    expect(rollbacks.perSecond).toBeGreaterThan(0.5);
    expect(guesses.error).toBeGreaterThan(1);
    expect(guesses.error).toBeLessThan(100);
    expect(predicted).toBe(session.world);
    expect(shownDelay).toBe(0);
    expect(game.infoOf(client.name)!.lateInputs).toBeLessThan(10);
    expect(game.depths[client.seat]!.mean).toBeGreaterThan(0.5);
  }
  expect([...game.truth.players.isBot]).toEqual([0, 0, 1, 1]);
  game.dispose();
});

test("inputs take fewer bytes than states; a higher rate of states takes more", () => {
  const [inputs, slow, fast] = [{ down: "inputs" }, { rate: "10" }, { rate: "30" }] as const;
  const bytes = [inputs, slow, fast].map((changes) => {
    const { game, run } = newGame(changes);
    run(5);
    const sent = bytesPerSecond(game);
    game.dispose();
    return sent;
  });
  expect(bytes[0]).toBeGreaterThan(100);
  expect(bytes[0]).toBeLessThan(bytes[1]!);
  expect(bytes[1]).toBeLessThan(bytes[2]!);
});

test("smoothing hides the jumps of corrections", () => {
  const [smooth, raw] = (["on", "off"] as const).map((smoothing) => {
    const { game, run } = newGame({ smoothing });
    run(8);
    const jumps = game.clients.map(largestJump);
    game.dispose();
    return Math.max(...jumps);
  });
  expect(raw).toBeGreaterThan(25);
  expect(smooth).toBeLessThan(raw! / 2);
});

test("without prediction, a client shows what has arrived: right, but late; and predicts again when it is switched on", () => {
  const { game, run, settings } = newGame({ prediction: "off" });
  run(6);
  for (const client of game.clients) {
    expect(client.predicted).toBe(undefined);
    expect(client.shownDelay).toBeGreaterThan(10);
    expect(client.machines.length).toBe(2);
    expect(client.guesses.error).toBe(0);
  }
  settings.prediction = "on";
  game.applySwitches();
  run(3);
  for (const client of game.clients) {
    expect(client.shownDelay).toBe(0);
    expect(client.machines.length).toBe(1);
    expect(client.guesses.error).toBeGreaterThan(1);
  }
  expect(game.server.session.net.clients.length).toBe(3);
  game.dispose();
});

test.each(["states", "inputs"] as const)(
  "without reconciliation, a client drifts away; it agrees again when it is switched on (%s)",
  (down) => {
    const { game, run, settings } = newGame({ down, reconciliation: "off" });
    run(10);
    for (const client of game.clients) {
      expect(client.isStray).toBe(true);
      expect(client.guesses.error).toBeGreaterThan(100);
      expect([...client.shown.players.isBot]).toEqual([0, 0, 1, 1]);
    }
    settings.reconciliation = "on";
    game.applySwitches();
    run(4);
    for (const client of game.clients) {
      expect(client.isStray).toBe(false);
      expect(client.guesses.error).toBeLessThan(100);
    }
    game.dispose();
  },
);

test("the viewer shows the past, with a delay that follows the network; sliders take effect at once", () => {
  const { game, run, settings } = newGame({ latency: 10, jitter: 0, loss: 0 });
  run(6);
  const { net } = game.viewer.machine.session;
  const behind = () => game.server.session.tick - net.shownTick;
  const [delay, before] = [net.delay, behind()];
  expect(delay).toBeGreaterThan(40);
  expect(before).toBeGreaterThan(2);
  expect(game.clients[0]!.session.net.roundTrip).toBeLessThan(60);
  expect(game.traffic.at(-1)!.packets.perSecond).toBeGreaterThan(18);
  Object.assign(settings, { latency: 150, jitter: 50, loss: 10 });
  game.applyConditions();
  run(10);
  expect(net.delay).toBeGreaterThan(delay + 20);
  expect(behind()).toBeGreaterThan(before + 5);
  expect(net.loss).toBeGreaterThan(0.02);
  expect(game.clients[0]!.session.net.roundTrip).toBeGreaterThan(250);
  game.dispose();
});

test("a visitor's inputs count at once for the client, and later for the server", () => {
  let way = 0;
  const { game, run } = newGame({ jitter: 0, loss: 0 }, (seat, player) => {
    if (seat !== 0) return false;
    player.x = 0;
    player.y = way;
    return true;
  });
  const aims = () => [game.clients[0]!.session.world, game.truth].map(({ players }) => players.aimY[0]);
  run(2);
  const [before] = aims();
  way = before === 1 ? -1 : 1;
  run(0.05);
  expect(aims()).toEqual([way, before]);
  run(0.3);
  expect(aims()).toEqual([way, way]);
  game.dispose();
});

test("survives the worst network, with every switch", () => {
  for (const changes of [
    {},
    { prediction: "off" },
    { reconciliation: "off" },
    { smoothing: "off" },
  ] as const) {
    const { game, run } = newGame({ ...changes, latency: 400, jitter: 150, loss: 50, burst: 20 });
    run(10);
    expect(game.server.session.tick).toBe(601);
    game.dispose();
  }
});
