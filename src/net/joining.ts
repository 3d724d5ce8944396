import { describeSimulation, helloOf, helloProblem, layoutProblem } from "./handshake.js";
import {
  DESCRIPTION,
  FOLLOW,
  HELLO,
  jsonMessage,
  message,
  readHello,
  readJson,
  readRejection,
  readSeatRequest,
  REJECT,
  SIT,
  SNAPSHOT,
  type Hello,
  type RejectCode,
  type Rejection,
  type SeatRequest,
} from "./messages.js";
import type { Peer } from "./peer.js";
import type { PeerCore } from "./peer-core.js";
import type { MemberWatch } from "./membership/member-watch.js";
import { isTick, NOBODY } from "./membership/roster.js";
import { LOG_TICKS } from "./seat-log.js";
import { readSnapshot, snapshotBytes, type Snapshot } from "./snapshot-message.js";

/** Milliseconds after which requests are repeated; and those for seats that somebody else has. */
const RETRY = 400;
const RETRY_REFUSED = 2000;
/** Milliseconds between two greetings of a peer that may have missed the last one. */
const GREET_EVERY = 500;
/** Milliseconds for which peers wait for one that has seat 0. */
const FOUND_AFTER = 500;
/** Milliseconds between two snapshots for one peer. */
const SNAPSHOT_EVERY = 2000;
/** Milliseconds for which a snapshot that was asked for is accepted. */
const SNAPSHOT_WITHIN = 5000;
/** Milliseconds of silence after which a feeder is replaced. */
const FEEDER_SILENCE = 1000;
/** Ticks that a follower may be behind when it asks for a seat. */
const CAUGHT_UP = 30;

/**
 * How peers get into a game. They greet each other; one outside asks a peer inside for a snapshot and for all inputs from then
 * on, follows the game, and then asks for its seats. So the others keep playing meanwhile.
 */
export class Joining {
  readonly #core: PeerCore;
  readonly #watch: MemberWatch;
  readonly #onLoad: (tick: number) => void;
  /** A snapshot that has arrived. It is loaded between two steps. */
  #arrived: { readonly peer: Peer; readonly snapshot: Snapshot } | undefined;
  #askedAt = -Infinity;
  #nextFeeder = 0;
  /** Since when peers are connected of whom none hosts. */
  #hostlessSince = Infinity;

  constructor(core: PeerCore, watch: MemberWatch, onLoad: (tick: number) => void) {
    this.#core = core;
    this.#watch = watch;
    this.#onLoad = onLoad;
  }

  // Greetings

