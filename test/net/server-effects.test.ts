// Effects of servers that send states: clients and viewers step none of the ticks in which others act, so the server tells them.
import { describe, expect, test } from "vitest";
import type { AnyEffect } from "../../src/sim/effects.js";
import { button, int, simulation } from "../../src/sim/index.js";
import { f64, layout, list, u32 } from "../../src/state/index.js";
import type { NetworkProfile } from "../../src/net/network-profiles.js";
import { simulatedNetwork } from "../../src/net/simulated.js";
import { sampleOf } from "../shared/sample.js";
import { hectic } from "./party.js";

const RULES = {
  version: 1,
  rate: 60,
  players: 4,
  state: layout({ x: list(4, f64.quantize(1 / 16)) }),
  input: { go: button, hit: button, way: int(0, 7) },
  effects: { clap: { by: u32, at: f64 } },
} as const;

/** Four people walk about and clap. */
const game = simulation({
  ...RULES,
  name: "clapping",
  step({ x }, players, { emit }) {
    players.forEach(({ go, way, pressed }, by) => {
      if (go) x[by]! += (way - 3.5) / 10;
      if (pressed.hit) emit("clap", { by, at: x[by]! });
    });
  },
});

/** Emits something in every tick, which clients predict. */
const beeping = simulation({
  ...RULES,
  name: "beeping",
  step({ x }, _, { emit }) {
    x[0]! += 1;
    emit("clap", { by: 0, at: 0.5 });
  },
});

/** Once per second, emits far more than fits into a packet. */
const sparkling = simulation({
  ...RULES,
  name: "sparkling",
  step({ x }, _, { emit, tick }) {
    x[0]! += 1;
    if (tick % 60 === 0) for (let by = 0; by < 600; by++) emit("clap", { by, at: by + 0.1 });
  },
});

const keyOf = ({ name, tick, by }: AnyEffect): string => `${name} ${tick} ${by}`;

/** A listener's books: how often each effect was delivered, less how often it was withdrawn. */
class Books {
  readonly counts = new Map<string, number>();
  delivered = 0;
  withdrawn = 0;
  /** Deliveries of what seat 0 did. */
  ownDelivered = 0;
  /** Effects whose tick was not shown yet when they were delivered. */
  early = 0;

  add(effect: AnyEffect, count: 1 | -1): void {
    if (count > 0 && effect["by"] === 0) this.ownDelivered++;
    if (count > 0) this.delivered++;
    else this.withdrawn++;
    const key = keyOf(effect);
    this.counts.set(key, (this.counts.get(key) ?? 0) + count);
  }

  /** What was heard of the ticks from `first` to before `end`, in a fixed order. */
  between(first: number, end: number): string[] {
    return [...this.counts]
      .filter(([key, count]) => count !== 0 && tickOf(key) >= first && tickOf(key) < end)
      .map(([key, count]) => `${key}: ${count}`)
      .sort();
  }
}

const tickOf = (key: string): number => Number(key.split(" ")[1]);

function play(network: NetworkProfile, options: object = {}, seconds = 20, rules: typeof game = game) {
  const net = simulatedNetwork({ network, seed: `effects ${network}` });
  const server = net.server(rules, { down: "states", ...options });
  const truth = new Books();
  server.session.on("effect", (effect) => truth.add(effect as AnyEffect, 1));
  const listeners = [0, 1, 2].map((seat) => {
    const client = net.client(rules, server, { seats: [seat], inputs: hectic(`effects ${seat}`) as never });
    return { session: client.session, machine: client };
  });
  const viewer = net.viewer(rules, server);
  const all = [...listeners, { session: viewer.session, machine: viewer }].map(({ session, machine }) => {
    const books = new Books();
    session.on("effect", (effect) => {
      books.add(effect as AnyEffect, 1);
      expect(effect.age).toBeGreaterThanOrEqual(0);
      if (session !== viewer.session && effect.tick >= session.tick) books.early++;
    });
    session.on("withdrawn", (effect) => books.add(effect as AnyEffect, -1));
    machine.afterAdvance = () => void (session.seed !== undefined && session.view(1));
    return { session, books };
  });
  net.run(seconds);
  return { net, server, truth, all };
}

