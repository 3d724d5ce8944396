import { systemNow } from "../drivers/index.js";
import { badValue, misuse, requireOptions, requireType } from "../errors/index.js";
import type { InputFields, InputValues, StepTiming } from "../input/index.js";
import { random } from "../math/index.js";
import type { CommandFields, IssueCommand, PackedCommand } from "../sim/commands.js";
import type { Effect, EffectFields, ExternalStates, Simulation } from "../sim/index.js";
import { writersOf } from "../sim/inputs.js";
import { InputSampler, NO_FRAME } from "../sim/input-sampler.js";
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
import { epochOf, isQuorum } from "./agreement.js";
import { BitReader, BitWriter } from "./bits.js";
import { CommandExchange } from "./command-exchange.js";
import { DesyncHandler } from "./desync-handler.js";
import { DesyncWatch } from "./desync-watch.js";
import { describeSimulation, helloOf, helloProblem, layoutProblem } from "./handshake.js";
import { InputDelay } from "./input-delay.js";
import { MAX_MESSAGE, type Link } from "./link.js";
import { Membership, type MembershipHost } from "./membership.js";
import {
  AGREE,
  APPLICATION,
  COMMANDS,
  DECISION,
  DESCRIPTION,
  DESYNC,
  DESYNC_PART,
  FOLLOW,
  FRAGMENT,
  HELLO,
  jsonMessage,
  LEAVE,
  LONG_DECISION,
  message,
  PAUSE,
  readHello,
  readJson,
  readRejection,
  readSeatRequest,
  REJECT,
  SIT,
  SNAPSHOT,
  WANT,
  type RejectCode,
  type SeatRequest,
} from "./messages.js";
import type { PeerEvent } from "./net-events.js";
import { NetInfo } from "./net-info.js";
import { Pace } from "./pace.js";
import {
  AGE_STEP,
  InputPacket,
  MAX_ROWS,
  NOT_HEARD,
  type PacketContext,
  type PacketStream,
} from "./packet.js";
import { Peer } from "./peer.js";
import { checkedPeerOptions, PEER_OPTIONS, requireLink, type PeerOptions } from "./peer-options.js";
import { PredictionWindow } from "./prediction-window.js";
import { Rollback } from "./rollback.js";
import { isId, isTick, type Member, type Roster } from "./roster.js";
import { LOG_TICKS } from "./seat-log.js";
import { readSnapshot, restoreGone, snapshotBytes } from "./snapshot-message.js";
import type { Stream } from "./stream.js";
import { Transfers } from "./transfer.js";

const CALL = "peerSession";

