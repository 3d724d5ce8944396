// A player of a network game, in a page or in Node: plays with scripted inputs over bad links, and remembers what it confirmed.
import type { Driver } from "../../src/loop/index.js";
import { random } from "../../src/math/index.js";
import { clientSession } from "../../src/net/authority/client-session.js";
import { conditioned } from "../../src/net/conditioned.js";
import type { Link } from "../../src/net/link.js";
import { peerSession } from "../../src/net/peer-session.js";
import { drive } from "../../src/sim/index.js";
import { brawlFor } from "../net/brawl.js";

export { brawlFor };

export interface NetPlayerOptions {
  /** As in `peerSession`: a list, or how many. */
  readonly seats: readonly number[] | number;
  readonly relay?: boolean;
  readonly link?: Link;
  /** Also the player's name. */
  readonly token: string;
  readonly alone?: "continue" | "wait";
  readonly timeout?: number;
  readonly driver?: Driver;
}

/** What a test reads of a player. */
export interface NetReport {
  /** The hash after each confirmed tick. */
  readonly hashes: readonly (readonly [tick: number, hash: string])[];
  readonly hits: number;
  /** What happened: `"peer joined"`, `"game playing"`, `"load"` and the like. */
  readonly events: readonly string[];
  readonly desyncs: readonly string[];
}

/** What is sent is lost every tenth time, and late. */
const BAD = { latency: 50, jitter: 8, loss: 0.1 };

export class NetPlayer {
  readonly session;
  readonly drive;
  readonly events: string[] = [];
  readonly #hashes = new Map<number, string>();
  readonly #desyncs: string[] = [];
  readonly #token: string;
  #links = 0;

  constructor({ seats, relay, link, token, alone, timeout, driver }: NetPlayerOptions) {
    const script = random(new Uint32Array(4)).seed(token);
    this.#token = token;
    const session = peerSession(brawlFor(2), {
      seats,
      relay,
      name: token,
      token,
      timeout,
      alone,
      inputs([me]) {
        if (!me) return;
        if (script.chance(0.1)) me.go = !me.go;
        if (script.chance(0.1)) me.hit = !me.hit;
        if (script.chance(0.1)) me.way = script.int(0, 7);
      },
    });
    this.session = session;
    session.on("confirmed", (confirmed) => this.#hashes.set(confirmed.tick, confirmed.hash().join()));
    session.on("load", ({ tick }) => this.events.push(`load ${tick}`));
    session.net.on("desync", ({ stage, tick, fields }) =>
      this.#desyncs.push(`${stage} at tick ${tick}: ${JSON.stringify(fields)}`),
    );
    session.net.on("peer", ({ kind, name, reason }) => this.events.push(`${kind} ${name} ${reason}`.trim()));
    session.net.on("rejected", ({ text }) => this.events.push(`rejected: ${text}`));
    session.net.on("game", ({ state }) => this.events.push(state));
    if (link) this.connect(link);
    this.drive = drive(session, driver ? { driver } : {});
  }

  /** Ticks that are certain. */
  get confirmed(): number {
    return this.session.confirmed;
  }

  get state(): string {
    return this.session.net.state;
  }

  /** Plays over one more link. */
  connect(link: Link): void {
    this.session.connect(conditioned(link, { ...BAD, seed: `${this.#token}, link ${this.#links++}` }));
  }

  report(): NetReport {
    const { session, events } = this;
    return {
      hashes: [...this.#hashes],
      hits: session.world.hits,
      events,
      desyncs: this.#desyncs,
    };
  }

  /** All figures of the session, to print when a test hangs. */
  get figures(): string {
    const { session, events } = this;
    const { tick, confirmed, seats, pace } = session;
    const { state, window, delay, stalledTicks, rollbacks, epoch, known, peers } = session.net;
    const net = { state, window, delay, stalledTicks, rollbacks, epoch, known, peers };
    return JSON.stringify({ tick, confirmed, seats, pace, net, events });
  }
}

/** Starts to play. */
export const join = (options: NetPlayerOptions): NetPlayer => new NetPlayer(options);

/** Plays in a server's game, over a link that loses every tenth packet. */
export function joinServer(link: Link, token: string) {
  const script = random(new Uint32Array(4)).seed(token);
  const hashes = new Map<number, string>();
  const session = clientSession(brawlFor(2), conditioned(link, { ...BAD, seed: token }), {
    name: token,
    token,
    timeout: 60,
    inputs([me]) {
      if (script.chance(0.1)) me.go = !me.go;
      if (script.chance(0.1)) me.hit = !me.hit;
      if (script.chance(0.1)) me.way = script.int(0, 7);
    },
  });
  session.on("confirmed", (confirmed) => hashes.set(confirmed.tick, confirmed.hash().join()));
  return {
    session,
    drive: drive(session, {}),
    get confirmed() {
      return session.confirmed;
    },
    get hashes() {
      return [...hashes];
    },
    get figures() {
      const { state, roundTrip, margin, lateInputs, rollbacks, known } = session.net;
      return JSON.stringify({ tick: session.tick, state, roundTrip, margin, lateInputs, rollbacks, known });
    },
  };
}