describe.each(sampleOf<NetworkProfile>(["good wifi", "4G", "bad wifi", "hell"], 2, "hell"))(
  "on %s",
  (network) => {
    test("every client and viewer gets each effect of every player once", () => {
      const { truth, all } = play(network);
      expect(truth.delivered).toBeGreaterThan(50);
      for (const { session, books } of all) {
        // Not those of the last seconds: they may be on their way, or wait to be shown.
        const end = session.confirmed - 90;
        expect(end).toBeGreaterThan(600);
        expect(books.between(200, end)).toEqual(truth.between(200, end));
        expect(books.early).toBe(0);
      }
    });
  },
);

test("what a player does is delivered once, although states are rounded", () => {
  const { all, truth } = play("good wifi", {}, 20);
  const [{ books }] = all as [(typeof all)[0]];
  const own = truth.between(0, Infinity).filter((text) => text.includes(" 0:")).length;
  expect(own).toBeGreaterThan(15);
  expect(books.ownDelivered).toBeLessThanOrEqual(own + 1);
});

test("nothing is delivered twice to a client that has just joined", () => {
  for (const network of ["4G", "satellite"] as const) {
    const { all } = play(network, {}, 8, beeping);
    for (const { books } of all) expect([...books.counts.values()].filter((count) => count > 1)).toEqual([]);
  }
});

test("more effects than a packet has room for: none that happened is withdrawn, and the newest arrive", () => {
  const { all, truth } = play("LAN", {}, 6, sparkling);
  expect(truth.delivered).toBeGreaterThan(2000);
  for (const { books } of all) {
    expect(books.withdrawn).toBe(0);
    expect(books.delivered).toBeGreaterThan(500);
  }
});

test("predictions that were wrong are withdrawn", () => {
  const { all } = play("hell");
  expect(Math.max(...all.map(({ books }) => books.withdrawn))).toBeGreaterThan(0);
});

test("a rule chooses who hears what", () => {
  const isOwn = (effect: AnyEffect, seats: readonly number[]) => seats.includes(effect["by"] as number);
  const { all, truth } = play("good wifi", { effects: isOwn }, 10);
  const heard = all.map(({ books, session }) => books.between(200, session.confirmed - 90));
  const own = all.map(({ session }, seat) =>
    truth.between(200, session.confirmed - 90).filter((text) => text.includes(` ${seat}:`)),
  );
  expect(heard).toEqual(own);
  expect(heard.map(({ length }) => length > 2)).toEqual([true, true, true, false]);
});

test("without effects from the server, clients hear what they predict, and viewers nothing", () => {
  const { all } = play("good wifi", { effects: false }, 10);
  expect(all.map(({ books }) => books.delivered > 5)).toEqual([true, true, true, false]);
});

test("a server that keeps secrets sends no effects unless a rule says which", () => {
  const silent = play("good wifi", { visible: () => true }, 10);
  expect(silent.all.at(-1)!.books.delivered).toBe(0);
  const spoken = play("good wifi", { visible: () => true, effects: true }, 10);
  for (const { books, session } of spoken.all.slice(0, 3)) {
    const end = session.confirmed - 90;
    expect(books.between(200, end)).toEqual(spoken.truth.between(200, end));
  }
});

test("a rule that is no function, or no synchronous one, is rejected", () => {
  const net = simulatedNetwork({ seed: 1 });
  expect(() => net.server(game, { down: "states", effects: "all" as never })).toThrow(
    /serverSession: effects must be a function, got "all"/,
  );
  expect(() => play("LAN", { effects: async () => false }, 8)).toThrow(
    /serverSession: the result of effects must be true or false/,
  );
});
