// Voters on a simulated network that loses, delays, duplicates and reorders messages, with crashes, partitions and false
// suspicions, all from one seed. Each voter also learns the inputs of all members, which an agreement freezes.
import type { AgreementOptions } from "../../src/net/agreement.js";
import { random, type Random } from "../../src/math/index.js";

/** The part of the class that the network uses, so that broken variants of it can be tested too. */
export interface Voter {
  readonly value: Uint8Array | undefined;
  readonly isActive: boolean;
  readonly isSettled: boolean;
  suspect(index: number): void;
  unsuspect(index: number): void;
  propose(): void;
  receive(from: number, bytes: Uint8Array): boolean;
  poll(now: number): void;
}
export type VoterClass = new (options: AgreementOptions) => Voter;

/** How bad the network is, and what happens in it. Chances are from 0 to 1. */
export interface Weather {
  readonly members: number;
  /** How many of the members vote: the first ones. */
  readonly voters: number;
  /** The option `interval`. Short ones make rivals retry before anyone is done. */
  readonly interval: number;
  /** Chance that a voter wants to coordinate from the start, as it suspects all before it. */
  readonly anarchy: number;
  readonly loss: number;
  readonly duplicates: number;
  /** The delay of a message in milliseconds, what may be added, and the chance that up to 20 times as much is added. */
  readonly delay: number;
  readonly jitter: number;
  readonly stragglers: number;
  /** Chance that a voter dies at a message that it sends. */
  readonly deaths: number;
  /** Chances per voter and poll. */
  readonly suspicions: number;
  readonly pardons: number;
  readonly proposals: number;
  /** Chance per millisecond that the network splits in two, or that it heals. */
  readonly splits: number;
  readonly heals: number;
  /** In chaos: of 100 things that happen, how many are messages. */
  readonly deliveries: number;
}

export const CALM: Weather = {
  members: 5,
  voters: 5,
  interval: 50,
  anarchy: 0,
  loss: 0,
  duplicates: 0,
  delay: 30,
  jitter: 0,
  stragglers: 0,
  deaths: 0,
  suspicions: 0,
  pardons: 0,
  proposals: 0,
  splits: 0,
  heals: 0,
  deliveries: 60,
};

/** Draws a weather. Some are mild, some terrible. */
function drawWeather(dice: Random): Weather {
  const members = 2 + dice.below(7);
  return {
    members,
    voters: dice.chance(0.7) ? members : 1 + dice.below(members),
    interval: dice.pick([5, 20, 50]),
    anarchy: dice.pick([0, 0, 0.6]),
    loss: dice.pick([0, 0.05, 0.3, 0.6]),
    duplicates: dice.pick([0, 0.1, 0.3]),
    delay: dice.pick([1, 20, 60, 200]),
    jitter: dice.pick([1, 10, 50]),
    stragglers: dice.pick([0, 0.1, 0.3]),
    deaths: dice.pick([0, 0, 0.002, 0.01]),
    suspicions: dice.pick([0.0005, 0.002, 0.02]),
    pardons: dice.pick([0, 0.01, 0.05]),
    proposals: dice.pick([0, 0.001, 0.01]),
    splits: dice.pick([0, 0, 0.003]),
    heals: 0.005,
    deliveries: 60,
  };
}

interface Message {
  readonly at: number;
  readonly from: number;
  readonly to: number;
  readonly bytes: Uint8Array;
}

interface Decision {
  /** Makes each value unique. */
  readonly id: number;
  readonly by: number;
  /** Pairs of a member and the tick from which it is absent. */
  readonly drops: readonly (readonly [member: number, cut: number])[];
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const pack = (data: unknown): Uint8Array => encoder.encode(JSON.stringify(data));
const unpack = (bytes: Uint8Array): unknown => JSON.parse(decoder.decode(bytes));

/** Broken variants may use the reports of voters that sent none. */
const unpackReport = (bytes: Uint8Array): unknown => (bytes.length > 0 ? unpack(bytes) : []);

/** Milliseconds between two polls of a voter. */
const POLL = 10;

/** The same rule as in the code under test, written again. */
const canDecide = (voters: ReadonlySet<number>, all: number): boolean =>
  voters.size > all / 2 || (voters.size === all / 2 && voters.has(0));

export class AgreementNetwork {
  now = 0;
  readonly voters: (Voter | undefined)[] = [];
  readonly alive: boolean[];
  /** When each voter learned the decision. */
  readonly decidedAt: number[] = [];
  longest = 0;
  readonly problems: string[] = [];
  /** Called with all that is sent. */
  onSend: (from: number, bytes: Uint8Array) => void = () => {};

