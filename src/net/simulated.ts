import { badValue, requireOptions } from "../errors/index.js";
import type { InputFields } from "../input/index.js";
import type { CommandFields } from "../sim/commands.js";
import type { EffectFields, ExternalStates, Session, Simulation } from "../sim/index.js";
import type { Fields } from "../state/index.js";
import { conditioned, type ConditionedLink, type Conditions } from "./conditioned.js";
import { loopbackPair } from "./loopback.js";
import { NETWORK_PROFILES, type NetworkProfile } from "./network-profiles.js";
import type { PeerOptions } from "./peer-options.js";
import { clientSession, type ClientSession } from "./authority/client-session.js";
import type { ClientOptions } from "./authority/client-options.js";
import { serverSession, type ServerSession } from "./authority/server-session.js";
import type { ServerOptions } from "./authority/server-options.js";
import type { ViewerOptions } from "./authority/viewer-options.js";
import { viewerSession, type ViewerSession } from "./authority/viewer-session.js";
import type { Link } from "./link.js";
import { peerSession, type PeerSession } from "./peer-session.js";
import { virtualScheduler, type VirtualScheduler } from "./virtual-time.js";

/** Options of `simulatedNetwork`. */
export interface SimulatedNetworkOptions {
  /** What all links are like: a profile, or conditions of your own. Default `"LAN"`. */
  readonly network?: NetworkProfile | Conditions | undefined;
  /** The fate of every packet is drawn from it. Default 1. */
  readonly seed?: number | string | undefined;
}

/** Options of a peer in a simulated network: those of `peerSession`, except for links and clock, and what its machine is like. It prints no warnings, unless you set `warn`. */
export interface SimulatedPeerOptions<I extends InputFields> extends Omit<PeerOptions<I>, "links" | "now"> {
  /** How much faster its clock runs, as a share: -0.01 is one per cent slow. Default: drawn from the profile's `skew`. */
  readonly skew?: number | undefined;
}

/** Options of a server in a simulated network: those of `serverSession`, except for links and clock, and what its machine is like. */
export interface SimulatedServerOptions<
  I extends InputFields,
  S extends Fields = Fields,
  E extends EffectFields = EffectFields,
> extends Omit<ServerOptions<I, S, E>, "links" | "now" | "wall"> {
  /** How much faster its clock runs, as a share. Default 0. */
  readonly skew?: number | undefined;
}

/** Options of a client in a simulated network: those of `clientSession`, except for the clock, and what its machine and its line are like. */
export interface SimulatedClientOptions<I extends InputFields> extends Omit<ClientOptions<I>, "now"> {
  /** How much faster its clock runs, as a share. Default: drawn from the profile's `skew`. */
  readonly skew?: number | undefined;
  /** What its link to the server is like. Default: that of the network. */
  readonly conditions?: Conditions | undefined;
}

/** Options of a viewer in a simulated network: those of `viewerSession`, except for the clock, and what its machine and its line are like. */
export interface SimulatedViewerOptions
  extends Omit<ViewerOptions, "now">, Pick<SimulatedClientOptions<InputFields>, "skew" | "conditions"> {}

/** Any session that a simulated machine can run. */
type NetworkSession = Session<unknown> & { connect?(link: Link): void };

/** A machine in a simulated network: a session, and a loop that steps it in virtual time. */
export class SimulatedPeer<T extends NetworkSession = PeerSession> {
  readonly session: T;
  readonly #time: VirtualScheduler;
  readonly #skew: number;
  readonly #tickMs: number;
  #cancel: () => void = () => {};
  #isRunning = false;
  #isGone = false;
  /** Called after each step, with what `advance` returned. */
  afterAdvance: ((result: ReturnType<T["advance"]>) => void) | undefined;

  /** @internal Use `SimulatedNetwork.peer`. */
  constructor(time: VirtualScheduler, skew: number, create: (now: () => number) => T) {
    this.#time = time;
    this.#skew = skew;
    this.session = create(() => this.now);
    const { rate } = this.session.simulation;
    this.#tickMs = (1000 * rate[1]) / rate[0];
    this.start();
  }

  /** The time on its own clock, in milliseconds. */
  get now(): number {
    return this.#time.now() * (1 + this.#skew);
  }

  /** Whether it was killed. */
  get isGone(): boolean {
    return this.#isGone;
  }

