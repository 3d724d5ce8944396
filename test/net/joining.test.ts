// Coming, going, dying and coming back, while the others keep playing.
import { describe, expect, test } from "vitest";
import { HELLO, jsonMessage } from "../../src/net/messages.js";
import { button, simulation } from "../../src/sim/index.js";
import { f64, layout, u32 } from "../../src/state/index.js";
import { brawlFor } from "./brawl.js";
import { Party, type Guest } from "./party.js";
import { connectTampered } from "./tampering.js";

const trio = brawlFor(3);
const quartet = brawlFor(4);

/** A peer dies without a word, and its links close or stay silent. */
function die(party: Party, guest: Guest, isClean = false): void {
  guest.peer.kill();
  if (!isClean) return;
  for (const other of party.guests)
    if (other !== guest && !other.peer.isGone) party.net.links(guest.peer, other.peer)[0].close("gone");
}

const names = ({ session }: Guest) => session.net.members.map(({ name }) => name).sort();
const drops = ({ events }: Guest) =>
  events.filter(({ kind }) => kind === "dropped").map(({ name, reason }) => [name, reason]);

describe("joining", () => {
  test("the host waits until all seats are taken, or as many as it wants", () => {
    const party = new Party(trio);
    const [host, second] = [party.add({ seats: [0] }), party.add({ seats: 1 })];
    party.connect(second);
    party.run(2);
    expect([host.session.net.state, host.session.tick, second.session.seats]).toEqual(["waiting", 0, [1]]);
    const third = party.add({ seats: [2] });
    party.connect(third);
    party.run(2);
    expect(party.guests.map(({ session }) => session.net.state)).toEqual(["playing", "playing", "playing"]);
    expect(host.session.seatNames).toEqual(["p0", "p1", "p2"]);
    expect(party.faults()).toEqual([]);
    party.dispose();

    const alone = new Party(trio);
    const first = alone.add({ seats: [0], start: 1 });
    alone.run(1);
    expect(first.session.tick).toBeGreaterThan(30);
    alone.dispose();
  });

  test("late, by snapshot and inputs, while the others keep playing", () => {
    const party = new Party(quartet, "good wifi");
    const players = [0, 1, 2].map((seat) => party.add({ seats: [seat], start: 3 }));
    party.net.mesh();
    party.run(8);
    for (const player of players) player.watch();
    const late = party.add({ seats: [3] });
    party.connect(late);
    party.run(8);
    expect(late.session.net.state).toBe("playing");
    expect(late.session.seats).toEqual([3]);
    for (const { standstill, session } of players) {
      expect(standstill).toBeLessThanOrEqual(100);
      expect(session.confirmed).toBeGreaterThan(850);
    }
    // Its states begin in the middle, and are those of the others.
    expect(Math.min(...late.states.keys())).toBeGreaterThan(400);
    expect(late.states.size).toBeGreaterThan(300);
    expect(players[0]!.events).toContainEqual(
      expect.objectContaining({ kind: "joined", name: "p3", seats: [3] }),
    );
    expect(party.faults()).toEqual([]);
    party.dispose();
  });

  test("spectators follow, lag behind and catch up faster than real time", () => {
    const party = new Party(trio, "bad wifi");
    const [host] = party.seat(3);
    party.run(5);
    const watcher = party.add({ seats: [] });
    // One link is enough.
    party.net.connect(party.guests[1]!.peer, watcher.peer);
    party.run(3);
    expect([watcher.session.net.state, watcher.session.seats]).toEqual(["watching", []]);
    expect(watcher.session.confirmed).toBeGreaterThan(host!.session.confirmed - 30);
    watcher.peer.freeze();
    party.run(4);
    const behind = host!.session.confirmed - watcher.session.confirmed;
    expect(behind).toBeGreaterThan(200);
    watcher.peer.start();
    party.run(2);
    expect(host!.session.confirmed - watcher.session.confirmed).toBeLessThan(30);
    expect(watcher.session.net.rollbacks).toBe(0);
    expect(host!.session.net.peers.every(({ role }) => role === "playing")).toBe(true);
    expect(party.guests[1]!.session.net.peers.map(({ role }) => role)).toContain("watching");
    expect(party.faults()).toEqual([]);
    party.dispose();
  });

  test("a spectator takes a seat that has become free: anybody's session can", () => {
    const party = new Party(trio, "good wifi");
    const players = party.seat(3, { keepSeat: 0 });
    party.run(4);
    const next = party.add({ seats: 1 });
    party.connect(next);
    party.run(3);
    expect([next.session.net.state, next.rejections.at(-1)?.code]).toEqual(["watching", "game full"]);
    // It watches meanwhile.
    expect(next.session.confirmed).toBeGreaterThan(300);
    players[1]!.peer.freeze();
    players[1]!.session.leave();
    players[1]!.peer.kill();
    party.run(6);
    expect([next.session.net.state, next.session.seats]).toEqual(["playing", [1]]);
    expect(party.faults()).toEqual([]);
    party.dispose();
  });
});