  #weather: Weather;
  readonly #dice: Random;
  #queue: Message[] = [];
  /** Which side of a split each voter is on. */
  readonly #sides: number[];
  /** In chaos: the pairs of voters between whom messages wait, as bits. */
  #waiting = 0;
  /** known[v][m]: how many inputs of member m voter v knows. */
  readonly #known: number[][];
  readonly #frozen: Set<number>[];
  readonly #suspected: Set<number>[];
  readonly #made = new Map<number, Decision>();
  #decision: Decision | undefined;

  constructor(kind: VoterClass, weather: Weather, seed: number) {
    const { members, voters } = weather;
    this.#weather = weather;
    this.#dice = random(new Uint32Array(4)).seed(seed);
    const all = Array.from({ length: members }, (_, i) => i);
    this.alive = all.map(() => true);
    this.#sides = all.map(() => 0);
    this.#known = all.map(() => all.map(() => 0));
    this.#frozen = all.map(() => new Set());
    this.#suspected = all.map(() => new Set());
    for (let self = 0; self < voters; self++) this.voters.push(new kind(this.#options(self)));
    for (let voter = 0; voter < voters; voter++)
      if (this.#dice.chance(weather.anarchy)) for (let i = 0; i < voter; i++) this.suspect(voter, i);
  }

  /** The decision that anyone made. */
  get decision(): Decision | undefined {
    return this.#decision;
  }

  /** Whether the voters that are alive can decide. */
  get hasQuorum(): boolean {
    return this.#canDecide((voter) => this.alive[voter]!);
  }

  get isActive(): boolean {
    return this.voters.some((voter, i) => this.alive[i] && (voter!.isActive || voter!.value));
  }

  /** Whether all that are alive know the decision. */
  get areAllDecided(): boolean {
    return this.voters.every((voter, i) => !this.alive[i] || voter!.value);
  }

  suspect(voter: number, member: number): void {
    if (voter === member || !this.alive[voter]) return;
    this.#suspected[voter]!.add(member);
    this.voters[voter]!.suspect(member);
  }

  /** Runs for some milliseconds, or until `isOver`. */
  run(milliseconds: number, isOver: () => boolean = () => false): void {
    for (const end = this.now + milliseconds; this.now < end && !isOver(); this.now++) {
      this.#changeWeather();
      this.#deliver();
      for (const [voter] of this.voters.entries())
        if (this.alive[voter]) {
          if ((this.now + voter * 3) % POLL === 0) this.#misbehave(voter);
          this.voters[voter]!.poll(this.now);
        }
      if (this.now % 5 === 0) this.#learn();
    }
  }

  /** Delivers what a voter says to one other. Everyone else misses it. */
  tell(from: number, to: number): void {
    this.now += 100;
    this.voters[from]!.poll(this.now);
    const heard = this.#queue.filter((message) => message.to === to);
    this.#queue = [];
    for (const message of heard) this.#receive(message);
  }

  /** Lets a voter wait until it opens another ballot. Nobody hears of it yet. */
  retry(voter: number): void {
    for (let i = 0; i < 2; i++) this.voters[voter]!.poll((this.now += 10_000));
    this.#queue = [];
  }

  /** Does one thing at random, in any order: the worst that a network can do. */
  chaos(): void {
    const dice = this.#dice;
    const queue = this.#queue;
    const voter = dice.below(this.voters.length);
    const what = dice.below(100);
    if (dice.chance(0.03)) this.#waiting = dice.u32();
    if (what < this.#weather.deliveries && queue.length > 0) {
      // In any order, and sometimes more than once.
      const at = dice.below(queue.length);
      const message = queue[at]!;
      if ((this.#waiting >>> ((message.from * 5 + message.to) % 32)) & 1) return;
      if (dice.chance(0.8)) queue.splice(at, 1);
      this.#receive(message);
    } else if (what < 90) {
      this.now += dice.chance(0.4) ? 5000 : 10;
      if (this.alive[voter]) this.voters[voter]!.poll(this.now);
    } else if (this.alive[voter]) this.#misbehave(voter);
    while (queue.length > 4 * this.voters.length) queue.splice(dice.below(queue.length), 1);
    if (what % 4 === 0) this.#learn();
  }

  /** Ends all trouble: from now on everyone hears everyone and suspects exactly the dead. */
  calmDown(): void {
    this.#weather = { ...CALM, members: this.#weather.members, voters: this.#weather.voters, jitter: 20 };
    this.#sides.fill(0);
    for (const [voter, it] of this.voters.entries()) {
      if (!this.alive[voter]) continue;
      for (let member = 0; member < this.#weather.members; member++)
        if (!this.alive[member]) this.suspect(voter, member);
        else if (member !== voter) it!.unsuspect(member);
    }
  }

  /** Checks that no quorum ever knew an input that the decision cuts off. */
  checkCuts(): void {
    for (const [member, cut] of this.#decision?.drops ?? [])
      for (let count = cut + 1; ; count++) {
        if (!this.#canDecide((voter) => this.#known[voter]![member]! >= count)) break;
        this.problems.push(`input ${count - 1} of ${member} was confirmed, but it is absent from ${cut} on`);
      }
  }

  #canDecide(filter: (voter: number) => boolean): boolean {
    return canDecide(new Set([...this.voters.keys()].filter(filter)), this.voters.length);
  }

  #options(self: number): AgreementOptions {
    const { members, voters, interval } = this.#weather;
    const known = this.#known[self]!;
    return {
      epoch: 7,
      members,
      voters: Array.from({ length: voters }, (_, i) => i),
      self,
      interval,
      random: () => this.#dice.float(),
      freeze: (frozen) => {
        for (const member of this.#frozen[self]!)
          if (!frozen.has(member)) this.problems.push(`${self} thawed ${member}`);
        for (const member of frozen) this.#frozen[self]!.add(member);
        return pack([...frozen].map((member) => [member, known[member]]));
      },
      makeValue: (suspects, reports) => {
        if (!canDecide(new Set(reports.keys()), voters)) this.problems.push(`${self} made a value alone`);
        const cuts = new Map<number, number>([...suspects].map((member) => [member, 0]));
        for (const [voter, { report, frozen }] of reports) {
          for (const member of suspects)
            if (!frozen.has(member)) this.problems.push(`${self} used ${voter}'s report without ${member}`);
          for (const [member, count] of unpackReport(report) as [number, number][]) {
            if (suspects.has(member)) cuts.set(member, Math.max(cuts.get(member)!, count));
            // It is frozen, so it cannot have changed since.
            if (this.#known[voter]![member] !== count) this.problems.push(`${voter} learned of ${member}`);
          }
        }
        const made: Decision = { id: this.#made.size, by: self, drops: [...cuts] };
        this.#made.set(made.id, made);
        return pack(made);
      },
      decided: (value) => this.#checkDecision(self, unpack(value) as Decision),
      send: (to, bytes) => this.#send(self, to, bytes),
    };
  }

  #checkDecision(by: number, decision: Decision): void {
    if (this.decidedAt[by] !== undefined) this.problems.push(`${by} decided twice`);
    this.decidedAt[by] = this.now;
    if (JSON.stringify(this.#made.get(decision.id)) !== JSON.stringify(decision))
      this.problems.push(`${by} decided what nobody proposed`);
    this.#decision ??= decision;
    if (decision.id !== this.#decision.id)
      this.problems.push(`${by} decided ${decision.id}, others ${this.#decision.id}`);
  }

  #send(from: number, to: number, bytes: Uint8Array): void {
    const { loss, duplicates, delay, jitter, stragglers, deaths } = this.#weather;
    const dice = this.#dice;
    this.longest = Math.max(this.longest, bytes.length);
    if (dice.chance(deaths)) this.alive[from] = false;
    if (!this.alive[from]) return;
    this.onSend(from, bytes.slice());
    if (this.#sides[from] !== this.#sides[to]) return;
    for (let copies = dice.chance(duplicates) ? 2 : 1; copies > 0; copies--) {
      if (dice.chance(loss)) continue;
      const lateness = dice.below(dice.chance(stragglers) ? 20 * delay : jitter + 1);
      const at = this.now + delay + lateness;
      this.#queue.push({ at, from, to, bytes: bytes.slice() });
    }
  }

  #deliver(): void {
    const due = this.#queue.filter(({ at }) => at <= this.now);
    if (due.length === 0) return;
    this.#queue = this.#queue.filter(({ at }) => at > this.now);
    for (const message of due) this.#receive(message);
  }

  #receive({ from, to, bytes }: Message): void {
    if (this.alive[to] && !this.voters[to]!.receive(from, bytes))
      this.problems.push(`${to} rejected a message of ${from}`);
  }

  #changeWeather(): void {
    const { splits, heals } = this.#weather;
    if (splits === 0) return;
    if (this.#dice.chance(heals)) this.#sides.fill(0);
    else if (this.#dice.chance(splits))
      for (let i = 0; i < this.#sides.length; i++) this.#sides[i] = this.#dice.below(2);
  }

  /** Suspects, pardons and proposes at random. */
  #misbehave(voter: number): void {
    const { members, suspicions, pardons, proposals } = this.#weather;
    const dice = this.#dice;
    const other = (voter + 1 + dice.below(members - 1)) % members;
    if (dice.chance(suspicions)) this.suspect(voter, other);
    if (dice.chance(pardons)) this.voters[voter]!.unsuspect(other);
    if (dice.chance(proposals)) this.voters[voter]!.propose();
  }

  /** Each member gets an input of its own, and some inputs of others from some voter. */
  #learn(): void {
    const { members } = this.#weather;
    const dice = this.#dice;
    for (let member = 0; member < members; member++) {
      const isFrozen = this.#frozen[member]!.has(member);
      if (this.alive[member] && !isFrozen) this.#known[member]![member]!++;
      for (let voter = 0; voter < this.voters.length; voter++) {
        const from = dice.below(members);
        if (!this.alive[voter] || this.#frozen[voter]!.has(member) || !dice.chance(0.5)) continue;
        // Packets of the dead may still be under way.
        const heard = this.#known[from]![member]! - dice.below(2);
        this.#known[voter]![member] = Math.max(this.#known[voter]![member]!, heard);
      }
    }
  }
}

/** Runs a seed from bad weather to calm, and returns what went wrong. */
export function troubleOf(kind: VoterClass, seed: number): { problems: string[]; waited: number } {
  const dice = random(new Uint32Array(4)).seed(seed);
  const network = new AgreementNetwork(kind, drawWeather(dice), seed);
  network.run(200 + dice.below(3000));
  return calmed(network);
}

/** Calms a network, and returns what went wrong so far and then. */
function calmed(network: AgreementNetwork): { problems: string[]; waited: number } {
  network.calmDown();
  if (!network.isActive) network.voters.find((_, i) => network.alive[i])?.propose();
  const calm = network.now;
  network.run(network.hasQuorum ? LIMIT : 500, () => network.areAllDecided);
  const waited = network.now - calm;
  if (network.hasQuorum && !network.areAllDecided)
    network.problems.push(`undecided after ${waited} ms of calm`);
  // Whoever has not frozen a stream goes on to learn from it.
  network.run(200);
  network.checkCuts();
  return { problems: network.problems, waited: network.hasQuorum ? waited : 0 };
}

/** Runs a seed in which messages arrive in any order and everyone wants to coordinate. Returns what went wrong. */
export function chaosOf(kind: VoterClass, seed: number): { problems: string[]; waited: number } {
  const dice = random(new Uint32Array(4)).seed(seed);
  const members = 2 + dice.below(4);
  const weather = {
    ...CALM,
    members,
    voters: members,
    anarchy: dice.pick([0.2, 1]),
    deliveries: dice.pick([30, 45, 60]),
    suspicions: 0.3,
    pardons: dice.pick([0.02, 0.3]),
    proposals: 0.05,
    deaths: dice.pick([0, 0.002]),
  };
  const network = new AgreementNetwork(kind, weather, seed);
  for (let i = 0; i < 400; i++) network.chaos();
  return calmed(network);
}

/**
 * Two voters have accepted different values, and the newer one is decided when one of them tries again. Returns what went
 * wrong.
 */
export function newerOf(kind: VoterClass, [a, b]: readonly [number, number]): { problems: string[] } {
  const witness = 2;
  const network = new AgreementNetwork(kind, { ...CALM, members: 3, voters: 3 }, 1);
  for (const voter of [a, b]) for (let other = 0; other < 3; other++) network.suspect(voter, other);
  network.retry(a);
  network.tell(a, witness);
  network.tell(witness, a);
  // Now A has accepted its own value. B opens a higher ballot, and A promises it.
  network.tell(witness, b);
  network.retry(b);
  network.tell(b, a);
  network.tell(b, witness);
  network.tell(witness, b);
  // Now B has accepted its own value too, and the witness decides on that one.
  network.tell(b, witness);
  network.retry(a);
  network.tell(a, b);
  network.tell(b, a);
  network.tell(a, b);
  if (network.decision?.by !== b) network.problems.push("the scenario does not work any more");
  return calmed(network);
}

/** Everyone that is alive decides within so many milliseconds of calm. */
const LIMIT = 10_000;
