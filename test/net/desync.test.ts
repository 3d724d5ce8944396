// Peers whose states differ although their inputs do not: found, named, reported, repaired.
import { describe, expect, test } from "vitest";
import { readReport } from "../../src/net/desync-report.js";
import { readReplay, verify } from "../../src/replay/index.js";
import { button, localSession, simulation } from "../../src/sim/index.js";
import { f64, layout, list, table, u32 } from "../../src/state/index.js";
import { brawlFor } from "./brawl.js";
import { Party, type Guest } from "./party.js";
import { connectTampered, lying } from "./tampering.js";

/** What differs between two builds, or two engines. */
interface Build {
  readonly sin?: (angle: number) => number;
  readonly gravity?: number;
  /** Called in each step. */
  readonly hidden?: (tick: number) => number;
}

const orbit = ({ sin = Math.sin, gravity = 9.81, hidden = () => 0 }: Build = {}) =>
  simulation({
    name: "orbit",
    version: 1,
    rate: 60,
    players: 3,
    state: layout({
      angle: f64,
      speed: f64,
      bonus: u32,
      x: list(3, f64),
      crates: table(50, { at: f64, fall: f64 }),
    }),
    input: { go: button },
    init(world) {
      for (let i = 0; i < 50; i++) world.crates.add({ at: i * 10, fall: 0 });
    },
    step(world, inputs, { tick }) {
      world.angle += 0.01;
      world.speed = sin(world.angle);
      world.bonus += hidden(tick);
      inputs.forEach(({ go }, player) => (world.x[player]! += go ? 1 : 0));
      for (const crate of world.crates) {
        crate.fall = crate.at > 400 ? crate.fall + gravity / 60 : 0;
        crate.at -= crate.at > 400 ? crate.fall / 60 : 0;
      }
    },
  });

/** The next larger number. */
function nextUp(value: number): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  view.setUint32(4, view.getUint32(4) + 1);
  return view.getFloat64(0);
}

/** Differs in the last bit, from some angle on, as engines do. */
const otherSine = (angle: number) => (angle > 2 ? nextUp(Math.sin(angle)) : Math.sin(angle));

/** Three players, or two, of whom the last has another build. */
function play(
  build: Build,
  options: object = {},
  players = 3,
  network: "good wifi" | "bad wifi" = "good wifi",
) {
  const party = new Party(orbit(), network);
  for (let seat = 0; seat < players; seat++)
    party.add(
      {
        seats: [seat],
        start: players,
        inputs: () => {},
        build: seat === players - 1 ? "odd" : "even",
        ...options,
      },
      orbit(seat === players - 1 ? build : {}),
    );
  party.net.mesh();
  return party;
}

const found = ({ desyncs }: Guest) => desyncs.filter(({ stage }) => stage === "found");

describe("planted faults are found and named", () => {
  test.each<[string, () => Build, string, (a: number, b: number) => boolean]>([
    ["a sine that differs in the last bit", () => ({ sin: otherSine }), "speed", (a, b) => nextUp(a) === b],
    [
      "a hidden variable",
      () => {
        let calls = 0;
        return { hidden: (tick) => (tick > 150 && ++calls > 5 ? 1 : 0) };
      },
      "bonus",
      (a, b) => a === 0 && b === 1,
    ],
    ["another constant", () => ({ gravity: 9.82 }), "crates", (a, b) => a !== b],
  ])("%s", (_, build, field, isExpected) => {
    const party = play(build(), { desync: "report" }, 2);
    party.run(8);
    const [host, guest] = party.guests as [Guest, Guest];
    for (const [one, other, isFirst] of [
      [host, guest, true],
      [guest, host, false],
    ] as const) {
      expect(one.desyncs[0]).toMatchObject({ stage: "suspected", name: other.name, fields: [] });
      const event = found(one)[0]!;
      expect(event).toMatchObject({ peer: other.session.net.id, name: other.name, seats: [], external: [] });
      const difference = event.fields[0]!;
      expect(difference.path.startsWith(field)).toBe(true);
      const [a, b] = [difference.a as number, difference.b as number];
      expect(isFirst ? isExpected(a, b) : isExpected(b, a)).toBe(true);
      // The very first state that differs.
      const first = [...host.states].find(
        ([tick, hash]) => guest.states.has(tick) && guest.states.get(tick) !== hash,
      )!;
      expect(event.tick).toBe(first[0]);
    }
    // The game goes on.
    expect(host.session.confirmed).toBeGreaterThan(350);
    party.dispose();
  });

  test("on a bad line too", () => {
    const party = play({ sin: otherSine }, { desync: "report" }, 2, "bad wifi");
    party.run(12);
    expect(found(party.guests[0]!)[0]).toMatchObject({ fields: [{ path: "speed" }] });
    party.dispose();
  });

  test("honest peers never report one", () => {
    const party = play({}, {}, 3, "bad wifi");
    party.run(20);
    expect(party.faults()).toEqual([]);
    party.dispose();
  });
});