describe("leaving", () => {
  test("by a word: the others go on at once, from the same tick", () => {
    const party = new Party(trio, "good wifi");
    const [a, b, c] = party.seat(3);
    party.run(5);
    for (const player of [a!, b!]) player.watch();
    c!.peer.freeze();
    c!.session.leave();
    c!.peer.kill();
    party.run(5);
    expect([a!, b!].map(drops)).toEqual([[["p2", "left"]], [["p2", "left"]]]);
    const cuts = [a!, b!].map(({ events }) => events.find(({ kind }) => kind === "dropped")!.tick);
    expect(cuts[0]).toBe(cuts[1]);
    expect(Math.max(a!.standstill, b!.standstill)).toBeLessThan(400);
    expect(a!.session.world.absentTicks).toBeGreaterThan(200);
    expect(party.faults()).toEqual([]);
    party.dispose();
  });

  test.each([
    ["silently", false, 900],
    ["so that its links close", true, 600],
  ])("a player dies %s", (_, isClean, longest) => {
    for (const victim of [0, 1, 2, 3]) {
      const party = new Party(quartet, "good wifi", `victim ${victim}`);
      const players = party.seat(4);
      party.run(4);
      const others = players.filter((_player, seat) => seat !== victim);
      for (const player of others) player.watch();
      die(party, players[victim]!, isClean);
      party.run(6);
      for (const player of others) {
        expect(drops(player).map(([name]) => name)).toEqual([`p${victim}`]);
        expect(player.standstill).toBeLessThan(longest);
        expect(player.session.confirmed).toBeGreaterThan(400);
        expect(names(player).length).toBe(3);
      }
      // Somebody else is the host now.
      expect(others.filter(({ session }) => session.net.isHost).length).toBe(1);
      expect(party.faults()).toEqual([]);
      party.dispose();
    }
  });

  test("two die at once, of five", () => {
    const party = new Party(brawlFor(5), "bad wifi");
    const players = party.seat(5);
    party.run(5);
    die(party, players[0]!);
    die(party, players[3]!, true);
    party.run(8);
    for (const player of [players[1]!, players[2]!, players[4]!]) {
      expect(names(player)).toEqual(["p1", "p2", "p4"]);
      expect(player.session.confirmed).toBeGreaterThan(500);
    }
    expect(party.faults()).toEqual([]);
    party.dispose();
  });

  test("kicked by the host: no way back", () => {
    const party = new Party(trio, "good wifi");
    const [host, other, rude] = party.seat(3);
    party.run(4);
    expect(() => other!.session.kick(rude!.session.net.id)).toThrow(
      "Session.kick: only the host can remove players.",
    );
    expect(() => host!.session.kick(5)).toThrow("Session.kick: id must be the id of another player, got 5.");
    host!.session.kick(rude!.session.net.id);
    party.run(6);
    expect([host!, other!].map(drops)).toEqual([[["p2", "kicked"]], [["p2", "kicked"]]]);
    expect(rude!.session.net.state).toBe("rejected");
    expect(names(host!)).toEqual(["p0", "p1"]);
    expect(host!.session.tick).toBeGreaterThan(480);
    party.dispose();
  });

  test("whoever was kicked is told so", () => {
    const party = new Party(trio, "good wifi");
    const [host, , rude] = party.seat(3);
    party.run(4);
    host!.session.kick(rude!.session.net.id);
    party.run(2);
    expect(rude!.rejections).toMatchObject([
      { code: "kicked", by: "them", text: "the host removed this player" },
    ]);
    party.dispose();
  });
});

