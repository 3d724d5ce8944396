import { consoleWarn, systemNow } from "../platform/index.js";
import { badValue, misuse, requireOptions } from "../errors/index.js";
import type { InputFields, StepTiming } from "../input/index.js";
import { random } from "../math/index.js";
import type { CommandFields, IssueCommand } from "../sim/commands.js";
import type { Effect, EffectFields, ExternalStates, Simulation } from "../sim/index.js";
import { NO_FRAME } from "../sim/input-sampler.js";
import type { Present } from "../sim/presenter.js";
import { requireRate } from "../sim/require-rate.js";
import {
  SESSION_EVENTS,
  type Advance,
  type ConfirmedTick,
  type Session,
  type SessionEvents,
} from "../sim/session.js";
import { SessionListeners } from "../sim/session-listeners.js";
import { requireSimulation, type AnySimulation } from "../sim/simulation.js";
import type { Fields, Hash, ReadonlyWorld } from "../state/index.js";
import { ApplicationMessages } from "./application-messages.js";
import { CommandExchange } from "./command-exchange.js";
import { DesyncHandler } from "./desync-handler.js";
import { DesyncWatch } from "./desync-watch.js";
import { InputDelay } from "./input-delay.js";
import { Joining } from "./joining.js";
import type { Link } from "./link.js";
import { Host } from "./membership/host.js";
import { MemberWatch } from "./membership/member-watch.js";
import { Membership } from "./membership/membership.js";
import { RosterExchange } from "./membership/roster-exchange.js";
import { SeatRequests } from "./membership/seat-requests.js";
import { Succession } from "./membership/succession.js";
import { jsonMessage, LEAVE, message, PAUSE } from "./messages.js";
import { NetInfo } from "./net-info.js";
import { NetWarnings } from "./net-warnings.js";
import { requireLink } from "./option-checks.js";
import type { PacketContext } from "./packet.js";
import { PacketReceiver } from "./packet-receiver.js";
import { PacketSender } from "./packet-sender.js";
import type { Peer } from "./peer.js";
import { PeerCore } from "./peer-core.js";
import { PeerList } from "./peer-list.js";
import { PeerMessages } from "./peer-messages.js";
import { PeerPace } from "./peer-pace.js";
import { checkedPeerOptions, PEER_OPTIONS, type PeerOptions } from "./peer-options.js";
import { PredictionWindow } from "./prediction-window.js";
import { Rollback } from "./rollback.js";
import { SeatInputs } from "./seat-inputs.js";
import { LOG_TICKS } from "./seat-log.js";

const CALL = "peerSession";

/** Ticks that may be predicted beyond the window while a member is gone that is not dropped yet. */
const CHANGING_WINDOW = 68;
/** Milliseconds between two checks of what need not be checked in every tick. */
const CHECK_EVERY = 100;

/* oxlint-disable typescript/no-explicit-any -- There is no other type that all sessions fit. */
/** Plays a simulation with other peers: lockstep and rollback. */
export class PeerSession<
  S extends Fields = any,
  I extends InputFields = any,
  E extends EffectFields = any,
  X extends ExternalStates = any,
  P extends number = any,
  C extends CommandFields = any,
