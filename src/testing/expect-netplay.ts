import {
  badValue,
  onBehalfOf,
  requireFunction,
  requireNumber,
  requireOptions,
  requireWhole,
} from "../errors/index.js";
import type { InputFields, InputValues, Packing } from "../input/index.js";
import { random, type Random } from "../math/index.js";
import type { Conditions, NetworkProfile } from "../net/index.js";
import { simulatedNetwork, type SimulatedPeer } from "../net/simulated.js";
import { readBytes } from "../sim/bytes.js";
import type { AnySimulation, CommandFields, IssueCommand } from "../sim/index.js";
import { randomCommands } from "../sim/random-commands.js";
import { Run } from "../sim/run.js";
import { formatDifferences, type Fields, type Hash } from "../state/index.js";

/** The last argument of the functions in the options of `expectNetplay`. */
export interface NetplayRequest {
  readonly seat: number;
  /** The tick that the inputs are for, or that the peer has reached. */
  readonly tick: number;
  /** Random numbers of the seat, drawn from the seed. */
  readonly random: Random;
}

/** Options of `expectNetplay`. */
export interface NetplayOptions<I extends InputFields, C extends CommandFields = CommandFields> {
  /** How many peers play. They share the seats; those without one watch. More than 8 play through a relay. Default: one per seat. */
  readonly peers?: number | undefined;
  /** How long they play, in virtual seconds. Default 60. */
  readonly seconds?: number | undefined;
  /** What all links are like: a profile, or conditions of your own. Default `"bad wifi"`. */
  readonly network?: NetworkProfile | Conditions | undefined;
  /** Inputs, commands and the fate of every packet are drawn from it. Default 1. */
  readonly seed?: number | string | undefined;
  /** Ticks that may be predicted; 0 is lockstep. Default: that of `peerSession`. */
  readonly window?: number | undefined;
  /** Ticks between sampling an input and the tick it applies to. Default: that of `peerSession`. */
  readonly delay?: number | "auto" | undefined;
  /** Writes what a player does, in each tick and for each seat. Default: random inputs, each held for some ticks. */
  readonly inputs?: ((player: InputValues<I>, request: NetplayRequest) => void) | undefined;
  /** Issues commands of a player: `(command) => command("build", { x: 7 })`. Called after each tick, for each seat. Default: random commands. */
  readonly commands?: ((command: IssueCommand<C>, request: NetplayRequest) => void) | undefined;
}

const OPTIONS = Object.keys({
  peers: 1,
  seconds: 1,
  network: 1,
  seed: 1,
  window: 1,
  delay: 1,
  inputs: 1,
  commands: 1,
} satisfies Record<keyof NetplayOptions<InputFields>, 1>);

/** Figures of a game that passed. */
export interface NetplayResult {
  /** Ticks that all peers have confirmed. Their states are equal in each. */
  readonly ticks: number;
  /** The hash of the last one's state. */
  readonly hash: Hash;
  /** Corrections of wrong guesses, and the ticks that were simulated again, of all peers. */
  readonly rollbacks: number;
  readonly resimulatedTicks: number;
  /** Calls of `advance` that could not step, as inputs were missing: of the worst peer. */
  readonly stalledTicks: number;
  /** Milliseconds of the longest standstill of a peer. */
  readonly longestStall: number;
  /** Bytes of inputs that a peer sent per second, on average. */
  readonly bytesPerSecond: number;
}

/** A session that makes no progress for this long although packets arrive is frozen, in milliseconds. */
const FROZEN = 1000;
/** How long the sessions may search for the cause of a desync, in seconds. */
const DIAGNOSIS = 12;
const MAX_MESH = 8;

/**
 * Plays a game between several peers on a simulated network, with random inputs, and throws if it breaks: if two peers have different
 * states at the same confirmed tick, if one freezes, or if nothing was tested, as no guess was ever wrong or the world never changed.
 * The error says what happened, when, and how to reproduce it. Works in any test runner.
 */
export function expectNetplay<I extends InputFields, P extends number, C extends CommandFields>(
  simulation: AnySimulation<Fields, I, P, C>,
  options: NetplayOptions<I, C> = {},
): NetplayResult {
  requireOptions(CALL, options, OPTIONS, '{ network: "bad wifi" }');
  const { players } = simulation;
  const { peers = players, seconds = 60, seed = 1 } = options;
  if (players < 2) badValue(`${CALL}: the simulation's players`, "2 or more", players, "{ players: 2 }");
  requireWhole(`${CALL}: peers`, peers, 2, 4);
  if (peers > 64) badValue(`${CALL}: peers`, "at most 64", peers, 4);
  requireNumber(`${CALL}: seconds`, seconds, 1, 1e6, 60);
  if (typeof seed !== "string" && !Number.isSafeInteger(seed))
    badValue(`${CALL}: seed`, "a whole number below 2^53, or a string", seed, 1);
  if (options.inputs !== undefined)
    requireFunction(`${CALL}: inputs`, options.inputs, "(player, { tick }) => {}");
  if (options.commands !== undefined)
    requireFunction(`${CALL}: commands`, options.commands, '(command) => command("build", { x: 7 })');
  const game = onBehalfOf(
    CALL,
    ["peerSession", "simulatedNetwork", "conditioned"],
    () => new Netplay(simulation as AnySimulation, { ...options, peers, seconds, seed } as never),
  );
  try {
    return game.play();
  } finally {
    game.dispose();
  }
}

