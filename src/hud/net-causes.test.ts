import { describe, expect, test } from "vitest";
import { brawlFor } from "../../test/net/brawl.js";
import { Loop } from "../loop/index.js";
import type { NetInfo, PeerInfo } from "../net/index.js";
import { simulatedNetwork, type SimulatedPeer } from "../net/simulated.js";
import type { DiagnosisKind } from "./causes.js";
import { NO_HOST } from "../net/net-problems.js";
import { diagnose } from "./diagnose.js";
import type { NetSession } from "./subject.js";

/** A loop without problems of its own. */
function quietLoop(): Loop {
  const loop = new Loop({ rate: 60 });
  for (let frame = 0; frame < 300; frame++) loop.advance(1 / 60);
  return loop;
}
const loop = quietLoop();
const found = ({ session }: { readonly session: unknown }) =>
  diagnose({ loop, session }).map(({ kind, text }) => `${kind}: ${text}`);

const game = brawlFor(2);
type Options = Parameters<ReturnType<typeof simulatedNetwork>["peer"]>[1];

/** Two players on a simulated network. */
function twoPlayers(network: Parameters<typeof simulatedNetwork>[0] = {}, options: Partial<Options> = {}) {
  const net = simulatedNetwork(network);
  const add = (seat: number, name: string): SimulatedPeer =>
    net.peer(game, {
      seats: [seat],
      name,
      ...options,
      inputs: ([me]: { go: boolean }[]) => {
        me!.go = Math.floor(net.time.now() / 100) % 2 === seat;
      },
    } as never) as never;
  const [ada, bob] = [add(0, "Ada"), add(1, "Bob")];
  return { net, ada, bob };
}

describe("on a simulated network", () => {
  test("no problem on a good network, and none in a loop alone", () => {
    const { net, ada, bob } = twoPlayers({ network: "good wifi" });
    net.mesh();
    net.run(10);
    expect([...found(ada), ...found(bob)]).toEqual([]);
    expect(ada.session.net.rollbacks).toBeGreaterThan(0);
    expect(diagnose(loop)).toEqual([]);
  });

  test("nobody is connected, and a seat is free", () => {
    const { net, ada, bob } = twoPlayers();
    net.run(1);
    expect(found(ada)).toEqual([
      "waiting: The game has not begun: seat 1 is free. The host starts when enough are taken.",
    ]);
    expect(found(bob)).toEqual([
      "connecting: No peer is connected. Pass links to the session, or call session.connect(link).",
    ]);
  });

  test("a pause by agreement", () => {
    const { net, ada, bob } = twoPlayers();
    net.mesh();
    net.run(2);
    ada.session.pause();
    net.run(1);
    expect([...found(ada), ...found(bob)]).toEqual([
      "game-paused: The players have paused the game. Call session.resume().",
      "game-paused: The players have paused the game. Call session.resume().",
    ]);
    ada.session.resume();
    net.run(1);
    expect(found(bob)).toEqual([]);
  });

  test("a player is silent", () => {
    const { net, ada, bob } = twoPlayers();
    net.mesh();
    net.run(2);
    bob.freeze();
    net.run(0.8);
    expect(found(ada)).toContain(
      "missing-inputs: Waiting for seat 1 (no news for 0.8 s). The game goes on when the inputs arrive, or the others drop the player.",
    );
    bob.start();
    net.run(10);
    expect(found(ada)).toEqual([]);
  });

  test("a round trip that the window does not cover", () => {
    const { net, ada } = twoPlayers({ network: { latency: 200 } }, {
      window: 4,
      maxWindow: 4,
      delay: 1,
    } as never);
    net.mesh();
    net.run(10);
    const text = found(ada).find((each) => each.startsWith("round-trip"));
    expect(text).toMatch(
      /^round-trip: Inputs of Bob take 1\d ticks \(round trip 4\d\d ms\), but delay 1 and window 4 cover 5: the game stalls\. Raise delay\.$/,
    );
  });

  test("a long prediction", () => {
    const { net, ada } = twoPlayers({ network: { latency: 200 } }, { window: 20 } as never);
    net.mesh();
    net.run(10);
    expect(found(ada)).toEqual([
      expect.stringMatching(
        /^prediction: About 1\d ticks are predicted \(round trip 4\d\d ms\), so corrections are visible\. Raise delay to [5-9], or set delay: "auto"\.$/,
      ),
    ]);
  });

  test("heavy loss", () => {
    const { net, ada } = twoPlayers({ network: { loss: 0.4 } });
    net.mesh();
    net.run(20);
    expect(found(ada)).toContainEqual(
      expect.stringMatching(
        /^packet-loss: [34]\d % of the packets of Bob are lost\. Inputs are sent again, but late/,
      ),
    );
  });

  test("a seat that is taken", () => {
    const { net, ada } = twoPlayers();
    net.mesh();
    net.run(2);
    const eve = net.peer(game, { seats: [1], name: "Eve" });
    net.connect(ada, eve as never);
    net.run(2);
    expect(found(eve)).toEqual([
      "rejected: The others rejected this peer: all seats are taken. The peer watches until a seat is free.",
    ]);
    const rejecting = expect.stringMatching(/^rejecting: This peer rejected Eve: all seats are taken/);
    expect(found(ada)).toContainEqual(rejecting);
    Object.assign(ada.session.net.last, { rejected: { ...ada.session.net.last.rejected, tick: -4000 } });
    expect(found(ada)).not.toContainEqual(rejecting);
  });

  test("nobody hosts", () => {
    const { net } = twoPlayers();
    const [eve, finn] = ["Eve", "Finn"].map((name) => net.peer(game, { seats: [], name }) as never);
    net.connect(eve!, finn!);
    net.run(1);
    expect(found(eve!)).toEqual([`connecting: ${NO_HOST}`]);
  });

  test("too few members are heard", () => {
    const { net, ada, bob } = twoPlayers({}, { timeout: 1 } as never);
    net.mesh();
    net.run(2);
    net.cut(ada, bob);
    net.run(3);
    expect(found(bob)).toEqual([
      'no-quorum: The game stands still: this peer hears 1 of 2 members, itself included, and that is too few. It goes on when more are back; session.continueAlone(), or the option alone: "continue", goes on without them.',
    ]);
    expect(bob.session.net.last.quorum).toEqual({ hasQuorum: false, tick: expect.any(Number) as number });
  });
});

