import { engineName } from "../platform/index.js";
import { record } from "../replay/index.js";
import { bytesOf } from "../sim/bytes.js";
import type { ConfirmedTick } from "../sim/index.js";
import type { Hash } from "../state/index.js";
import { DESYNC, DESYNC_PART, message } from "./messages.js";
import { writeReport, type ReportSide } from "./desync-report.js";
import type { DesyncFound, HeldState } from "./desync-result.js";
import { DesyncSearch } from "./desync-search.js";
import type { Mismatch } from "./desync-watch.js";
import type { DesyncEvent } from "./net-events.js";
import type { PeerCore } from "./peer-core.js";
import type { Rollback } from "./rollback.js";

/** Milliseconds after which a search is given up, and for which no other one with the same peer begins. */
const PATIENCE = 10_000;
/** Milliseconds after which it is clear who differs from whom. */
const VERDICT_AFTER = 1000;
/** Most bytes of states that are kept for a search. */
const MAX_HELD_BYTES = 2 ** 26;
/** Longest message with a peer's state and replay. */
const MAX_PART = 2 ** 26;

/** A state that is kept for a search. */
interface Kept extends HeldState {
  readonly hash: Hash;
  /** As `session.bytes()` returns it. */
  readonly bytes: Uint8Array;
}

/** A desync with one peer. */
interface Case {
  readonly id: number;
  readonly tick: number;
  readonly first: number;
  readonly last: number;
  readonly kept: ReadonlyMap<number, Kept>;
  readonly inputs: ReadonlyMap<number, readonly number[]>;
  readonly replay: Uint8Array;
  readonly search: DesyncSearch;
  startedAt: number;
  found: DesyncFound | undefined;
  isReported: boolean;
  isResolved: boolean;
  theirs: ReportSide | undefined;
}

/** Acts when the hashes of a confirmed state differ: searches for the first difference together with the peer, and reports it. */
export class DesyncHandler {
  readonly #core: PeerCore;
  readonly #cases = new Map<number, Case>();
  #now = 0;
  /** This peer waits for the state of the host. */
  isRecovering = false;

  constructor(core: PeerCore) {
    this.#core = core;
  }