  greetAll(): void {
    for (const peer of this.#core.peers.all) this.greet(peer);
  }

  greet(peer: Peer): void {
    const { simulation, settings, members, hasState, game, parent, id } = this.#core;
    const { name, relay, count } = settings;
    const hello = helloOf(simulation, {
      id,
      name,
      game: hasState ? game : 0,
      parent,
      wants: count,
      isRelay: relay,
      members: members.roster.members.length,
      hasBegun: this.#core.tick > 0,
      isMember: members.own !== undefined,
    });
    peer.greetedAt = this.#core.now();
    peer.isToGreet = false;
    peer.send(jsonMessage(HELLO, hello), true);
  }

  onHello(peer: Peer, body: Uint8Array): void {
    const { simulation, peers, members, id, game, hasState } = this.#core;
    const theirs = readHello(readJson(body));
    if (!theirs) return peers.fault(peer, "a malformed hello");
    // A rejection names it, too.
    peer.name = theirs.name;
    const problem = helloProblem(simulation, theirs);
    if (problem === "describe") {
      peer.transfers.start(DESCRIPTION, describeSimulation(simulation));
      return;
    }
    if (problem) return this.reject(peer, problem.code, problem.text);
    if (theirs.id === id) return this.reject(peer, "same peer", "both peers have the same token");
    if (peer.id !== 0 && theirs.id !== peer.id) return peers.fault(peer, "a hello with another id");
    const isNew = peer.id === 0;
    if (isNew) {
      const old = peers.find(theirs.id);
      if (old) peers.close(old, "replaced by a newer link");
    }
    // It lost its state, or has left to continue alone. If it was never heard in this game, this hello is older than that.
    const wasInGame = isNew ? members.streamOf(theirs.id)?.isHeardDirectly === true : peer.isInGame;
    if (wasInGame && theirs.game !== game) members.markGone(theirs.id, "restarted");
    peer.id = theirs.id;
    peer.seatCount = theirs.wants;
    peer.isMember = theirs.isMember;
    peer.isInGame = theirs.game !== 0 && (!hasState || theirs.game === game);
    // Ask at once.
    if (peer.isInGame && !hasState) this.#askedAt = -Infinity;
    if (isNew) {
      // The first hello of this side may have come before the other listened.
      this.greet(peer);
      peer.acks = [];
      peer.commandsSent = members.streams.map(({ member }) => member.from);
      this.#core.tellPeer("connected", peer.id, "");
    }
    // It may have missed that the game went on without it.
    else if (members.own && !members.streamOf(peer.id) && peer.isInGame) this.#greetAgain(peer);
    if (theirs.game !== 0 && theirs.game !== this.#core.game && hasState) this.#chooseGame(peer, theirs);
  }

  /** Decides which of two games is kept, as a host was reloaded, or both peers host: one that others play. */
  #chooseGame(peer: Peer, theirs: Hello): void {
    const { members, id } = this.#core;
    const { parent } = this.#core;
    const { relay } = this.#core.settings;
    // Whoever left a game to continue alone returns to it, or to the larger one of two that left the same game.
    if (theirs.parent === this.#core.game) return this.#greetAgain(peer);
    const isSibling = parent !== 0 && parent === theirs.parent;
    const areTheyMore = theirs.members - members.roster.members.length || id - theirs.id;
    if (parent === theirs.game || (isSibling && areTheyMore > 0)) {
      this.#abandon();
      peer.isInGame = true;
      return;
    }
    if (isSibling) return this.#greetAgain(peer);
    const areTheyAlone = theirs.members === 1 && !theirs.hasBegun;
    const isFirst = id < theirs.id;
    // A game that has not begun gives way to one that has: others may have followed a founder that is about to give up.
    const ours = members.roster.members.length;
    const weHaveBegun = this.#core.tick > 0;
    const doWeYield = !weHaveBegun && theirs.hasBegun && theirs.members >= ours;
    const doTheyYield = weHaveBegun && !theirs.hasBegun && ours >= theirs.members;
    if (!relay && (doWeYield || (this.#isAlone && (theirs.isRelay || !areTheyAlone || !isFirst)))) {
      this.#abandon();
      peer.isInGame = true;
    } else if (theirs.isRelay || !(areTheyAlone || doTheyYield))
      this.reject(peer, "other game", "both peers already play a game of their own");
  }

  /** Greets a peer that may not know how things are, while the loop of this one runs. It may do the same. */
  #greetAgain(peer: Peer): void {
    peer.isToGreet = true;
  }

  // Games

  /** Begins a game that others can join. */
  found(seats: readonly number[]): void {
    const core = this.#core;
    core.hasState = true;
    core.game = newGameId();
    core.members.found({ id: core.id, name: core.settings.name, seats, from: 0 });
    this.greetAll();
  }

  /** Leaves the game of the others, and continues it as one of its own. */
  continueAlone(): void {
    const core = this.#core;
    core.parent = core.game;
    core.game = newGameId();
    core.members.continueAlone();
    this.greetAll();
  }

  /** If nobody has asked for seat 0, the peer with the lowest id begins the game. */
  #foundIfNobodyHosts(now: number): void {
    const { hasState, peers, settings, id, rejection } = this.#core;
    const players = peers.all.filter((peer) => peer.id !== 0 && peer.seatCount > 0);
    const isHosted = peers.all.some(({ isInGame }) => isInGame);
    if (hasState || isHosted || rejection !== undefined || settings.count === 0 || players.length === 0)
      this.#hostlessSince = Infinity;
    else if (this.#hostlessSince === Infinity) this.#hostlessSince = now;
    if (now - this.#hostlessSince < FOUND_AFTER || players.some((peer) => peer.id < id)) return;
    this.found(
      settings.seats.length > 0 ? settings.seats : Array.from({ length: settings.count }, (_, i) => i),
    );
  }

  /** Whether this peer founded a game that nobody joined. */
  get #isAlone(): boolean {
    const { members, tick } = this.#core;
    return members.own !== undefined && members.roster.members.length === 1 && tick === 0;
  }

  #abandon(): void {
    this.#core.hasState = false;
    this.#core.parent = 0;
    this.#core.members.join(NOBODY, 0, []);
    this.greetAll();
  }

  // Rejections

  reject(peer: Peer, code: RejectCode, text: string): void {
    // Without a state, this peer cannot join that game either.
    if (!this.#core.hasState) this.#core.rejection = code;
    this.#core.emit("rejected", { code, text, by: "us", name: peer.name, tick: this.#core.tick });
    peer.send(jsonMessage(REJECT, { code, text }), true);
    if (code !== "seat taken" && code !== "game full") this.#core.peers.close(peer, text);
  }

  /** Says which part of the layout differs. */
  onDescription(peer: Peer, bytes: Uint8Array): void {
    if (peer.id === 0) this.reject(peer, "layout", layoutProblem(this.#core.simulation, readJson(bytes)));
  }

  onReject(peer: Peer, body: Uint8Array): void {
    const rejection = readRejection(readJson(body));
    if (!rejection) return this.#core.peers.fault(peer, "a malformed rejection");
    this.onRejected(rejection, peer.name);
  }

  /** Emits why others reject this peer: once, if several give the same reason. */
  onRejected(rejection: Rejection, name: string): void {
    if (this.#core.rejection === rejection.code) return;
    this.#core.rejection = rejection.code;
    this.#core.emit("rejected", { ...rejection, by: "them", name, tick: this.#core.tick });
  }

  refuseSeats(request: SeatRequest, code: "seat taken" | "game full"): void {
    const peer = this.#core.peers.find(request.id);
    const text =
      code === "game full"
        ? "all seats are taken"
        : request.seats.length === 0
          ? `fewer than ${request.count} seats are free`
          : `seat ${request.seats.join(" or ")} is taken, or kept for a player who was disconnected`;
    if (peer) this.reject(peer, code, text);
  }

  // Following

  /** Whether this peer has no state, or lost track of the inputs: only a newer state helps. */
  get needsSnapshot(): boolean {
    const { hasState, members, desync } = this.#core;
    return !hasState || members.isLost || desync.isRecovering;
  }

  onFollow(peer: Peer, body: Uint8Array, now: number): void {
    const { members, rollback, hasState, tick } = this.#core;
    if (!hasState) return;
    const { epoch, known } = (readJson(body) ?? {}) as { epoch?: unknown; known?: unknown };
    const isMember = members.streamOf(peer.id) !== undefined;
    if (members.isBanned(peer.id)) return this.reject(peer, "kicked", "the others have removed this peer");
    // It must not go on with a stream that another program has begun: first, the host drops it. It asks again.
    if (members.streamOf(peer.id)?.gone !== undefined) return;
    // Only members feed others, from states that are certain and need no inputs that nobody lists any more.
    if (!members.own || members.oldest > rollback.confirmed) return;
    if (!this.#watch.hasQuorum(now) || !this.#watch.isAwake(now)) return;
    peer.isFollower = !isMember;
    const canContinue =
      epoch === members.epoch &&
      isTick(known) &&
      known > tick - LOG_TICKS / 2 &&
      members.streams.every(
        (stream) => !stream.isSeated || stream.canSendFrom(Math.max(known, stream.member.from)),
      );
    if (canContinue && !isMember) return;
    // One at a time, also for a peer that does not take what it asked for.
    if (now - peer.snapshotAt < SNAPSHOT_EVERY || peer.transfers.waitingBytes > 0) return;
    if (members.isLost) return;
    peer.snapshotAt = now;
    const { confirmed } = rollback;
    const { game, parent, seed, hashEvery } = this.#core;
    const bytes = snapshotBytes(rollback, members, { tick: confirmed, game, parent, seed, hashEvery });
    if (peer.isFollower)
      members.streams.forEach((stream, index) => {
        peer.acks[index] = peer.commandsSent[index] = Math.max(confirmed, stream.member.from);
      });
    peer.transfers.start(SNAPSHOT, bytes);
  }

  onSnapshot(peer: Peer, bytes: Uint8Array): void {
    const { simulation, peers } = this.#core;
    const snapshot = readSnapshot(bytes, simulation);
    if (!snapshot) return peers.fault(peer, "a malformed snapshot");
    if (this.expectsSnapshot(peer)) this.#arrived = { peer, snapshot };
  }

  /** Whether a peer was asked for a snapshot. On slow lines, others may have been asked since. */
  expectsSnapshot(peer: Peer): boolean {
    return this.#core.now() - peer.followedAt < SNAPSHOT_WITHIN;
  }

  #load({ peer, snapshot }: { readonly peer: Peer; readonly snapshot: Snapshot }): void {
    const core = this.#core;
    const { members, rollback, peers, simulation } = core;
    if (!this.needsSnapshot && snapshot.roster.epoch <= members.epoch) return;
    // It is older than the roster that this peer has: loading it would undo that, and inputs would be sampled twice.
    if (core.hasState && snapshot.roster.epoch < members.epoch) return;
    // Another program with the same token was a member, and the others do not know yet that it has ended.
    if (!core.hasState && snapshot.roster.members.some(({ id }) => id === core.id)) return;
    try {
      rollback.load("peerSession", snapshot.state, core.hasState);
    } catch {
      return peers.fault(peer, "a snapshot of another game, or a damaged one");
    }
    const { tick } = rollback;
    const wasOutside = !core.hasState;
    core.seed = snapshot.seed;
    core.game = snapshot.game;
    core.parent = snapshot.parent;
    core.hashEvery = snapshot.hashEvery;
    core.hasState = true;
    // It also sends the inputs that follow.
    core.feeder = peer;
    core.watch.clear();
    core.desync.recovered();
    const ends = members.join(snapshot.roster, tick, snapshot.absentFrom);
    const width = simulation.packing.words;
    members.owners.forEach((owner, seat) => {
      if (tick > 0 && (!owner || (ends.get(owner) ?? 0) < tick))
        rollback.log.writeSeat(tick - 1, seat, snapshot.words, seat * width);
    });
    peer.hasEnd = false;
    this.#askedAt = -Infinity;
    // What led to this state is not known here, so those that followed this peer must find somebody else.
    for (const other of peers.all) other.isFollower = false;
    if (wasOutside) this.greetAll();
    this.#onLoad(tick);
  }

  // Seats

  onSit(peer: Peer, body: Uint8Array): void {
    const { simulation, members, peers, id } = this.#core;
    const request = readSeatRequest(readJson(body), simulation.players);
    if (!request) return peers.fault(peer, "a malformed request for seats");
    if (peer.id !== request.id && !members.streamOf(peer.id))
      return peers.fault(peer, "a request for seats in the name of another peer");
    if (!members.own || members.streamOf(request.id) || members.isBanned(request.id)) return;
    members.requests.add(request, this.#core.now());
    // Pass it on once, from the peer itself to the host.
    const [host] = members.roster.members;
    if (host!.id !== id && peer.id === request.id) peers.find(host!.id)?.send(message(SIT, body), true);
  }

  /** Loads a snapshot that has arrived; asks for one, or for seats. */
  poll(now: number): void {
    if (this.#arrived) {
      const arrived = this.#arrived;
      this.#arrived = undefined;
      this.#load(arrived);
    }
    const { members, rejection, hasState, peers, parent } = this.#core;
    if (!hasState) this.#foundIfNobodyHosts(now);
    // A peer that continues alone greets the others until it meets them again.
    const isLooking = parent !== 0;
    for (const peer of peers.all)
      if (
        (peer.isToGreet || (isLooking && !members.streamOf(peer.id))) &&
        now - peer.greetedAt >= GREET_EVERY
      )
        this.greet(peer);
    if (now - this.#askedAt < RETRY || rejection === "kicked") return;
    if (members.own && !this.needsSnapshot) return;
    if (rejection !== undefined && hasState && now - this.#askedAt < RETRY_REFUSED) return;
    this.#askedAt = now;
    this.#askToFollow(now);
    this.#askForSeats();
  }

  #askToFollow(now: number): void {
    const { peers, members, hasState } = this.#core;
    const { feeder } = this.#core;
    const isFed = feeder && now - feeder.heardAt < FEEDER_SILENCE;
    if ((isFed && !this.needsSnapshot) || feeder?.transfers.isReceiving) return;
    const candidates = peers.all.filter(
      (peer) => peer.id !== 0 && peer.isInGame && (hasState ? members.streamOf(peer.id) : peer.isMember),
    );
    const chosen = candidates[this.#nextFeeder++ % Math.max(1, candidates.length)];
    this.#core.feeder = chosen;
    const { epoch, known, isLost } = members;
    const have = hasState && !isLost ? { epoch, known: Math.min(known, this.#core.tick) } : {};
    if (!chosen) return;
    chosen.followedAt = now;
    chosen.send(jsonMessage(FOLLOW, have), true);
  }

  #askForSeats(): void {
    const { members, settings, peers, hasState, tick, id } = this.#core;
    const { seats, count, name } = settings;
    if (!hasState || members.own || count === 0 || this.needsSnapshot) return;
    const { pausedAt } = members.roster;
    const { known } = members;
    // While nobody sits, nothing is missing, however far the relay is.
    const isCaughtUp = known === Infinity || known - tick < CAUGHT_UP || (pausedAt >= 0 && tick >= pausedAt);
    if (!isCaughtUp) return;
    const request: SeatRequest = { id, name, seats, count };
    for (const peer of peers.all)
      if (peer.id !== 0 && peer.isInGame) peer.send(jsonMessage(SIT, request), true);
  }
}

/** Returns a random id of ten digits: messages are always as long, so that simulated games are the same each time. */
const newGameId = (): number => 1e9 + (crypto.getRandomValues(new Uint32Array(1))[0]! % 3e9);
