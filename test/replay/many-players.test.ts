// Games with more players than a byte can count: their inputs in a step, their commands on the wire, and their recordings.
import { expect, test } from "vitest";
import { random } from "../../src/math/index.js";
import { listLength, readCommands, writeCommands } from "../../src/net/command-list.js";
import { readReplay, record, verify } from "../../src/replay/index.js";
import { axis, button, localSession, simulation, syncTest, type Inputs } from "../../src/sim/index.js";
import { layout, list, u32 } from "../../src/state/index.js";

const INPUT = { go: button, walk: axis(4) };

/** Counts what each player does. */
const countFor = (players: number) =>
  simulation({
    name: "count",
    version: 1,
    rate: 30,
    players: players as number,
    state: layout({
      pressed: list(players, u32),
      released: list(players, u32),
      held: list(players, u32),
      walked: list(players, u32),
      orders: u32,
    }),
    input: INPUT,
    commands: { order: { what: u32 } },
    step(world, inputs, { commands }) {
      inputs.forEach((player: Inputs<typeof INPUT>, seat) => {
        if (player.pressed.go) world.pressed[seat]!++;
        if (player.released.go) world.released[seat]!++;
        world.held[seat]! += player.held.go;
        if (player.walk > 0) world.walked[seat]!++;
      });
      for (const { player, what } of commands)
        world.orders = (Math.imul(world.orders, 31) + what * 7 + player) >>> 0;
    },
  });

/** Plays for some ticks. Player n does the same in every game. */
function play(players: number, ticks = 60) {
  const game = countFor(players);
  const dice = Array.from({ length: players }, (_, seat) => random(new Uint32Array(4)).seed(`seat ${seat}`));
  const session = localSession(game, {
    inputs: (all) =>
      all.forEach((player, seat) => {
        if (dice[seat]!.chance(0.2)) player.go = !player.go;
        if (dice[seat]!.chance(0.2)) player.walk = dice[seat]!.int(-1, 1);
      }),
  });
  const recording = record(session);
  for (let tick = 0; tick < ticks; tick++) {
    if (tick % 10 === 5) session.command("order", { what: tick }, { player: players - 1 });
    session.advance();
  }
  return { game, session, recording };
}

test("a step sees the same inputs of a player, however many there are", () => {
  const [few, many] = [play(40), play(400)];
  for (const name of ["pressed", "released", "held", "walked"] as const)
    expect([...many.session.world[name]].slice(0, 40)).toEqual([...few.session.world[name]]);
  expect(Math.max(...many.session.world.held)).toBeGreaterThan(5);
});

test("inputs of many players cannot be written in a step", () => {
  const game = simulation({
    ...countFor(100).options,
    step(_, inputs) {
      (inputs[99] as { go: boolean }).go = true;
    },
  });
  expect(() => localSession(game).advance()).toThrow(TypeError);
});

test("a game of 4,096 players is deterministic, and its recording verifies", () => {
  const { game, session, recording } = play(4096, 20);
  const replay = readReplay(recording.bytes());
  expect(replay.info.players).toBe(4096);
  expect(verify(game, replay)).toMatchObject({ ok: true, message: "" });
  expect(replay.commands().at(5)).toMatchObject([{ player: 4095 }]);
  expect(session.world.orders).not.toBe(0);
  expect(syncTest(countFor(300), { ticks: 30 })).toMatchObject({ ok: true });
});

test("commands of players from 255 on take two more bytes", () => {
  const game = countFor(4096);
  const commands = [0, 254, 255, 4095].map((player) => ({
    player,
    bytes: game.commands.encode("order", { what: player }),
  }));
  const bytes = new Uint8Array(listLength(commands));
  expect(bytes.length).toBe(4 * (5 + 5) + 2 * 2);
  writeCommands(bytes, 0, commands);
  expect(readCommands(bytes, 0, game, 10)).toEqual(commands);
  expect(readCommands(bytes, 0, countFor(4095), 10)).toBe(undefined);
  // Cut anywhere but between two of them, they are damaged; so is a small number in the long form.
  const whole = Array.from({ length: bytes.length }, (_, length) => length).filter((length) =>
    readCommands(bytes.subarray(0, length), 0, game, 10),
  );
  expect(whole).toEqual([10, 20, 32]);
  bytes[22] = 3;
  expect(readCommands(bytes, 0, game, 10)).toBe(undefined);
});