  readonly onMismatch = ({ id, checkpoint }: Mismatch): void => {
    if (this.#cases.has(id)) return;
    const found = this.#open(id, checkpoint);
    this.#core.emit("desync", this.#eventOf(found, "suspected"));
    if (this.#leads(id)) found.search.start();
    this.#advance(found);
  };

  #leads(id: number): boolean {
    return this.#core.id < id;
  }

  /** Keeps the states from the last equal one to the one that differs, as the session overwrites them soon. */
  #open(id: number, checkpoint: number): Case {
    const { rollback, watch, simulation } = this.#core;
    const every = this.#core.hashEvery;
    const last = Math.min(checkpoint * every, rollback.confirmed);
    const agreed = watch.agreedWith(id);
    const size = simulation.layout.size;
    const earliest = Math.max(
      rollback.oldest,
      agreed >= 0 ? agreed * every : last - 4 * every,
      last - Math.floor(MAX_HELD_BYTES / size),
    );
    const first = Math.max(0, Math.min(earliest, last));
    const kept = new Map<number, Kept>();
    const inputs = new Map<number, readonly number[]>();
    const isHeld = last >= rollback.oldest;
    for (let tick = first; isHeld && tick <= last; tick++) {
      kept.set(tick, this.#stateAt(tick));
      if (tick < last) inputs.set(tick, this.#inputsHash(tick));
    }
    const replay = isHeld ? replayOf(rollback, this.#core.seed, first, last) : new Uint8Array(0);
    const search = new DesyncSearch(
      {
        simulation,
        firstHeld: first,
        lastHeld: last,
        hashAt: (tick) => kept.get(tick)?.hash,
        stateAt: (tick) => kept.get(tick),
        inputsHash: (tick, seat) => inputs.get(tick)?.[seat],
      },
      this.#leads(id),
      (bytes) => this.#core.peers.find(id)?.send(message(DESYNC, bytes), true),
    );
    const opened: Case = {
      id,
      tick: last,
      first,
      last,
      kept,
      inputs,
      replay,
      search,
      startedAt: this.#now,
      found: undefined,
      isReported: false,
      isResolved: false,
      theirs: undefined,
    };
    this.#cases.set(id, opened);
    return opened;
  }

  /** Copies a state that the session still holds. */
  #stateAt(tick: number): Kept {
    const { rollback, simulation } = this.#core;
    const { run } = rollback;
    return rollback.readAt(tick, () => ({
      state: run.state.bytes(),
      external: run.externalHashes(),
      hash: [...run.hash()] as unknown as Hash,
      bytes: bytesOf(simulation, run, true),
    }));
  }

  /** Hashes the inputs and commands of each seat in a tick. */
  #inputsHash(tick: number): number[] {
    const { rollback, simulation } = this.#core;
    const { players, packing } = simulation;
    const words = new Uint32Array(players * packing.words);
    const absent = new Uint8Array(players);
    rollback.log.read(tick, words, absent);
    return Array.from({ length: players }, (_, seat) => {
      let hash = 0x811c9dc5 ^ absent[seat]!;
      const add = (value: number) => (hash = Math.imul(hash ^ value, 0x01000193));
      for (let i = 0; i < packing.words; i++) {
        const word = words[seat * packing.words + i]!;
        for (let shift = 0; shift < 32; shift += 8) add((word >>> shift) & 0xff);
      }
      for (const { player, bytes } of rollback.log.commands(tick)) if (player === seat) bytes.forEach(add);
      return hash >>> 0;
    });
  }

  /** Takes in a message of a search. The first one may come before the hash that differs. */
  receive(id: number, bytes: Uint8Array): void {
    const { watch, rollback } = this.#core;
    const every = this.#core.hashEvery;
    if (every === 0) return;
    let found = this.#cases.get(id);
    if (!found) {
      if (this.#leads(id) || watch.newest < 0 || rollback.confirmed === 0) return;
      found = this.#open(id, watch.newest);
      this.#core.emit("desync", this.#eventOf(found, "suspected"));
    }
    if (found.search.result === undefined) found.search.receive(bytes);
    this.#advance(found);
  }

  /** Whether a long message of a peer is expected. */
  accepts(id: number, total: number): boolean {
    return this.#cases.has(id) && total <= MAX_PART;
  }

  /** Takes in the peer's state and replay, for the report. */
  receivePart(id: number, bytes: Uint8Array): void {
    const found = this.#cases.get(id);
    if (!found || found.theirs || bytes.length < 8) return;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const header = view.getUint32(0);
    const state = view.getUint32(4);
    if (8 + header + state > bytes.length) return;
    let texts: unknown;
    try {
      texts = JSON.parse(new TextDecoder().decode(bytes.subarray(8, 8 + header)));
    } catch {
      return;
    }
    const { engine, build } = (texts ?? {}) as { engine?: unknown; build?: unknown };
    if (typeof engine !== "string" || typeof build !== "string") return;
    found.theirs = {
      engine,
      build,
      state: bytes.slice(8 + header, 8 + header + state),
      replay: bytes.slice(8 + header + state),
    };
    this.#advance(found);
  }

  /** Reports what the search has found, once the peer's part is there too. */
  #advance(found: Case): void {
    const { result } = found.search;
    if (!result || found.isReported) return;
    if (result.outcome === "found" && !found.found) {
      found.found = result;
      this.#core.peers.find(found.id)?.transfers.start(DESYNC_PART, this.#partOf(found, result.tick));
    }
    if (result.outcome === "found" && !found.theirs) return;
    this.#report(found);
  }

  #report(found: Case): void {
    if (found.isReported) return;
    found.isReported = true;
    const { result } = found.search;
    const seats = result && result.outcome !== "failed" ? result.seats : [];
    this.#core.emit("desync", this.#eventOf(found, found.found ? "found" : "unknown"));
    for (const seat of seats) this.#accuse(seat, found.id);
  }

