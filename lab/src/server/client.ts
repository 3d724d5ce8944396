import { arena } from "../../../scenes/arena.js";
import type { SimulatedNetwork } from "../../../src/net/simulated.js";
import type { Advance } from "../../../src/sim/index.js";
import { playLikeAPerson, type ArenaInputs, type PlaySeat } from "../arena/inputs.js";
import { conditionsOf } from "../conditions.js";
import { Guesses } from "./guesses.js";
import { JumpMeter } from "./jump-meter.js";
import { RecentRate } from "./recent.js";
import { Screen, type ArenaView } from "./screen.js";
import type { ServerMachine } from "./server-machine.js";
import type { ServerSettings } from "./settings.js";
import { StrayCopy } from "./stray-copy.js";
import { Viewer } from "./viewer.js";

/** The client of one player. What it shows depends on what is switched on. */
export class Client {
  readonly seat: number;
  readonly name: string;
  readonly machine;
  readonly meter = new JumpMeter();
  readonly guesses = new Guesses();
  readonly rollbacks = new RecentRate();
  /** Ticks for which it could not step, in a row, as nothing arrives. */
  stalledFor = 0;
  /** Of the last picture. */
  shown: ArenaView;
  readonly #network: SimulatedNetwork;
  readonly #server: ServerMachine;
  readonly #settings: ServerSettings;
  readonly #screen;
  /** Without prediction, the client shows what has arrived, as a viewer does. */
  #viewer: Viewer | undefined;
  /** Without reconciliation, it ignores what arrives. */
  #stray: StrayCopy | undefined;
  /** The own inputs of the last tick. */
  readonly #own: ArenaInputs = { x: 0, y: 0, dash: false };

  constructor(
    network: SimulatedNetwork,
    server: ServerMachine,
    seat: number,
    settings: ServerSettings,
    play: PlaySeat,
  ) {
    this.#network = network;
    this.#server = server;
    this.#settings = settings;
    this.seat = seat;
    this.name = `Client ${seat + 1}`;
    this.machine = network.client(arena, server, {
      seats: [seat],
      name: this.name,
      conditions: conditionsOf(settings),
      smoothing: settings.smoothing === "on" ? {} : false,
      inputs: ([player], { tick }) => {
        // A bot judges by what it sees, as a person does.
        if (!play(seat, player!)) playLikeAPerson(player!, seat, tick, this.predicted ?? this.shown);
        const { x, y, dash } = player!;
        Object.assign(this.#own, { x, y, dash });
      },
    });
    const { session } = this.machine;
    session.on("load", () => (this.#stray = undefined));
    this.#screen = new Screen(network, this.machine, (result) => this.#afterAdvance(result));
    this.shown = session.world;
    this.applySwitches();
  }

  get session() {
    return this.machine.session;
  }

  /** The newest state that the client has computed; undefined without prediction. */
  get predicted(): ArenaView | undefined {
    return this.#viewer ? undefined : (this.#stray?.session ?? this.session).world;
  }

  /** Whether there is nothing to show yet. */
  get isConnecting(): boolean {
    return this.session.net.state === "connecting" || this.#viewer?.isConnecting === true;
  }

  /** Whether it ignores what the server corrects. */
  get isStray(): boolean {
    return this.#stray !== undefined;
  }

  /** Ticks between sampling an input and the state on screen. */
  get shownDelay(): number {
    return this.#viewer ? this.session.tick - this.#viewer.machine.session.net.shownTick : 0;
  }

  /** Starts or ends what prediction and reconciliation replace. */
  applySwitches(): void {
    const { prediction, reconciliation } = this.#settings;
    if (prediction === "off")
      this.#viewer ??= new Viewer(
        this.#network,
        this.#server,
        `${this.name}'s eyes`,
        conditionsOf(this.#settings),
      );
    else {
      this.#viewer?.leave();
      this.#viewer = undefined;
    }
    if (reconciliation === "on" || prediction === "off") this.#stray = undefined;
    this.meter.clear();
  }

  /** The machines of this client. Each has a line to the server. */
  get machines() {
    return this.#viewer ? [this.machine, this.#viewer.machine] : [this.machine];
  }

  /** Draws the next picture. `seconds` is the time since the last one. */
  look(seconds: number): void {
    this.#viewer?.look(seconds);
    this.shown = this.#viewer
      ? this.#viewer.shown
      : this.#stray
        ? this.#stray.session.view(this.#screen.alpha)
        : this.#screen.view();
    if (this.isConnecting) return;
    this.meter.add(this.shown, seconds);
    this.rollbacks.add(this.#network.time.now() / 1000, this.session.net.rollbacks);
  }

  #afterAdvance(result: Advance): void {
    const { session } = this;
    this.stalledFor = result === "stalled" ? this.stalledFor + 1 : 0;
    if (session.net.state !== "playing") return;
    const isStray = this.#settings.reconciliation === "off" && !this.#viewer;
    if (isStray && !this.#stray)
      this.#stray = new StrayCopy(
        session.bytes(),
        this.seat,
        () => session.world,
        (player) => Object.assign(player, this.#own),
      );
    this.#stray?.advanceTo(session.tick);
    if (this.predicted) this.guesses.guess(session.tick, this.predicted);
  }
}
