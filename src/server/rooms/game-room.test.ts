import { describe, expect, test } from "vitest";
import {
  clientSession,
  loopbackPair,
  peerSession,
  viewerSession,
  virtualScheduler,
} from "../../net/index.js";
import { readReplay, verify } from "../../replay/index.js";
import { axis, simulation } from "../../sim/index.js";
import { f64, layout, list } from "../../state/index.js";
import { GameRoom, type RoomMode } from "./game-room.js";

const game = simulation({
  name: "run",
  version: 1,
  rate: 60,
  players: 2,
  state: layout({ x: list(2, f64.lerp), luck: f64 }),
  input: { move: axis(2) },
  step(world, inputs, { dt, random }) {
    inputs.forEach(({ move }, seat) => (world.x[seat]! += 4 * move * dt));
    world.luck = random.float();
  },
});

/** A room, its clients, and a clock for all of them. */
function party(mode: RoomMode = "authority", from?: Uint8Array) {
  let time = 1000;
  const now = () => time;
  const room = new GameRoom(game, { mode, seed: "seven", replay: true, now, from });
  const advancing: { advance(): unknown }[] = [];
  return {
    room,
    now,
    join(token: string, seat: number) {
      const [near, far] = loopbackPair();
      room.connect(far);
      const session = clientSession(game, near, {
        token,
        seats: [seat],
        now,
        inputs: ([me], { tick }) => (me.move = tick % 40 < 20 ? 1 : -1),
      });
      advancing.push(session);
      return session;
    },
    add: (session: { advance(): unknown }) => void advancing.push(session),
    run(ticks: number) {
      for (let i = 0; i < ticks; i++) {
        time += 1000 / 60;
        room.advance(time + 0.001);
        for (const session of advancing) session.advance();
      }
    },
    sleep: (milliseconds: number) => (time += milliseconds),
  };
}

describe("a room", () => {
  test("takes one step per tick, counts players and those who watch, and records a replay", () => {
    const { room, join, add, run, now } = party();
    expect(room).toMatchObject({ mode: "authority", seats: 2, players: 0, watchers: 0, tick: 0 });
    const client = join("ada", 1);
    const [near, far] = loopbackPair();
    room.connect(far);
    const viewer = viewerSession(game, near, { now });
    add(viewer);
    run(300);
    expect(room).toMatchObject({ tick: 300, players: 1, watchers: 1, links: 2 });
    expect(room.stats).toMatchObject({ ticks: 300, lateTicks: 0, lostMs: 0 });
    expect(client.net.state).toBe("playing");
    const first = room.takeReplay();
    run(60);
    room.close();
    expect(client.net.state).not.toBe("playing");
    const bytes = new Uint8Array([...first, ...room.takeReplay()]);
    const replay = readReplay(bytes);
    expect([replay.first, replay.last, replay.ending]).toEqual([0, 360, "done"]);
    expect(verify(game, replay).ok).toBe(true);
  });

  test.each(["relay", "lockstep"] as const)("with mode %s passes on the inputs of its players", (mode) => {
    const { room, add, run, now } = party(mode);
    const peers = [0, 1].map((seat) => {
      const [near, far] = loopbackPair();
      room.connect(far);
      const peer = peerSession(game, {
        seats: [seat],
        links: [near],
        now,
        ...(mode === "lockstep" ? { window: 0 } : {}),
        inputs: ([me], { tick }) => (me.move = (tick + 10 * seat) % 40 < 20 ? 1 : -1),
      });
      add(peer);
      return peer;
    });
    run(400);
    expect(room.players).toBe(2);
    const confirmed = peers.map((peer) => peer.confirmed);
    expect(Math.min(...confirmed)).toBeGreaterThan(200);
    room.close();
    const replay = readReplay(room.takeReplay());
    expect(replay.last).toBeGreaterThan(200);
    expect(verify(game, replay).ok).toBe(true);
    expect(room.canSave).toBe(false);
    expect(() => party(mode).room.save()).toThrow("cannot be saved, as the players decide");
  });

  test("catches up on 250 ms, and says how much was lost", () => {
    const { room, run, sleep } = party();
    run(10);
    sleep(1000);
    run(1);
    expect(room.tick).toBeGreaterThanOrEqual(10 + 15);
    expect(room.tick).toBeLessThan(10 + 20);
    expect(room.stats.lostMs).toBeGreaterThan(700);
    // All steps but the last one.
    expect(room.stats.lateTicks).toBe(room.tick - 10 - 1);
    const { tick } = room;
    run(60);
    expect(Math.abs(room.tick - tick - 60)).toBeLessThanOrEqual(1);
  });

  test("rejects a mode that does not exist, and options that a room does not have", () => {
    expect(() => new GameRoom(game, { mode: "p2p" as never })).toThrow(
      'GameRoom: mode must be "authority", "relay" or "lockstep", got "p2p". Try "authority".',
    );
    expect(() => new GameRoom(game, { model: "relay" } as never)).toThrow('unknown option "model"');
    const { room } = party();
    expect(() => new GameRoom(game, { mode: "relay", from: room.save() })).toThrow(
      "only such a room can continue a save",
    );
  });
});

describe("a save", () => {
  test("continues the game in another room, from the last inputs on, with the same players in their seats", () => {
    const before = party();
    const clients = [before.join("ada", 1), before.join("bob", 0)];
    before.run(200);
    const parts = [before.room.save()];
    for (let i = 0; i < 3; i++) {
      before.run(20);
      parts.push(before.room.takeInputs());
    }
    const hash = before.room.session.hash().join();
    const { tick } = before.room;
    before.run(7); // the process dies here: these ticks are lost
    before.room.abandon("killed");
    for (const { net } of clients) expect(net.state).not.toBe("playing");

    const after = party("authority", new Uint8Array(parts.flatMap((part) => [...part])));
    expect(after.room.tick).toBe(tick);
    expect(after.room.session.hash().join()).toBe(hash);
    // Nobody else gets a seat that is kept.
    const thief = after.join("eve", 1);
    after.run(30);
    expect(thief.net.state).not.toBe("playing");
    for (const client of clients) {
      const [near, far] = loopbackPair();
      after.room.connect(far);
      client.connect(near);
      after.add(client);
    }
    after.run(120);
    expect(clients.map(({ net, seats }) => [net.state, ...seats])).toEqual([
      ["playing", 1],
      ["playing", 0],
    ]);
    const { confirmed } = clients[0]!;
    expect(confirmed).toBeGreaterThan(tick);
  });

  test("of another game, or damaged, is rejected", () => {
    const other = simulation({
      name: "walk",
      version: 1,
      rate: 60,
      state: layout({ x: f64 }),
      step() {},
    });
    const { room, run } = party();
    run(5);
    const save = room.save();
    expect(() => new GameRoom(other, { from: save })).toThrow('"run"');
    expect(() => new GameRoom(game, { from: save.subarray(0, 20) })).toThrow("the file ends in a chunk");
    expect(() => new GameRoom(game, { from: new Uint8Array(100) })).toThrow("readReplay: ");
  });
});

test("a virtual scheduler is enough for a room", () => {
  const scheduler = virtualScheduler();
  const room = new GameRoom(game, { now: scheduler.now });
  expect(room.dueAt).toBeCloseTo(scheduler.now() + 1000 / 60);
});