const CALL = "expectNetplay";

type Settings = NetplayOptions<InputFields> & {
  readonly peers: number;
  readonly seconds: number;
  readonly seed: number | string;
};

interface Player {
  readonly index: number;
  readonly peer: SimulatedPeer;
  /** One per own seat. */
  readonly dice: readonly Random[];
  /** When its tick last changed, the tick, and the bytes that it had received until shortly after. */
  progressAt: number;
  tick: number;
  received: number;
}

/** One game of `expectNetplay`. */
class Netplay {
  readonly #simulation: AnySimulation;
  readonly #settings: Settings;
  readonly #net;
  readonly #players: Player[] = [];
  /** The hash of each confirmed state, and the first peer that had it. */
  readonly #states = new Map<number, { readonly hash: Hash; readonly index: number }>();
  /** The first thing that went wrong. */
  #problem = "";
  /** What the sessions found out about a desync. */
  #details = "";
  #longestStall = 0;
  readonly #probe: Run;
  readonly #stillWorld: string;
  #hasMoved = false;

  constructor(simulation: AnySimulation, settings: Settings) {
    const { peers, seed, network = "bad wifi" } = settings;
    const { players } = simulation;
    this.#simulation = simulation;
    this.#settings = settings;
    this.#net = simulatedNetwork({ network, seed });
    this.#probe = new Run(simulation, 0, { seed }, CALL);
    this.#stillWorld = this.#worldText();
    const isStar = peers > MAX_MESH;
    if (isStar) this.#add([], true);
    const seated = Math.min(peers, players);
    for (let index = 0; index < peers; index++) {
      const seats = Array.from({ length: players }, (_, seat) => seat).filter(
        (seat) => seat % seated === index,
      );
      this.#add(seats, false);
    }
    const [first, ...others] = this.#net.peers;
    if (isStar) for (const other of others) this.#net.connect(first!, other);
    else this.#net.mesh();
  }

