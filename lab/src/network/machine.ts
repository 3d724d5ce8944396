import { SEATS } from "../../../scenes/arena.js";
import type { SimulatedNetwork } from "../../../src/net/simulated.js";
import { alphaAfter } from "../arena/alpha.js";
import { playLikeAPerson, type ArenaInputs, type PlaySeat } from "../arena/inputs.js";
import { ShownEffects } from "../arena/shown-effects.js";
import { arenaWith, type ArenaGame, type Fault } from "./fault.js";
import type { NetworkSettings } from "./settings.js";
import { RecentTotals, TickRecord } from "./tick-record.js";

/** Seconds without news after which a player is dropped: long enough to see the game wait, short enough not to bore. */
const TIMEOUT = 1;
const ADVANTAGES = 240;

/** The figures of a machine over the last seconds. */
export interface MachineFigures {
  /** In milliseconds; undefined if no peer is connected. */
  readonly roundTrip: number | undefined;
  /** The share of packets that are lost, 0 to 1. */
  readonly loss: number | undefined;
  readonly rollbacks: number;
  readonly resimulatedPerTick: number;
  readonly bytesPerPacket: number;
  /** The share of loop turns without a step, 0 to 1. */
  readonly stalled: number;
  readonly pace: number;
  readonly delay: number;
  readonly window: number;
}

/** The machine of one player: its session, and a record of what happened there. */
export class Machine {
  readonly seat: number;
  readonly name: string;
  readonly record = new TickRecord();
  readonly totals = new RecentTotals();
  /** The latest values of the advantage, newest last. */
  readonly advantages: number[] = [];
  /** What is wrong with this machine's copy of the game. */
  readonly fault: Fault = { isPlanted: false };
  readonly effects = new ShownEffects();
  /** Effects that were withdrawn so far. */
  withdrawn = 0;
  isFrozen = false;
  /** Loop turns without a step, in a row. */
  stalledFor = 0;
  readonly #network: SimulatedNetwork;
  readonly #settings: NetworkSettings;
  readonly #play: PlaySeat;
  readonly #game: ArenaGame;
  #peer: ReturnType<typeof startPeer>;
  #steppedAt = 0;

  constructor(network: SimulatedNetwork, seat: number, settings: NetworkSettings, play: PlaySeat) {
    this.#network = network;
    this.#settings = settings;
    this.#play = play;
    this.#game = arenaWith(this.fault);
    this.seat = seat;
    this.name = `Player ${seat + 1}`;
    this.#peer = this.#start();
  }

  get peer() {
    return this.#peer;
  }
  get session() {
    return this.#peer.session;
  }
  get isGone(): boolean {
    return this.#peer.isGone;
  }

  /** Restarts the program after it was killed. */
  restart(): void {
    this.#peer.kill();
    this.isFrozen = false;
    this.#peer = this.#start();
  }

  /** The blended state now. */
  view() {
    const { session } = this.#peer;
    const alpha = alphaAfter(session, this.#network.time.now() - this.#steppedAt);
    return session.view(this.isGone || this.isFrozen ? 1 : alpha);
  }

  get figures(): MachineFigures {
    const { net, pace } = this.session;
    const peers = net.peers.filter(({ role }) => role === "playing");
    const mean = (of: (peer: (typeof peers)[number]) => number) =>
      peers.length > 0 ? peers.reduce((sum, peer) => sum + of(peer), 0) / peers.length : undefined;
    const { ticks, resimulated, stalled, bytes, packets } = this.totals.growth;
    return {
      roundTrip: mean(({ roundTrip }) => roundTrip),
      loss: mean(({ loss }) => loss),
      rollbacks: net.rollbacks,
      resimulatedPerTick: ticks > 0 ? resimulated / ticks : 0,
      bytesPerPacket: packets > 0 ? bytes / packets : 0,
      stalled: ticks + stalled > 0 ? stalled / (ticks + stalled) : 0,
      pace,
      delay: net.delay,
      window: net.window,
    };
  }

  #start(): ReturnType<typeof startPeer> {
    const peer = startPeer(this.#network, this.#game, this.seat, this.#settings, (player, tick) => {
      if (!this.#play(this.seat, player)) playLikeAPerson(player, this.seat, tick, peer.session.world);
    });
    const { session } = peer;
    const { record } = this;
    record.clear(0);
    this.totals.clear();
    this.advantages.length = 0;
    this.effects.clear();
    session.on("load", ({ tick }) => record.clear(tick));
    session.on("effect", (effect) => {
      record.mark(effect.tick, "effects");
      this.effects.add(effect, this.#network.time.now());
    });
    session.on("withdrawn", (effect) => {
      this.withdrawn++;
      record.mark(effect.tick, "withdrawn");
      this.effects.withdraw(effect);
    });
    session.net.on("rollback", ({ first, last }) => {
      for (let tick = first; tick <= last; tick++) record.mark(tick, "resimulated");
    });
    peer.afterAdvance = (result) => {
      const now = this.#network.time.now();
      this.#steppedAt = now;
      const isStalled = result === "stalled" && ["playing", "no quorum"].includes(session.net.state);
      this.stalledFor = isStalled ? this.stalledFor + 1 : 0;
      if (isStalled) record.mark(session.tick, "stalled");
      const { net, tick } = session;
      this.totals.add({
        ticks: tick - record.first,
        resimulated: net.resimulatedTicks,
        stalled: net.stalledTicks,
        bytes: net.bytesSent,
        packets: net.packetsSent,
      });
      this.advantages.push(net.advantage);
      if (this.advantages.length > ADVANTAGES) this.advantages.shift();
      this.effects.advanceTo(now);
    };
    return peer;
  }
}

/** Adds a peer to the network, which plays one seat. */
function startPeer(
  network: SimulatedNetwork,
  game: ArenaGame,
  seat: number,
  { players, model, delay }: NetworkSettings,
  play: (player: ArenaInputs, tick: number) => void,
) {
  const window = model === "lockstep" ? 0 : 8;
  return network.peer(game, {
    seats: [seat],
    name: `Player ${seat + 1}`,
    // The same after a restart, so that the player gets its seat back.
    token: `seat ${seat} of ${SEATS}`,
    start: Number(players),
    window,
    delay: delay === "auto" ? "auto" : Number(delay),
    timeout: TIMEOUT,
    desync: "report",
    build: "lab",
    inputs: ([player], { tick }) => play(player!, tick),
  });
}