describe("coming back", () => {
  test("a page that was reloaded gets its seat back with its token, while the others keep playing", () => {
    for (const seat of [0, 2]) {
      const party = new Party(trio, "good wifi", `reload ${seat}`);
      const players = [0, 1, 2].map((one) => party.add({ seats: [one], token: `token ${one}` }));
      party.net.mesh();
      party.run(5);
      die(party, players[seat]!, true);
      party.run(1);
      const others = players.filter((_, one) => one !== seat);
      party.run(1);
      for (const other of others) other.watch();
      const again = party.add({ seats: [seat], token: `token ${seat}`, name: "again" });
      party.connect(again);
      party.run(6);
      expect([again.session.net.state, again.session.seats]).toEqual(["playing", [seat]]);
      for (const other of others) expect(other.standstill).toBeLessThanOrEqual(100);
      expect(others[0]!.session.seatNames[seat]).toBe("again");
      expect(again.session.confirmed).toBeGreaterThan(600);
      expect(party.faults()).toEqual([]);
      party.dispose();
    }
  });

  test("a reload so fast that nobody has noticed", () => {
    const party = new Party(trio, "good wifi");
    const players = [0, 1, 2].map((one) => party.add({ seats: [one], token: `token ${one}` }));
    party.net.mesh();
    party.run(5);
    die(party, players[1]!);
    const again = party.add({ seats: [1], token: "token 1", name: "again" });
    party.connect(again);
    party.run(8);
    expect([again.session.net.state, again.session.seats]).toEqual(["playing", [1]]);
    expect(party.faults()).toEqual([]);
    party.dispose();
  });

  test("the seat is kept for whoever had it, for as long as the option says", () => {
    const party = new Party(trio, "good wifi");
    const players = party.seat(3, { keepSeat: 6 });
    party.run(4);
    die(party, players[2]!, true);
    party.run(1);
    const stranger = party.add({ seats: [2] });
    party.connect(stranger);
    party.run(3);
    expect(stranger.session.net.state).toBe("watching");
    expect(stranger.rejections.at(-1)).toMatchObject({ code: "seat taken", by: "them" });
    party.run(8);
    expect([stranger.session.net.state, stranger.session.seats]).toEqual(["playing", [2]]);
    party.dispose();
  });

  test("a peer that was frozen for seconds: the others go on without it, and it resynchronises", () => {
    for (const seconds of [0.3, 1, 12, 40]) {
      const party = new Party(trio, "good wifi", `frozen ${seconds}`);
      const players = party.seat(3);
      party.run(4);
      players[1]!.peer.freeze();
      party.run(seconds);
      players[1]!.peer.start();
      party.run(6);
      const { session } = players[1]!;
      expect([session.net.state, session.seats]).toEqual(["playing", [1]]);
      expect(players[0]!.session.confirmed).toBeGreaterThan(60 * (8 + seconds) - 120);
      expect(session.confirmed).toBeGreaterThan(players[0]!.session.confirmed - 30);
      expect(drops(players[0]!).length).toBe(seconds < 0.5 ? 0 : 1);
      expect(party.faults()).toEqual([]);
      party.dispose();
    }
  });
});

