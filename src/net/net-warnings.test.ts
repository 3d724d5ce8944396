import { afterEach, describe, expect, test, vi } from "vitest";
import { button, simulation } from "../sim/index.js";
import { f64, layout } from "../state/index.js";
import { loopbackPair } from "./loopback.js";
import { NO_HOST } from "./net-problems.js";
import { peerSession } from "./peer-session.js";
import { simulatedNetwork, type SimulatedPeer } from "./simulated.js";

/** A game whose second peer may differ. */
const gameOf = (changes: object = {}) =>
  simulation({
    name: "gate",
    version: 1,
    rate: 60,
    players: 3,
    state: layout({ x: f64, y: f64 }),
    input: { go: button },
    step(world: { x: number }) {
      world.x++;
    },
    ...changes,
  } as never);
const game = gameOf();

/** Peers on a simulated network, and what each has warned of. */
function meeting(network: Parameters<typeof simulatedNetwork>[0] = {}) {
  const net = simulatedNetwork(network);
  const add = (name: string, options: object, its = game) => {
    const texts: string[] = [];
    const peer = net.peer(
      its as never,
      {
        name,
        warn: (text: string) => texts.push(text),
        ...options,
      } as never,
    );
    return { peer: peer as unknown as SimulatedPeer, texts };
  };
  return { net, add };
}

const CAUSES =
  "The usual causes are Math.random or Date.now in step, which guard: guard() and tickwise/lint find, or an object outside the state, which npx tickwise synctest finds.";

