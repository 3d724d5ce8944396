import { simulatedNetwork } from "../../../src/net/simulated.js";
import type { PlaySeat } from "../arena/inputs.js";
import { conditionsOf } from "../conditions.js";
import { Client } from "./client.js";
import { RecentRate, RecentValues } from "./recent.js";
import { Screen, type ArenaView } from "./screen.js";
import { startServer } from "./server-machine.js";
import type { ServerSettings } from "./settings.js";
import { CLIENTS } from "./stray-copy.js";
import { Viewer } from "./viewer.js";

/** How many values of a chart are kept. */
const CHART = 240;

/** What is sent over a line. */
export interface Traffic {
  readonly packets: RecentRate;
  readonly bytes: RecentRate;
}

/** A server, two clients and a viewer on a simulated network, on virtual time. */
export class ServerGame {
  readonly server;
  readonly clients: readonly Client[];
  readonly viewer: Viewer;
  /** Inputs that wait at the server, in ticks, by client. */
  readonly depths: readonly RecentValues[];
  /** What the server sends: to each client, and to the viewer. */
  readonly traffic: readonly Traffic[];
  /** The state of the server, as of the last picture. */
  truth: ArenaView;
  readonly #network = simulatedNetwork({ seed: 1 });
  readonly #settings: ServerSettings;
  readonly #screen;

  constructor(settings: ServerSettings, play: PlaySeat) {
    const network = this.#network;
    this.#settings = settings;
    this.server = startServer(network, settings);
    this.clients = Array.from(
      { length: CLIENTS },
      (_, seat) => new Client(network, this.server, seat, settings, play),
    );
    this.viewer = new Viewer(network, this.server, "Viewer", conditionsOf(settings));
    this.depths = this.clients.map(() => new RecentValues(CHART));
    this.traffic = this.#receivers.map(() => ({ packets: new RecentRate(), bytes: new RecentRate() }));
    this.#screen = new Screen(network, this.server, () => this.#afterAdvance());
    this.truth = this.server.session.world;
  }

  /** Seconds since the start. */
  get time(): number {
    return this.#network.time.now() / 1000;
  }

  /** Lets virtual time pass, and draws the next pictures. */
  advance(seconds: number): void {
    this.#network.run(seconds);
    this.truth = this.#screen.view();
    for (const client of this.clients) client.look(seconds);
    this.viewer.look(seconds);
    this.#receivers.forEach(({ name, machine }, i) => {
      const [line] = this.#network.links(this.server, machine);
      this.traffic[i]!.packets.add(this.time, line.fates.sent);
      this.traffic[i]!.bytes.add(this.time, this.infoOf(name)?.bytesSent ?? 0);
    });
  }

  /** The server's figures of a client or a viewer. */
  infoOf(name: string) {
    return this.server.session.net.clients.find((client) => client.name === name);
  }

  get #receivers(): readonly (Client | Viewer)[] {
    return [...this.clients, this.viewer];
  }

  /** Applies changed settings of the network to all links. */
  applyConditions(): void {
    for (const machine of [...this.clients.flatMap(({ machines }) => machines), this.viewer.machine])
      for (const link of this.#network.links(this.server, machine))
        link.configure(conditionsOf(this.#settings));
  }

  applySwitches(): void {
    for (const client of this.clients) client.applySwitches();
  }

  dispose(): void {
    this.#network.dispose();
  }

  #afterAdvance(): void {
    const { tick, world } = this.server.session;
    this.clients.forEach((client, i) => {
      client.guesses.judge(tick, world);
      this.depths[i]!.add(Math.max(0, this.infoOf(client.name)?.advantage ?? 0));
    });
  }
}