describe("lines that break", () => {
  test("one dead link of a mesh of three is relayed by the third", () => {
    const party = new Party(trio, "good wifi");
    const [a, b, c] = party.seat(3);
    party.run(4);
    party.cut(a!, b!);
    for (const player of party.guests) player.watch();
    party.run(10);
    for (const player of [a!, b!, c!]) {
      expect(drops(player)).toEqual([]);
      expect(player.session.confirmed).toBeGreaterThan(700);
      expect(player.standstill).toBeLessThan(600);
    }
    party.restore(a!, b!);
    party.run(3);
    expect(party.faults()).toEqual([]);
    party.dispose();
  });

  test("never connected at all: two of three players only know the host", () => {
    const party = new Party(trio, "good wifi");
    const players = [0, 1, 2].map((seat) => party.add({ seats: [seat] }));
    party.net.connect(players[0]!.peer, players[1]!.peer);
    party.net.connect(players[0]!.peer, players[2]!.peer);
    party.run(10);
    for (const player of players) {
      expect(player.session.confirmed).toBeGreaterThan(400);
      expect(drops(player)).toEqual([]);
    }
    expect(party.faults()).toEqual([]);
    party.dispose();
  });

  test("a partition of five: the three go on, and the two come back by snapshot", () => {
    for (const side of [
      [0, 1, 2],
      [2, 3, 4],
    ]) {
      const party = new Party(brawlFor(5), "good wifi", side.join());
      const players = party.seat(5);
      party.run(4);
      const [majority, minority] = [true, false].map((isIn) =>
        players.filter((_, seat) => side.includes(seat) === isIn),
      );
      for (const a of majority!) for (const b of minority!) party.cut(a, b);
      party.run(5);
      const stood = minority!.map(({ session }) => session.confirmed);
      for (const player of majority!) {
        expect(player.session.confirmed).toBeGreaterThan(450);
        expect(names(player).length).toBe(3);
      }
      for (const confirmed of stood) expect(confirmed).toBeLessThan(300);
      for (const a of majority!) for (const b of minority!) party.restore(a, b);
      party.run(8);
      for (const player of players) {
        expect(player.session.net.state).toBe("playing");
        expect(names(player).length).toBe(5);
        expect(player.session.confirmed).toBeGreaterThan(850);
      }
      expect(party.faults()).toEqual([]);
      party.dispose();
    }
  });
});