  /** Runs the loop. A new peer's loop runs already. */
  start(): void {
    if (this.#isRunning || this.#isGone) return;
    this.#isRunning = true;
    this.#schedule(0);
  }

  /** Stops the loop, as a hidden tab or a debugger does. Links stay open. */
  freeze(): void {
    this.#isRunning = false;
    this.#cancel();
  }

  /** Ends the program without a word to anyone. */
  kill(): void {
    this.freeze();
    this.#isGone = true;
  }

  #schedule(delay: number): void {
    this.#cancel = this.#time.after(delay, () => {
      if (!this.#isRunning) return;
      const result = this.session.advance();
      this.afterAdvance?.(result as never);
      // As a loop does: one step per tick of the own clock, faster or slower as the session asks for.
      if (this.#isRunning) this.#schedule(this.#tickMs / this.session.pace / (1 + this.#skew));
    });
  }
}

type AnyPeer = SimulatedPeer<NetworkSession>;

/** A network in one process, on virtual time: an hour takes seconds, and each run with the same seed is the same. */
export class SimulatedNetwork {
  readonly time: VirtualScheduler = virtualScheduler();
  readonly peers: SimulatedPeer[] = [];
  /** Servers and clients. */
  readonly machines: SimulatedPeer<NetworkSession>[] = [];
  readonly #conditions: Readonly<Conditions>;
  readonly #seed: number | string;
  readonly #links = new Map<AnyPeer, Map<AnyPeer, readonly [ConditionedLink, ConditionedLink]>>();
  #count = 0;

  /** @internal Use `simulatedNetwork`. */
  constructor({ network = "LAN", seed = 1 }: SimulatedNetworkOptions) {
    const conditions = typeof network === "string" ? NETWORK_PROFILES[network] : network;
    if (typeof conditions !== "object" || conditions === null)
      badValue(
        "simulatedNetwork: network",
        `conditions, or one of ${Object.keys(NETWORK_PROFILES)
          .map((name) => JSON.stringify(name))
          .join(", ")}`,
        network,
        '"bad wifi"',
      );
    this.#conditions = conditions;
    this.#seed = seed;
  }

  /** Adds a peer, and starts its loop. Connect it to others with `connect`. */
  peer<
    S extends Fields,
    I extends InputFields,
    E extends EffectFields,
    X extends ExternalStates,
    P extends number,
    C extends CommandFields,
  >(
    game: Simulation<S, I, E, X, P, C>,
    options: SimulatedPeerOptions<I>,
  ): SimulatedPeer<PeerSession<S, I, E, X, P, C>> {
    const number = this.peers.length;
    const { skew = this.#skewOf(number), warn = false, ...rest } = options;
    const token = options.token ?? `${this.#seed}/peer ${number}`;
    const create = (now: () => number) => peerSession(game, { ...rest, warn, token, now });
    const peer = new SimulatedPeer(this.time, skew, create);
    this.peers.push(peer as never);
    return peer;
  }

  /** Adds a server, and starts its loop. */
  server<
    S extends Fields,
    I extends InputFields,
    E extends EffectFields,
    X extends ExternalStates,
    P extends number,
    C extends CommandFields,
  >(
    game: Simulation<S, I, E, X, P, C>,
    options: SimulatedServerOptions<I, S, E> = {},
  ): SimulatedPeer<ServerSession<S, I, E, X, P, C>> {
    const { skew = 0, ...rest } = options;
    const wall = () => this.time.now();
    const machine = new SimulatedPeer(this.time, skew, (now) => serverSession(game, { ...rest, now, wall }));
    this.machines.push(machine as AnyPeer);
    return machine;
  }

  /** Adds a client of a server, and starts its loop. */
  client<
    S extends Fields,
    I extends InputFields,
    E extends EffectFields,
    X extends ExternalStates,
    P extends number,
    C extends CommandFields,
  >(
    game: Simulation<S, I, E, X, P, C>,
    server: { readonly session: { connect(link: Link): void } },
    options: SimulatedClientOptions<I> = {},
  ): SimulatedPeer<ClientSession<S, I, E, X, P, C>> {
    const { skew, conditions, ...rest } = options;
    const token = options.token ?? `${this.#seed}/client ${this.machines.length}`;
    return this.#guest(server, skew, conditions, (link, now) =>
      clientSession(game, link, { ...rest, token, now }),
    );
  }

