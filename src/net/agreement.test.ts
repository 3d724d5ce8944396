import { describe, expect, test } from "vitest";
import { errorWith } from "../../test/error-with.js";
import { FULL } from "../../test/full.js";
import { AgreementNetwork, CALM, chaosOf, newerOf, troubleOf } from "../../test/net/agreement-network.js";
import { random } from "../math/index.js";
import { Agreement, epochOf, isQuorum, type AgreementOptions } from "./agreement.js";
import { AgreementCodec, ballotAbove, ballotOf } from "./agreement-message.js";
import { MAX_MESSAGE } from "./link.js";

/** Only ends what hangs: the full run takes minutes on a busy machine. */
const LONG = { timeout: 900_000 };

const dice = (seed: number) => random(new Uint32Array(4)).seed(seed);

/** Voters in calm weather. */
const calm = (voters: number, members = voters, delay = 100) =>
  new AgreementNetwork(Agreement, { ...CALM, voters, members, delay }, 1);

const everyone = (network: AgreementNetwork) => [...network.voters.keys()];

test("two quorums always share a voter", () => {
  for (let voters = 1; voters <= 8; voters++) {
    const quorums = [...Array(2 ** voters).keys()].filter((set) =>
      isQuorum([...set.toString(2)].filter((bit) => bit === "1").length, set % 2 === 1, voters),
    );
    expect(quorums.length).toBe(2 ** (voters - 1));
    expect(quorums.every((one) => quorums.every((other) => (one & other) !== 0))).toBe(true);
  }
});

describe("whatever the network does, nobody decides otherwise, and no confirmed input is cut off", () => {
  test("in bad weather, until it calms down and everyone decides", LONG, () => {
    let longest = 0;
    for (let seed = 0; seed < (FULL ? 5000 : 150); seed++) {
      const { problems, waited } = troubleOf(Agreement, seed);
      expect(problems, `seed ${seed}`).toEqual([]);
      longest = Math.max(longest, waited);
    }
    // Milliseconds, with delays of 30 to 50 ms. Most seeds need less than 200.
    expect(longest).toBeLessThan(2000);
  });

  test("in chaos", LONG, () => {
    for (let seed = 0; seed < (FULL ? 25_000 : 700); seed++)
      expect(chaosOf(Agreement, seed).problems, `seed ${seed}`).toEqual([]);
  });

  test("when an older value was accepted too", () => {
    expect(newerOf(Agreement, [0, 1]).problems).toEqual([]);
    expect(newerOf(Agreement, [1, 0]).problems).toEqual([]);
  });
});

describe("how long a decision takes", () => {
  /** Hops until each voter has decided. */
  const hops = (network: AgreementNetwork): number[] => {
    network.run(5000, () => network.areAllDecided);
    return everyone(network).flatMap((voter) =>
      network.alive[voter] ? network.decidedAt[voter]! / 100 : [],
    );
  };

  test.each([
    [2, [0]],
    [3, [3, 2]],
    [4, [3, 2, 2]],
    [5, [3, 3, 3, 3]],
    [8, [3, 3, 3, 3, 3, 3, 3]],
  ])("the last of %i dies and all others notice: at most three hops", (voters, expected) => {
    const network = calm(voters);
    network.alive[voters - 1] = false;
    for (const voter of everyone(network)) network.suspect(voter, voters - 1);
    expect(hops(network)).toEqual(expected);
    expect(network.decision!.drops.map(([member]) => member)).toEqual([voters - 1]);
  });

  test("the first dies: the second coordinates, and it takes as long", () => {
    const network = calm(8);
    network.alive[0] = false;
    for (const voter of everyone(network)) network.suspect(voter, 0);
    expect(hops(network)).toEqual([3, 3, 3, 3, 3, 3, 3]);
    expect(network.decision!.by).toBe(1);
  });

  test("only one voter notices: one hop more", () => {
    const network = calm(8);
    network.alive[7] = false;
    network.suspect(5, 7);
    expect(hops(network)).toEqual([4, 4, 4, 4, 4, 4, 4]);
    expect(network.decision!.drops.map(([member]) => member)).toEqual([7]);
  });

  test.each([0, 3])("voter %i proposes, and nobody is suspected: four hops", (proposer) => {
    const network = calm(5);
    network.voters[proposer]!.propose();
    expect(Math.max(...hops(network))).toBe(4);
  });

  test("the coordinator dies on the way: the next one takes over as soon as it is suspected", () => {
    const network = calm(5);
    network.alive[4] = false;
    for (const voter of everyone(network)) network.suspect(voter, 4);
    network.run(150);
    // It has picked a value, and some may have it.
    network.alive[0] = false;
    network.run(50);
    for (const voter of [1, 2, 3]) network.suspect(voter, 0);
    network.run(5000, () => network.areAllDecided);
    expect(Math.max(...network.decidedAt.filter(Boolean))).toBeLessThanOrEqual(200 + 400);
  });

  test.each([
    [20, 3, 500],
    [60, 15, 1000],
    [300, 20, 5000],
    [800, 100, 20_000],
  ])("rivals that never give way, %i ms apart, still decide", (delay, jitter, limit) => {
    for (const voters of [2, 3, 5, 8])
      for (let seed = 0; seed < (FULL ? 40 : 3); seed++) {
        const weather = { ...CALM, members: voters, voters, anarchy: 1, delay, jitter, loss: 0.05 };
        const network = new AgreementNetwork(Agreement, weather, seed);
        network.run(limit, () => network.areAllDecided);
        expect([network.areAllDecided, ...network.problems], `${voters} voters, seed ${seed}`).toEqual([
          true,
        ]);
      }
  });

  test("64 voters, of whom 31 die", () => {
    const network = calm(64);
    for (let i = 33; i < 64; i++) network.alive[i] = false;
    for (const voter of everyone(network)) for (let i = 33; i < 64; i++) network.suspect(voter, i);
    expect(hops(network)).toEqual(Array(33).fill(3));
    network.checkCuts();
    expect(network.problems).toEqual([]);
    expect(network.decision!.drops.length).toBe(31);
  });
});