  /** Returns this side's state and replay, for the peer's report. */
  #partOf(found: Case, tick: number): Uint8Array {
    const { engine, build, state, replay } = this.#sideOf(found, tick);
    const header = new TextEncoder().encode(JSON.stringify({ engine, build }));
    const bytes = new Uint8Array(8 + header.length + state!.length + replay!.length);
    const view = new DataView(bytes.buffer);
    view.setUint32(0, header.length);
    view.setUint32(4, state!.length);
    bytes.set(header, 8);
    bytes.set(state!, 8 + header.length);
    bytes.set(replay!, 8 + header.length + state!.length);
    return bytes;
  }

  #sideOf(found: Case, tick: number): ReportSide {
    const { build } = this.#core.settings;
    return { engine: engineName(), build, state: found.kept.get(tick)!.bytes, replay: found.replay };
  }

  #eventOf(found: Case, stage: DesyncEvent["stage"]): DesyncEvent {
    const { result } = found.search;
    const details = found.found;
    return {
      peer: found.id,
      name: this.#core.nameOf(found.id),
      tick: details?.tick ?? found.tick,
      fields: details?.fields ?? [],
      external: details?.external ?? [],
      seats: result && result.outcome !== "failed" ? result.seats : [],
      stage,
      isOurs: this.#isOurs(),
      ...(details ? { report: () => this.#reportOf(found, details) } : {}),
    };
  }

  #reportOf(found: Case, { tick, after, fields, more, external, seats }: DesyncFound): Uint8Array {
    const common = after === undefined ? undefined : found.kept.get(after)?.bytes;
    const a = this.#sideOf(found, tick);
    const b = found.theirs ?? { engine: "", build: "" };
    return writeReport({
      simulation: this.#core.simulation,
      tick,
      after,
      fields,
      more,
      external,
      seats,
      a,
      b,
      common,
    });
  }

  /** Whether more members differ from this peer than agree with it. */
  #isOurs(): boolean {
    return 2 * this.#cases.size > this.#core.members.roster.members.length;
  }

  /** Whether more than half of the members, this one included, have had the same state since. */
  #isTheirs({ tick }: Case): boolean {
    const { members, watch, id: self } = this.#core;
    const list = members.roster.members;
    const checkpoint = this.#core.checkpointOf(tick);
    const agreeing = list.filter(
      ({ id }) => id === self || (!this.#cases.has(id) && watch.agreedWith(id) >= checkpoint),
    );
    return 2 * agreeing.length > list.length;
  }

  /** Gives up searches that take too long, and acts on those that are clear. */
  poll(now: number): void {
    this.#now = now;
    for (const found of this.#cases.values()) {
      if (now - found.startedAt > VERDICT_AFTER && !found.isResolved) {
        const isOurs = this.#isOurs();
        found.isResolved = isOurs || this.#core.settings.desync !== "drop" || this.#isTheirs(found);
        if (found.isResolved) this.#resolve(found, isOurs);
      }
      if (now - found.startedAt <= PATIENCE) continue;
      this.#report(found);
      this.#cases.delete(found.id);
    }
  }

  /** Acts on a desync, as the options say: `isOurs` tells whether this peer differs from most others. */
  #resolve({ id, search }: Case, isOurs: boolean): void {
    const { settings, members } = this.#core;
    const { result } = search;
    // All states are equal after all: the peer lied about a hash.
    const isLie = result?.outcome === "none" && result.held !== undefined && result.seats.length === 0;
    const [host] = members.roster.members;
    if (settings.desync === "recover") {
      // The host's state counts.
      if (host?.id !== this.#core.id && (isOurs || host?.id === id)) this.isRecovering = true;
    } else if (settings.desync === "drop" && !isOurs && members.roster.members.length > 2)
      members.markGone(id, isLie ? "hostile" : "desync");
  }

  /** Inputs of a seat differ between two peers: its peer sent different ones, unless the witness lies. */
  #accuse(seat: number, witness: number): void {
    const owner = this.#core.members.owners[seat];
    if (!owner || owner.isTwoFaced || owner.member.id === this.#core.id) return;
    owner.isTwoFaced = true;
    const name = JSON.stringify(this.#core.nameOf(witness));
    this.#core.tellPeer(
      "two-faced",
      owner.member.id,
      `${name} has received other inputs of this peer than we have`,
    );
  }

  /** Another state was loaded. */
  recovered(): void {
    this.isRecovering = false;
    this.#cases.clear();
  }

  forget(id: number): void {
    const found = this.#cases.get(id);
    if (!found) return;
    this.#report(found);
    this.#cases.delete(id);
  }
}

/** Records the ticks from one kept state to another as an ordinary replay. */
function replayOf(rollback: Rollback, seed: number | string, first: number, last: number): Uint8Array {
  const { simulation, log } = rollback;
  const { players, packing } = simulation;
  let tick = first;
  let listener: (confirmed: ConfirmedTick) => void = () => {};
  const session = {
    simulation,
    seed,
    get tick() {
      return tick;
    },
    get confirmed() {
      return tick;
    },
    hash: (out?: [number, number]) => rollback.hashAt(tick, out),
    bytes: () => rollback.bytesAt(tick),
    on(event: string, added: never) {
      if (event === "confirmed") listener = added;
      return () => {};
    },
  };
  const recorder = record(session, { everyTick: true, keyframes: 0 });
  const words = new Uint32Array(players * packing.words);
  const absent = new Uint8Array(players);
  while (tick < last) {
    log.read(tick, words, absent);
    const confirmed = {
      tick,
      words,
      absent,
      commands: log.commands(tick),
      hash: session.hash,
      bytes: session.bytes,
    };
    tick++;
    listener(confirmed);
  }
  return recorder.bytes();
}