  /** Adds a viewer of a server, and starts its loop. */
  viewer<
    S extends Fields,
    I extends InputFields,
    E extends EffectFields,
    X extends ExternalStates,
    P extends number,
    C extends CommandFields,
  >(
    game: Simulation<S, I, E, X, P, C>,
    server: { readonly session: { connect(link: Link): void } },
    options: SimulatedViewerOptions = {},
  ): SimulatedPeer<ViewerSession<S, I, E, X, P, C>> {
    const { skew, conditions, ...rest } = options;
    const token = options.token ?? `${this.#seed}/viewer ${this.machines.length}`;
    return this.#guest(server, skew, conditions, (link, now) =>
      viewerSession(game, link, { ...rest, token, now }),
    );
  }

  #guest<T extends NetworkSession>(
    server: { readonly session: { connect(link: Link): void } },
    skew = this.#skewOf(this.machines.length),
    conditions: Conditions | undefined,
    create: (link: Link, now: () => number) => T,
  ): SimulatedPeer<T> {
    const pair = this.#pair(conditions);
    server.session.connect(pair[1]);
    const machine = new SimulatedPeer<T>(this.time, skew, (now) => create(pair[0], now));
    this.machines.push(machine as AnyPeer);
    this.#remember(machine as AnyPeer, server as AnyPeer, pair);
    this.#remember(server as AnyPeer, machine as AnyPeer, [pair[1], pair[0]]);
    return machine;
  }

  /** Every other peer has a fast clock, the others a slow one. */
  #skewOf(number: number): number {
    const { skew = 0 } = this.#conditions;
    return (number % 2 === 0 ? skew : -skew) / 2;
  }

  /** Connects two peers by a link in each direction. Returns both, to change their conditions. */
  connect(
    a: SimulatedPeer<NetworkSession>,
    b: SimulatedPeer<NetworkSession>,
    conditions?: Conditions,
  ): readonly [ConditionedLink, ConditionedLink] {
    const pair = this.#pair(conditions);
    this.#remember(a, b, pair);
    this.#remember(b, a, [pair[1], pair[0]]);
    a.session.connect?.(pair[0]);
    b.session.connect?.(pair[1]);
    return pair;
  }

  #pair(conditions: Conditions = this.#conditions): readonly [ConditionedLink, ConditionedLink] {
    const number = this.#count++;
    const [near, far] = loopbackPair();
    const options = { ...conditions, scheduler: this.time };
    return [
      conditioned(near, { ...options, seed: `${this.#seed}/link ${number} there` }),
      conditioned(far, { ...options, seed: `${this.#seed}/link ${number} back` }),
    ];
  }

  #remember(a: AnyPeer, b: AnyPeer, pair: readonly [ConditionedLink, ConditionedLink]): void {
    const links = this.#links.get(a) ?? new Map();
    this.#links.set(a, links.set(b, pair));
  }

  /** Returns the links between two peers, that of `a` first. */
  links(
    a: SimulatedPeer<NetworkSession>,
    b: SimulatedPeer<NetworkSession>,
  ): readonly [ConditionedLink, ConditionedLink] {
    return (
      this.#links.get(a)?.get(b) ??
      badValue("SimulatedNetwork.links", "two connected peers", "others", "connect(a, b) first")
    );
  }

  /** Connects each peer with each. */
  mesh(peers: readonly SimulatedPeer[] = this.peers): void {
    peers.forEach((a, i) => peers.slice(i + 1).forEach((b) => this.connect(a, b)));
  }

  /** Drops all messages between two peers. Their links stay open. */
  cut(a: SimulatedPeer<NetworkSession>, b: SimulatedPeer<NetworkSession>): void {
    for (const link of this.links(a, b)) link.configure({ loss: 1 });
  }

  /** Repairs a line that was cut. */
  restore(a: SimulatedPeer<NetworkSession>, b: SimulatedPeer<NetworkSession>): void {
    for (const link of this.links(a, b)) link.configure({ loss: this.#conditions.loss ?? 0 });
  }

  /** Lets virtual seconds pass. */
  run(seconds: number): void {
    this.time.advance(seconds * 1000);
  }

  /** Disposes all sessions. */
  dispose(): void {
    for (const peer of [...this.peers, ...this.machines]) {
      peer.kill();
      peer.session.dispose();
    }
  }
}

/** Creates a network in one process, on virtual time, to test a game in: any number of peers, every packet's fate drawn from a seed. */
export function simulatedNetwork(options: SimulatedNetworkOptions = {}): SimulatedNetwork {
  requireOptions("simulatedNetwork", options, ["network", "seed"], '{ network: "bad wifi", seed: 7 }');
  return new SimulatedNetwork(options);
}