  #add(seats: readonly number[], relay: boolean): void {
    const { window, delay, seed, inputs } = this.#settings;
    const { packing } = this.#simulation;
    const index = this.#players.length;
    const dice = seats.map((seat) => random(new Uint32Array(4)).seed(`${seed}/seat ${seat}`));
    const peer = this.#net.peer(this.#simulation as never, {
      seats,
      relay,
      window,
      delay,
      seed,
      present: "none",
      name: `peer ${index}`,
      // Every tick is compared, so that the first difference is found.
      hashEvery: 1,
      desync: "report",
      inputs: inputs
        ? (writers, { tick }) =>
            writers.forEach((writer, i) => inputs(writer, { seat: seats[i]!, tick, random: dice[i]! }))
        : seats.map((_, i) => ({
            sample: (words: Uint32Array, at: number) => randomize(packing, words, at, dice[i]!),
          })),
    }) as unknown as SimulatedPeer;
    const player: Player = { index, peer, dice, progressAt: 0, tick: 0, received: 0 };
    this.#players.push(player);
    peer.session.on("confirmed", ({ tick, hash, bytes }) => {
      this.#compare(player, tick + 1, hash());
      if (index === 0 && !this.#hasMoved && tick % 60 === 0) this.#look(bytes());
    });
    peer.session.net.on("desync", ({ stage, name, tick, fields, external, seats: differing }) => {
      this.#fail(`peer ${index} reports a desync with ${name} at state ${tick}`);
      if (stage !== "found" || this.#details !== "") return;
      const lines = [
        ...(fields.length > 0 ? [formatDifferences(fields)] : []),
        ...external.map((one) => `external state "${one}" differs`),
        ...differing.map((seat) => `the inputs of seat ${seat} differ`),
      ];
      this.#details = `\nThe first difference between peer ${index} and ${name}, at state ${tick}:\n${lines.join("\n")}`;
    });
    peer.afterAdvance = (result) => this.#afterAdvance(player, seats, result === "stepped");
  }

  play(): NetplayResult {
    const { seconds } = this.#settings;
    // In pieces, to stop at the first problem.
    for (let left = seconds; left > 0 && this.#problem === ""; left--) this.#run(Math.min(1, left));
    if (this.#problem.includes("desync") || this.#problem.includes("different states"))
      for (let left = DIAGNOSIS; left > 0 && this.#details === ""; left--) this.#run(1);
    if (this.#problem !== "") this.#throw(this.#problem + this.#details);
    return this.#result();
  }

  #run(seconds: number): void {
    try {
      this.#net.run(seconds);
    } catch (error) {
      if (this.#problem === "")
        this.#throw(
          `${(error instanceof Error ? error.message : String(error)).replace(/\.$/, "")} (after ${this.#seconds} s)`,
          error,
        );
    }
  }

  #compare({ index }: Player, tick: number, hash: Hash): void {
    const known = this.#states.get(tick);
    if (!known) this.#states.set(tick, { hash: [hash[0], hash[1]], index });
    else if (known.hash[0] !== hash[0] || known.hash[1] !== hash[1])
      this.#fail(`peers ${known.index} and ${index} have different states at tick ${tick}`);
  }

  /** Compares the world with that before the first tick. */
  #look(bytes: Uint8Array): void {
    readBytes(this.#simulation, this.#probe, bytes, CALL);
    this.#hasMoved = this.#worldText() !== this.#stillWorld;
  }

  /** The world without its tick, the random generator and the memory of inputs. */
  #worldText(): string {
    const { tick: _, ...world } = this.#probe.state.toJSON() as Record<string, unknown>;
    return JSON.stringify([world, this.#probe.externalHashes()]);
  }

  #afterAdvance(player: Player, seats: readonly number[], isStepped: boolean): void {
    const { session } = player.peer;
    const { tick, net } = session;
    const now = this.#net.time.now();
    if (tick !== player.tick || net.state === "connecting" || net.state === "waiting") {
      player.tick = tick;
      player.progressAt = now;
    }
    const stall = now - player.progressAt;
    // Packets that arrived before, or just after, are no reason to go on.
    if (stall <= FROZEN / 2) player.received = this.#received(player);
    this.#longestStall = Math.max(this.#longestStall, stall);
    if (stall > FROZEN && this.#received(player) > player.received)
      this.#fail(
        `peer ${player.index} is frozen: it has been at tick ${tick} for ${FROZEN / 1000} s, although packets arrive`,
      );
    if (isStepped && session.seats.length > 0) this.#command(player, seats);
  }

  #received({ peer }: Player): number {
    return peer.session.net.peers.reduce((sum, { bytesReceived }) => sum + bytesReceived, 0);
  }

  #command({ peer, dice }: Player, seats: readonly number[]): void {
    const { session } = peer;
    const { commands: spec } = this.#simulation;
    const { commands } = this.#settings;
    seats.forEach((seat, i) => {
      if (commands) {
        const command = (name: never, values: never) => session.command(name, values, { player: seat });
        commands(command as never, { seat, tick: session.tick, random: dice[i]! });
        return;
      }
      for (const { bytes } of randomCommands(spec, 1, dice[i]!)) {
        const { name, player: _, ...values } = spec.decode(bytes);
        session.command(name as never, values as never, { player: seat });
      }
    });
  }

  #result(): NetplayResult {
    const sessions = this.#players.map(({ peer }) => peer.session);
    const { window = 8, seconds } = this.#settings;
    const sum = (figure: (session: (typeof sessions)[number]) => number) =>
      sessions.reduce((total, session) => total + figure(session), 0);
    const ticks = Math.min(...sessions.map(({ confirmed }) => confirmed));
    const rollbacks = sum(({ net }) => net.rollbacks);
    if (ticks === 0) {
      const late = sessions.findIndex(({ confirmed }) => confirmed === 0);
      this.#throw(`peer ${late} has confirmed no tick, its state is "${sessions[late]!.net.state}"`);
    }
    if (!this.#hasMoved)
      this.#throw("the world did not change, so nothing was tested. Pass inputs that have an effect");
    if (rollbacks === 0 && window > 0)
      this.#throw(
        "no guess was ever wrong, so no rollback was tested. Use a worse network, less delay, or inputs that change",
      );
    return {
      ticks,
      hash: this.#states.get(ticks)!.hash,
      rollbacks,
      resimulatedTicks: sum(({ net }) => net.resimulatedTicks),
      stalledTicks: Math.max(...sessions.map(({ net }) => net.stalledTicks)),
      longestStall: this.#longestStall,
      bytesPerSecond: sum(({ net }) => net.bytesSent) / sessions.length / seconds,
    };
  }

  get #seconds(): string {
    return (this.#net.time.now() / 1000).toFixed(1);
  }

  /** Notes the first problem. */
  #fail(problem: string): void {
    if (this.#problem === "") this.#problem = `${problem} (after ${this.#seconds} s)`;
  }

  #throw(problem: string, cause?: unknown): never {
    const { peers, seconds, network = "bad wifi", seed, window, delay } = this.#settings;
    const own = this.#settings.inputs || this.#settings.commands ? ", …" : "";
    const options = JSON.stringify({ peers, seconds, network, seed, window, delay })
      .replaceAll(/"(\w+)":/g, " $1: ")
      .replaceAll(/(?<=\d|")}/g, " }")
      .slice(1, -2);
    throw new Error(
      `${CALL}: ${this.#simulation.name}: ${problem}.\nTo reproduce: ${CALL}(game, {${options}${own} })`,
      cause === undefined ? undefined : { cause },
    );
  }

  dispose(): void {
    this.#net.dispose();
    this.#probe.dispose();
  }
}

/** Changes each field about every eighth tick. */
function randomize({ slots }: Packing, words: Uint32Array, at: number, dice: Random): void {
  for (const { word, mask } of slots)
    if (dice.chance(0.125)) words[at + word] = (words[at + word]! & ~mask) | (dice.u32() & mask);
}