> implements Session<ReadonlyWorld<S>, Effect<E>> {
  /* oxlint-enable typescript/no-explicit-any */
  readonly simulation: Simulation<S, I, E, X, P, C>;
  /** Figures and events of the network. */
  readonly net: NetInfo;
  readonly #core: PeerCore;
  readonly #rollback: Rollback<S>;
  readonly #members: Membership;
  readonly #inputs: SeatInputs<I>;
  readonly #delay: InputDelay;
  readonly #window: PredictionWindow;
  readonly #pace: PeerPace;
  readonly #listeners = new SessionListeners<SessionEvents<Effect<E>>>(SESSION_EVENTS);
  readonly #desync: DesyncHandler;
  readonly #sender: PacketSender;
  readonly #receiver: PacketReceiver;
  readonly #joining: Joining;
  readonly #host: Host;
  readonly #succession: Succession;
  readonly #rosters: RosterExchange;
  readonly #watch: MemberWatch;
  readonly #applications: ApplicationMessages;
  readonly #messages: PeerMessages;
  readonly #warnings: NetWarnings | undefined;
  /** Doubles from the start, so that hashes are not allocated. */
  readonly #hash: [number, number] = [0.5, 0.5];
  /** Listeners are being called: the session must not step now. */
  #isAdvancing = false;
  #checkedAt = -Infinity;
  /** What was known when the session came to a standstill; -1 while it runs. */
  #stalledAt = -1;

  /** @internal Use `peerSession`. */
  constructor(simulation: Simulation<S, I, E, X, P, C>, options: PeerOptions<I>) {
    requireSimulation(CALL, simulation);
    const settings = checkedPeerOptions(CALL, simulation, options);
    const { seed = 0, guard, kernels, present, token = crypto.randomUUID(), now = systemNow } = options;
    const { warn = consoleWarn } = options;
    const { when, window, maxWindow, saveEvery } = settings;
    const core = new PeerCore(simulation, settings, idOf(token), seed, now);
    this.simulation = simulation;
    this.#core = core;
    this.#inputs = new SeatInputs<I>(CALL, core, options);
    this.#rollback = new Rollback<S>(CALL, simulation as AnySimulation<S>, {
      seed,
      guard,
      kernels,
      window: maxWindow,
      saveEvery,
      presenter: {
        present,
        deliver: (effect) => this.#listeners.emit("effect", effect as Effect<E>),
        ...(when === "shown"
          ? {}
          : { when: (name: string) => (typeof when === "string" ? when : (when[name] ?? "shown")) }),
      },
      guess: (tick) => this.#inputs.guess(tick),
      withdraw: (effect) => this.#listeners.emit("withdrawn", effect as Effect<E>),
    });
    core.rollback = this.#rollback as unknown as Rollback;
    this.#delay = new InputDelay(settings.delay, Math.floor(window / 2), core.tickMs);
    this.#window = new PredictionWindow(window, maxWindow);
    this.#pace = new PeerPace(core);
    const { log } = this.#rollback;
    const dice = random(new Uint32Array(4)).seed(`${core.id}`);
    const requests = new SeatRequests(core, {
      keepSeat: settings.keepSeat,
      refuse: (request, code) => this.#joining.refuseSeats(request, code),
    });
    this.#members = core.members = new Membership(core, requests, (before, streams) => {
      this.#host.adopted();
      this.#succession.adopted();
      this.#rosters.adopted(before, streams);
    });
    core.commands = new CommandExchange(simulation, log);
    core.watch = new DesyncWatch();
    this.net = core.net = new NetInfo(core, this.#delay, this.#window);
    this.#warnings = warn === false ? undefined : new NetWarnings(core, warn);
    this.#desync = core.desync = new DesyncHandler(core);
    core.peers = new PeerList(core, {
      onPacket: (peer, bytes, at) => this.#receiver.receive(peer, bytes, at),
      onControl: (peer, type, body, at) => this.#messages.onControl(peer, type, body, at),
      onTransfer: (peer, kind, bytes) => this.#messages.onTransfer(peer, kind, bytes),
      accepts: (peer, kind, total) => this.#messages.accepts(peer, kind, total),
      onConnected: (peer) => this.#joining.greet(peer),
      onClosed: (peer, reason) => this.#onClosed(peer, reason),
    });
    this.#watch = new MemberWatch(core);
    this.#joining = new Joining(core, this.#watch, (tick) => this.#listeners.emit("load", { tick }));
    this.#host = new Host(core, this.#members, this.#watch);
    this.#succession = new Succession(core, this.#members, this.#watch, () => dice.float());
    this.#rosters = new RosterExchange(core, this.#joining, this.#watch);
    this.#applications = new ApplicationMessages(core);
    this.#messages = new PeerMessages(core, {
      joining: this.#joining,
      host: this.#host,
      rosters: this.#rosters,
      succession: this.#succession,
      watch: this.#watch,
      applications: this.#applications,
    });
    const context: PacketContext = {
      get epoch() {
        return core.members.epoch;
      },
      get streams() {
        return core.members.streams;
      },
      get isPlain() {
        return core.members.isPlain;
      },
      log,
      hasCommands: simulation.commands.maxBytes > 0,
    };
    this.#sender = new PacketSender(core, context);
    this.#receiver = new PacketReceiver(core, {
      context,
      tellRoster: (peer, at) => this.#rosters.tell(peer, at),
    });
    if (settings.relay || settings.seats.includes(0)) this.#joining.found(settings.seats);
    for (const link of settings.links) core.peers.connect(link);
  }

  get seed(): number | string {
    return this.#core.seed;
  }
  get tick(): number {
    return this.#rollback.tick;
  }
  get confirmed(): number {
    return this.#rollback.confirmed;
  }
  /** Near 1: less if this peer is ahead of the others, more if it is behind. */
  get pace(): number {
    return this.#pace.value;
  }
  get present(): Present {
    return this.#rollback.presenter.present;
  }
  get world(): ReadonlyWorld<S> {
    return this.#rollback.run.world as ReadonlyWorld<S>;
  }
  /** The seats of this peer. Empty until it has joined, and for spectators and relays. */
  get seats(): readonly number[] {
    return this.#members.own?.member.seats ?? [];
  }
  /** The names of the players, by seat: also of those that left. */
  get seatNames(): readonly string[] {
    const { shownStep } = this.#rollback;
    return this.#members.owners.map((_, seat) => this.#members.names.at(seat, shownStep));
  }
  /** Bytes of all states that the session keeps. */
  get memory(): number {
    return this.#rollback.memory;
  }

  hash(out?: [number, number]): Hash {
    return this.#rollback.run.hash(out);
  }

  bytes(): Uint8Array {
    this.#requireAlive();
    return this.#rollback.bytesAt(this.tick);
  }

  /** Whether the inputs of a seat in the newest state are guesses. */
  isPredicted(seat: number): boolean {
    const owner = this.#members.owners[seat];
    return owner !== undefined && owner.end < this.tick;
  }

  on<N extends keyof SessionEvents<Effect<E>>>(
    event: N,
    listener: (info: SessionEvents<Effect<E>>[N]) => void,
  ): () => void {
    this.#requireAlive();
    const off = this.#listeners.on(event, listener);
    if (event === "effect" || event === "withdrawn") this.#rollback.emitsEffects = true;
    return off;
  }

  view(alpha: number): ReadonlyWorld<S> {
    this.#requireAlive();
    return this.#rollback.presenter.view(alpha, this.#rollback.confirmed) as ReadonlyWorld<S>;
  }

  // Time

  advance(timing: StepTiming = NO_FRAME): Advance {
    this.#requireAlive();
    requireRate(this.simulation);
    if (this.#isAdvancing)
      misuse("reentrant", "Session", "cannot step inside a listener", "Step after advance() returns");
    this.poll();
    if (!this.#core.hasState) return "waiting";
    this.#isAdvancing = true;
    try {
      this.#correct();
      this.#confirm();
      const isStepped = this.#step(timing);
      if (this.#core.isDisposed) return "ended";
      this.#confirm();
      this.#pace.advanceClock();
      this.#sender.sendAll();
      this.#pace.update();
      return isStepped ? "stepped" : "stalled";
    } finally {
      this.#isAdvancing = false;
    }
  }

  /** Handles the network without stepping. `advance` does it too: call it only while no loop runs. */
  poll(): void {
    this.#requireAlive();
    const now = this.#core.now();
    this.#watch.poll(now);
    this.#host.poll(now);
    this.#succession.poll(now);
    this.#joining.poll(now);
    if (now - this.#checkedAt < CHECK_EVERY) return;
    this.#checkedAt = now;
    this.#watch.askForStreams(now);
    this.#members.requests.dropOld(now);
    this.#updateQuorum(now);
    this.#updateDelay(now);
    this.#startWhenReady();
    this.#desync.poll(now);
    this.#warnings?.poll(now);
    this.#rollback.log.dropBefore(this.confirmed - LOG_TICKS / 2);
  }

  #correct(): void {
    if (this.#rollback.correct() > 0) this.net.emit("rollback", this.#rollback.lastRollback);
  }

  /** Takes one step, and more if this peer is behind. Returns false if it must wait. */
  #step(timing: StepTiming): boolean {
    const rollback = this.#rollback;
    let isStepped = false;
    for (let steps = this.#pace.stepsDue(this.#delay.value); steps > 0; steps--) {
      if (!this.#inputs.sample(this.#delay.value, timing)) return false;
      // Own inputs may come late too, if the session was not allowed to sample for a while.
      this.#correct();
      if (rollback.tick >= this.#limit()) break;
      rollback.step();
      this.#window.onStep();
      isStepped = true;
    }
    this.#setStalled(!isStepped);
    return isStepped;
  }

  /** The first tick that cannot be stepped yet. */
  #limit(): number {
    const { known, own } = this.#members;
    // Without a seat nothing is predicted: there is no input whose effect should be seen at once.
    let window = own !== undefined && own.isSeated ? this.#window.size : 0;
    // The others play on until the host has dropped a member that is gone, or a host is found.
    if (window > 0 && this.#isChanging) window += CHANGING_WINDOW;
    const { confirmed, maxAhead } = this.#rollback;
    return Math.min(known + window, confirmed + maxAhead, this.#members.stopTick);
  }

  /** Whether somebody will be dropped soon. One of two has nobody to play on with. */
  get #isChanging(): boolean {
    const { roster, streams, isPending } = this.#members;
    if (roster.members.length < 3) return false;
    const now = this.#core.now();
    for (let i = 0; i < roster.members.length; i++) if (this.#watch.isSilent(streams[i]!, now)) return true;
    return isPending;
  }

  #setStalled(isStalled: boolean): void {
    const { own, streams } = this.#members;
    const { tick } = this;
    if (isStalled) {
      this.#rollback.presenter.stall();
      if (tick >= this.#members.stopTick) return;
      this.net.stalledTicks++;
      if (own !== undefined && own.isSeated) this.#window.onStall();
    }
    const { net } = this;
    if (isStalled !== net.stalledSince < Infinity) net.stalledSince = isStalled ? this.#core.now() : Infinity;
    // A window that grows lets the session step a bit, but the standstill goes on until inputs arrive.
    const { known } = this.#members;
    if (isStalled === this.#stalledAt >= 0 || (!isStalled && known <= this.#stalledAt)) return;
    this.#stalledAt = isStalled ? known : -1;
    const missing = isStalled ? streams.filter(({ end, isOpen }) => isOpen && end <= tick) : [];
    this.net.emit("stall", { isStalled, tick, seats: missing.flatMap(({ member }) => member.seats) });
  }

  /** Confirms the ticks that are certain. */
  #confirm(): void {
    const rollback = this.#rollback;
    const known = Math.min(this.#members.known, rollback.correctUntil);
    if (known <= rollback.confirmed) return;
    const confirmed = Math.min(this.#members.certain, known);
    if (confirmed > rollback.confirmed) rollback.confirmTo(confirmed, this.#emitConfirmed);
  }

  readonly #emitConfirmed = (confirmed: ConfirmedTick): void => {
    const { hashEvery, watch } = this.#core;
    const state = confirmed.tick + 1;
    if (hashEvery > 0 && state % hashEvery === 0) {
      confirmed.hash(this.#hash);
      watch.add(state / hashEvery, this.#hash, this.#desync.onMismatch);
    }
    this.#listeners.emit("confirmed", confirmed);
  };

  #updateDelay(now: number): void {
    let roundTrip = 0;
    let spread = 0;
    for (const { id, quality } of this.#core.peers.all) {
      if (this.#members.indexOf(id) < 0) continue;
      roundTrip = Math.max(roundTrip, quality.roundTrip);
      spread = Math.max(spread, quality.roundTripSpread);
    }
    // Through a relay, inputs travel twice.
    const legs = this.#members.roster.members[0]?.seats.length === 0 && this.seats.length > 0 ? 2 : 1;
    this.#delay.update(legs * roundTrip, legs * spread, now);
  }

  /** The host starts the game once enough seats are taken. */
  #startWhenReady(): void {
    const { roster, isHost } = this.#members;
    if (!isHost || roster.pausedAt !== 0 || this.tick > 0) return;
    const taken = roster.members.reduce((sum, { seats }) => sum + seats.length, 0);
    if (taken >= this.#core.settings.start) this.#host.pause(false);
  }

  /** Notices that too few members are there to go on, or that there are enough again. */
  #updateQuorum(now: number): void {
    const hasQuorum = this.#watch.hasQuorum(now);
    this.net.heardMembers = this.#watch.countHeard(now);
    if (hasQuorum === this.net.hasQuorum) return;
    this.net.hasQuorum = hasQuorum;
    this.net.emit("quorum", { hasQuorum, tick: this.tick });
    if (!hasQuorum && this.#core.settings.alone === "continue") this.continueAlone();
  }

  #onClosed(peer: Peer, reason: string): void {
    this.#desync.forget(peer.id);
    this.#watch.onClosed(peer.id);
    this.#core.tellPeer("disconnected", peer.id, reason, { name: peer.name });
  }

  // What players do

  /** Adds a link to another peer, at any time: also a new one to a peer whose link broke. */
  connect(link: Link): void {
    this.#requireAlive();
    requireLink("PeerSession.connect: link", link);
    this.#core.peers.connect(link);
  }

  /**
   * Issues a command: every peer executes it at the same tick. Without `player`, it comes from the first own seat. It is sent with the
   * next sampled tick, which has room for 64 commands with 60,000 bytes. While the session stalls or is paused, commands wait, and
   * those that find no more room throw.
   */
  readonly command: IssueCommand<C> = (name, ...rest) => {
    this.#requireAlive();
    const [values, options] = rest;
    this.#inputs.command(name, values as Readonly<Record<string, unknown>> | undefined, options?.player);
  };

  /**
   * Sends a message outside the simulation to all peers, or to one: chat, or whether one is ready. Up to 64 KB. It arrives, unless the
   * link closes. Messages arrive in order, but one of more than 1,100 bytes may be overtaken by shorter ones.
   */
  send(bytes: Uint8Array, to?: number): void {
    this.#requireAlive();
    this.#applications.send(bytes, to);
  }

  /** Asks all players for a pause. They stop at the same tick. */
  pause(): void {
    this.#requestPause("Session.pause", true);
  }

  /** Asks all players to go on; before the game has begun, to begin without those that are missing. */
  resume(): void {
    this.#requestPause("Session.resume", false);
  }

  #requestPause(call: string, isPaused: boolean): void {
    this.#requireAlive();
    const { own, roster } = this.#members;
    if (!own)
      misuse("not-ready", call, "this peer has no seat in the game yet", "Wait until session.seats has one");
    if (this.#members.isHost) this.#host.pause(isPaused);
    else
      this.#core.peers
        .find(roster.members[0]!.id)
        ?.send(message(PAUSE, Uint8Array.of(isPaused ? 1 : 0)), true);
  }

  /** Removes a player. Only the host, or the relay, can. */
  kick(id: number): void {
    this.#requireAlive();
    if (!this.net.isHost)
      misuse(
        "not-ready",
        "Session.kick",
        "only the host can remove players",
        "Call it where session.net.isHost is true",
      );
    if (!this.#members.streamOf(id) || id === this.#core.id)
      badValue("Session.kick: id", "the id of another player", id, "session.net.peers[0].id");
    this.#members.markGone(id, "kicked");
  }

  /**
   * Leaves the others, and continues the game alone, as one of its own: for a peer whose `net.state` is `"no quorum"`. When it meets the
   * others again, it joins their game.
   */
  continueAlone(): void {
    this.#requireAlive();
    if (!this.#members.own)
      misuse(
        "not-ready",
        "Session.continueAlone",
        "this peer takes no part in the game",
        "Call it where session.seats has one",
      );
    this.#joining.continueAlone();
  }

  /** Leaves the game, closes all links and frees what the session holds. The others continue at once. */
  leave(): void {
    this.dispose();
  }

  /** The same as `leave`. */
  dispose(): void {
    const core = this.#core;
    if (core.isDisposed) return;
    this.#rollback.run.requireIdle("Session.dispose");
    core.isDisposed = true;
    // Each one that is closed leaves the list.
    for (let peer = core.peers.all[0]; peer; peer = core.peers.all[0]) {
      // What it had counts when another one takes over.
      this.#sender.sendLast(peer);
      if (peer.id !== 0)
        peer.send(jsonMessage(LEAVE, [this.#members.promised, this.#members.candidate]), true);
      core.peers.close(peer, "the peer left");
    }
    this.#rollback.dispose();
  }

  #requireAlive(): void {
    this.#rollback.run.requireIdle("Session");
    if (this.#inputs.isSampling)
      misuse("reentrant", "Session", "cannot be used inside `inputs`", "Call it before or after advance()");
    if (this.#core.isDisposed) misuse("disposed", "Session", "already disposed", "Create a new one");
  }
}

/** Returns the id of a peer: 30 bits of its token, not 0. Engines allocate larger integers, and ids are looked up in every tick. */
function idOf(token: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < token.length; i++) hash = Math.imul(hash ^ token.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x7feb352d);
  return (hash ^ (hash >>> 15)) >>> 2 || 1;
}

/**
 * Plays a simulation with other peers over links. Everyone predicts the inputs of the others, and corrects wrong guesses; with
 * `window: 0`, everyone waits for everyone. The peer that holds seat 0 hosts the game.
 */
export function peerSession<
  S extends Fields,
  I extends InputFields,
  E extends EffectFields,
  X extends ExternalStates,
  P extends number,
  C extends CommandFields,
>(simulation: Simulation<S, I, E, X, P, C>, options: PeerOptions<I>): PeerSession<S, I, E, X, P, C> {
  requireOptions(CALL, options, PEER_OPTIONS, "{ seats: [0], links: [link] }");
  return new PeerSession(simulation, options);
}