describe("who is dropped", () => {
  const dropped = (network: AgreementNetwork): number[] => {
    network.run(5000, () => network.areAllDecided);
    network.checkCuts();
    expect(network.problems).toEqual([]);
    return network.decision!.drops.map(([member]) => member);
  };

  test("members that do not vote can be dropped, here by the only voter", () => {
    const network = calm(1, 4);
    network.run(100);
    network.suspect(0, 2);
    expect(dropped(network)).toEqual([2]);
    expect(network.decidedAt[0]).toBe(100);
  });

  test("one of two that suspect each other", () => {
    const network = calm(5);
    network.suspect(2, 3);
    network.suspect(3, 2);
    expect(dropped(network).length).toBe(1);
  });

  test("nobody who was pardoned in time", () => {
    const network = calm(5);
    network.suspect(2, 3);
    network.run(150);
    network.voters[0]!.unsuspect(3);
    expect(dropped(network)).toEqual([]);
  });

  test("a second member that dies before the value is picked", () => {
    const network = calm(7);
    for (const voter of everyone(network)) network.suspect(voter, 5);
    network.run(50);
    for (const voter of everyone(network)) network.suspect(voter, 6);
    expect(dropped(network)).toEqual([5, 6]);
  });

  test("a minority decides nothing, half decides with the first voter", () => {
    const network = calm(4);
    for (const voter of [2, 3]) for (const other of [0, 1]) network.suspect(voter, other);
    network.alive[0] = network.alive[1] = false;
    network.run(5000);
    expect(network.decision).toBe(undefined);

    const other = calm(4);
    for (const voter of [0, 1]) for (const gone of [2, 3]) other.suspect(voter, gone);
    other.alive[2] = other.alive[3] = false;
    expect(dropped(other)).toEqual([2, 3]);
  });
});

/** A voter whose messages are collected. */
function voter(options: Partial<AgreementOptions> = {}) {
  const log: string[] = [];
  const sent: { to: number; bytes: Uint8Array }[] = [];
  const agreement = new Agreement({
    epoch: 7,
    members: 3,
    voters: [0, 1, 2],
    self: 1,
    random: () => 0.5,
    freeze: (frozen) => Uint8Array.from(frozen),
    makeValue: () => Uint8Array.of(1),
    decided: (value) => log.push(`decided ${value}`),
    send: (to, bytes) => sent.push({ to, bytes: bytes.slice() }),
    ...options,
  });
  return { agreement, log, sent };
}

