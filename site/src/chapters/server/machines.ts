import { simulatedNetwork } from "tickwise/testing";
import { alphaAfter } from "../../../../lab/src/arena/alpha.js";
import { discs, playDisc, SEATS } from "../../duel/game.js";

/** States per second that the server sends. */
const STATE_RATE = 20;
/** Seconds until all have connected and keep in step. */
const WARM_UP = 5;

/** Where the players are: x and y of each. */
export type Places = Float64Array;

/** A server, the clients of two players, and what the first of them shows. */
export class Machines {
  readonly network;
  readonly server;
  readonly client;
  /** Shows what has arrived, and nothing else: the screen of a client without prediction. */
  readonly viewer;
  /** The server's states, by tick. */
  readonly states = new Map<number, Places>();
  /** Steps of the client, and corrections, since `takeCounts`. */
  #steps = 0;
  #corrections = 0;
  #steppedAt = 0;
  #viewerSteppedAt = 0;

  constructor(lag: number, predicts: boolean) {
    const network = (this.network = simulatedNetwork({ network: { latency: lag }, seed: 1 }));
    const server = (this.server = network.server(discs, { down: "states", stateRate: STATE_RATE, skew: 0 }));
    const [client] = Array.from({ length: SEATS }, (_, seat) =>
      network.client(discs, server, {
        seats: [seat],
        skew: 0,
        inputs: ([player], { tick }) => playDisc(player, seat, tick),
      }),
    );
    this.client = client!;
    this.viewer = predicts ? undefined : network.viewer(discs, server, { skew: 0 });
    server.afterAdvance = () => {
      const { tick, world } = server.session;
      this.states.set(tick, placesOf(world.bodies));
      this.states.delete(tick - 300);
    };
    this.client.afterAdvance = (result) => {
      if (result === "stalled") return;
      this.#steps++;
      this.#steppedAt = network.time.now();
    };
    this.client.session.net.on("rollback", () => this.#corrections++);
    if (this.viewer) this.viewer.afterAdvance = () => (this.#viewerSteppedAt = network.time.now());
    network.run(WARM_UP);
    this.takeCounts();
  }

  /** The links between the server and the first client: to the client, and from it. */
  get links() {
    return this.network.links(this.server, this.client);
  }

  /** Changes how long a packet is under way, in milliseconds. */
  changeLag(latency: number): void {
    for (const machine of this.network.machines)
      if (machine !== this.server)
        for (const link of this.network.links(this.server, machine)) link.configure({ latency });
  }

  /** What the screen of the first player shows, and the moment that the client simulates, in ticks. */
  look(): { readonly places: Places; readonly at: number; readonly shownAt: number } {
    const { session } = this.client;
    const alpha = alphaAfter(session, this.network.time.now() - this.#steppedAt);
    const at = session.tick - 1 + alpha;
    if (!this.viewer) return { places: placesOf(session.view(alpha).bodies), at, shownAt: at };
    const viewer = this.viewer.session;
    const late = alphaAfter(viewer, this.network.time.now() - this.#viewerSteppedAt);
    const places = placesOf(viewer.view(late).bodies);
    return { places, at, shownAt: viewer.net.shownTick };
  }

  /** Returns what happened since the last call. */
  takeCounts(): { readonly steps: number; readonly corrections: number } {
    const counts = { steps: this.#steps, corrections: this.#corrections };
    this.#steps = this.#corrections = 0;
    return counts;
  }
}

const placesOf = ({ x, y }: { readonly x: ArrayLike<number>; readonly y: ArrayLike<number> }): Places =>
  Float64Array.of(x[0]!, y[0]!, x[1]!, y[1]!);
