// A server and its clients on a simulated network. What clients have confirmed is compared with the server's states, tick by tick.
import type { ClientOptions } from "../../src/net/authority/client-options.js";
import type { ClientEvents, ServerEvent } from "../../src/net/authority/client-net.js";
import type { ClientSession } from "../../src/net/authority/client-session.js";
import type { ClientEvent, ServerEvents } from "../../src/net/authority/server-net.js";
import type { ServerSession } from "../../src/net/authority/server-session.js";
import type { Conditions } from "../../src/net/conditioned.js";
import type { NetworkProfile } from "../../src/net/network-profiles.js";
import {
  simulatedNetwork,
  type SimulatedClientOptions,
  type SimulatedNetwork,
  type SimulatedPeer,
  type SimulatedServerOptions,
} from "../../src/net/simulated.js";
import type { AnySimulation } from "../../src/sim/index.js";
import { hectic } from "./party.js";

type ServerMachine = SimulatedPeer<ServerSession>;

/** A client, and what it has told. */
export interface Visitor {
  readonly machine: SimulatedPeer<ClientSession>;
  readonly session: ClientSession;
  readonly name: string;
  readonly events: ServerEvent[];
  readonly rejections: ClientEvents["rejected"][];
  readonly desyncs: ClientEvents["desync"][];
  /** The ticks of whole states that were loaded. */
  readonly loads: number[];
  /** States that were confirmed, and those among them that are not the server's. */
  confirmed: number;
  readonly differences: string[];
  /** Virtual milliseconds of the longest standstill since `watch`. */
  standstill: number;
  watch(): void;
}

/** A server, and what it has told. */
export interface Host {
  readonly machine: ServerMachine;
  readonly session: ServerSession;
  readonly events: ClientEvent[];
  readonly rejections: ServerEvents["rejected"][];
  /** The hash of each state, by tick. */
  readonly states: Map<number, string>;
}

export class ServerParty {
  readonly net: SimulatedNetwork;
  host: Host;
  readonly visitors: Visitor[] = [];
  readonly #game: AnySimulation;
  readonly #seed: string;

  constructor(
    game: AnySimulation,
    network: NetworkProfile | Conditions = "good wifi",
    options: Partial<SimulatedServerOptions<never>> = {},
    seed = "server party",
  ) {
    this.net = simulatedNetwork({ network, seed });
    this.#game = game;
    this.#seed = seed;
    this.host = this.serve(options);
  }

  /** Starts another server. */
  serve(options: Partial<SimulatedServerOptions<never>> = {}): Host {
    const machine = this.net.server(this.#game as never, options as never) as unknown as ServerMachine;
    const { session } = machine;
    const host: Host = { machine, session, events: [], rejections: [], states: new Map() };
    host.states.set(session.tick, session.hash().join());
    session.on("confirmed", ({ tick, hash }) => void host.states.set(tick + 1, hash().join()));
    session.net.on("client", (event) => void host.events.push(event));
    session.net.on("rejected", (event) => void host.rejections.push(event));
    return (this.host = host);
  }

  /** Adds a client of the newest server. */
  add(options: Partial<SimulatedClientOptions<never>> = {}, game: AnySimulation = this.#game): Visitor {
    const name = options.name ?? `p${this.visitors.length}`;
    const own = { inputs: hectic(`${this.#seed} ${name}`), ...options, name } as ClientOptions<never>;
    const machine = this.net.client(
      game as never,
      this.host.machine,
      own as never,
    ) as unknown as Visitor["machine"];
    const { session } = machine;
    const { time } = this.net;
    let [progressAt, tick] = [0, 0];
    const visitor: Visitor = {
      machine,
      session,
      name,
      events: [],
      rejections: [],
      desyncs: [],
      loads: [],
      confirmed: 0,
      differences: [],
      standstill: 0,
      watch() {
        visitor.standstill = 0;
        progressAt = time.now();
      },
    };
    session.on("load", (event) => void visitor.loads.push(event.tick));
    session.on("confirmed", (confirmed) => {
      const state = confirmed.tick + 1;
      visitor.confirmed++;
      if (this.host.states.get(state) !== confirmed.hash().join())
        visitor.differences.push(`${name} has another state at tick ${state}`);
    });
    session.net.on("server", (event) => void visitor.events.push(event));
    session.net.on("rejected", (event) => void visitor.rejections.push(event));
    session.net.on("desync", (event) => void visitor.desyncs.push(event));
    machine.afterAdvance = () => {
      if (session.tick !== tick) progressAt = time.now();
      tick = session.tick;
      visitor.standstill = Math.max(visitor.standstill, time.now() - progressAt);
    };
    this.visitors.push(visitor);
    return visitor;
  }

  /** Adds clients for seats, from the first one that the server does not play. */
  seat(count: number, options: Partial<SimulatedClientOptions<never>> = {}): Visitor[] {
    const first = this.host.session.seats.length;
    return Array.from({ length: count }, (_, i) => this.add({ seats: [first + i], ...options }));
  }

  /** Connects a client with the newest server over a new link. */
  reconnect({ machine }: Visitor): void {
    this.net.connect(machine, this.host.machine);
  }

  run(seconds: number): void {
    this.net.run(seconds);
  }

  /** Different states, desyncs, and whoever was taken for hostile: all that must not happen among honest programs. */
  faults(): string[] {
    return [
      ...this.visitors.flatMap(({ name, differences, desyncs }) => [
        ...differences.slice(0, 3),
        ...desyncs.map(({ tick }) => `${name} reports a desync at ${tick}`),
      ]),
      ...this.host.events
        .filter(({ kind }) => kind === "hostile")
        .map(({ name, reason }) => `the server takes ${name} for hostile: ${reason}`),
    ];
  }

  dispose(): void {
    this.net.dispose();
  }
}