test("the next voter coordinates while the coordinator is silent, and does not drop it", () => {
  const dropped: number[][] = [];
  const { agreement } = voter({
    makeValue: (suspects) => {
      dropped.push([...suspects]);
      return Uint8Array.of(1);
    },
  });
  agreement.suspect(2);
  expect([agreement.coordinator, ...agreement.suspects]).toEqual([0, 2]);
  agreement.doubt(0, true);
  expect(agreement.coordinator).toBe(1);
  agreement.poll(0);
  const codec = new AgreementCodec(7, 3, [0, 1, 2]);
  const promise = { version: 1, frozen: new Set([2]), report: new Uint8Array(0), accepted: 0 };
  // The silent one promises the ballot that the next one has opened.
  agreement.receive(0, codec.state({ ...promise, promised: ballotOf(1, 1), value: new Uint8Array(0) }));
  expect(dropped).toEqual([[2]]);
  agreement.doubt(0, false);
  expect(agreement.coordinator).toBe(0);
});

describe("messages", () => {
  test("nothing is sent while nobody wants anything", () => {
    const { agreement, sent } = voter();
    agreement.poll(0);
    expect([agreement.isActive, agreement.isSettled, sent.length]).toEqual([false, false, 0]);
  });

  test("changes are sent with the next poll, and repeated after each interval", () => {
    const { agreement, sent } = voter();
    agreement.suspect(2);
    agreement.poll(10);
    expect(sent.map(({ to }) => to)).toEqual([0, 2]);
    agreement.poll(59);
    expect(sent.length).toBe(2);
    agreement.poll(60);
    expect(sent.length).toBe(4);
    expect(agreement.isActive).toBe(true);
    expect([...agreement.frozen]).toEqual([2]);
    expect(agreement.coordinator).toBe(0);
    expect(epochOf(sent[0]!.bytes)).toBe(7);
    expect(epochOf(new Uint8Array(4))).toBe(undefined);
  });

  test("a proposal that is repeated is sent at once only if the report has changed", () => {
    let wish = 1;
    const { agreement, sent } = voter({ freeze: () => Uint8Array.of(wish) });
    for (let now = 0; now < 50; now += 10) {
      agreement.propose();
      agreement.poll(now);
    }
    expect(sent.length).toBe(2);
    wish = 2;
    agreement.propose();
    agreement.poll(49);
    expect(sent.length).toBe(4);
    expect(sent[3]!.bytes.at(-1)).toBe(2);
  });

  test("a voter that missed everything is told until it answers, then there is silence", () => {
    const one = voter({ voters: [1, 2] });
    const two = voter({ voters: [1, 2], self: 2 });
    one.agreement.propose();
    one.agreement.suspect(0);
    expect(one.log).toEqual(["decided 1"]);
    let now = 0;
    for (; one.sent.length < 10; now += 10) one.agreement.poll(now);
    // At 0, 50, 150, 350, 750 and 1550 ms, then every second.
    expect(now).toBe(5550 + 10);
    expect(one.agreement.isSettled).toBe(false);

    expect(two.agreement.receive(1, one.sent.pop()!.bytes)).toBe(true);
    expect(two.log).toEqual(["decided 1"]);
    expect(two.agreement.value).toEqual(Uint8Array.of(1));
    two.agreement.poll(now);
    expect(one.agreement.receive(2, two.sent.pop()!.bytes)).toBe(true);
    expect([one.agreement.isSettled, two.agreement.isSettled]).toEqual([true, true]);
    one.sent.length = 0;
    for (let i = 0; i < 500; i++, now += 10) {
      one.agreement.poll(now);
      two.agreement.poll(now);
    }
    expect([one.sent.length, two.sent.length]).toEqual([0, 0]);
  });

  test("a laggard that asks is answered at the next poll", () => {
    const one = voter({ voters: [1, 2] });
    const two = voter({ voters: [1, 2], self: 2 });
    two.agreement.propose();
    two.agreement.poll(0);
    one.agreement.propose();
    one.agreement.poll(0);
    one.sent.length = 0;
    one.agreement.receive(1, two.sent[0]!.bytes);
    one.agreement.receive(2, two.sent[0]!.bytes);
    one.agreement.poll(1);
    expect(two.agreement.receive(1, one.sent[0]!.bytes)).toBe(true);
    expect(two.log).toEqual(["decided 1"]);
  });

  test("the longest ones fit into a datagram, and longer values and reports are rejected", () => {
    const members = 64;
    const voters = [...Array(members).keys()];
    const make = (report: number, value: number) => {
      const it = voter({
        members,
        voters: voters.slice(0, 1),
        self: 0,
        freeze: () => new Uint8Array(report),
        makeValue: () => new Uint8Array(value),
      });
      it.agreement.propose();
      return it;
    };
    expect(() => make(401, 1)).toThrow(errorWith("bad-value", "freeze must be at most 400 bytes"));
    expect(() => make(1, 1001)).toThrow(errorWith("bad-value", "makeValue must be at most 1000 bytes"));
    expect(make(400, 1000).log.length).toBe(1);

    const { agreement, sent } = voter({
      members,
      voters,
      self: 0,
      freeze: () => new Uint8Array(400),
      makeValue: () => new Uint8Array(1000),
    });
    agreement.propose();
    agreement.poll(0);
    const other = voter({ members, voters, freeze: () => new Uint8Array(400) });
    expect(other.agreement.receive(0, sent[0]!.bytes)).toBe(true);
    expect(Math.max(...sent.map(({ bytes }) => bytes.length))).toBeLessThan(MAX_MESSAGE);

    const network = new AgreementNetwork(Padded, { ...CALM, members: 8, voters: 8 }, 1);
    network.suspect(0, 7);
    network.run(1000, () => network.areAllDecided);
    expect(network.areAllDecided).toBe(true);
    expect(network.longest).toBe(1000 + 20);
  });

  test("from strangers, of other epochs, and malformed ones are rejected", () => {
    const from = voter({ self: 0 });
    from.agreement.suspect(2);
    from.agreement.poll(0);
    const { bytes } = from.sent[0]!;
    const changed = (...changes: [number, number][]) => {
      const copy = bytes.slice();
      for (const [at, value] of changes) copy[at] = value;
      return copy;
    };
    const bad: [number, Uint8Array][] = [
      [1, bytes],
      [3, bytes],
      [-1, bytes],
      [0.5, bytes],
      [0, new Uint8Array(0)],
      [0, bytes.subarray(0, 19)],
      // The kind, the epoch.
      [0, changed([0, 0])],
      [0, changed([0, 4])],
      [0, changed([4, 8])],
      // Promised: no round, a round that is too high, an owner that does not vote.
      [0, changed([12, 0])],
      [0, changed([9, 0x81])],
      [0, changed([13, 3])],
      // Accepted: an owner without a round, more than promised.
      [0, changed([18, 1])],
      [0, changed([17, 2])],
      // Frozen: a fourth member of three.
      [0, changed([19, 8])],
      [0, Uint8Array.of(...bytes, ...new Uint8Array(400))],
      [0, Uint8Array.of(2, 0, 0, 0, 7, ...new Uint8Array(1001))],
      [0, Uint8Array.of(3, 0, 0, 0, 7, 0)],
    ];
    for (const [sender, message] of bad) {
      const { agreement, sent } = voter();
      expect(agreement.receive(sender, message), `${sender}: ${message}`).toBe(false);
      agreement.poll(1e6);
      expect([agreement.isActive, agreement.value, sent.length]).toEqual([false, undefined, 0]);
    }
    expect(voter().agreement.receive(0, bytes)).toBe(true);
  });

  test("ballots far above all others are rejected, so that nobody uses up the rounds", () => {
    const from = voter({ self: 2 });
    from.agreement.propose();
    from.agreement.poll(0);
    const bytes = from.sent[0]!.bytes;
    const roundOf = (round: number) => {
      const changed = bytes.slice();
      new DataView(changed.buffer).setUint32(9, round);
      return changed;
    };
    const { agreement } = voter({ self: 0 });
    expect(agreement.receive(2, roundOf(2 ** 31))).toBe(false);
    expect(agreement.receive(2, roundOf(1001))).toBe(false);
    expect(agreement.isActive).toBe(false);
    expect(agreement.receive(2, roundOf(1000))).toBe(true);
    expect(agreement.isActive).toBe(true);
  });

  test("the highest round leaves no higher ballot, and does no harm", () => {
    expect(ballotAbove(ballotOf(2 ** 31, 2), 1)).toBe(0);
  });

  test("values that cannot be are rejected, shown or decided", () => {
    const seen: boolean[] = [];
    const { agreement } = voter({
      self: 1,
      isPossible: (value, isDecided) => {
        seen.push(isDecided);
        return value[0] === 7;
      },
    });
    const codec = new AgreementCodec(7, 3, [0, 1, 2]);
    const shown = (value: number) =>
      codec.state({
        version: value,
        promised: ballotOf(1, 0),
        accepted: ballotOf(1, 0),
        frozen: new Set(),
        report: new Uint8Array(0),
        value: Uint8Array.of(value),
      });
    expect(agreement.receive(0, shown(6))).toBe(false);
    expect(agreement.receive(0, codec.decided(Uint8Array.of(6)))).toBe(false);
    expect(agreement.value).toBe(undefined);
    expect(agreement.receive(0, shown(7))).toBe(true);
    expect(agreement.value).toEqual(Uint8Array.of(7));
    expect(seen).toEqual([false, true, false]);
  });

  test(
    `${FULL ? "a million" : "30,000"} mutated ones: no throw, one answer per poll and voter at most`,
    LONG,
    () => {
      const gossip: { from: number; bytes: Uint8Array }[] = [];
      for (let seed = 0; seed < 20; seed++) {
        const network = new AgreementNetwork(Agreement, { ...CALM, loss: 0.3, anarchy: 0.5 }, seed);
        network.onSend = (from, bytes) => gossip.push({ from, bytes });
        network.suspect(1, 4);
        network.run(400);
      }
      const die = dice(1);
      let now = 0;
      let accepted = 0;
      let perPoll = 0;
      const counts = new Map<number, number>();
      const fresh = () =>
        voter({
          members: 5,
          voters: [0, 1, 2, 3, 4],
          send: (to, bytes) => {
            counts.set(to, (counts.get(to) ?? 0) + 1);
            expect(bytes.length).toBeLessThanOrEqual(MAX_MESSAGE);
          },
        }).agreement;
      let target = fresh();
      for (let i = 0; i < (FULL ? 1_000_000 : 30_000); i++) {
        if (i % 50 === 0) target = fresh();
        const { from, bytes } = die.pick(gossip);
        if (target.receive(die.below(6), mutate(bytes, die))) accepted++;
        target.receive(from, bytes);
        if (i % 3 === 0) {
          counts.clear();
          target.poll((now += 17));
          perPoll = Math.max(perPoll, ...counts.values());
        }
      }
      expect(accepted).toBeGreaterThan(1000);
      expect(perPoll).toBe(1);
    },
  );
});