describe("warns once of", () => {
  test("a seat that two ask for, at both", () => {
    const { net, add } = meeting();
    const [ada, bob] = [add("Ada", { seats: [0] }), add("Bob", { seats: [0] })];
    net.mesh();
    net.run(10);
    const why =
      "seat 0 is taken, or kept for a player who was disconnected. Only one peer may ask for a seat, such as seat 0: pass seats: 1 to get any free one.";
    const [host, guest] = ada.peer.session.net.isHost ? [ada, bob] : [bob, ada];
    const name = guest === ada ? "Ada" : "Bob";
    expect(host.texts).toEqual([`peerSession: This peer rejected ${name}: ${why}`]);
    expect(guest.texts).toEqual([`peerSession: The others rejected this peer: ${why}`]);
  });

  test("a full game", () => {
    const { net, add } = meeting();
    const [, late] = [add("Ada", { seats: [0, 1, 2] }), add("Late", { seats: 1 })];
    net.mesh();
    net.run(10);
    expect(late.texts).toEqual([
      "peerSession: The others rejected this peer: all seats are taken. The peer watches until a seat is free.",
    ]);
  });

  test("more seats than are free", () => {
    const { net, add } = meeting();
    const [, late] = [add("Ada", { seats: [0] }), add("Late", { seats: 3 })];
    net.mesh();
    net.run(10);
    expect(late.texts[0]).toContain("The others rejected this peer: fewer than 3 seats are free. ");
  });

  test.each([
    ["version", { version: 2 }, /has version [12] of "gate", the other [12]\. Reload both\.$/],
    ["layout", { state: layout({ x: f64 }) }, /y.*\. Reload both, and increase the simulation's version/],
    [
      "simulation",
      { name: "other" },
      /plays "\w+", the other "\w+"\. Connect only peers of the same game\.$/,
    ],
  ])("another %s", (_, changes, text) => {
    const { net, add } = meeting();
    const [ada, bob] = [add("Ada", { seats: [0] }), add("Bob", { seats: [1] }, gameOf(changes))];
    net.mesh();
    net.run(5);
    for (const { texts } of [ada, bob]) expect(texts).toEqual([expect.stringMatching(text)]);
    expect(ada.texts[0]).toMatch(/^peerSession: (This peer rejected Bob|The others rejected this peer): /);
  });

  test("two tabs with the same token", () => {
    const { net, add } = meeting();
    const [ada] = [add("Ada", { seats: [0], token: "same" }), add("Bob", { seats: [1], token: "same" })];
    net.mesh();
    net.run(5);
    expect(ada.texts).toEqual([
      "peerSession: This peer rejected Bob: both peers have the same token. Give each tab its own token: keep it in sessionStorage, not in localStorage.",
    ]);
  });

  test("a desync, and then where it began", () => {
    const { net, add } = meeting();
    const chancy = gameOf({
      step(world: { x: number; y: number }, _: unknown, { tick }: { tick: number }) {
        world.x++;
        if (tick > 105) world.y += 0.5;
      },
    });
    const [ada] = [add("Ada", { seats: [0], start: 2 }), add("Bob", { seats: [1], start: 2 }, chancy)];
    net.mesh();
    net.run(10);
    expect(ada.texts).toEqual([
      `peerSession: The state differs from that of Bob at tick 110; the fields are being searched for. ${CAUSES}`,
      "peerSession: The state differs from that of Bob since tick 107: y is 0 here and 0.5 there. Save session.net.last.desync.report(), and run npx tickwise desync on it.",
    ]);
  });

  test("a game that nobody hosts, after some seconds", () => {
    const { net, add } = meeting();
    const [ada, bob] = [add("Ada", { seats: 1 }), add("Bob", { seats: [] })];
    net.mesh();
    net.run(2);
    expect([...ada.texts, ...bob.texts]).toEqual([]);
    net.run(10);
    for (const { texts } of [ada, bob]) expect(texts).toEqual([`peerSession: ${NO_HOST}`]);
    // A second player is enough.
    const carl = add("Carl", { seats: 1 });
    net.connect(ada.peer, carl.peer);
    net.run(3);
    expect(ada.peer.session.seats.length + carl.peer.session.seats.length).toBe(2);
    expect(carl.texts).toEqual([]);
  });

  test("too few members, unless this peer goes on alone", () => {
    for (const alone of ["wait", "continue"]) {
      const { net, add } = meeting();
      const players = ["Ada", "Bob", "Carl"].map((name, seat) => add(name, { seats: [seat], alone }));
      net.mesh();
      net.run(3);
      const [ada, bob, carl] = players.map(({ peer }) => peer);
      net.cut(ada!, carl!);
      net.cut(bob!, carl!);
      net.run(5);
      expect(players[2]!.texts).toEqual(
        alone === "continue"
          ? []
          : [
              'peerSession: The game stands still: this peer hears 1 of 3 members, itself included, and that is too few. It goes on when more are back; session.continueAlone(), or the option alone: "continue", goes on without them.',
            ],
      );
      expect([...players[0]!.texts, ...players[1]!.texts]).toEqual([]);
    }
  });
});

test("does not warn of a player that the host removed, but that player is told", () => {
  const { net, add } = meeting();
  const [ada, bob] = [add("Ada", { seats: [0], start: 2 }), add("Bob", { seats: [1], start: 2 })];
  net.mesh();
  net.run(2);
  ada.peer.session.kick(bob.peer.session.net.id);
  net.run(3);
  expect(ada.texts).toEqual([]);
  expect(bob.texts).toEqual(["peerSession: The others rejected this peer: the host removed this player."]);
});

describe("warnings go", () => {
  afterEach(() => void vi.restoreAllMocks());

  /** Two sessions with the same token, connected to each other. */
  function twins(options: object) {
    const [one, other] = loopbackPair();
    const sessions = [one, other].map((link, seat) =>
      peerSession(game as never, { seats: [seat], token: "same", links: [link], ...options } as never),
    );
    for (let i = 0; i < 3; i++) for (const session of sessions) session.advance();
    for (const session of sessions) session.dispose();
  }

  test("to the console by default, and nowhere with warn: false", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    twins({ warn: false });
    await Promise.resolve();
    expect(warn).not.toHaveBeenCalled();
    twins({});
    await Promise.resolve();
    expect(warn).toHaveBeenCalledWith(expect.stringContaining("both peers have the same token"));
    warn.mockClear();
    const net = simulatedNetwork();
    net.peer(game as never, { seats: [], name: "Ada" } as never);
    net.peer(game as never, { seats: [], name: "Bob" } as never);
    net.mesh();
    net.run(10);
    expect(warn).not.toHaveBeenCalled();
  });

  test("and must be a function or false", () => {
    expect(() => peerSession(game as never, { seats: [], warn: true } as never)).toThrow(
      "peerSession: warn must be a function, got true. Try false.",
    );
  });
});