describe("two players", () => {
  const duo = brawlFor(2);

  test("the host goes on when the guest is gone, after a while", () => {
    const party = new Party(duo, "good wifi");
    const [host, guest] = party.seat(2);
    party.run(4);
    die(party, guest!);
    party.run(3);
    const { tick } = host!.session;
    expect(tick).toBeLessThan(300);
    party.run(4);
    expect(host!.session.tick).toBeGreaterThan(tick + 60);
    expect(drops(host!)).toEqual([["p1", "timeout"]]);
    party.dispose();
  });

  test("the guest waits for the host, and both go on when the line is back", () => {
    const party = new Party(duo, "good wifi");
    const [host, guest] = party.seat(2);
    party.run(4);
    party.cut(host!, guest!);
    party.run(3);
    const { tick } = guest!.session;
    expect(tick).toBeLessThan(300);
    party.restore(host!, guest!);
    party.run(4);
    expect(guest!.session.tick).toBeGreaterThan(tick + 150);
    expect(drops(host!)).toEqual([]);
    expect(party.faults()).toEqual([]);
    party.dispose();
  });

  test("a guest that does not want to wait continues alone", () => {
    const party = new Party(duo, "good wifi");
    const [host, guest] = party.seat(2, { alone: "continue", timeout: 1 });
    party.run(4);
    die(party, host!);
    party.run(5);
    expect(guest!.session.tick).toBeGreaterThan(400);
    expect(drops(guest!)).toEqual([["p0", "timeout"]]);
    expect(guest!.session.net.isHost).toBe(true);
    party.dispose();
  });

  test("if both go on alone and the network comes back, the guest joins the host's game", () => {
    const party = new Party(duo, "good wifi");
    const [host, guest] = party.seat(2, { alone: "continue", timeout: 1 });
    party.run(4);
    party.cut(host!, guest!);
    party.run(5);
    for (const { session } of [host!, guest!]) {
      expect(session.tick).toBeGreaterThan(400);
      expect(session.net.members.length).toBe(1);
    }
    party.restore(host!, guest!);
    party.run(6);
    expect([guest!.session.net.state, guest!.session.seats]).toEqual(["playing", [1]]);
    expect(host!.session.net.members.map(({ name }) => name)).toEqual(["p0", "p1"]);
    expect(guest!.session.net.members).toEqual(host!.session.net.members);
    const common = Math.min(host!.session.confirmed, guest!.session.confirmed);
    expect(common).toBeGreaterThan(700);
    expect(guest!.states.get(common)).toBe(host!.states.get(common));
    expect(host!.desyncs).toEqual([]);
    party.dispose();
  });

  test("a host that restarts gets its seat back from a guest that continued alone, and the guest's game goes on", () => {
    const party = new Party(duo, "good wifi");
    const options = { alone: "continue", timeout: 1 } as const;
    const host = party.add({ seats: [0], token: "host", ...options });
    const guest = party.add({ seats: [1], token: "guest", ...options });
    party.net.connect(host.peer, guest.peer);
    party.run(4);
    die(party, host);
    party.run(3);
    const { tick } = guest.session;
    expect(drops(guest)).toEqual([["p0", "timeout"]]);
    const again = party.add({ seats: [0], token: "host", ...options });
    party.connect(again);
    guest.watch();
    party.run(4);
    expect([again.session.seats, guest.session.seats]).toEqual([[0], [1]]);
    expect(guest.session.confirmed).toBeGreaterThan(tick + 200);
    expect(guest.standstill).toBeLessThan(150);
    // It never left the game.
    expect(guest.events.map(({ kind, name }) => `${kind} ${name}`).slice(-2)).toEqual([
      "connected p2",
      "joined p2",
    ]);
    expect(party.faults()).toEqual([]);
    party.dispose();
  });

  test("closing all links of a member drops it soon", () => {
    const party = new Party(trio, "good wifi");
    const [host, second, third] = party.seat(3);
    party.run(4);
    for (const guest of [host!, second!]) guest.watch();
    third!.peer.kill();
    for (const other of [host!, second!]) party.net.links(third!.peer, other.peer)[0].close("gone");
    party.run(0.45);
    expect([host!, second!].map(drops)).toEqual([[["p2", "closed"]], [["p2", "closed"]]]);
    for (const { standstill } of [host!, second!]) expect(standstill).toBeLessThan(100);
    party.dispose();
  });

  test("a broken link between two of three drops nobody", () => {
    const party = new Party(trio, "good wifi");
    const [host, second, third] = party.seat(3);
    party.run(4);
    party.net.links(second!.peer, third!.peer)[0].close("broken");
    party.run(5);
    expect([host!, second!, third!].map(drops)).toEqual([[], [], []]);
    for (const { session } of [host!, second!, third!]) expect(session.confirmed).toBeGreaterThan(450);
    expect(party.faults()).toEqual([]);
    party.dispose();
  });

  test.each([
    ["any seat", [1, 1, 1]],
    ["seats, but not seat 0", [[1], 1, [2]]],
  ])("if nobody has seat 0, the lowest id hosts: all ask for %s", (_, seats) => {
    const party = new Party(trio, "good wifi");
    const players = seats.map((one) => party.add({ seats: one }));
    party.net.mesh();
    party.run(5);
    expect(players.map(({ session }) => session.net.state)).toEqual(["playing", "playing", "playing"]);
    expect(players.flatMap(({ session }) => session.seats).sort()).toEqual([0, 1, 2]);
    const lowest = Math.min(...players.map(({ session }) => session.net.id));
    expect(players.find(({ session }) => session.net.isHost)!.session.net.id).toBe(lowest);
    expect(party.faults()).toEqual([]);
    party.dispose();
  });

  test("players who all ask for any seat may come one after the other, and reload", () => {
    for (const last of [0, 1]) {
      const party = new Party(trio, "good wifi", `one by one ${last}`);
      const players = [party.add({ seats: 1, start: 2, token: "token 0" })];
      party.run(3);
      expect(players[0]!.session.net.state).toBe("connecting");
      for (const token of ["token 1", "token 2"]) {
        const next = party.add({ seats: 1, start: 2, token });
        players.push(next);
        party.connect(next);
        party.run(3);
        expect(players.map(({ session }) => session.net.state)).toEqual(players.map(() => "playing"));
      }
      // Both the founder and a guest, in turn.
      die(party, players[last]!, true);
      party.run(1);
      const again = party.add({ seats: 1, start: 2, token: `token ${last}` });
      party.connect(again);
      party.run(4);
      players[last] = again;
      expect(players.map(({ session }) => session.net.state)).toEqual(players.map(() => "playing"));
      expect(players.flatMap(({ session }) => session.seats).sort()).toEqual([0, 1, 2]);
      expect(party.faults()).toEqual([]);
      party.dispose();
    }
  });

  test("nobody hosts if nobody plays", () => {
    const party = new Party(trio, "good wifi");
    const guests = [1, 2].map(() => party.add({ seats: [] }));
    expect(guests.map(({ session }) => session.net.isHostMissing)).toEqual([false, false]);
    party.net.mesh();
    party.run(2);
    expect(guests.map(({ session }) => session.net.isHostMissing)).toEqual([true, true]);
    expect(guests.map(({ session }) => session.net.state)).toEqual(["connecting", "connecting"]);
    const host = party.add({ seats: [0] });
    party.connect(host);
    party.run(2);
    expect(guests.map(({ session }) => session.net.isHostMissing)).toEqual([false, false]);
    party.dispose();
  });

  test("one standstill is one event, also if the window grows meanwhile", () => {
    const party = new Party(duo, "good wifi");
    const [host, guest] = party.seat(2);
    party.run(4);
    const stalls: boolean[] = [];
    host!.session.net.on("stall", ({ isStalled }) => stalls.push(isStalled));
    party.cut(host!, guest!);
    party.run(1);
    party.restore(host!, guest!);
    party.run(1);
    expect(stalls).toEqual([true, false]);
    party.dispose();
  });

  test("a guest that waits comes back to a host that went on without it", () => {
    const party = new Party(duo, "good wifi");
    const [host, guest] = party.seat(2, { timeout: 1 });
    party.run(4);
    party.cut(host!, guest!);
    party.run(5);
    expect(host!.session.tick).toBeGreaterThan(400);
    expect(guest!.session.tick).toBeLessThan(300);
    party.restore(host!, guest!);
    party.run(6);
    expect([guest!.session.net.state, guest!.session.seats]).toEqual(["playing", [1]]);
    expect(guest!.session.tick).toBeGreaterThan(host!.session.tick - 30);
    expect(party.faults()).toEqual([]);
    party.dispose();
  });
});