test("the report has both states and replays, and can be verified", () => {
  const party = play({ sin: otherSine }, { desync: "report" }, 2);
  party.run(8);
  const event = found(party.guests[0]!)[0]!;
  const report = readReport(event.report!());
  expect(report).toMatchObject({
    simulation: { name: "orbit", version: 1 },
    tick: event.tick,
    after: event.tick - 1,
    fields: event.fields,
    a: { build: "even" },
    b: { build: "odd" },
  });
  // Each side's own build reproduces its own replay, and only that.
  for (const [side, other, build] of [
    ["a", "b", {}],
    ["b", "a", { sin: otherSine }],
  ] as const) {
    const game = orbit(build);
    expect(verify(game, readReplay(report[side].replay!))).toMatchObject({ ok: true });
    expect(verify(game, readReplay(report[other].replay!))).toMatchObject({ ok: false, reason: "diverged" });
    const session = localSession(game);
    session.load(report.common!);
    expect(session.tick).toBe(report.after);
    session.advance();
    const copy = localSession(game);
    copy.load(report[side].state!);
    expect(session.hash()).toEqual(copy.hash());
  }
  party.dispose();
});

describe("what happens then", () => {
  test("of three, the odd one is dropped, and the others keep playing", () => {
    const party = play({ sin: otherSine });
    party.run(12);
    const [a, b, odd] = party.guests as [Guest, Guest, Guest];
    for (const honest of [a, b]) {
      const drops = honest.events.filter(({ kind }) => kind === "dropped");
      expect(drops[0]).toMatchObject({ name: "p2", reason: "desync" });
      expect(new Set(drops.map(({ name }) => name))).toEqual(new Set(["p2"]));
      expect(honest.session.confirmed).toBeGreaterThan(550);
    }
    expect(party.differences([a, b])).toEqual([]);
    expect(odd.desyncs.some(({ isOurs }) => isOurs)).toBe(true);
    expect(a.desyncs.every(({ isOurs }) => !isOurs)).toBe(true);
    party.dispose();
  });

  test("or it recovers from the host's state, and hashes are equal again", () => {
    for (const players of [2, 3]) {
      let isBroken = true;
      const party = play(
        {
          hidden: (tick) => {
            if (!isBroken || tick !== 200) return 0;
            isBroken = false;
            return 7;
          },
        },
        { desync: "recover" },
        players,
      );
      party.run(14);
      const odd = party.guests.at(-1)!;
      expect(odd.desyncs.length).toBeGreaterThan(0);
      expect(odd.session.net.state).toBe("playing");
      expect(odd.session.confirmed).toBeGreaterThan(600);
      const late = party.guests.map((guest) => ({
        ...guest,
        states: new Map([...guest.states].filter(([tick]) => tick > 600)),
      }));
      expect(late.every(({ states }) => states.size > 50)).toBe(true);
      expect(party.differences(late)).toEqual([]);
      // None after that.
      expect(
        Math.max(...party.guests.flatMap(({ desyncs }) => desyncs.map(({ tick }) => tick))),
      ).toBeLessThan(500);
      party.dispose();
    }
  });

  test("a peer that differs again and again is reported again and again, but not in every tick", () => {
    const party = play({ gravity: 9.82 }, { desync: "report" }, 2);
    party.run(40);
    const { desyncs } = party.guests[0]!;
    expect(desyncs.length).toBeGreaterThanOrEqual(2);
    expect(desyncs.length).toBeLessThan(12);
    party.dispose();
  });
});

describe("a peer that sends different inputs to different peers", () => {
  /** The third player lies to the second about what it does. */
  const play3 = (options: object = {}) => {
    const party = new Party(brawlFor(3), "good wifi");
    const [a, b, liar] = [0, 1, 2].map((seat) => party.add({ seats: [seat], ...options })) as [
      Guest,
      Guest,
      Guest,
    ];
    party.net.connect(a.peer, b.peer);
    party.net.connect(a.peer, liar.peer);
    connectTampered(
      party,
      liar,
      b,
      lying(liar, (tick, word) => (tick > 200 && tick < 230 ? word ^ 1 : word)),
    );
    party.run(12);
    return { party, a, b, liar };
  };

  test("is detected and named", () => {
    const { party, a, b } = play3();
    for (const honest of [a, b]) {
      const event = honest.desyncs.find(({ seats }) => seats.length > 0);
      expect(event).toMatchObject({ seats: [2] });
      expect(honest.events.find(({ kind }) => kind === "two-faced")).toMatchObject({
        name: "p2",
        seats: [2],
      });
    }
    party.dispose();
  });

  test("the majority goes on, and the one that was lied to comes back with the state of the others", () => {
    // Nobody can tell whether the second or the third lies about the inputs of the third.
    const { party, a, b } = play3();
    expect(a.events.filter(({ kind }) => kind === "dropped")).toMatchObject([
      { name: "p1", reason: "desync" },
    ]);
    party.run(5);
    expect(a.session.confirmed).toBeGreaterThan(900);
    expect(b.session.net.state).toBe("playing");
    const late = party.guests.map((guest) => ({
      ...guest,
      states: new Map([...guest.states].filter(([tick]) => tick > 700)),
    }));
    expect(late.every(({ states }) => states.size > 100)).toBe(true);
    expect(party.differences(late)).toEqual([]);
    party.dispose();
  });

  test("re-encoding alone changes nothing", () => {
    const party = new Party(brawlFor(3), "good wifi");
    const [a, b, c] = [0, 1, 2].map((seat) => party.add({ seats: [seat] })) as [Guest, Guest, Guest];
    party.net.connect(a.peer, b.peer);
    party.net.connect(a.peer, c.peer);
    connectTampered(
      party,
      c,
      b,
      lying(c, (_, word) => word),
    );
    party.run(10);
    expect(party.faults()).toEqual([]);
    expect(b.session.confirmed).toBeGreaterThan(400);
    party.dispose();
  });
});