describe("in a session that", () => {
  const bob: PeerInfo = {
    id: 2,
    name: "Bob",
    seats: [1],
    role: "playing",
    roundTrip: 60,
    jitter: 4,
    loss: 0.01,
    advantage: 0,
    silence: 10,
    bytesSent: 1000,
    bytesReceived: 1000,
    droppedPackets: 0,
    lastFault: "",
  };
  const net = { state: "playing", window: 8, delay: 2, advantage: 0, peers: [bob], last: {}, members: [] };
  const sessionWith = (changes: object, session = {}) =>
    ({
      simulation: game,
      tick: 605,
      confirmed: 600,
      pace: 1,
      seats: [0],
      net: { ...net, ...changes } as unknown as NetInfo,
      ...session,
    }) as NetSession;
  const desync = { peer: 2, name: "Bob", tick: 590, fields: [], external: [], seats: [], isOurs: false };

  test.each<[DiagnosisKind, object, object, string]>([
    [
      "ahead",
      { advantage: 3.24 },
      { pace: 0.95 },
      "This peer is 3.2 ticks ahead of the others, so it predicts more than they do. It runs 5 % slower until they have caught up.",
    ],
    [
      "behind",
      { advantage: -4 },
      { pace: 1.05 },
      "This peer is 4.0 ticks behind the others. It runs 5 % faster to catch up. If it stays behind, its steps are too slow or it gets too few frames.",
    ],
    [
      "bad-messages",
      { peers: [{ ...bob, name: "", droppedPackets: 7, lastFault: "a malformed packet" }] },
      {},
      "7 of the messages of seat 1 were dropped, the last one as a malformed packet.",
    ],
    ["connecting", { state: "connecting" }, {}, "The state of the game has not arrived yet."],
    ["waiting", { state: "waiting", members: [{ seats: [0, 1] }] }, {}, "The game has not begun yet."],
    [
      "missing-inputs",
      { last: { stall: { isStalled: true, tick: 605, seats: [1, 2, 4] } } },
      {},
      "Waiting for seats 1, 2 and 4. The game goes on when the inputs arrive, or the others drop the player.",
    ],
    [
      "desync",
      { last: { desync: { ...desync, stage: "suspected" } } },
      {},
      "The state differs from that of Bob at tick 590; the fields are being searched for. The usual causes are Math.random or Date.now in step, which guard: guard() and tickwise/lint find, or an object outside the state, which npx tickwise synctest finds.",
    ],
    [
      "desync",
      { last: { desync: { ...desync, name: "", stage: "unknown" } } },
      {},
      "The state differs from that of peer 2 since tick 590; which fields differ could not be found out. The usual causes are Math.random or Date.now in step, which guard: guard() and tickwise/lint find, or an object outside the state, which npx tickwise synctest finds.",
    ],
    [
      "desync",
      {
        last: {
          desync: {
            ...desync,
            stage: "found",
            fields: [
              { path: "x[1]", a: 4.5, b: 4.25 },
              { path: "hits", a: 1, b: 2 },
            ],
          },
        },
      },
      {},
      "The state differs from that of Bob since tick 590: x[1] is 4.5 here and 4.25 there, and 1 more. Save session.net.last.desync.report(), and run npx tickwise desync on it.",
    ],
    [
      "desync",
      { last: { desync: { ...desync, stage: "found", external: ["physics"] } } },
      {},
      "The state differs from that of Bob since tick 590: physics. Save session.net.last.desync.report(), and run npx tickwise desync on it.",
    ],
    [
      "desync",
      { last: { desync: { ...desync, stage: "found", seats: [1] } } },
      {},
      "The state differs from that of Bob since tick 590: the inputs of seat 1 differ, so its peer sent different ones to different peers.",
    ],
  ])("%s", (kind, changes, session, text) => {
    expect(diagnose({ loop, session: sessionWith({ ...changes, on() {} }, session) })).toEqual([
      { kind, text },
    ]);
  });

  test("is fine", () => {
    const fine = { on() {}, last: { stall: { isStalled: false, tick: 5, seats: [] } } };
    expect(diagnose({ loop, session: sessionWith(fine) })).toEqual([]);
    // An old desync is over.
    const old = { on() {}, last: { desync: { ...desync, stage: "found" } } };
    expect(diagnose({ loop, session: sessionWith(old, { confirmed: 5000 }) })).toEqual([]);
  });

  test("has no net, or is none", () => {
    for (const session of [undefined, null, {}, { net: null }, { net: {} }])
      expect(diagnose({ loop, session })).toEqual([]);
  });
});
