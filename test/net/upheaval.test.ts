// Random games with commands of all sizes, in which players die and others take their seats.
import { expect, test } from "vitest";
import { random } from "../../src/math/index.js";
import type { NetworkProfile } from "../../src/net/network-profiles.js";
import { button, bytes, simulation, text } from "../../src/sim/index.js";
import { f64, layout, list, u16, u32 } from "../../src/state/index.js";
import { FULL } from "../full.js";
import { Party } from "./party.js";

const PLAYERS = 4;

const builders = simulation({
  name: "builders",
  version: 1,
  rate: 60,
  players: PLAYERS,
  state: layout({ built: list(PLAYERS, u32), tiles: u32, said: u32, x: list(PLAYERS, f64) }),
  input: { go: button },
  commands: { build: { x: u16 }, chat: { text: text(200) }, upload: { map: bytes(10_240) } },
  step(world, inputs, { commands }) {
    inputs.forEach(({ go }, player) => (world.x[player]! += go ? 1 : 0));
    for (const command of commands)
      if (command.name === "chat") world.said = (Math.imul(world.said, 31) + command.text.length) >>> 0;
      else if (command.name === "build") world.built[command.player]! += command.x;
      else world.tiles = (Math.imul(world.tiles, 33) + command.map.length) >>> 0;
  },
});

/** Plays for half a minute, and expects equal states, progress, and no false accusation. */
function expectOrder(network: NetworkProfile, seed: number): void {
  const dice = random(new Uint32Array(4)).seed(`stress ${seed}`);
  const party = new Party(builders, network, `stress ${seed}`);
  const options = { keepSeat: 0, inputs: undefined };
  let live = party.seat(PLAYERS, options);
  const issue = (i: number) => {
    for (const { session } of live) {
      if (session.seats.length === 0 || !dice.chance(0.15)) continue;
      const kind = dice.int(0, 2);
      if (kind === 0) session.command("build" as never, { x: i } as never);
      if (kind === 1) session.command("chat" as never, { text: "y".repeat(dice.int(0, 200)) } as never);
      if (kind === 2)
        session.command("upload" as never, { map: new Uint8Array(dice.pick([10, 1500, 10_240])) } as never);
    }
  };
  /** Somebody dies, silently or so that its links close, and somebody else takes the seat. */
  const replaceOne = () => {
    const victim = dice.pick(live);
    const [seat] = victim.session.seats;
    victim.peer.kill();
    live = live.filter((guest) => guest !== victim);
    if (dice.chance(0.5)) for (const other of live) party.net.links(victim.peer, other.peer)[0].close("gone");
    party.run(dice.float() * 2);
    const next = party.add({ ...options, seats: [seat!] } as never);
    party.connect(next);
    live.push(next);
  };
  const isSettled = () =>
    live.every(
      ({ session: { net } }) =>
        net.state === "playing" &&
        net.members.length === PLAYERS &&
        net.members.every(({ id }) => live.some(({ session }) => session.net.id === id)),
    );
  for (let i = 0; i < 300; i++) {
    issue(i);
    party.run(0.1);
    if (isSettled() && dice.chance(0.05)) replaceOne();
  }
  party.run(4);
  expect(party.faults()).toEqual([]);
  for (const { session } of live) expect(session.confirmed).toBeGreaterThan(600);
  party.dispose();
}

const SEEDS = FULL ? 40 : 2;

test.each(["good wifi", "bad wifi"] as const)(
  "on %s",
  (network) => {
    for (let seed = 0; seed < SEEDS; seed++) expectOrder(network, seed);
  },
  3_600_000,
);

test("on 4G: members that have just joined do not undo what is confirmed", () => {
  expectOrder("4G", 12);
});