describe("pause by agreement", () => {
  test("everyone stops at the same tick, and goes on", () => {
    for (const by of [0, 2]) {
      const party = new Party(trio, "bad wifi", `pause ${by}`);
      const players = party.seat(3);
      const heard: unknown[] = [];
      players[1]!.session.net.on("game", ({ state }) => void heard.push(state));
      party.run(4);
      players[by]!.session.pause();
      party.run(2);
      const ticks = players.map(({ session }) => session.tick);
      expect(new Set(ticks).size).toBe(1);
      expect(players.map(({ session }) => session.net.state)).toEqual(["paused", "paused", "paused"]);
      party.run(10);
      expect(players.map(({ session }) => session.tick)).toEqual(ticks);
      players[(by + 1) % 3]!.session.resume();
      party.run(4);
      for (const { session } of players) expect(session.tick).toBeGreaterThan(ticks[0]! + 150);
      expect(heard).toEqual(["playing", "paused", "playing"]);
      expect(party.faults()).toEqual([]);
      party.dispose();
    }
  });

  test("somebody joins and somebody leaves meanwhile", () => {
    const party = new Party(quartet, "good wifi");
    const players = [0, 1, 2].map((seat) => party.add({ seats: [seat], start: 3 }));
    party.net.mesh();
    party.run(4);
    players[0]!.session.pause();
    party.run(1);
    const { tick } = players[0]!.session;
    const late = party.add({ seats: [3] });
    party.connect(late);
    party.run(3);
    expect([late.session.net.state, late.session.seats, late.session.tick]).toEqual(["paused", [3], tick]);
    die(party, players[2]!, true);
    party.run(2);
    players[1]!.session.resume();
    party.run(3);
    for (const { session } of [players[0]!, players[1]!, late]) {
      expect(session.net.state).toBe("playing");
      expect(session.tick).toBeGreaterThan(tick + 120);
      expect(session.net.members.length).toBe(3);
    }
    expect(party.faults()).toEqual([]);
    party.dispose();
  });

  test("a peer without a seat cannot", () => {
    const party = new Party(trio);
    const watcher = party.add({ seats: [] });
    expect(() => watcher.session.pause()).toThrow("Session.pause: this peer has no seat in the game yet.");
    party.dispose();
  });
});