/** Milliseconds of silence on a direct link after which its streams are asked for elsewhere. */
const SILENCE = 200;
/** Milliseconds of silence of a member after which joins wait, as it may be gone. */
const CALM = 300;
/** Milliseconds after which requests are repeated. */
const RETRY = 400;
/** A member is dropped after this long without news, in games of two. */
const TIMEOUT_OF_TWO = 5000;
/** A gap between two polls of this length means that this peer was frozen itself. */
const FROZEN = 300;
/** How far a peer's inputs may be ahead of what is known. */
const MAX_AHEAD = 600;
/** Ticks that may be predicted beyond the window while the members agree on who is gone. */
const AGREEING_WINDOW = 24;
/** Ticks that a session may take at once, to catch up. */
const MAX_CATCH_UP = 8;
/** Longest snapshot and application message that are accepted, in bytes. */
const MAX_SNAPSHOT = 2 ** 28;
const MAX_APPLICATION = 2 ** 16;
/** Milliseconds between two messages with decisions to a peer that lacks some. */
const TELL_EVERY = 30;
/** Milliseconds from a closed link until its member is suspected, unless others have news of it. */
const CLOSED_GRACE = 150;

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
  readonly #settings: ReturnType<typeof checkedPeerOptions>;
  readonly #options: PeerOptions<I>;
  readonly #rollback: Rollback<S>;
  readonly #members: Membership;
  readonly #peers: Peer[] = [];
  readonly #sampler: InputSampler<I>;
  readonly #delay: InputDelay;
  readonly #window: PredictionWindow;
  readonly #pace = new Pace();
  readonly #listeners = new SessionListeners<SessionEvents<Effect<E>>>(SESSION_EVENTS);
  readonly #watch = new DesyncWatch();
  readonly #desync: DesyncHandler;
  readonly #commands: CommandExchange;
  readonly #writer = new BitWriter(MAX_MESSAGE);
  readonly #reader = new BitReader();
  readonly #outgoing = new InputPacket();
  readonly #incoming = new InputPacket();
  readonly #context: { -readonly [K in keyof PacketContext]: PacketContext[K] };
  readonly #guesses: Uint32Array;
  readonly #predictors: readonly InputValues<I>[];
  readonly #request = { seat: 0, tick: 0, age: 0 };
  readonly #dice = random(new Uint32Array(4));
  readonly #tickMs: number;
  readonly #id: number;
  readonly #now: () => number;
  #seed: number | string;
  #hashEvery: number;
  /** Commands that wait for the next sampled tick. */
  #queued: PackedCommand[] = [];
  #hasState = false;
  /** Identifies the game, as two peers may have founded one each. */
  #game = 0;
  #isDisposed = false;
  #isDelivering = false;
  #isStalled = false;
  /** The peer that passes the game's state and all inputs on to this one. */
  #feeder: Peer | undefined;
  #askedAt = -Infinity;
  #checkedAt = -Infinity;
  #polledAt = NaN;
  #nextFeeder = 0;
  /** Ticks for which the game has stood still, since the start and in a row. */
  #rejection: RejectCode | undefined;
  readonly #hash: [number, number] = [0, 0];

  /** @internal Use `peerSession`. */
  constructor(simulation: Simulation<S, I, E, X, P, C>, options: PeerOptions<I>) {
    requireSimulation(CALL, simulation);
    const settings = checkedPeerOptions(CALL, simulation, options);
    const { packing, players, rate } = simulation;
    const { when } = settings;
    this.simulation = simulation;
    this.#settings = settings;
    this.#options = options;
    this.#now = options.now ?? systemNow;
    this.#tickMs = (1000 * rate[1]) / rate[0];
    this.#seed = options.seed ?? 0;
    this.#hashEvery = settings.hashEvery;
    this.#id = idOf(options.token ?? crypto.randomUUID());
    this.#dice.seed(`${this.#id}`);
    this.#sampler = new InputSampler<I>(
      `${CALL}: inputs`,
      { packing, players: settings.count } as never,
      options.inputs,
    );
    this.#rollback = new Rollback<S>(CALL, simulation as AnySimulation<S>, {
      seed: options.seed,
      guard: options.guard,
      kernels: options.kernels,
      window: settings.maxWindow,
      saveEvery: settings.saveEvery,
      presenter: {
        present: options.present,
        deliver: (effect) => this.#listeners.emit("effect", effect as Effect<E>),
        ...(when === "shown"
          ? {}
          : { when: (name: string) => (typeof when === "string" ? when : (when[name] ?? "shown")) }),
      },
      guess: (tick) => this.#guess(tick),
      withdraw: (effect) => this.#listeners.emit("withdrawn", effect as Effect<E>),
    });
    this.#guesses = new Uint32Array(players * packing.words);
    this.#predictors = options.predict ? writersOf(packing, players, this.#guesses) : [];
    this.#delay = new InputDelay(settings.delay, Math.floor(settings.window / 2), this.#tickMs);
    this.#window = new PredictionWindow(settings.window, settings.maxWindow);
    const session = this;
    const host: MembershipHost = {
      simulation,
      log: this.#rollback.log,
      id: this.#id,
      get tick() {
        return session.#rollback.tick;
      },
      get confirmed() {
        return session.#rollback.confirmed;
      },
      random: () => this.#dice.float(),
      invalidate: (tick) => this.#rollback.invalidate(tick),
      sendAgreement: (to, bytes) => this.#sendAgreement(to, bytes),
      refuse: (request, code) => this.#refuse(request, code),
      adopted: (before, streams) => this.#adopted(before, streams),
    };
    this.#members = new Membership(host, settings.keepSeat);
    this.#context = {
      epoch: 0,
      streams: [],
      log: this.#rollback.log,
      hasCommands: simulation.commands.maxBytes > 0,
    };
    this.#commands = new CommandExchange(simulation, this.#rollback.log);
    this.net = new NetInfo({
      id: this.#id,
      members: this.#members,
      peers: this.#peers,
      rollback: this.#rollback as never,
      watch: this.#watch,
      get delay() {
        return session.#delay.value;
      },
      get window() {
        return session.#window.size;
      },
      get hasState() {
        return session.#hasState;
      },
      get rejection() {
        return session.#rejection;
      },
      get now() {
        return session.#now();
      },
    });
    this.#desync = new DesyncHandler({
      id: this.#id,
      build: settings.build,
      seed: () => this.#seed,
      voters: () => this.#members.roster.members.filter(({ isVoter }) => isVoter).length,
      simulation,
      rollback: this.#rollback as never,
      watch: this.#watch,
      hashEvery: () => this.#hashEvery,
      nameOf: (id) => this.#nameOf(id),
      send: (id, bytes, isLong) => {
        const peer = this.#peerOf(id);
        if (peer && isLong) peer.transfers.start(DESYNC_PART, bytes);
        else peer?.send(message(DESYNC, bytes), true);
      },
      emit: (event) => this.net.emit("desync", event),
      twoFaced: (seat) => {
        const owner = this.#members.owners[seat]?.member;
        if (owner) this.#tellPeer("two-faced", owner, "sent different inputs to different peers");
      },
      resolve: (id, isOurs) => this.#resolveDesync(id, isOurs),
    });
    const isHost = settings.relay || settings.seats.includes(0);
    if (isHost) {
      this.#hasState = true;
      this.#game = crypto.getRandomValues(new Uint32Array(1))[0]! || 1;
      this.#members.found({
        id: this.#id,
        name: settings.name,
        seats: settings.seats,
        isVoter: true,
        from: 0,
      });
    }
    for (const link of settings.links) this.#connect(link);
  }

  get seed(): number | string {
    return this.#seed;
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
  /** The names of the players, by seat. */
  get seatNames(): readonly string[] {
    return this.#members.owners.map((owner) => owner?.member.name ?? "");
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

  // Advance

  advance(timing: StepTiming = NO_FRAME): Advance {
    this.#requireAlive();
    requireRate(this.simulation);
    if (this.#isDelivering)
      misuse("reentrant", "Session", "cannot step inside a listener", "Step after advance() returns");
    this.poll();
    if (!this.#hasState) return "waiting";
    this.#isDelivering = true;
    try {
      this.#correct();
      this.#confirm();
      const isStepped = this.#step(timing);
      if (this.#isDisposed) return "ended";
      this.#confirm();
      this.#sendPackets();
      this.#updatePace();
      return isStepped ? "stepped" : "stalled";
    } finally {
      this.#isDelivering = false;
    }
  }

  #correct(): void {
    if (this.#rollback.correct() > 0) this.net.emitRollback(this.#rollback.lastRollback);
  }

  /** Takes one step, and more if this peer is behind. Returns false if it must wait. */
  #step(timing: StepTiming): boolean {
    const rollback = this.#rollback;
    let steps = this.#stepsDue();
    let isStepped = false;
    for (; steps > 0; steps--) {
      if (!this.#sample(timing)) return false;
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
    const { known, roster, own } = this.#members;
    // Without a seat nothing is predicted: there is no input whose effect should be seen at once.
    let window = own?.isSeated === true ? this.#window.size : 0;
    // The others play on while they agree to drop a member.
    if (window > 0 && this.#members.isAgreeing) window += AGREEING_WINDOW;
    const { confirmed, maxAhead } = this.#rollback;
    const paused = roster.pausedAt < 0 ? Infinity : roster.pausedAt;
    return Math.min(known + window, confirmed + maxAhead, paused);
  }

  /** How many steps to take at once: more than one only if others are far ahead. */
  #stepsDue(): number {
    const { own, streams, known, roster } = this.#members;
    const { tick } = this.#rollback;
    if (own?.isSeated !== true) {
      if (known === Infinity) return 1;
      const behind = Math.min(known, roster.pausedAt < 0 ? Infinity : roster.pausedAt) - tick;
      // Some ticks in hand bridge jitter.
      return behind > 12 ? Math.min(MAX_CATCH_UP, Math.ceil(behind / 8)) : 1;
    }
    let others = Infinity;
    for (const stream of streams)
      if (stream.isSeated && stream !== own && stream.end < others) others = stream.end;
    const behind = others === Infinity ? 0 : others - tick - this.#delay.value;
    return behind > 6 ? Math.min(MAX_CATCH_UP, Math.ceil(behind / 4)) : 1;
  }

  #setStalled(isStalled: boolean): void {
    if (isStalled) {
      this.#rollback.presenter.stall();
      const { roster } = this.#members;
      if (roster.pausedAt >= 0 && this.tick >= roster.pausedAt) return;
      this.net.stalledTicks++;
      if (this.#members.own?.isSeated) this.#window.onStall();
    }
    if (isStalled === this.#isStalled) return;
    this.#isStalled = isStalled;
    const { tick } = this;
    this.net.emit("stall", { isStalled, tick, seats: isStalled ? this.#missingSeats() : [] });
  }

  #missingSeats(): number[] {
    return this.#members.streams.filter(({ end }) => end <= this.tick).flatMap(({ member }) => member.seats);
  }

  /** Samples the own inputs up to the delay. Returns false if the session was disposed meanwhile. */
  #sample(timing: StepTiming): boolean {
    const { own, gate } = this.#members;
    const rollback = this.#rollback;
    if (!own?.isSeated) return true;
    const width = this.simulation.packing.words;
    const { seats } = own.member;
    // Inputs that were sent are never changed: a stalled tick keeps its input.
    const end = Math.min(rollback.tick + this.#delay.value + 1, gate);
    while (own.end < end && !own.isFrozen) {
      const tick = own.end;
      const words = this.#sampler.sample(tick, false, timing);
      if (this.#isDisposed) return false;
      for (let i = 0; i < seats.length; i++)
        if (rollback.log.writeSeat(tick, seats[i]!, words, i * width)) rollback.invalidate(tick);
      if (this.#queued.length > 0) {
        rollback.log.setCommands(tick, seats, this.#queued);
        rollback.invalidate(tick);
        this.#queued = [];
      }
      own.end++;
    }
    return true;
  }

  /** Writes guesses for the inputs of a tick that are not known, and which seats are absent. */
  #guess(tick: number): void {
    const { log } = this.#rollback;
    const { owners, absentFrom } = this.#members;
    const width = this.simulation.packing.words;
    const { predict } = this.#options;
    for (let seat = 0; seat < owners.length; seat++) {
      const owner = owners[seat];
      const at = seat * width;
      if (owner === undefined || tick < owner.member.from) {
        // Before that, the seat had another owner, whose inputs are final.
        if (tick < absentFrom[seat]!) continue;
        log.setAbsent(tick, seat, true);
        this.#guesses.fill(0, at, at + width);
      } else {
        log.setAbsent(tick, seat, false);
        const last = owner.end - 1;
        if (tick <= last) continue;
        if (last < owner.member.from) this.#guesses.fill(0, at, at + width);
        else log.readSeat(last, seat, this.#guesses, at);
        if (predict) {
          const request = this.#request;
          request.seat = seat;
          request.tick = tick;
          request.age = tick - last;
          predict(this.#predictors[seat]!, request);
        }
      }
      log.writeSeat(tick, seat, this.#guesses, at);
    }
  }

  /** Confirms the ticks whose inputs a quorum of the voters knows. */
  #confirm(): void {
    const confirmed = Math.min(this.#standing(), this.#members.known, this.#rollback.correctUntil);
    if (confirmed > this.#rollback.confirmed) this.#rollback.confirmTo(confirmed, this.#emitConfirmed);
  }

  readonly #emitConfirmed = (confirmed: ConfirmedTick): void => {
    const state = confirmed.tick + 1;
    if (this.#hashEvery > 0 && state % this.#hashEvery === 0)
      this.#watch.add(state / this.#hashEvery, confirmed.hash(this.#hash)[0], this.#desync.onMismatch);
    this.#listeners.emit("confirmed", confirmed);
  };

  /** All inputs before this tick are known to a quorum of the voters. */
  #standing(): number {
    const { roster, isVoter, known, epoch } = this.#members;
    if (!isVoter) {
      let confirmed = 0;
      for (const { standing, epoch: theirs } of this.#peers)
        if (theirs === epoch) confirmed = Math.max(confirmed, standing);
      return confirmed;
    }
    const { members } = roster;
    let best = 0;
    for (let i = 0; i < members.length; i++) {
      if (!members[i]!.isVoter) continue;
      const candidate = this.#standingOf(members[i]!, known);
      if (candidate <= best) continue;
      let count = 0;
      let voters = 0;
      let hasFirst = false;
      for (const member of members) {
        if (!member.isVoter) continue;
        const knows = this.#standingOf(member, known) >= candidate;
        if (knows) count++;
        if (knows && voters === 0) hasFirst = true;
        voters++;
      }
      if (isQuorum(count, hasFirst, voters)) best = candidate;
    }
    return best;
  }

  #standingOf({ id }: Member, known: number): number {
    if (id === this.#id) return known;
    const peer = this.#peerOf(id);
    return peer !== undefined && peer.epoch === this.#members.epoch ? peer.standing : 0;
  }

  #updatePace(): void {
    const { own } = this.#members;
    const before = this.#pace.value;
    let advantage = 0;
    if (own === undefined) {
      // A spectator keeps some ticks in hand, so that jitter does not stop it.
      const { known } = this.#members;
      if (known === Infinity) return;
      advantage = 4 - (known - this.tick);
    } else {
      let peers = 0;
      for (const peer of this.#peers)
        if (peer.advantage.isKnown && this.#members.streamOf(peer.id)) {
          advantage += peer.advantage.ticks;
          peers++;
        }
      if (peers > 0) advantage /= peers;
    }
    this.net.advantage = advantage;
    const pace = this.#pace.update(advantage);
    if (pace !== before) this.net.emit("pace", { pace, advantage });
  }

  // Packets out

  #sendPackets(): void {
    const now = this.#now();
    for (const peer of this.#peers)
      if (peer.id !== 0 && !peer.isClosed && this.#isFed(peer)) this.#sendPacket(peer, now);
  }

  #isFed(peer: Peer): boolean {
    return (
      peer.isFollower ||
      this.#members.streamOf(peer.id) !== undefined ||
      (peer === this.#feeder && this.#hasState)
    );
  }

  #sendPacket(peer: Peer, now: number): void {
    for (let maxRows = MAX_ROWS; maxRows > 0; maxRows >>= 1) {
      this.#fillPacket(peer, maxRows);
      this.#writer.reset();
      const { end } = this.#outgoing;
      this.#outgoing.write(this.#writer, this.#context, this.#checkpointOf(end));
      if (this.#writer.isFull) continue;
      const bytes = this.#writer.bytes();
      peer.send(bytes, false);
      this.net.countPacket(bytes.length);
      if (this.#outgoing.hasHash) peer.hashSent = this.#outgoing.checkpoint;
      peer.sentLag = end - this.#outgoing.ack;
      peer.hasSent = true;
      peer.quality.onSent(end, now);
      return;
    }
  }

  #fillPacket(peer: Peer, maxRows: number): void {
    const packet = this.#outgoing;
    const members = this.#members;
    const { streams, own } = members;
    packet.clear();
    packet.epoch = members.epoch;
    packet.end = own?.isSeated === true ? own.end : this.tick;
    const theirs = members.streamOf(peer.id);
    packet.ack = theirs === undefined ? packet.end : theirs.isSeated ? theirs.end : peer.end;
    const ownIndex = own === undefined ? -1 : streams.indexOf(own);
    packet.own.index = ownIndex;
    packet.own.end = packet.end;
    packet.own.first = packet.end;
    const isDirect = own?.isSeated === true && !peer.isFollower;
    if (isDirect) {
      packet.own.first = Math.min(
        packet.end,
        Math.max(peer.acks[ownIndex] ?? own.member.from, packet.end - MAX_ROWS),
      );
      this.#commands.send(peer, ownIndex, own, packet.own.first, packet.end);
    }
    // In games of two, what the other knows follows from its acknowledgement.
    packet.hasMore = !(
      streams.length === 2 &&
      theirs !== undefined &&
      own?.isSeated === true &&
      theirs.isSeated
    );
    if (packet.hasMore) this.#fillMore(peer, maxRows, ownIndex);
    packet.hasHash = this.#watch.newest > peer.hashSent && this.#hashEvery > 0;
    if (!packet.hasHash) return;
    packet.checkpoint = this.#watch.newest;
    packet.hash = this.#watch.hashOf(packet.checkpoint)!;
  }

  #fillMore(peer: Peer, maxRows: number, ownIndex: number): void {
    const packet = this.#outgoing;
    const { streams, known } = this.#members;
    const theirs = this.#members.streamOf(peer.id);
    const isVoter = theirs?.member.isVoter === true;
    packet.standing = isVoter ? Math.min(known, packet.end + MAX_AHEAD) : this.#rollback.confirmed;
    const now = this.#now();
    for (let i = 0; i < streams.length; i++) {
      const stream = streams[i]!;
      packet.ages[i] = Math.min(NOT_HEARD, Math.floor((now - stream.heardDirectlyAt) / AGE_STEP));
      if (!stream.isSeated || stream === theirs) continue;
      const isOwn = i === ownIndex;
      if (!isOwn && (peer === this.#feeder || peer.asked.includes(stream.member.id)))
        packet.acks.push(i, stream.end);
      if (isOwn ? !peer.isFollower : !(peer.isFollower || peer.wants.includes(stream.member.id))) continue;
      const ack = peer.acks[i];
      if (ack === undefined || !stream.canCodeFrom(ack)) continue;
      const first = Math.min(stream.end, Math.max(ack, stream.end - LOG_TICKS / 2));
      const end = Math.min(stream.end, first + maxRows);
      packet.forward(i, first, end);
      this.#commands.send(peer, i, stream, first, end);
    }
    // A feeder's own stream comes among the forwarded ones.
    if (peer === this.#feeder && theirs?.isSeated === true)
      packet.acks.push(streams.indexOf(theirs), theirs.end);
  }

  #checkpointOf(end: number): number {
    return this.#hashEvery > 0 ? Math.floor(end / this.#hashEvery) : 0;
  }

  // Packets in

  #onMessage(peer: Peer, bytes: Uint8Array): void {
    if (this.#isDisposed || peer.isClosed) return;
    const now = this.#now();
    if (!peer.admit(bytes.length, now)) return this.#hostile(peer, "sends too many messages");
    if (bytes.length === 0 || bytes.length > MAX_MESSAGE)
      return this.#fault(peer, "a message of a wrong size");
    peer.heardAt = now;
    if (bytes[0]! < 0x80) this.#onPacket(peer, bytes, now);
    else this.#onControl(peer, bytes[0]!, bytes.subarray(1), now);
  }

  #onPacket(peer: Peer, bytes: Uint8Array, now: number): void {
    const members = this.#members;
    const index = members.indexOf(peer.id);
    const stream = members.streams[index];
    // Packets of peers that are not greeted, or were dropped, are late.
    if (peer.id === 0 || !this.#hasState || !(stream || peer.isFollower || peer === this.#feeder)) return;
    const packet = this.#incoming;
    this.#reader.start(bytes);
    const expected = peer.hasEnd ? peer.end : stream?.isSeated === true ? stream.end : this.tick;
    if (!packet.read(this.#reader, this.#context, index, expected, (end) => this.#checkpointOf(end)))
      return this.#fault(peer, "a malformed packet");
    const { own, known } = members;
    if (packet.epoch > members.epoch) return;
    const limit = (known === Infinity ? this.tick : Math.min(known, this.tick)) + MAX_AHEAD;
    if (stream?.isSeated === true && packet.end > limit)
      return this.#fault(peer, `inputs of tick ${packet.end}, far in the future`);
    const isCurrent = packet.epoch === members.epoch;
    if (isCurrent && own?.isSeated === true && stream !== undefined && packet.ack > own.end)
      return this.#fault(peer, `the acknowledgement of tick ${packet.ack}, which was never sent`);
    if (packet.epoch < members.epoch) this.#tellDecisions(peer, packet.epoch, now);
    else if (packet.epoch > peer.epoch) peer.epoch = packet.epoch;
    const isNewest = !peer.hasEnd || packet.end >= peer.end;
    if (stream) {
      stream.heardDirectlyAt = now;
      this.#heard(stream, now, now);
      if (stream.isSeated) this.#applyStream(peer, packet.own, stream, bytes, index);
      else if (packet.epoch === members.epoch) stream.end = Math.max(stream.end, packet.end);
    }
    if (isNewest) {
      if (isCurrent && peer.hasSent && stream) peer.advantage.add(peer.sentLag, packet.end - packet.ack);
      peer.quality.onPacket(packet.end, now, this.#tickMs);
      peer.end = packet.end;
      peer.hasEnd = true;
    }
    if (isCurrent && own?.isSeated === true && stream && !peer.isFollower) {
      const ownIndex = members.streams.indexOf(own);
      if (packet.ack > (peer.acks[ownIndex] ?? -1)) {
        peer.acks[ownIndex] = packet.ack;
        peer.quality.onAck(packet.ack, now);
      }
    }
    if (isCurrent) this.#applyMore(peer, packet, bytes, now);
    if (packet.hasHash && this.#hashEvery > 0)
      this.#watch.receive(peer.id, packet.checkpoint, packet.hash, this.#desync.onMismatch);
  }

  #applyMore(peer: Peer, packet: InputPacket, bytes: Uint8Array, now: number): void {
    const { streams } = this.#members;
    const standing = packet.hasMore ? packet.standing : Math.min(packet.end, packet.ack);
    if (standing > peer.standing) peer.standing = standing;
    for (let i = 0; i < packet.acks.length; i += 2) {
      const index = packet.acks[i]!;
      const ack = packet.acks[i + 1]!;
      if (ack > streams[index]!.end || ack < 0) continue;
      if (ack > (peer.acks[index] ?? -1)) peer.acks[index] = ack;
    }
    if (packet.hasMore) this.#hearOfOthers(peer, packet, now);
    for (let i = 0; i < packet.forwardedCount; i++) {
      const forwarded = packet.forwarded[i]!;
      const stream = streams[forwarded.index]!;
      if (stream === this.#members.own || !stream.isSeated) continue;
      this.#applyStream(peer, forwarded, stream, bytes, forwarded.index);
    }
  }

  /** Learns from a peer whom it hears: a member whose link to us is broken is not gone. */
  #hearOfOthers({ quality }: Peer, { ages }: InputPacket, now: number): void {
    const { streams, own } = this.#members;
    for (let i = 0; i < streams.length; i++) {
      const stream = streams[i]!;
      if (ages[i] === NOT_HEARD || stream === own) continue;
      this.#heard(stream, now - ages[i]! * AGE_STEP - quality.roundTrip / 2, now);
    }
  }

  #heard(stream: Stream, at: number, now: number): void {
    if (at > stream.heardAt) stream.heardAt = at;
    const { id } = stream.member;
    if (this.#members.isSuspected(id) && now - stream.heardAt < this.#timeout() / 2)
      this.#members.unsuspect(id);
  }

  /** Takes the inputs of a stream from a packet. */
  #applyStream(peer: Peer, part: PacketStream, stream: Stream, bytes: Uint8Array, index: number): void {
    const { first, end } = part;
    if (first >= end || stream.isFrozen || end <= stream.end) return;
    // The row before the first one must be known, as rows are changes.
    if (first > stream.end || first < stream.end - LOG_TICKS / 2 || !stream.canCodeFrom(first)) return;
    if (end > this.tick + LOG_TICKS / 2) return this.#fault(peer, `inputs of tick ${end}, far in the future`);
    const rollback = this.#rollback;
    const { seats } = stream.member;
    const width = this.simulation.packing.words;
    const readable = this.#context.hasCommands
      ? this.#commands.readableEnd(this.#incoming, index, stream, end)
      : end;
    const known = stream.end;
    this.#reader.start(bytes);
    this.#reader.position = part.position;
    stream.rows.read(this.#reader, first, end, rollback.log, (tick, row) => {
      if (tick < known || tick >= readable) return;
      for (let i = 0; i < seats.length; i++)
        if (rollback.log.writeSeat(tick, seats[i]!, row, i * width)) rollback.invalidate(tick);
      stream.end = tick + 1;
    });
    if (this.#context.hasCommands)
      this.#commands.apply(this.#incoming, index, stream, known, (tick) => rollback.invalidate(tick));
  }

  // Control messages

  #onControl(peer: Peer, type: number, body: Uint8Array, now: number): void {
    if (type === HELLO) return this.#onHello(peer, body);
    if (type === REJECT) return this.#onReject(peer, body);
    if (type === FRAGMENT) {
      const problem = peer.transfers.receive(body);
      if (problem !== undefined) this.#fault(peer, problem);
      return;
    }
    // All else needs an accepted hello.
    if (peer.id === 0) return;
    switch (type) {
      case FOLLOW:
        return this.#onFollow(peer, readJson(body), now);
      case DECISION:
        return this.#onDecision(peer, body);
      case SIT:
        return this.#onSit(peer, body);
      case WANT:
        return this.#onWant(peer, body);
      case AGREE:
        return this.#onAgree(peer, body, now);
      case LEAVE:
        peer.isFollower = false;
        return this.#members.suspect(peer.id, "left");
      case DESYNC:
        return this.#desync.receive(peer.id, body);
      case PAUSE:
        if (body.length === 1 && this.#members.streamOf(peer.id)) this.#members.pause(body[0] === 1);
        return;
      default:
        return this.#fault(peer, `a message of the unknown type ${type}`);
    }
  }

  #onTransfer(peer: Peer, kind: number, bytes: Uint8Array): void {
    if (this.#isDisposed || peer.isClosed) return;
    if (kind === DESCRIPTION) {
      const text = layoutProblem(this.simulation, readJson(bytes));
      if (peer.id === 0) this.#reject(peer, "layout", text);
      return;
    }
    if (peer.id === 0) return;
    if (kind === SNAPSHOT) this.#onSnapshot(peer, bytes);
    else if (kind === COMMANDS) {
      const problem = this.#commands.receive(bytes, this.tick);
      if (problem !== undefined) this.#fault(peer, problem);
    } else if (kind === APPLICATION) this.#onApplication(peer, bytes);
    else if (kind === LONG_DECISION) this.#onDecision(peer, bytes);
    else if (kind === DESYNC_PART) this.#desync.receivePart(peer.id, bytes);
  }

  #onHello(peer: Peer, body: Uint8Array): void {
    const theirs = readHello(readJson(body));
    if (!theirs) return this.#fault(peer, "a malformed hello");
    const problem = helloProblem(this.simulation, theirs);
    if (problem === "describe") {
      peer.transfers.start(DESCRIPTION, describeSimulation(this.simulation));
      return;
    }
    if (problem) return this.#reject(peer, problem.code, problem.text);
    if (theirs.id === this.#id) return this.#reject(peer, "same peer", "both peers have the same token");
    const isNew = peer.id === 0;
    if (isNew) {
      for (const other of this.#peers)
        if (other !== peer && other.id === theirs.id) this.#closePeer(other, "replaced by a newer link");
      // It lost its state, and does not know yet that it is a member.
      if (theirs.game !== this.#game && this.#members.streamOf(theirs.id))
        this.#members.suspect(theirs.id, "closed");
    }
    peer.id = theirs.id;
    peer.name = theirs.name;
    peer.isInGame = theirs.game !== 0 && (!this.#hasState || theirs.game === this.#game);
    peer.isSpectator = theirs.isSpectator;
    if (isNew) {
      // The first hello of this side may have come before the other listened.
      this.#greet(peer);
      this.#adoptAcks(peer);
      this.net.emit("peer", this.#peerEvent("connected", peer.id, peer.name, ""));
    }
    // A host that was reloaded, or two hosts: a game that others play is kept.
    const isOther = theirs.game !== 0 && theirs.game !== this.#game;
    if (isOther && this.#isAlone && (theirs.members > 1 || theirs.id < this.#id)) {
      this.#abandon();
      peer.isInGame = true;
    }
  }

  /** Whether this peer founded a game that nobody joined. */
  get #isAlone(): boolean {
    const { roster, own } = this.#members;
    return own !== undefined && roster.members.length === 1 && this.tick === 0;
  }

  #abandon(): void {
    this.#hasState = false;
    this.#members.join({ epoch: 0, members: [], drops: [], pausedAt: -1, isForced: false }, 0, []);
    this.#sayHello();
  }

  #sayHello(): void {
    for (const peer of this.#peers) if (!peer.isClosed) this.#greet(peer);
  }

  #greet(peer: Peer): void {
    const { name, count } = this.#settings;
    peer.send(
      jsonMessage(
        HELLO,
        helloOf(this.simulation, {
          id: this.#id,
          name,
          game: this.#hasState ? this.#game : 0,
          isSpectator: count === 0 && !this.#settings.relay,
          members: this.#members.roster.members.length,
        }),
      ),
      true,
    );
  }

  #reject(peer: Peer, code: RejectCode, text: string): void {
    this.net.emit("rejected", { code, text, by: "us", name: peer.name });
    peer.send(jsonMessage(REJECT, { code, text }), true);
    if (code !== "seat taken" && code !== "game full") this.#closePeer(peer, text);
  }

  #onReject(peer: Peer, body: Uint8Array): void {
    const rejection = readRejection(readJson(body));
    if (!rejection) return this.#fault(peer, "a malformed rejection");
    const isNew = this.#rejection !== rejection.code;
    this.#rejection = rejection.code;
    if (isNew) this.net.emit("rejected", { ...rejection, by: "them", name: peer.name });
  }

  #refuse(request: SeatRequest, code: "seat taken" | "game full"): void {
    const peer = this.#peerOf(request.id);
    const text =
      code === "game full"
        ? "all seats are taken"
        : `seat ${request.seats.join(", ")} is taken, or kept for a player who was disconnected`;
    if (peer) this.#reject(peer, code, text);
  }

  #onFollow(peer: Peer, value: unknown, now: number): void {
    if (!this.#hasState) return;
    const { epoch, known } = (value ?? {}) as { epoch?: unknown; known?: unknown };
    const isMember = this.#members.streamOf(peer.id) !== undefined;
    peer.isFollower = !isMember;
    const { confirmed } = this.#rollback;
    const canContinue =
      epoch === this.#members.epoch &&
      isTick(known) &&
      known > this.tick - LOG_TICKS / 2 &&
      known >= confirmed - MAX_AHEAD;
    if (canContinue && !isMember) return;
    if (now - peer.snapshotAt < 2000 || this.#members.isLost) return;
    peer.snapshotAt = now;
    // Decisions that were made before the snapshot are part of it.
    peer.toldAt = now;
    const bytes = snapshotBytes(this.#rollback as never, this.#members, {
      tick: confirmed,
      game: this.#game,
      seed: this.#seed,
      hashEvery: this.#hashEvery,
    });
    if (peer.isFollower)
      this.#members.streams.forEach((stream, index) => {
        peer.acks[index] = Math.max(confirmed, stream.member.from);
        peer.commandsSent[index] = peer.acks[index]!;
      });
    peer.transfers.start(SNAPSHOT, bytes);
  }

  #onSnapshot(peer: Peer, bytes: Uint8Array): void {
    const snapshot = readSnapshot(bytes, this.simulation);
    if (!snapshot || peer !== this.#feeder)
      return this.#fault(peer, "a snapshot that is malformed, or was not asked for");
    if (this.#hasState && !this.#needsSnapshot && snapshot.roster.epoch <= this.#members.epoch) return;
    try {
      this.#rollback.load(CALL, snapshot.state, this.#hasState);
    } catch {
      return this.#fault(peer, "a snapshot of another game, or a damaged one");
    }
    this.#seed = snapshot.seed;
    this.#game = snapshot.game;
    this.#hashEvery = snapshot.hashEvery;
    this.#watch.clear();
    this.#desync.recovered();
    const { tick } = this.#rollback;
    const wasInGame = this.#hasState;
    this.#hasState = true;
    const ends = this.#members.join(snapshot.roster, tick, snapshot.absentFrom);
    const width = this.simulation.packing.words;
    if (tick > 0)
      this.#members.owners.forEach((owner, seat) => {
        if (!owner || (ends.get(owner) ?? 0) < tick)
          this.#rollback.log.writeSeat(tick - 1, seat, snapshot.words, seat * width);
      });
    restoreGone(snapshot, this.#rollback.log);
    peer.hasEnd = false;
    if (!wasInGame) this.#sayHello();
    this.#listeners.emit("load", { tick });
  }

  /** This peer has lost track of the inputs: only a newer state helps. */
  get #needsSnapshot(): boolean {
    return !this.#hasState || this.#members.isLost || this.#desync.isRecovering;
  }

  #onDecision(peer: Peer, body: Uint8Array): void {
    if (!this.#hasState) return;
    if (!this.#members.streamOf(peer.id) && peer !== this.#feeder) return;
    this.#members.receiveDecision(body);
  }

  #onSit(peer: Peer, body: Uint8Array): void {
    const request = readSeatRequest(readJson(body), this.simulation.players);
    if (!request) return this.#fault(peer, "a malformed request for seats");
    if (!this.#members.isVoter || this.#members.streamOf(request.id)) return;
    this.#members.request(request);
    const coordinator = this.#members.coordinator;
    // Pass it on once: a member's own request comes from the peer itself.
    if (coordinator && coordinator.id !== this.#id && peer.id === request.id)
      this.#peerOf(coordinator.id)?.send(message(SIT, body), true);
  }

  #onWant(peer: Peer, body: Uint8Array): void {
    const ids = readJson(body);
    if (!Array.isArray(ids) || ids.length > 64 || !ids.every(isId))
      return this.#fault(peer, "a malformed request");
    peer.wants = ids;
  }

  // Agreement messages start with the ids of sender and receiver, as a third peer may pass them on.

  #sendAgreement(to: Member, bytes: Uint8Array): void {
    const routed = new Uint8Array(9 + bytes.length);
    const view = new DataView(routed.buffer);
    routed[0] = AGREE;
    view.setUint32(1, this.#id);
    view.setUint32(5, to.id);
    routed.set(bytes, 9);
    if (routed.length <= MAX_MESSAGE) this.#route(to.id, routed, this.#id);
  }

  /** Sends a message to a member: directly, or through all others if that link is silent. */
  #route(id: number, bytes: Uint8Array, from: number): void {
    const now = this.#now();
    const direct = this.#peerOf(id);
    direct?.send(bytes, false);
    if ((direct && now - direct.heardAt < SILENCE) || from !== this.#id) return;
    for (const peer of this.#peers)
      if (peer !== direct && peer.id !== 0 && !peer.isClosed && this.#members.streamOf(peer.id))
        peer.send(bytes, false);
  }

  #onAgree(peer: Peer, body: Uint8Array, now: number): void {
    if (body.length < 8) return this.#fault(peer, "a malformed message of the agreement");
    const view = new DataView(body.buffer, body.byteOffset, body.length);
    const from = view.getUint32(0);
    const to = view.getUint32(4);
    if (to !== this.#id) {
      // Only members pass messages on, and only those of the peer itself.
      if (from === peer.id && this.#members.streamOf(peer.id)) this.#route(to, message(AGREE, body), from);
      return;
    }
    const epoch = epochOf(body.subarray(8));
    if (epoch === undefined) return this.#fault(peer, "a malformed message of the agreement");
    if (epoch < this.#members.epoch) {
      const sender = this.#peerOf(from);
      if (sender) this.#tellDecisions(sender, epoch, now);
    }
    if (epoch === this.#members.epoch && !this.#members.receive(from, body.subarray(8)) && from === peer.id)
      this.#fault(peer, "a malformed message of the agreement");
  }

  /** Sends the decisions that a peer lacks. Unreliably and often, as a reliable message waits for those before it. */
  #tellDecisions(peer: Peer, epoch: number, now: number): void {
    if (now - peer.toldAt < TELL_EVERY) return;
    peer.toldAt = now;
    for (const bytes of this.#members.decisionsAfter(epoch)?.slice(0, 3) ?? [])
      if (bytes.length < MAX_MESSAGE) peer.send(message(DECISION, bytes), false);
  }

  #sendDecision(peer: Peer, bytes: Uint8Array): void {
    if (bytes.length >= MAX_MESSAGE) {
      peer.transfers.start(LONG_DECISION, bytes);
      return;
    }
    peer.send(message(DECISION, bytes), false);
    peer.send(message(DECISION, bytes), true);
  }

  /** The roster has changed: tells everyone, and renumbers what is kept by index. */
  #adopted(before: Roster, streams: readonly Stream[]): void {
    const { roster, epoch } = this.#members;
    this.#context.epoch = epoch;
    this.#context.streams = this.#members.streams;
    const bytes = this.#members.decisionsAfter(epoch - 1);
    for (const peer of this.#peers) {
      if (peer.id === 0 || peer.isClosed) continue;
      this.#renumber(peer, streams);
      if (this.#members.streamOf(peer.id)) peer.isFollower = false;
      if (bytes?.[0] && (peer.isFollower || before.members.some(({ id }) => id === peer.id)))
        this.#sendDecision(peer, bytes[0]);
    }
    if (this.#members.own) this.#rejection = undefined;
    const wasIn = before.members.some(({ id }) => id === this.#id);
    for (const { id, cut, reason } of roster.drops) {
      const member = before.members.find((old) => old.id === id);
      if (!member) continue;
      this.net.emit("peer", {
        ...this.#peerEvent("dropped", id, member.name, reason),
        seats: member.seats,
        tick: cut,
      });
      const peer = this.#peerOf(id);
      if (peer && reason === "kicked") this.#reject(peer, "kicked", "the host removed this player");
    }
    for (const member of roster.members)
      if (before.epoch > 0 && !before.members.some(({ id }) => id === member.id))
        this.net.emit("peer", {
          ...this.#peerEvent("joined", member.id, member.name, ""),
          seats: member.seats,
          tick: member.from,
        });
    if (wasIn && !this.#members.own) this.#ousted(roster);
    if (before.pausedAt !== roster.pausedAt && epoch > 1)
      this.net.emit("game", {
        state: roster.pausedAt >= 0 ? "paused" : "playing",
        tick: Math.max(roster.pausedAt, this.tick),
      });
    if (roster.members.length > 1 && before.members.length <= 1) this.#sayHello();
  }

  /** The others continue without this peer. It follows again, and asks for its seats. */
  #ousted(roster: Roster): void {
    const drop = roster.drops.find(({ id }) => id === this.#id);
    this.#feeder = undefined;
    this.#members.isLost = true;
    if (drop?.reason === "kicked" || drop?.reason === "left") this.#rejection = "kicked";
  }

  #renumber(peer: Peer, before: readonly Stream[]): void {
    const { streams } = this.#members;
    const place = (list: readonly number[], stream: Stream): number | undefined => {
      const old = before.indexOf(stream);
      return old >= 0 ? list[old] : undefined;
    };
    const acks = streams.map((stream) => place(peer.acks, stream));
    const sent = streams.map((stream) => place(peer.commandsSent, stream));
    peer.acks = acks.map((ack, i) => (ack ?? (peer.isFollower ? streams[i]!.member.from : undefined))!);
    peer.commandsSent = sent.map((tick, i) => tick ?? streams[i]!.member.from);
  }

  #adoptAcks(peer: Peer): void {
    peer.acks = [];
    peer.commandsSent = this.#members.streams.map(({ member }) => member.from);
  }

  // Links

  /** Adds a link to another peer, at any time: also a new one to a peer whose link broke. */
  connect(link: Link): void {
    this.#requireAlive();
    requireLink("PeerSession.connect: link", link);
    this.#connect(link);
  }

  #connect(link: Link): void {
    if (this.#peers.some((peer) => peer.link === link && !peer.isClosed))
      misuse("in-use", "PeerSession.connect", "this link is already connected", "Create one link per peer");
    const peer = new Peer(link);
    peer.heardAt = this.#now();
    peer.transfers = new Transfers({
      send: (body) => peer.send(message(FRAGMENT, body), true),
      accept: (kind, total) => this.#accepts(peer, kind, total),
      received: (kind, bytes) => this.#onTransfer(peer, kind, bytes),
    });
    this.#peers.push(peer);
    link.on("message", (bytes) => this.#onMessage(peer, bytes));
    link.on("close", (reason) => this.#closePeer(peer, reason));
    if (link.state === "closed") this.#closePeer(peer, "the link was closed");
    else this.#greet(peer);
  }

  #accepts(peer: Peer, kind: number, total: number): boolean {
    switch (kind) {
      case SNAPSHOT:
        return peer === this.#feeder && total <= MAX_SNAPSHOT;
      case COMMANDS:
        return peer.id !== 0 && total <= CommandExchange.maxBytes;
      case DESCRIPTION:
        return peer.id === 0 && total <= 2 ** 20;
      case LONG_DECISION:
      case APPLICATION:
        return peer.id !== 0 && total <= MAX_APPLICATION;
      case DESYNC_PART:
        return peer.id !== 0 && this.#desync.accepts(peer.id, total);
      default:
        return false;
    }
  }

  #closePeer(peer: Peer, reason: string): void {
    if (peer.isClosed) return;
    peer.isClosed = true;
    peer.link.close(reason);
    peer.transfers.dispose();
    this.#peers.splice(this.#peers.indexOf(peer), 1);
    if (this.#feeder === peer) this.#feeder = undefined;
    if (peer.id === 0 || this.#isDisposed) return;
    this.#desync.forget(peer.id);
    const stream = this.#members.streamOf(peer.id);
    // Its program has probably ended. Others may still hear it.
    if (stream && !this.#peerOf(peer.id)) {
      const timeout = this.#timeout();
      stream.heardAt = Math.min(stream.heardAt, this.#now() - timeout + CLOSED_GRACE);
      stream.isClosed = true;
    }
    this.net.emit("peer", this.#peerEvent("disconnected", peer.id, peer.name, reason));
  }

  #fault(peer: Peer, reason: string): void {
    this.net.droppedPackets++;
    if (peer.fault(reason, this.#now()))
      this.#hostile(peer, `sent too many bad messages, the last one: ${reason}`);
  }

  #hostile(peer: Peer, reason: string): void {
    this.net.emit("peer", this.#peerEvent("hostile", peer.id, peer.name, reason));
    if (peer.id !== 0) this.#members.suspect(peer.id, "hostile");
    this.#closePeer(peer, reason);
  }

  // Time

  /** Handles the network without stepping. `advance` does it too: call it only while no loop runs. */
  poll(): void {
    this.#requireAlive();
    const now = this.#now();
    const gap = now - this.#polledAt;
    this.#polledAt = now;
    // After a freeze, the others seem to have been silent.
    if (gap > FROZEN) for (const stream of this.#members.streams) stream.heardAt += gap;
    this.#checkMembers(now);
    this.#members.poll(now);
    if (now - this.#checkedAt >= 100) {
      this.#checkedAt = now;
      this.#askForStreams(now);
      this.#updateDelay(now);
      this.#rollback.log.dropBefore(Math.min(this.#rollback.confirmed, this.tick) - LOG_TICKS / 2);
      this.#startWhenReady();
      this.#desync.poll(now);
    }
    if (now - this.#askedAt >= RETRY) this.#askToJoin(now);
  }

  #timeout(): number {
    const { timeout } = this.#settings;
    const isTwo = this.#members.roster.members.length <= 2;
    return this.#options.timeout === undefined && isTwo ? TIMEOUT_OF_TWO : timeout;
  }

  #checkMembers(now: number): void {
    const { own, streams, isVoter, roster } = this.#members;
    if (!isVoter) return;
    const timeout = this.#timeout();
    this.#members.isCalm = streams.every((stream) => stream === own || now - stream.heardAt < CALM);
    for (const stream of streams)
      if (stream !== own && now - stream.heardAt > timeout)
        this.#members.suspect(stream.member.id, stream.isClosed ? "closed" : "timeout");
    if (
      this.#settings.alone !== "continue" ||
      roster.members.length !== 2 ||
      roster.members[0]!.id === this.#id
    )
      return;
    if (this.#members.isSuspected(roster.members[0]!.id)) this.#members.continueAlone();
  }

  /** Asks others to forward the streams of members whose own link is silent. */
  #askForStreams(now: number): void {
    if (!this.#members.own) return;
    const missing: number[] = [];
    for (const { isSeated, member } of this.#members.streams) {
      if (!isSeated || member.id === this.#id) continue;
      const peer = this.#peerOf(member.id);
      if (!peer || now - peer.heardAt > SILENCE) missing.push(member.id);
    }
    for (const peer of this.#peers) {
      if (!this.#members.streamOf(peer.id) || peer.isClosed) continue;
      const wanted = missing.filter((id) => id !== peer.id);
      if (wanted.length === peer.asked.length && wanted.every((id, i) => id === peer.asked[i])) continue;
      peer.asked = wanted;
      peer.send(jsonMessage(WANT, wanted), true);
    }
  }

  #updateDelay(now: number): void {
    let roundTrip = 0;
    let spread = 0;
    for (const { id, quality } of this.#peers) {
      if (!this.#members.streamOf(id)) continue;
      roundTrip = Math.max(roundTrip, quality.roundTrip);
      spread = Math.max(spread, quality.roundTripSpread);
    }
    this.#delay.update(roundTrip, spread, now);
  }

  /** The host starts the game once enough seats are taken. */
  #startWhenReady(): void {
    const { roster, own } = this.#members;
    if (!own || !this.#members.isCoordinator || roster.pausedAt !== 0 || this.tick > 0) return;
    const taken = roster.members.reduce((sum, { seats }) => sum + seats.length, 0);
    if (taken >= this.#settings.start) this.#members.pause(false);
  }

  /** Asks for a snapshot, or for a seat. */
  #askToJoin(now: number): void {
    const { own, known, epoch, isLost } = this.#members;
    if (this.#rejection === "kicked") return;
    if (own && !this.#needsSnapshot) return;
    // Somebody else has the seat: it may become free later.
    if (this.#rejection !== undefined && this.#hasState && now - this.#askedAt < 5 * RETRY) return;
    this.#askedAt = now;
    const isFed = this.#feeder && !this.#feeder.isClosed && now - this.#feeder.heardAt < 1000;
    if (!isFed || this.#needsSnapshot) {
      const candidates = this.#peers.filter((peer) => peer.id !== 0 && peer.isInGame);
      if (!(this.#feeder && this.#feeder.transfers.isReceiving)) {
        this.#feeder = candidates[this.#nextFeeder++ % Math.max(1, candidates.length)];
        const have = this.#hasState && !isLost ? { epoch, known: Math.min(known, 2 ** 50) } : {};
        this.#feeder?.send(jsonMessage(FOLLOW, have), true);
      }
    }
    if (!this.#hasState || own || this.#settings.count === 0 || this.#needsSnapshot) return;
    const paused = this.#members.roster.pausedAt;
    const isCaughtUp = known - this.tick < 30 || (paused >= 0 && this.tick >= paused);
    if (!isCaughtUp) return;
    const { seats, count, name } = this.#settings;
    const request: SeatRequest = { id: this.#id, name, seats, count };
    for (const peer of this.#peers)
      if (peer.id !== 0 && peer.isInGame) peer.send(jsonMessage(SIT, request), true);
  }

  // What players do

  /** Issues a command: every peer executes it at the same tick. Without `player`, it comes from the first own seat. */
  readonly command: IssueCommand<C> = (name, ...rest) => {
    this.#requireAlive();
    const [values, options] = rest;
    const { seats } = this;
    const player = options?.player ?? seats[0];
    if (player === undefined)
      misuse(
        "not-ready",
        "Session.command",
        "this peer has no seat",
        "Wait for the peer event of kind joined",
      );
    if (!seats.includes(player))
      badValue("Session.command: player", `a seat of this peer: ${seats.join(", ")}`, player, seats[0]);
    const bytes = this.simulation.commands.encode(name, values as never);
    this.#commands.requireRoom(this.#queued, bytes);
    this.#queued.push({ player, bytes });
  };

  /** Asks all players for a pause. They stop at the same tick. */
  pause(): void {
    this.#requestPause(true);
  }

  /** Asks all players to go on. */
  resume(): void {
    this.#requestPause(false);
  }

  /** Starts the game, or goes on after a pause. */
  #requestPause(isPaused: boolean): void {
    this.#requireAlive();
    const coordinator = this.#members.coordinator;
    if (!this.#members.own || !coordinator)
      misuse(
        "not-ready",
        isPaused ? "Session.pause" : "Session.resume",
        "this peer has no seat in the game yet",
      );
    if (coordinator.id === this.#id) this.#members.pause(isPaused);
    else this.#peerOf(coordinator.id)?.send(message(PAUSE, Uint8Array.of(isPaused ? 1 : 0)), true);
  }

  /** Removes a player. Only the host, or the relay, can. */
  kick(id: number): void {
    this.#requireAlive();
    if (!this.#members.isCoordinator)
      misuse(
        "not-ready",
        "Session.kick",
        "only the host can remove players",
        "Call it where session.net.isHost is true",
      );
    if (!this.#members.streamOf(id) || id === this.#id)
      badValue("Session.kick: id", "the id of another player", id, "session.net.peers[0].id");
    this.#members.suspect(id, "kicked");
  }

  /** Leaves the game: the others continue at once. Then disposes the session. */
  leave(): void {
    this.dispose();
  }

  /** Sends a message outside the simulation to all peers, or to one: chat, or whether one is ready. Up to 64 KB, reliable, in order. */
  send(bytes: Uint8Array, to?: number): void {
    this.#requireAlive();
    if (!(bytes instanceof Uint8Array))
      badValue("Session.send: bytes", "a Uint8Array", bytes, "new TextEncoder().encode(text)");
    if (bytes.length > MAX_APPLICATION - 8)
      badValue(
        "Session.send: bytes.length",
        `at most ${MAX_APPLICATION - 8}`,
        bytes.length,
        "several messages",
      );
    if (to !== undefined) requireType("Session.send: to", to, "number", "session.net.peers[0].id");
    const routed = new Uint8Array(8 + bytes.length);
    const view = new DataView(routed.buffer);
    view.setUint32(0, this.#id);
    view.setUint32(4, to ?? 0);
    routed.set(bytes, 8);
    const direct = to === undefined ? undefined : this.#peerOf(to);
    for (const peer of direct ? [direct] : this.#peers)
      if (peer.id !== 0) peer.transfers.start(APPLICATION, routed);
  }

  #onApplication(peer: Peer, bytes: Uint8Array): void {
    if (bytes.length < 8) return this.#fault(peer, "a malformed message");
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const from = view.getUint32(0);
    const to = view.getUint32(4);
    const { relay } = this.#settings;
    // Only a relay passes messages on, so nobody else can speak for others.
    const isHost = this.#members.roster.members[0]?.id === peer.id;
    if (from !== peer.id && !isHost) return this.#fault(peer, "a message in the name of another peer");
    if (to === 0 || to === this.#id)
      this.net.emit("message", { from, name: this.#nameOf(from), bytes: bytes.slice(8) });
    if (relay && from === peer.id && to !== this.#id)
      for (const other of this.#peers)
        if (other !== peer && other.id !== 0 && (to === 0 || to === other.id))
          other.transfers.start(APPLICATION, bytes.slice());
  }

  #resolveDesync(id: number, isOurs: boolean): void {
    const { desync } = this.#settings;
    const { roster } = this.#members;
    if (desync === "recover") {
      // The host's state counts.
      const isHost = roster.members[0]?.id === this.#id;
      if (!isHost && (isOurs || roster.members[0]?.id === id)) this.#desync.recover();
    } else if (desync === "drop" && !isOurs && roster.members.length > 2) this.#members.suspect(id, "desync");
  }

  view(alpha: number): ReadonlyWorld<S> {
    this.#requireAlive();
    return this.#rollback.presenter.view(alpha, this.#rollback.confirmed) as ReadonlyWorld<S>;
  }

  /** Leaves the game, closes all links and frees what the session holds. */
  dispose(): void {
    if (this.#isDisposed) return;
    this.#rollback.run.requireIdle("Session.dispose");
    this.#isDisposed = true;
    for (const peer of [...this.#peers]) {
      if (peer.id !== 0) peer.send(message(LEAVE), true);
      this.#closePeer(peer, "the peer left");
    }
    this.#rollback.dispose();
  }

  #requireAlive(): void {
    this.#rollback.run.requireIdle("Session");
    if (this.#sampler.isSampling)
      misuse("reentrant", "Session", "cannot be used inside `inputs`", "Call it before or after advance()");
    if (this.#isDisposed) misuse("disposed", "Session", "already disposed", "Create a new one");
  }

  #peerOf(id: number): Peer | undefined {
    for (const peer of this.#peers) if (peer.id === id && !peer.isClosed) return peer;
    return undefined;
  }

  #nameOf(id: number): string {
    return this.#members.streamOf(id)?.member.name ?? this.#peerOf(id)?.name ?? "";
  }

  #tellPeer(kind: PeerEvent["kind"], { id, name }: Member, reason: string): void {
    this.net.emit("peer", this.#peerEvent(kind, id, name, reason));
  }

  #peerEvent(kind: PeerEvent["kind"], id: number, name: string, reason: string): PeerEvent {
    return { kind, id, name, reason, seats: this.#members.streamOf(id)?.member.seats ?? [], tick: this.tick };
  }
}

/** Returns the id of a peer: 32 bits of its token, not 0. */
function idOf(token: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < token.length; i++) hash = Math.imul(hash ^ token.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x7feb352d);
  return (hash ^ (hash >>> 15)) >>> 0 || 1;
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