/** Changes, inserts or removes some bytes. */
function mutate(bytes: Uint8Array, die: ReturnType<typeof dice>): Uint8Array {
  const list = [...bytes];
  for (let times = 1 + die.below(3); times > 0; times--) {
    const at = die.below(list.length + 1);
    const kind = die.below(5);
    if (kind === 0) list.splice(at, 1 + die.below(8));
    else if (kind === 1)
      list.splice(at, 0, ...Array<number>(die.below(die.pick([4, 1500]))).fill(die.below(256)));
    else if (kind === 2) list[at] = die.pick([0, 1, 2, 3, 0x7f, 0x80, 0xff]);
    else list[at] = (list[at] ?? 0) ^ (1 << die.below(8));
  }
  return Uint8Array.from(list);
}

/** Makes the longest values. */
class Padded extends Agreement {
  constructor(options: AgreementOptions) {
    super({
      ...options,
      makeValue: (suspects, reports) => {
        const value = new Uint8Array(1000).fill(32);
        value.set(options.makeValue(suspects, reports));
        return value;
      },
    });
  }
}

test("bad options and indices are rejected", () => {
  const { agreement } = voter();
  for (const index of [1, 3, -1, 0.5, "0" as never]) {
    expect(() => agreement.suspect(index)).toThrow(errorWith("bad-value", "Agreement.suspect: index"));
    expect(() => agreement.unsuspect(index)).toThrow(errorWith("bad-value", "Agreement.unsuspect: index"));
  }
  const bad: [string, Partial<AgreementOptions>][] = [
    ["epoch", { epoch: -1 }],
    ["epoch", { epoch: 2 ** 32 }],
    ["members", { members: 65 }],
    ["members", { members: 0 }],
    ["voters", { voters: [1, 0] }],
    ["voters", { voters: [0, 3] }],
    ["voters", { voters: [1, 1] }],
    ["self", { voters: [0, 2] }],
    ["interval", { interval: 0 }],
    ["send", { send: undefined as never }],
  ];
  for (const [name, options] of bad)
    expect(() => voter(options)).toThrow(errorWith("bad-value", `Agreement: ${name}`));
});