describe("the handshake rejects", () => {
  const game = (changes: object = {}) =>
    simulation({
      name: "gate",
      version: 1,
      rate: 60,
      players: 2,
      state: layout({ score: u32, x: f64 }),
      input: { go: button },
      step() {},
      ...changes,
    } as never);

  test.each([
    ["another simulation", "simulation", { name: "other" }, 'one peer plays "gate", the other "other"'],
    ["another version", "version", { version: 2 }, 'one peer has version 1 of "gate", the other 2'],
    ["another field", "layout", { state: layout({ score: u32, speed: f64 }) }, "speed"],
    ["another rate", "layout", { rate: 30 }, "60/1"],
  ])("%s, and both sides learn why", (_, code, changes, text) => {
    const party = new Party(game());
    const host = party.add({ seats: [0], inputs: undefined });
    const stranger = party.add({ seats: [1], inputs: undefined }, game(changes));
    party.connect(stranger);
    party.run(2);
    expect(stranger.rejections.length + host.rejections.length).toBeGreaterThanOrEqual(2);
    for (const { rejections } of [host, stranger]) expect(rejections.map((one) => one.code)).toContain(code);
    expect([...host.rejections, ...stranger.rejections].some((one) => one.text.includes(text))).toBe(true);
    expect([host.session.net.state, host.session.net.peers]).toEqual(["waiting", []]);
    party.dispose();
  });

  test.each([
    ["protocol", "protocol", "Use the same version of tickwise"],
    ["math profile", "profile", "of tickwise/math"],
  ] as const)("another %s", (code, field, text) => {
    const party = new Party(game());
    const host = party.add({ seats: [0], inputs: undefined });
    const stranger = party.add({ seats: [1], inputs: undefined });
    connectTampered(party, stranger, host, (bytes, reliable, send) => {
      if (bytes[0] !== HELLO) return send(bytes, reliable);
      const hello = JSON.parse(new TextDecoder().decode(bytes.subarray(1))) as Record<string, number>;
      send(jsonMessage(HELLO, { ...hello, [field]: hello[field]! + 1 }), reliable);
    });
    party.run(2);
    expect(host.rejections).toMatchObject([
      { code, by: "us", text: expect.stringContaining(text) as string },
    ]);
    expect(stranger.rejections).toMatchObject([{ code, by: "them" }]);
    expect(stranger.session.net.state).toBe("rejected");
    party.dispose();
  });

  test("and the state of whoever wanted to join says so", () => {
    const party = new Party(game());
    party.add({ seats: [0], inputs: undefined });
    const stranger = party.add({ seats: [1], inputs: undefined }, game({ version: 2 }));
    party.connect(stranger);
    party.run(2);
    expect(stranger.session.net.state).toBe("rejected");
    party.dispose();
  });

  test("a seat that is taken, and a full game", () => {
    const party = new Party(trio);
    const host = party.add({ seats: [0], start: 2 });
    const second = party.add({ seats: [1] });
    party.connect(second);
    party.run(2);
    const rival = party.add({ seats: [1] });
    party.connect(rival);
    party.run(2);
    expect(rival.rejections).toMatchObject([
      { code: "seat taken", by: "them", text: "seat 1 is taken, or kept for a player who was disconnected" },
    ]);
    const third = party.add({ seats: [2] });
    party.connect(third);
    party.run(2);
    const late = party.add({ seats: 1 });
    party.connect(late);
    party.run(2);
    expect(late.rejections.map(({ code }) => code)).toEqual(["game full"]);
    expect([late.session.net.state, late.session.net.rejection]).toEqual(["watching", "game full"]);
    expect(names(host)).toEqual(["p0", "p1", "p3"]);
    party.dispose();
  });

  test("a peer with our own token", () => {
    const party = new Party(trio);
    const host = party.add({ seats: [0], token: "same" });
    const twin = party.add({ seats: [1], token: "same" });
    party.connect(twin);
    party.run(1);
    expect(host.rejections.map(({ code }) => code)).toEqual(["same peer"]);
    party.dispose();
  });
});
